"""A book as one HTML file: its own style, nothing from elsewhere, for a telephone and for paper."""

from __future__ import annotations

import re
from html import escape

from interpreter.paper.document import Book, Grid, Line, Section

_MOST_EXAMPLES = 3
_CITE = re.compile(r"\b([A-Z]{2,}-\d+)\b")
_STYLE = """
:root { --ink: #1d2327; --soft: #5c666d; --line: #d9dee2; --paper: #fff; --tint: #f4f6f3;
  --link: #1f5f8b; --new: #e4f3e1; --gone: #fae3e0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9eb; --soft: #a3adb4; --line: #3a4247;
  --paper: #171b1e; --tint: #20262a; --link: #8cc4ea; --new: #1f3a23; --gone: #46231f; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 46rem; padding: 1rem 1.1rem 4rem; color: var(--ink);
  background: var(--paper); font: 1rem/1.5 Georgia, "Libertinus Serif", "DejaVu Serif", serif; }
h1, h2, h3, h4, h5, nav, .refs, .label, th { font-family: "Helvetica Neue", Arial, "DejaVu Sans",
  sans-serif; }
h1 { font-size: 2rem; line-height: 1.15; margin: 1.5rem 0 .2rem; }
h2 { font-size: 1.45rem; margin: 3rem 0 .6rem; padding-top: .6rem;
  border-top: 3px solid var(--ink); }
h3 { font-size: 1.1rem; margin: 2rem 0 .4rem; }
h4, h5 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
nav ol { columns: 2 16rem; padding-left: 1.4rem; }
p.note { color: var(--soft); font-style: italic; margin: .2rem 0 .6rem; }
.told { background: var(--tint); border-left: 4px solid var(--line); margin: .5rem 0 .8rem;
  padding: .4rem .8rem; }
.told p { margin: .3rem 0; overflow-wrap: anywhere; }
ul, ol { padding-left: 1.1rem; margin: .3rem 0; }
li { margin: .25rem 0; overflow-wrap: anywhere; }
.label { font-weight: 600; font-size: .93em; }
.refs { font-size: .7rem; color: var(--soft); overflow-wrap: anywhere; }
.refs a { margin-left: .25em; }
.refs .clause { opacity: .65; margin-left: .35em; }
li.new { background: var(--new); } li.gone { background: var(--gone); }
li.new::marker { content: "+ "; } li.gone::marker { content: "− "; }
li.gone > .text { text-decoration: line-through; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .88rem; width: 100%; }
th, td { text-align: left; padding: .2rem .5rem; border-bottom: 1px solid var(--line); }
.example { border: 1px solid var(--line); border-radius: .5rem; padding: .1rem .8rem .4rem;
  margin: .8rem 0; } .example > h3, .example > h4, .example > h5 { margin: .5rem 0 .2rem;
  font-weight: 600; } .example > ul { list-style: none; padding: 0; }
pre { overflow-x: auto; margin: .3rem 0; font: .85rem/1.3 "DejaVu Sans Mono", Consolas, monospace; }
#examples { font-size: .85rem; } #examples ul { list-style: none; padding: 0; }
@media print { body { max-width: none; font-size: 10pt; padding: 0; } nav { break-after: page; }
  h2 { break-before: page; } h2, h3, h4 { break-after: avoid; } a { color: inherit; }
  .refs { font-size: 7pt; } @page { margin: 18mm 16mm; } }
"""


def html(book: Book) -> str:
    """The whole book as one page."""
    page = _Page(book)
    contents = "".join(
        f'<li><a href="#{escape(c.anchor)}">{escape(c.title)}</a></li>' for c in book.chapters
    )
    body = "".join(page.section(chapter, 2) for chapter in book.chapters)
    title = escape(book.title)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">"
        f"<title>{title}: the rules</title><style>{_STYLE}</style></head>\n<body>"
        f'<h1>{title}</h1><p class="note">{escape(book.subtitle[:1].upper() + book.subtitle[1:])}.'
        "</p><p>Shaded boxes tell a rule in short, each with its number. The lines below them are "
        "the same in full, written from the rules that a program plays by; where the two seem to "
        "differ, the lines count. Small print leads to what a line speaks of, to the numbers of "
        "the statements it carries out, and names its place in the rules.</p>"
        f"<nav><ol>{contents}</ol></nav>\n{body}</body></html>\n"
    )


class _Page:
    """Writes the sections of one book."""

    def __init__(self, book: Book) -> None:
        """Links lead only to what is in the book."""
        self.book = book
        told = {line.label for c in book.chapters for s in c.walk() for line in s.told}
        self.anchors = book.anchors() | told

    def section(self, section: Section, depth: int) -> str:
        """A section with its heading, statements, lines, table and inner sections."""
        card = ' class="example"' if section.anchor.startswith("example-") else ""
        level = min(depth, 5)
        parts = [
            f'<section id="{escape(section.anchor)}"{card}>',
            f"<h{level}>{escape(section.title)}</h{level}>",
            *(f'<p class="note">{self.text(note)}</p>' for note in section.notes),
        ]
        if section.told:
            told = "".join(self.told(line) for line in section.told)
            parts.append(f'<div class="told">{told}</div>')
        if section.lines:
            items = "".join(self.line(line) for line in section.lines)
            parts.append(f"<ul>{items}</ul>")
        if section.grid is not None:
            parts.append(_grid(section.grid))
        parts += [self.section(inner, depth + 1) for inner in section.sections]
        return "".join((*parts, "</section>\n"))

    def told(self, line: Line) -> str:
        """A statement of the rulebook, and the first examples that show it."""
        examples = self.book.shown_by.get(line.label, ())[:_MOST_EXAMPLES]
        shown = "".join(f'<a href="#{anchor}">▸ {escape(name)}</a>' for anchor, name in examples)
        return (
            f'<p id="{escape(line.label)}"><span class="label">{escape(line.label)}</span> '
            f'{self.text(line.text)} <span class="refs">{shown}</span></p>'
        )

    def line(self, line: Line) -> str:
        """A line with what it rests on and what stands below it."""
        label = f'<span class="label">{escape(line.label)}.</span> ' if line.label else ""
        refs = "".join(
            f'<a class="term" href="#{escape(anchor)}">→ {escape(said)}</a>'
            for anchor, said in line.terms
            if anchor in self.anchors
        )
        refs += "".join(self.cite(cite) for cite in line.cites)
        if line.clause:
            place = self.book.places.get(line.clause, "")
            refs += f'<span class="clause" title="{escape(place)}">{escape(line.clause)}</span>'
        inner = "".join(self.line(each) for each in line.inner)
        mark = f' class="{line.mark}"' if line.mark else ""
        anchor = f' id="{escape(line.anchor)}"' if line.anchor else ""
        drawn = f"<pre>{escape(chr(10).join(line.picture))}</pre>" if line.picture else ""
        return (
            f'<li{mark}{anchor}>{label}<span class="text">{self.text(line.text)}</span> '
            f'<span class="refs">{refs}</span>{drawn}'
            + (f"<ul>{inner}</ul>" if inner else "")
            + "</li>"
        )

    def cite(self, name: str) -> str:
        """A statement's number, as a link where it is told."""
        if name not in self.anchors:
            return f" {escape(name)}"
        return f'<a href="#{escape(name)}">{escape(name)}</a>'

    def text(self, text: str) -> str:
        """A text in which numbers of statements are links."""
        parts = _CITE.split(text)
        return "".join(
            self.cite(part) if index % 2 else escape(part) for index, part in enumerate(parts)
        )


def _grid(grid: Grid) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in grid.head)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in grid.rows
    )
    return f'<div class="wide"><table><tr>{head}</tr>{rows}</table></div>'
