"""A chain as a tree, a document and a flowchart, from the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ripe_homes import made_home, talk

from toolnexus.cli.main import main
from toolnexus.evolve.chains.chain import ChainEdge, ChainNode, EvidenceChain
from toolnexus.evolve.chains.render import chain_notes, chain_tree, escaped, mermaid

NAMES = st.text(max_size=30)


@pytest.fixture
def ben(tmp_path, monkeypatch):
    """A home in the current folder whose notes rest on each other."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    made_home(
        tmp_path / "ben",
        {
            "transcripts/move.jsonl": talk("We moved to Berlin."),
            "memory/home.md": '---\nderived_from: ["transcript:move#1"]\n---\n- In Berlin.\n',
            "memory/a.md": "---\nderived_from: home\n---\n- A.\n",
            "memory/b.md": "---\nsupported_by: [home, gone]\n---\n- B.\n",
            "memory/top.md": "---\nmerged_from: [a, b]\n---\n# The top\n\n- C.\n",
        },
    )
    return "ben"


def run(capsys, *words: str) -> tuple[int, str]:
    capsys.readouterr()
    code = main(words)
    return code, capsys.readouterr().out


def test_a_tree_shows_what_is_shared_once(ben, capsys):
    """The tree names each thing, what each link brings, and what was shown above."""
    code, out = run(capsys, "why", ben, "top")
    assert code == 0
    assert out.splitlines()[:7] == [
        "0.69  memory/top.md  The top",
        "├─ +0.69  merged_from  memory/a.md  a",
        "│  └─ +0.81  derived_from  memory/home.md  home",
        "│     └─ +0.90  derived_from  transcript:move#1  user: “We moved to Berlin.”",
        "└─ +0.54  merged_from  memory/b.md  b",
        "   ├─ +0.63  supported_by  memory/home.md  home (see above)",
        "   └─ +0.00  supported_by  gone (leads nowhere)",
    ]
    assert "  broken       'gone' leads nowhere" in out
    assert "strongest    memory/top.md → memory/a.md → memory/home.md → transcript:move#1" in out


def test_the_document_has_all_of_it(ben, capsys):
    """JSON has the schema and every part of the chain, by --json and by --format."""
    code, out = run(capsys, "why", ben, "top", "--json")
    document = json.loads(out)
    assert (code, document["schema"], document["root"]) == (0, "toolnexus/why/1", "memory/top.md")
    assert document["overall_confidence"] == pytest.approx(0.6885)
    assert document["needs_reverification"] is False
    assert document["broken_links"] == ["gone"]
    assert {node["id"] for node in document["nodes"]} >= {"memory/home.md", "transcript:move#1"}
    assert {edge["kind"] for edge in document["edges"]} == {
        "merged_from",
        "derived_from",
        "supported_by",
    }
    assert json.loads(run(capsys, "why", ben, "top", "--format", "json")[1]) == document


def test_the_flowchart_draws_each_node_and_edge(ben, capsys):
    """Mermaid gets a line for each node and for each edge, and classes for what stands out."""
    code, out = run(capsys, "why", ben, "top", "--format", "mermaid")
    lines = out.splitlines()
    assert (code, lines[0]) == (0, "flowchart TD")
    assert '  n0["memory/top.md<br/>The top<br/>0.69"]' in lines
    assert sum("-->|" in line for line in lines) == 6
    assert any(re.fullmatch(r"  class n\d missing", line) for line in lines)


def test_what_cannot_be_found_is_wrong_usage(ben, capsys):
    """An unknown name ends with code 2 and a hint, as does a bad depth."""
    assert main(["why", ben, "coffee"]) == 2
    assert "hint:" in capsys.readouterr().err
    assert main(["why", ben, "top", "--max-depth", "-1"]) == 2
    assert main(["why", ben, "top", "--json", "--format", "text"]) == 2


def test_a_note_that_bounds_itself_says_so(ben, capsys):
    """A note that calls itself unsure shows what holds it below its sources."""
    (Path(ben) / "memory/c.md").write_text("---\nderived_from: home\nconfidence: 0.4\n---\n- D.\n")
    out = run(capsys, "why", ben, "c")[1]
    assert "  bounded      it says 0.40 of itself, and is believed no more" in out
    assert "bounded" not in run(capsys, "why", ben, "a")[1]


def test_no_depth_shows_the_note_alone(ben, capsys):
    """With no links followed there is the note, and that it was cut."""
    assert run(capsys, "why", ben, "top", "--max-depth", "0")[1].splitlines() == [
        "1.00  memory/top.md  The top",
        "  confidence   1.00",
        "  cut          it rests on more than was followed",
    ]


@given(st.lists(NAMES, min_size=1, max_size=4, unique=True), NAMES)
def test_no_name_adds_to_a_drawing(names, title):
    """Whatever notes are called, the flowchart has the same lines, and only its own marks."""
    nodes = tuple(ChainNode(name, "note", title, 1.0, 1.0, 0, is_root=True) for name in names)
    edges = tuple(ChainEdge(names[0], name, "derived_from", 1.0, 0.9, title) for name in names[1:])
    chain = EvidenceChain(names[0], nodes, edges, 1.0, (names[0],), 1.0)
    lines = list(mermaid(chain))
    assert len(lines) == 1 + len(nodes) + len(edges)
    assert all(
        re.fullmatch(r'  n\d\["[^"\[\]{}()|>]*(<br/>[^"\[\]{}()|>]*)*"\]', line)
        for line in lines[1 : 1 + len(nodes)]
    )
    assert all("\n" not in line for line in [*lines, *chain_tree(chain)])
    assert all("\n" not in text for _, text in chain_notes(chain))


@given(st.text(max_size=60))
def test_an_escaped_name_is_read_back(text):
    """What Mermaid makes of the entities is the name as it was."""
    read = re.sub(r"#(\d+);", lambda found: chr(int(found[1])), escaped(text))
    assert read == text
