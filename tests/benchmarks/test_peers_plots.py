from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.peers.figures import ROWS, Figure, Results
from benchmarks.peers.plots import HEIGHT, WIDTH, Point, curves_of, draw, write_plots

SVG = "{http://www.w3.org/2000/svg}"
PLOTS = Path(__file__).parents[2] / "docs" / "plots"

points = st.builds(
    Point,
    x=st.sampled_from([100.0, 1_000.0, 10_000.0, 100_000.0]),
    y=st.floats(1e-6, 1e6),
    over=st.booleans(),
)
curves = st.dictionaries(
    st.text(st.characters(codec="utf-8", exclude_categories=("C",)), min_size=1, max_size=9),
    st.lists(points, min_size=1, max_size=4),
    min_size=1,
    max_size=9,
)


@settings(max_examples=50, deadline=None)
@given(curves=curves, as_bytes=st.booleans())
def test_every_point_is_drawn_within_the_picture(curves, as_bytes):
    """Whatever is drawn is well-formed, and has a dot that tells itself for each point."""
    svg = ET.fromstring(draw("a row", curves, as_bytes=as_bytes))
    dots = svg.findall(f".//{SVG}circle")
    assert len(dots) == sum(map(len, curves.values()))
    told = [dot.find(f"{SVG}title").text for dot in dots]
    wanted = [f"{name}, {point.x:,.0f} notes: " for name, each in curves.items() for point in each]
    for one, begin in zip(told, wanted, strict=True):
        assert one.startswith(begin)
    for dot in dots:
        assert 0 <= float(dot.get("cx")) <= WIDTH
        assert 0 <= float(dot.get("cy")) <= HEIGHT


def test_more_is_higher_and_farther_right():
    """The axes are the right way round."""
    svg = ET.fromstring(draw("a row", {"a": [Point(100, 1.0), Point(1_000, 10.0)]}))
    first, second = svg.findall(f".//{SVG}circle")
    assert float(first.get("cx")) < float(second.get("cx"))
    assert float(first.get("cy")) > float(second.get("cy"))


def test_what_ran_out_of_time_is_a_hollow_dot():
    """And it says that it is more than that."""
    svg = ET.fromstring(draw("a row", {"a": [Point(100, 60.0, over=True)]}))
    dot = svg.find(f".//{SVG}circle")
    assert dot.get("class") == "over"
    assert "more than 60 s" in dot.find(f"{SVG}title").text


def test_a_row_of_one_size_is_no_curve(tmp_path):
    """A picture is written for each row that has two sizes or more, and for no other."""
    results = Results()
    for size in (100, 1_000):
        results.add(Figure("toolnexus", size, "cold", 1.0, float(size)))
    results.add(Figure("toolnexus", 100, "add", 1.0, 1.0))
    assert [path.name for path in write_plots(results, tmp_path / "plots")] == ["cold.svg"]


@pytest.mark.skipif(not (PLOTS / "peers.json").exists(), reason="no run was committed")
def test_the_committed_pictures_show_the_committed_figures():
    """Every measured point of the run that the documents tell of is in its picture."""
    results = Results.load(PLOTS / "peers.json")
    for row, title in ROWS.items():
        path = PLOTS / f"{row}.svg"
        if path.exists():
            assert path.read_text("utf-8") == draw(
                title, curves_of(results, row), as_bytes=row in {"memory", "disk"}
            )
