"""Links between the documents, and from what they promise to the tests that prove it."""

from __future__ import annotations

import re

import pytest
from documents import NAMES, ROOT, read_page

from toolnexus.text.document import parse_document

TEST_LINK = re.compile(r"\[`(test_\w+)`\]\(([^)#]+)\)")


def anchors_of(text: str) -> set[str]:
    """Return the anchors that GitHub gives a document's headings."""
    plain = (heading.text.casefold() for heading in parse_document(text).headings)
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_somewhere(name):
    """Each relative link leads to a file of the project, and its anchor to a heading there."""
    page = ROOT / name
    for link in parse_document(read_page(name)).links:
        if link.kind == "wiki":
            continue
        target = (page.parent / link.target).resolve() if link.target else page
        assert target.exists(), f"{name}:{link.line} {link.target}"
        if link.anchor:
            anchors = anchors_of(target.read_text())
            assert link.anchor in anchors, f"{name}:{link.line} #{link.anchor} of {anchors}"


@pytest.mark.parametrize("name", [name for name in NAMES if TEST_LINK.search(read_page(name))])
def test_named_tests_exist(name):
    """Each test that a document calls as a witness stands in the file that the link names."""
    for test, file in TEST_LINK.findall(read_page(name)):
        source = ((ROOT / name).parent / file).read_text()
        assert re.search(rf"^def {test}\(", source, re.MULTILINE), f"{name}: {test} in {file}"


def test_every_promise_about_memory_has_a_witness():
    """Each promise that docs/dreaming.md makes of a pass names the test that proves it."""
    text = read_page("docs/dreaming.md")
    promises = text.partition("## What a pass never does")[2].partition("\n## ")[0]
    items = [item for item in re.split(r"^- ", promises, flags=re.MULTILINE)[1:] if item.strip()]
    assert len(items) > 5
    assert [item for item in items if not TEST_LINK.search(item)] == []


@pytest.mark.slow
def test_every_document_is_reached_from_the_front_door():
    """Following links from README.md one comes to every document of the project."""
    reached, waiting = set(), {ROOT / "README.md"}
    while waiting:
        page = waiting.pop()
        reached.add(page)
        links = parse_document(page.read_text()).links
        targets = {(page.parent / link.target).resolve() for link in links if link.target}
        waiting |= {path for path in targets if path.suffix == ".md" and path.exists()} - reached
    assert {ROOT / name for name in NAMES} <= reached
