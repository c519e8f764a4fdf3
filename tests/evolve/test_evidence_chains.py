"""What a note or a claim rests on, on homes in memory and on the disk."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ripe_homes import made_home, talk

from toolnexus.change.plan import Change, Evidence, FileWrite, Plan
from toolnexus.errors import UsageError
from toolnexus.evolve.chains.refs import TurnRef, find_target, parse_turn
from toolnexus.home.snapshot import Snapshot

TALK = talk("We moved to Berlin.", ("assistant", "Noted, you live in Berlin."), "I like tea.")


def test_a_chain_leads_from_a_note_to_what_was_said(tmp_path):
    """Nodes, edges, confidence and critical path of notes that rest on a turn."""
    home = made_home(
        tmp_path,
        {
            "transcripts/move.jsonl": TALK,
            "memory/home.md": '---\nderived_from: ["transcript:move#1"]\n---\n- In Berlin.\n',
            "memory/plan.md": "---\ndistilled_from: home\n---\n- Register there.\n",
        },
    )
    chain = home.evidence_chain("plan")
    assert [(node.id, node.kind, node.depth) for node in chain.nodes] == [
        ("memory/plan.md", "note", 0),
        ("memory/home.md", "note", 1),
        ("transcript:move#1", "turn", 2),
    ]
    assert [(edge.source, edge.target, edge.kind) for edge in chain.edges] == [
        ("memory/plan.md", "memory/home.md", "distilled_from"),
        ("memory/home.md", "transcript:move#1", "derived_from"),
    ]
    assert chain.overall_confidence == pytest.approx(0.9 * 0.95)
    assert chain.critical_path == ("memory/plan.md", "memory/home.md", "transcript:move#1")
    assert chain.critical_path_confidence == pytest.approx(0.9 * 0.95)
    assert chain.sources == ("transcript:move#1",)
    assert chain.nodes[2].title == "We moved to Berlin."
    assert not chain.needs_reverification
    assert home.chain_confidence("plan") == chain.overall_confidence


def test_a_note_is_believed_by_its_stage_unless_it_says_otherwise(tmp_path):
    """Without links a note counts by itself: stated, else by stage, and a proposal little."""
    home = made_home(
        tmp_path,
        {
            "memory/said.md": "---\nconfidence: 0.25\n---\n- A.\n",
            "memory/plain.md": "- B.\n",
            "memory/drawn.md": "---\nstage: extracted\n---\n- C.\n",
            "memory/noted.md": "---\nstage: raw\n---\n- D.\n",
            "memory/guess.md": "---\nstatus: proposed\n---\n- E.\n",
        },
    )
    found = {name: home.chain_confidence(name) for name in ("said", "plain", "drawn", "noted")}
    assert found == {"said": 0.25, "plain": 1.0, "drawn": 0.6, "noted": 0.8}
    assert home.chain_confidence("guess") == 0.35
    assert home.evidence_chain("said").needs_reverification


def test_what_a_note_says_of_itself_bounds_what_its_links_bring(tmp_path):
    """A note that names good sources and calls itself unsure stays unsure."""
    home = made_home(
        tmp_path,
        {
            "memory/a.md": "- A.\n",
            "memory/b.md": "- B.\n",
            "memory/unsure.md": "---\nconfidence: 0.3\nderived_from: [a, b]\n---\n- C.\n",
        },
    )
    assert home.chain_confidence("unsure") == 0.3


def test_words_of_others_than_the_user_count_half(tmp_path):
    """A turn counts in full where its role's words are evidence, else by half."""
    home = made_home(tmp_path, {"transcripts/move.jsonl": TALK})
    assert home.chain_confidence("transcript:move#1") == 1.0
    assert home.chain_confidence("transcript:move#2") == 0.5


def test_a_diamond_counts_its_origin_once(tmp_path):
    """Two notes from one turn bring no more than one of them."""
    files = {
        "transcripts/move.jsonl": TALK,
        "memory/one.md": '---\nderived_from: ["transcript:move#1"]\n---\n- A.\n',
        "memory/two.md": '---\nderived_from: ["transcript:move#1"]\n---\n- B.\n',
        "memory/top.md": "---\nderived_from: [one, two]\n---\n- C.\n",
    }
    assert made_home(tmp_path, files).chain_confidence("top") == pytest.approx(0.81)


def test_links_that_lead_nowhere_are_broken(tmp_path):
    """Missing notes and turns bring nothing, are listed, and check finds them with their line."""
    links = '  - gone\n  - "transcript:move#99"\n  - nonsense#\n'
    text = f"---\ntitle: T\nsupported_by:\n{links}---\n- A.\n"
    home = made_home(tmp_path, {"transcripts/move.jsonl": TALK, "memory/t.md": text})
    chain = home.evidence_chain("t")
    assert chain.broken_links == ("gone", "transcript:move#99", "nonsense#")
    assert (chain.overall_confidence, chain.needs_reverification) == (0.0, True)
    found = [each for each in home.check() if each.rule == "broken-basis"]
    assert [(each.path, each.line, each.severity) for each in found] == [
        ("memory/t.md", 3, "warning")
    ] * 3
    assert all(each.hint for each in found)


def test_a_circle_is_told_and_supports_nothing(tmp_path):
    """Notes that rest on each other count by themselves, and check mentions it."""
    home = made_home(
        tmp_path,
        {
            "memory/a.md": "---\nderived_from: b\nconfidence: 0.5\n---\n- A.\n",
            "memory/b.md": "---\nderived_from: a\n---\n- B.\n",
            "memory/self.md": "---\nsupported_by: self.md\n---\n- C.\n",
        },
    )
    chain = home.evidence_chain("a")
    assert chain.circles == (("memory/a.md", "memory/b.md"),)
    assert chain.overall_confidence == 0.5
    told = {each.path: each.severity for each in home.check() if each.rule == "circular-basis"}
    assert told == {"memory/a.md": "info", "memory/b.md": "info", "memory/self.md": "info"}


def test_a_refutation_is_a_conflict(tmp_path):
    """What refutes a note costs half its own confidence, and is told."""
    home = made_home(
        tmp_path,
        {
            "memory/a.md": "---\nrefuted_by: b\n---\n- A.\n",
            "memory/b.md": "---\nconfidence: 0.8\n---\n- B.\n",
        },
    )
    chain = home.evidence_chain("a")
    [conflict] = chain.conflicts
    assert (conflict.node, conflict.refuter, conflict.impact) == (
        "memory/a.md",
        "memory/b.md",
        pytest.approx(0.4),
    )
    assert chain.overall_confidence == pytest.approx(0.6)


def test_the_depth_is_bounded_and_says_so(tmp_path):
    """No more links are followed than were asked for."""
    files = {f"memory/n{n}.md": f"---\nderived_from: n{n + 1}\n---\n- {n}.\n" for n in range(14)}
    home = made_home(tmp_path, files | {"memory/n14.md": "- End.\n"})
    chain = home.evidence_chain("n0")
    assert (chain.max_depth, chain.is_cut) == (10, True)
    assert chain.overall_confidence == pytest.approx(0.9**10)
    whole = home.evidence_chain("n0", max_depth=20)
    assert (whole.max_depth, whole.is_cut) == (14, False)
    with pytest.raises(UsageError):
        home.evidence_chain("n0", max_depth=-1)


def test_links_follow_a_rename(tmp_path):
    """A typed link to a note that was renamed by us leads to it under its new name."""
    home = made_home(
        tmp_path,
        {"memory/tea.md": "- Green.\n", "memory/cup.md": "---\nderived_from: tea\n---\n- Red.\n"},
    )
    home.rename("tea", "green-tea")
    home.rename("green-tea", "sencha")
    chain = home.evidence_chain("cup")
    assert [node.id for node in chain.nodes] == ["memory/cup.md", "memory/sencha.md"]
    assert "broken-basis" not in {each.rule for each in home.check()}
    assert "derived_from: tea" in home.read().text("memory/cup.md")


def test_a_note_that_was_merged_in_is_no_broken_link(tmp_path):
    """What a note was merged from lives on in it, and counts as what it was."""
    home = made_home(
        tmp_path,
        {
            "memory/tea.md": "- Green.\n",
            "memory/drinks.md": "---\nmerged_from: tea\n---\n- Coffee.\n- Green.\n",
        },
    )
    gone = FileWrite("memory/tea.md", b"- Green.\n", None)
    told = Change("merged", "memory/tea.md", 0, "tea", to="memory/drinks.md")
    home.store.commit(Plan("dream", (gone,), (told,)))
    chain = home.evidence_chain("drinks")
    assert [node.kind for node in chain.nodes] == ["note", "merged"]
    assert chain.overall_confidence == pytest.approx(0.85)
    assert "broken-basis" not in {each.rule for each in home.check()}


def commit_change(home, path: str, before: str, after: str, kind: str) -> None:
    """Commit a change of one claim as a dream does it, on the word of the talk's first turn."""
    old = home.read().text(path)
    new = old.replace(f"- {before}\n", f"- {after}\n" if after else "") if before else old
    new = new if before else f"{old}- {after}\n"
    said = Evidence("move", 1, "We moved to Berlin.", "user", "2026-11-20T14:00:00Z")
    change = Change(kind, path, 1, before, after, evidence=(said,))  # type: ignore[arg-type]
    home.store.commit(Plan("dream", (FileWrite(path, old.encode(), new.encode()),), (change,)))


def test_a_claim_rests_on_the_turn_that_a_dream_took_it_from(tmp_path):
    """What a dream corrected or added is told with the turn and its words."""
    home = made_home(
        tmp_path,
        {
            "transcripts/move.jsonl": TALK,
            "memory/ines.md": "# Ines\n\n- Lives in Paris.\n- Has a cat.\n",
        },
    )
    commit_change(home, "memory/ines.md", "Lives in Paris.", "Lives in Berlin.", "corrected")
    chain = home.evidence_chain("lives in berlin")
    assert chain.root == "memory/ines.md:3"
    [edge] = [each for each in chain.edges if each.target == "transcript:move#1"]
    assert (edge.kind, edge.strength, edge.said) == ("derived_from", 1.0, "We moved to Berlin.")
    of_note = home.evidence_chain("ines")
    [share] = [each for each in of_note.edges if each.target == "transcript:move#1"]
    assert share.strength == 0.5
    assert not [e for e in home.evidence_chain("Has a cat").edges if e.kind != "stated_in"]


def test_a_claim_rests_on_what_the_ledger_knows(tmp_path):
    """After a dream a claim is supported by the turn that says so, and refuted by a later one."""
    home = made_home(
        tmp_path,
        {
            "transcripts/flat.jsonl": talk(
                "The rent of the flat is 900 euros.", "The rent of the flat went up to 1,050 euros."
            ),
            "memory/flat.md": "# The flat\n\n- The rent of the flat is 900 euros.\n",
            "MEMORY.md": "- [[flat]]\n",
        },
    )
    assert home.evidence_chain("the rent of the flat").overall_confidence == 1.0
    home.dream()
    chain = home.evidence_chain("the rent of the flat is 900 euros")
    kinds = {edge.target: edge.kind for edge in chain.edges}
    assert kinds["transcript:flat#2"] == "refuted_by"
    assert kinds["transcript:flat#1"] == "supported_by"
    assert chain.conflicts
    assert chain.overall_confidence < 0.7


def test_what_was_taken_back_flags_what_rests_on_it(tmp_path):
    """A claim that a dream drops flags notes derived from its note, over any number of links."""
    home = made_home(
        tmp_path,
        {
            "transcripts/move.jsonl": TALK,
            "memory/ines.md": "# Ines\n\n- Lives in Paris.\n- Has a cat.\n",
            "memory/plan.md": "---\nderived_from: ines\n---\n- Meet at the Seine.\n",
            "memory/next.md": "---\nsupported_by: plan\n---\n- Book a table.\n",
            "memory/other.md": "- Unconcerned.\n",
        },
    )
    assert not home.evidence_chain("next").needs_reverification
    commit_change(home, "memory/ines.md", "Lives in Paris.", "", "dropped")
    told = [each for each in home.check() if each.rule == "retracted-basis"]
    assert [(each.path, each.severity) for each in told] == [
        ("memory/next.md", "warning"),
        ("memory/plan.md", "warning"),
    ]
    assert "'Lives in Paris.' of memory/ines.md was dropped on 2026-11-29" in told[0].message
    chain = home.evidence_chain("next")
    assert chain.needs_reverification
    assert chain.overall_confidence > 0.4
    assert not home.evidence_chain("ines").retracted
    with pytest.raises(UsageError, match="nobody holds that any more") as refused:
        home.evidence_chain("Lives in Paris")
    assert "move#1 says 'We moved to Berlin.'" in str(refused.value.hint)


@pytest.mark.parametrize(
    ("stamp", "is_flagged"),
    [
        ("updated: 2026-11-28", True),
        ("updated: 2026-11-29", False),
        ("updated: 2026-11-29T01:00:00Z", True),
        ("updated: 2026-11-29T04:00:00Z", False),
        ("created: 2026-11-29", True),
        ("created: 2026-11-30", False),
        ("title: Plan", True),
    ],
)
def test_who_looks_after_a_note_settles_it(tmp_path, stamp, is_flagged):
    """A note that was updated or made since something was taken back is flagged no more."""
    home = made_home(
        tmp_path,
        {
            "transcripts/move.jsonl": TALK,
            "memory/ines.md": "- Lives in Paris.\n",
            "memory/plan.md": f"---\nderived_from: ines\n{stamp}\n---\n- Meet.\n",
        },
    )
    commit_change(home, "memory/ines.md", "Lives in Paris.", "Lives in Berlin.", "corrected")
    assert home.evidence_chain("plan").needs_reverification is is_flagged
    assert ("retracted-basis" in {each.rule for each in home.check()}) is is_flagged


def test_what_is_put_back_is_taken_back_no_more(tmp_path):
    """A revert of the dream settles what rested on the claim."""
    home = made_home(
        tmp_path,
        {
            "transcripts/move.jsonl": TALK,
            "memory/ines.md": "- Lives in Paris.\n",
            "memory/plan.md": "---\nderived_from: ines\n---\n- Meet.\n",
        },
    )
    commit_change(home, "memory/ines.md", "Lives in Paris.", "Lives in Berlin.", "corrected")
    home.revert("last")
    assert not home.evidence_chain("plan").retracted


def test_a_refuted_note_flags_what_rests_on_it(tmp_path):
    """What is derived from a note that says it is refuted is to be looked at again."""
    home = made_home(
        tmp_path,
        {
            "memory/a.md": "---\nrefuted_by: b\n---\n- A.\n",
            "memory/b.md": "- B.\n",
            "memory/c.md": "---\nderived_from: a\n---\n- C.\n",
        },
    )
    assert home.evidence_chain("c").needs_reverification
    [told] = [each for each in home.check() if each.rule == "retracted-basis"]
    assert (told.path, told.line) == ("memory/c.md", 2)


def test_the_hint_on_a_refuted_basis_settles_it(tmp_path):
    """Who dates both notes, as the hint says, is told of the refutation no more."""
    basis = "---\nrefuted_by: b\n{}---\n- A.\n"
    looked = "---\nderived_from: a\nupdated: 2026-11-30\n---\n- C.\n"
    texts = {"memory/a.md": basis.format(""), "memory/b.md": "- B.\n", "memory/c.md": looked}
    [told] = [each for each in made_home(tmp_path, texts).check() if each.rule == "retracted-basis"]
    assert "date memory/a.md by an 'updated:' of its own" in told.hint
    texts["memory/a.md"] = basis.format("updated: 2026-11-29\n")
    dated = made_home(tmp_path / "dated", texts)
    assert "retracted-basis" not in {each.rule for each in dated.check()}


def test_what_is_asked_about_is_found_or_told(tmp_path):
    """Slugs, paths, titles, aliases, parts of claims; what is unclear is refused with a hint."""
    home = made_home(
        tmp_path,
        {
            "memory/tea.md": "---\naliases: [brew]\n---\n# Green tea\n\n- Sencha at 70 degrees.\n",
            "memory/x/cup.md": "- Red cup.\n",
            "memory/y/cup.md": "- Blue cup.\n",
            "MEMORY.md": "- Drinks tea.\n",
        },
    )
    same = ("tea", "memory/tea", "memory/tea.md", "[[tea]]", "Green tea", "brew", " tea ")
    assert {home.evidence_chain(name).root for name in same} == {"memory/tea.md"}
    assert home.evidence_chain("sencha at").root == "memory/tea.md:6"
    assert home.evidence_chain("self").root == "MEMORY.md"
    assert home.evidence_chain("memory/tea.md:6").root == "memory/tea.md:6"
    with pytest.raises(UsageError, match="no claim in this line"):
        home.evidence_chain("memory/tea.md:4")
    assert home.evidence_chain("x/cup").root == "memory/x/cup.md"
    for unclear, message in {
        "cup": "several notes",
        "red cup and more": "no note and no claim",
        "e": "no note and no claim",
        "": "nothing is asked",
        "transcript:gone#1": "no turn",
        "transcript:gone": "names no turn",
        "user": "no note and no claim",
    }.items():
        with pytest.raises(UsageError, match=message) as refused:
            home.evidence_chain(unclear)
        assert refused.value.hint


@given(st.text(max_size=40))
def test_any_text_is_read_as_a_turn_or_is_none(text):
    """A turn that is read is written as it was read; anything else is no turn and no error."""
    found = parse_turn(f"transcript:{text}")
    if found is not None:
        assert parse_turn(found.written) == found
    home = Snapshot(name="ava").with_texts({"memory/a.md": "- A.\n"})
    assert find_target(home, "memory/a.md", text).kind in {
        "note",
        "turn",
        "merged",
        "ambiguous",
        "missing",
    }


def test_a_turn_is_named_by_line_or_id():
    """A number is a line, anything else the turn's own id; an id may hold a hash."""
    assert parse_turn("transcript:a#b#12") == TurnRef("a#b", 12)
    assert parse_turn("transcript:a#msg_1") == TurnRef("a", "msg_1")
    assert parse_turn("transcript:a#") is None
    assert parse_turn("transcript:#1") is None
