"""Pages of results: intervals as charts, drawn by Altair, and what they say in words.

A page is one file without scripts: its charts are SVG pictures.
"""

from __future__ import annotations

import html
import io
from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.model.errors import InputError

ROW = 26  # the height of an interval in a chart
PADDING = 24  # round a chart: a reader's letters may be wider than those it was drawn with
_STYLE = (
    "body{font-family:sans-serif;max-width:56em;margin:2em auto;padding:0 1em;color:#222;"
    "background:#fff}svg{max-width:100%;height:auto}h1{font-size:1.3em}"
)


@dataclass(frozen=True)
class Interval:
    """What is measured, what was decided of it, its mean, and the ends of its interval."""

    label: str
    verdict: str
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Section:
    """A chart with what its axis shows, below a heading; paragraphs of lines stand below it."""

    heading: str
    axis: str
    intervals: Sequence[Interval]
    paragraphs: Sequence[Sequence[str]]


def page(title: str, sections: Sequence[Section]) -> str:
    """One HTML file; raises InputError where what draws its charts is not installed."""
    parts = [
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{html.escape(title)}</title>"
        f"<meta name='viewport' content='width=device-width'><style>{_STYLE}</style>"
    ]
    for section in sections:
        parts.append(f"<h1>{html.escape(section.heading)}</h1>")
        if section.intervals:
            parts.append(chart(section))
        for lines in section.paragraphs:
            parts.append("<p>" + "<br>".join(html.escape(line.strip()) for line in lines) + "</p>")
    return "\n".join([*parts, "</html>"])


def chart(section: Section) -> str:
    """The intervals of a section on one scale, with 0 dashed, as an SVG picture."""
    try:
        import altair
        import vl_convert  # noqa: F401  # what Altair draws pictures with
    except ImportError:
        raise InputError(
            "Altair is not installed: pip install 'rulelang[study]' brings it"
        ) from None
    rows = [
        {"label": i.label, "verdict": i.verdict, "mean": i.mean, "low": i.low, "high": i.high}
        for i in section.intervals
    ]
    x = altair.X("low:Q", title=section.axis)
    y = altair.Y("label:N", title=None, sort=None, axis=altair.Axis(labelLimit=320))
    verdict = altair.Color("verdict:N", title="verdict")
    base = altair.Chart({"values": rows})
    spans = base.mark_rule(strokeWidth=3).encode(x=x, x2="high:Q", y=y, color=verdict)
    means = base.mark_point(size=80, filled=True, opacity=1).encode(x="mean:Q", y=y, color=verdict)
    zero = altair.Chart({"values": [{"at": 0}]}).mark_rule(strokeDash=[4, 4])
    made = altair.layer(zero.encode(x="at:Q"), spans, means).properties(
        width=420, height=max(2, len(rows)) * ROW, background="white", padding=PADDING
    )
    drawn = io.StringIO()
    made.save(drawn, format="svg")
    return drawn.getvalue()
