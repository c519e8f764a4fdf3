from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from toolnexus.errors import UsageError
from toolnexus.transcripts.names import conversation_id, file_name, file_names, is_cut

IDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60) | st.text(
    "aA/.%~\0é ", min_size=1, max_size=12
)


@pytest.mark.parametrize("name", ["2026-11-20-move", "a_b.c", "0f3c", "chat-1.2"])
def test_ordinary_ids_stay_as_they_are(name: str):
    """An id of small letters, digits, hyphens and dots is its file's name."""
    assert file_name(name) == f"{name}.jsonl"


@settings(max_examples=200)
@given(IDS)
@example("..")
@example(".")
@example("../../etc/passwd")
@example("%2F")
@example("A" * 300)
def test_a_name_stays_in_its_folder_and_leads_back(conversation: str):
    """Every id gives one plain, bounded path component, from which the id can be told."""
    name = file_name(conversation)
    assert "/" not in name
    assert "\0" not in name
    assert not name.startswith(".")
    assert len(name.encode()) <= 206
    assert is_cut(name) or conversation_id(name) == conversation


@pytest.mark.slow
@settings(max_examples=200)
@given(st.tuples(IDS, IDS))
@example(("chat", "Chat"))
@example(("a/b", "a%2Fb"))
@example(("e\u0301", "\u00e9"))
@example(("x" * 300 + "a", "x" * 300 + "b"))
def test_two_ids_never_share_a_file_even_where_case_is_folded(ids: tuple[str, str]):
    """Names of different ids differ after case folding."""
    first, second = ids
    if first != second:
        assert file_name(first).casefold() != file_name(second).casefold()


@settings(max_examples=200)
@given(st.text("aA%20fF~é. -", min_size=1, max_size=10))
@example("..%2Fx")
@example(".hid")
@example(".")
@example("..")
@example("a%2fb")
@example("%FF")
@example("Chat")
@example("\udcff")
def test_any_files_id_leads_back_to_the_file(stem: str):
    """Whatever another tool named its file, its id finds that file again."""
    name = f"{stem}.jsonl"
    conversation = conversation_id(name)
    conversation.encode()
    assert name in file_names(conversation)


@pytest.mark.parametrize("conversation", ["", "half \ud83d"])
def test_impossible_ids_are_usage_errors(conversation: str):
    """An empty id and half a surrogate pair are refused."""
    with pytest.raises(UsageError):
        file_names(conversation)
