"""Secrets in running text, found and masked."""

from __future__ import annotations

import itertools
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pasted_secrets import INNOCENT, PASTED, VALUES

from toolnexus.text.document import parse_document
from toolnexus.text.secrets import MASK, find_secrets, holds_secret, mask
from toolnexus.text.secrets.cards import passes_check
from toolnexus.text.secrets.find import may_hold_secret
from toolnexus.text.secrets.problems import secret_problems
from toolnexus.text.secrets.vendor import found_by_all

PROSE = st.text(st.sampled_from("aekP i.,:=-_/\"'\n1å"), max_size=40)
KINDS = st.sampled_from(sorted(PASTED))


@pytest.mark.parametrize("kind", PASTED)
def test_what_people_paste_is_found_and_masked(kind: str) -> None:
    """Every kind of secret is found in a sentence, and nothing of its value is left of it."""
    text = f"I noted it: {PASTED[kind]}\nand went on."
    assert holds_secret(text)
    shown = mask(text)
    assert MASK in shown
    assert not any(line in shown for line in VALUES[kind].splitlines())
    assert shown.startswith("I noted it: ")
    assert shown.endswith("\nand went on.")


@pytest.mark.parametrize("text", INNOCENT)
def test_innocent_texts_stay_as_they_are(text: str) -> None:
    """Prose about passwords, hashes, ids, pictures, code and addresses hold no secret."""
    assert find_secrets(text) == ()
    assert mask(text) is text


@pytest.mark.slow
@settings(max_examples=150)
@given(PROSE, KINDS, PROSE)
def test_the_quick_look_hides_nothing(before: str, kind: str, after: str) -> None:
    """A text that holds any kind of secret is never passed over by the quick look at it."""
    text = f"{before}\n{PASTED[kind]}\n{after}"
    assert may_hold_secret(text)
    assert holds_secret(text)


@pytest.mark.slow
@settings(max_examples=150)
@given(PROSE, KINDS, PROSE)
def test_the_anchors_of_the_vendor_hide_nothing(before: str, kind: str, after: str) -> None:
    """What any of its detectors finds when all are asked, is found with the anchors as well."""
    text = f"{before} {PASTED[kind]} {after}"
    spans = [(secret.start, secret.end) for secret in find_secrets(text)]
    for _, start, end in found_by_all(text):
        assert any(s <= start and end <= e for s, e in spans), text[start:end]


@settings(max_examples=150)
@given(st.lists(st.one_of(PROSE, KINDS.map(PASTED.__getitem__)), max_size=5).map("\n".join))
def test_masking_is_done_once_and_for_all(text: str) -> None:
    """A masked text has no secret left, and what is outside of the spans stays, in order."""
    shown = mask(text)
    assert mask(shown) == shown
    found = find_secrets(text)
    assert [s.start for s in found] == sorted(s.start for s in found)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))
    parts = [text[a:b] for a, b in _gaps(found, len(text))]
    assert "".join(shown.split()) == "".join(MASK.join(parts).split())
    assert shown.count("\n") == text.count("\n")


def _gaps(found, length):
    starts = [0, *(secret.end for secret in found)]
    return zip(starts, [*(secret.start for secret in found), length], strict=True)


@settings(max_examples=200)
@given(st.text(max_size=200))
def test_any_text_can_be_looked_at(text: str) -> None:
    """No text at all, surrogates and controls included, raises or loses characters."""
    for secret in find_secrets(text):
        assert 0 <= secret.start < secret.end <= len(text)
    assert secret_problems(text) is not None


def test_a_problem_tells_the_line_and_never_the_value() -> None:
    """A document's problems name line and kind, and say nowhere what the secret is."""
    text = f"---\ntitle: x\n---\n# Keys\n\n- {PASTED['an AWS key']}\n- tea\n- {PASTED['a PIN']}\n"
    problems = [each for each in parse_document(text).problems if each.rule == "secret"]
    assert [each.line for each in problems] == [6, 8]
    told = " ".join(f"{each.message} {each.hint}" for each in problems)
    assert not any(VALUES[kind] in told for kind in ("an AWS key", "a PIN"))


def test_a_card_needs_its_check_digit() -> None:
    """A number of a card's length is one only by its check digit and its issuer's first digits."""
    assert passes_check("4111111111111111")
    assert not holds_secret("4111 1111 1111 1112")
    assert not holds_secret("1111 1111 1111 1117")


@pytest.mark.parametrize(
    "text", ["Green tea, no sugar.", "The password is on the fridge.", PASTED["an AWS key"]]
)
def test_the_detector_is_loaded_only_when_it_could_find_something(text: str) -> None:
    """Texts without a vendor's letters, and keys that our own shapes know, load no detector."""
    code = (
        "import sys; from toolnexus.text.secrets import mask; mask(sys.argv[1]);"
        "sys.exit('requests' in sys.modules or 'detect_secrets' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code, text], check=True)
