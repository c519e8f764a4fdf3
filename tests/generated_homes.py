"""Homes as people write them, drawn by Hypothesis: what any operation and any pass must survive."""

from __future__ import annotations

from hypothesis import strategies as st

from toolnexus.home.layout import LAYOUTS
from toolnexus.home.snapshot import IndexCap, Snapshot

SUBJECTS = ["Ines", "Clara", "the flat", "Tea", "LH1234", "Zoë", "the car"]
VERBS = ["likes", "never likes", "lives in", "costs", "needs", "**moved to**"]
THINGS = ["Lyon", "Paris", "3 euros", "4 euros", "green tea.", "tea", "the 3rd of May"]
SLUGS = [
    "travel",
    "tea",
    "ines",
    "clara-mendes",
    "flights-2025",
    "flights-2026",
    "bills and meters",
]
TITLES = ["Tea", "Ines", "Travel", "travel", "Clara Mendes", "1. Plans", "A [b] c", "Flüge: 2026"]
LINKS = [*SLUGS, "bills-and-metres", "clara-mends", "flights-2024", "nowhere", "Tea", "trips"]
HEADINGS = ["Ines", "Clara", "Travel", "Tea", "Plans"]
ANCHORS = ["", "", "#Plans", "#^b1", "#Ines#Plans"]
MARKS = ["[[{0}{1}]]", "[[{0}{1}|there]]", "![[{0}]]", "`[[{0}]]`", "[x]({2}.md{1})", "[[sub/{0}]]"]

sentences = st.builds(
    lambda a, b, c, end: f"{a} {b} {c}{end}",
    st.sampled_from(SUBJECTS),
    st.sampled_from(VERBS),
    st.sampled_from(THINGS),
    st.sampled_from(["", "", ".", ":", " <!-- keep -->", "  ", " ^b1"]),
)
linked = st.builds(
    lambda words, link, anchor, mark: (
        f"{words}: {mark.format(link, anchor, link.replace(' ', '%20'))}"
    ),
    st.sampled_from(["See", "More", "Details about Ines", "Plans"]),
    st.sampled_from(LINKS),
    st.sampled_from(ANCHORS),
    st.sampled_from(MARKS),
)
words = st.one_of(sentences, sentences, linked)
pairs = st.tuples(words, words)
blocks = st.one_of(
    words.map("- {}".format),
    words.map("- {}".format),
    words.map("* {}".format),
    pairs.map(lambda two: f"- {two[0]}\n  - {two[1]}"),
    pairs.map(lambda two: f"- {two[0]}\n  {two[1]}"),
    pairs.map(lambda two: f"- {two[0]}\n\n      {two[1]}\n"),
    pairs.map(lambda two: f"1. {two[0]}\n2. {two[1]}"),
    pairs.map(lambda two: f"- [ ] {two[0]}\n\t- {two[1]}"),
    words.map("\n{}\n".format),
    words.map("> {}\n".format),
    words.map("```\n{}\n```".format),
    words.map("- Run:\n  ```\n  {}\n  ```".format),
    words.map("    {}".format),
    words.map("\n| a | b |\n|---|---|\n| 1 | {} |\n".format),
    st.sampled_from(
        ["<!-- a note -->", "<!--\n- no claim\n-->", "---\n", "***\n", "<div>x</div>\n"]
    ),
    st.just(""),
)
sections = st.builds(
    lambda level, title, pin, body: "\n".join([f"{'#' * level} {title}", pin, *body, ""]),
    st.sampled_from([2, 2, 3, 6]),
    st.sampled_from(HEADINGS),
    st.sampled_from(["", "", "", "<!-- keep -->"]),
    st.lists(blocks, max_size=5),
)


def front_matter(title: str) -> st.SearchStrategy[str]:
    """Draw front matter: none, lists in both styles, comments, keys of a person's own."""
    return st.sampled_from(
        [
            "",
            "",
            "---\ntags: [a, b]\n---\n",
            f'---\ntitle: "{title}"\n---\n',
            "---\naliases:\n  - trips # old\n  - Tea\ntags: a, b\n---\n",
            "---\ncreated: 2026-01-01\nmood: {deep: [1]}\n---\n",
            "---\ntags: [a, a, b]\naliases: travel\nrating: 3\n---\n",
        ]
    )


@st.composite
def texts(draw, title: str = "Memory") -> str:
    """Draw a Markdown file."""
    head = draw(st.sampled_from([f"# {title}\n\n", f"# {title}\n", "", f"{title}\n=====\n\n"]))
    body = "\n".join(draw(st.lists(blocks, max_size=6)))
    text = f"{draw(front_matter(title))}{head}{body}\n\n"
    text += "\n".join(draw(st.lists(sections, max_size=3)))
    if draw(st.booleans()):
        text = text.rstrip("\n")
    newline = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    return draw(st.sampled_from(["", "", "", "\ufeff"])) + text.replace("\n", newline)


@st.composite
def homes(draw, *, cap: bool = True) -> Snapshot:
    """Draw a home in any layout: an index with a small cap, and notes, some of them twins.

    Args:
        draw: Given by Hypothesis.
        cap: Whether the index may be over its cap.
    """
    layout = LAYOUTS[draw(st.sampled_from(["persona", "persona", "vault", "claude"]))]
    folder = f"{layout.notes_folder}/" if layout.notes_folder else ""
    files = {"MEMORY.md": draw(texts())}
    if layout.name == "persona":
        files["SOUL.md"] = "You are Ava.\n"
    for slug in draw(st.sets(st.sampled_from(SLUGS), max_size=5)):
        files[f"{folder}{slug}.md"] = draw(texts(draw(st.sampled_from(TITLES))))
    if draw(st.booleans()) and f"{folder}tea.md" in files:
        twin = f"{folder}sub/tea-notes.md" if layout.nested else "tea-notes.md"
        files[twin] = files[f"{folder}tea.md"]
    if draw(st.booleans()):
        files[f"{folder}2026-03-14.md"] = draw(texts("Daily"))
    if draw(st.booleans()):
        files["USER.md"] = draw(texts("User")) if layout.name == "persona" else ""
    if layout.name != "persona":
        files.pop("USER.md", None)
    lines = draw(st.sampled_from([5, 12, 200])) if cap else 200
    return Snapshot(name="ava", layout=layout, cap=IndexCap(lines)).with_texts(files)
