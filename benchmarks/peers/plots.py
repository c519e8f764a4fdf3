"""Cost curves: a picture for each row, both axes logarithmic, drawn as SVG."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET  # what is written here was made here

from benchmarks.peers.figures import BYTES, ROWS
from benchmarks.table import format_seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from benchmarks.peers.figures import Results

WIDTH, HEIGHT = 760, 430
_LEFT, _RIGHT, _TOP, _BOTTOM = 78, 168, 46, 46
_COLOURS = ("#0b6e4f", "#c44536", "#3d5a98", "#b07d12", "#7b4b94", "#6b7280", "#a3a3a3", "#1f2937")
_INK, _GRID, _PAPER = "#1f2937", "#e5e7eb", "#ffffff"
_OVER = "over"


@dataclass(frozen=True, slots=True)
class Point:
    """One measured point.

    Attributes:
        x: Notes.
        y: Seconds or bytes.
        over: Whether it is more than that.
    """

    x: float
    y: float
    over: bool = False


@dataclass(frozen=True, slots=True)
class _Scale:
    """From a logarithmic axis to pixels."""

    least: float
    most: float
    begin: float
    end: float

    def at(self, value: float) -> float:
        share = (math.log10(value) - self.least) / max(self.most - self.least, 1e-9)
        return round(self.begin + share * (self.end - self.begin), 1)

    def decades(self) -> list[float]:
        return [10.0**power for power in range(round(self.least), round(self.most) + 1)]


def write_plots(results: Results, folder: Path) -> list[Path]:
    """Draw every row that was measured at two sizes or more; return the files.

    Args:
        results: What was measured.
        folder: Where they go; made when absent.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for row, title in ROWS.items():
        curves = curves_of(results, row)
        if len({point.x for points in curves.values() for point in points}) < 2:
            continue
        path = folder / f"{row}.svg"
        path.write_text(draw(title, curves, as_bytes=row in BYTES), "utf-8")
        written.append(path)
    return written


def curves_of(results: Results, row: str) -> dict[str, list[Point]]:
    """Return a row's points by contender, by processor time, from the smallest vault on."""
    curves: dict[str, list[Point]] = {}
    for name in results.contenders():
        figures = (results.get(name, size, row) for size in results.sizes(row, name))
        points = [
            Point(each.size, each.cpu, each.over) for each in figures if each and each.cpu > 0
        ]
        if points:
            curves[name] = points
    return curves


def draw(title: str, curves: Mapping[str, Sequence[Point]], *, as_bytes: bool = False) -> str:
    """Draw curves as an SVG document.

    Args:
        title: What is drawn.
        curves: The points of each, by name; all above 0.
        as_bytes: Whether the upright axis counts bytes rather than seconds.
    """
    points = [point for each in curves.values() for point in each]
    across = _scale((point.x for point in points), _LEFT, WIDTH - _RIGHT)
    upright = _scale((point.y for point in points), HEIGHT - _BOTTOM, _TOP)
    tell = _tell_bytes if as_bytes else format_seconds
    size = {"width": str(WIDTH), "height": str(HEIGHT), "viewBox": f"0 0 {WIDTH} {HEIGHT}"}
    svg = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img", **size})
    ET.SubElement(svg, "title").text = title
    _box(svg, 0, 0, WIDTH, HEIGHT, _PAPER)
    _text(svg, _LEFT, 26, title, size=16, weight="600")
    for value in across.decades():
        _line(svg, across.at(value), _TOP, across.at(value), HEIGHT - _BOTTOM)
        _text(svg, across.at(value), HEIGHT - 24, f"{value:,.0f}", anchor="middle")
    for value in upright.decades():
        _line(svg, _LEFT, upright.at(value), WIDTH - _RIGHT, upright.at(value))
        _text(svg, _LEFT - 8, upright.at(value) + 4, tell(value), anchor="end")
    _text(svg, (_LEFT + WIDTH - _RIGHT) / 2, HEIGHT - 8, "notes", anchor="middle")
    for number, (name, each) in enumerate(curves.items()):
        _curve(svg, name, each, _COLOURS[number % len(_COLOURS)], across, upright, tell)
    _names(svg, {name: upright.at(each[-1].y) for name, each in curves.items()})
    ET.indent(svg)
    return ET.tostring(svg, encoding="unicode") + "\n"


def _curve(
    svg: ET.Element,
    name: str,
    points: Sequence[Point],
    colour: str,
    across: _Scale,
    upright: _Scale,
    tell: object,
) -> None:
    group = ET.SubElement(svg, "g", {"stroke": colour, "fill": colour})
    places = [(across.at(point.x), upright.at(point.y)) for point in points]
    path = " ".join(f"{x:g},{y:g}" for x, y in places)
    width = "3" if name == "toolnexus" else "1.6"
    ET.SubElement(group, "polyline", {"points": path, "fill": "none", "stroke-width": width})
    for point, (x, y) in zip(points, places, strict=True):
        fields = {"cx": f"{x:g}", "cy": f"{y:g}", "r": "4"}
        if point.over:
            fields |= {"fill": _PAPER, "class": _OVER}
        dot = ET.SubElement(group, "circle", fields)
        value = tell(point.y) if callable(tell) else ""
        more = "more than " if point.over else ""
        ET.SubElement(dot, "title").text = f"{name}, {point.x:,.0f} notes: {more}{value}"


def _names(svg: ET.Element, heights: Mapping[str, float]) -> None:
    """Write each curve's name beside its end, none over another."""
    last = -math.inf
    colours = dict(zip(heights, _COLOURS * 2, strict=False))
    for name, height in sorted(heights.items(), key=lambda pair: pair[1]):
        last = max(height + 4, last + 16)
        _text(svg, WIDTH - _RIGHT + 12, last, name, colour=colours[name], weight="600")


def _scale(values: Iterable[float], begin: float, end: float) -> _Scale:
    """Span whole decades."""
    logs = [math.log10(value) for value in values]
    least, most = math.floor(min(logs)), math.ceil(max(logs))
    return _Scale(least, max(most, least + 1), begin, end)


def _tell_bytes(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:g} {unit}"
        count /= 1000
    return f"{count:g} TB"


def _box(svg: ET.Element, x: float, y: float, width: float, height: float, fill: str) -> None:
    fields = {"x": x, "y": y, "width": width, "height": height}
    ET.SubElement(
        svg, "rect", {name: f"{each:g}" for name, each in fields.items()} | {"fill": fill}
    )


def _line(svg: ET.Element, x1: float, y1: float, x2: float, y2: float) -> None:
    fields = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    ET.SubElement(
        svg, "line", {name: f"{each:g}" for name, each in fields.items()} | {"stroke": _GRID}
    )


def _text(
    svg: ET.Element,
    x: float,
    y: float,
    text: str,
    *,
    size: int = 12,
    anchor: str = "start",
    colour: str = _INK,
    weight: str = "400",
) -> None:
    fields = {
        "x": f"{x:g}",
        "y": f"{y:g}",
        "font-family": "system-ui, sans-serif",
        "font-size": str(size),
        "font-weight": weight,
        "text-anchor": anchor,
        "fill": colour,
    }
    ET.SubElement(svg, "text", fields).text = text
