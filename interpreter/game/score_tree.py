"""Why a play scored what it did: an event as a tree of its tables and their lines, whose sums add
up; nothing the reader may not know.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.game.context import PlayState
from interpreter.game.wording import sentence
from interpreter.model.position import Entry
from interpreter.model.tally import Counted, Tally
from interpreter.model.visibility import ONLOOKER, pieces_in
from rulelang.core.types import NUMBER, Type, element
from rulelang.core.values import Json, number
from rulelang.diagnostics.english import spoken
from rulelang.ruleset import Ruleset

SIGNS = {
    "start": "",
    "+": "+ ",
    "-": "- ",
    "times": "times ",
    "exactly": "exactly ",
    "floor": "at least ",
    "cap": "at most ",
}


@dataclass(frozen=True)
class ScoreTree:
    """An explanation: words, the number it comes to, the clause it rests on, and what it is made
    of.

    What adds to a number says what it adds (`adds`) and under which label; other lines do not.
    """

    text: str
    value: int | None = None
    clause: str = ""
    cites: tuple[str, ...] = ()
    parts: tuple[ScoreTree, ...] = field(default=())
    label: str = ""
    adds: int | None = None

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, indent: int = 0) -> list[str]:
        """The tree as indented lines."""
        cite = f"  [{', '.join(self.cites)}]" if self.cites else ""
        return [
            "  " * indent + self.text + cite,
            *[line for part in self.parts for line in part.lines(indent + 1)],
        ]

    def as_json(self) -> dict[str, Json]:
        """The tree as plain data."""
        return {
            "text": self.text,
            "value": self.value,
            "clause": self.clause,
            "cites": list(self.cites),
            "parts": [p.as_json() for p in self.parts],
        }


def event_text(state: PlayState, entry: Entry, viewer: int | None) -> str:
    """An event in its author's wording, as the viewer may read it."""
    known = state.game.rules_source.events[entry.name]
    types, s, who = (
        dict(known.params),
        state.seen_by(viewer),
        ONLOOKER if viewer is None else viewer,
    )
    said = {}
    for name, value in entry.args:
        open_to_him = entry.open_to(who, pieces_in(value, types[name]))
        said[name] = (
            state.game.presenter.named(value, types[name], s) if open_to_him else "something"
        )
    if known.reads:
        amounts = {
            name: number(value)
            for name, value in entry.args
            if types[name] == NUMBER and said[name] != "something"
        }
        return sentence(known.reads[0], said, amounts)
    return f"{spoken(entry.name)}: " + ", ".join(
        f"{spoken(name)} {value}" for name, value in said.items()
    )


def scored(state: PlayState) -> Entry | None:
    """The last event that counted something; if none did, the last event; none if nothing has
    happened.
    """
    events = [entry for entry in state.log if entry.kind == "event"]
    return next(
        (entry for entry in reversed(events) if entry.totals), events[-1] if events else None
    )


def explain(state: PlayState, entry: Entry, viewer: int | None) -> ScoreTree:
    """The tree of a logged event: its tables, line by line."""
    known = state.game.rules_source.events[entry.name]
    clause = state.game.rules_source.clauses.get(known.clause)
    parts = tuple(
        tally_tree(state, t) for t in entry.told_to(ONLOOKER if viewer is None else viewer)
    )
    return ScoreTree(
        event_text(state, entry, viewer), None, known.clause, clause.cites if clause else (), parts
    )


def tally_tree(state: PlayState, tally: Tally) -> ScoreTree:
    """A score table worked out: every line that counted, and the running total after it."""
    return ScoreTree(
        f"{spoken(tally.table)}: {tally.total}",
        tally.total,
        "",
        (),
        tuple(line_tree(state, tally, line) for line in tally.lines),
    )


def line_tree(state: PlayState, tally: Tally, line: Counted) -> ScoreTree:
    """One line of a table."""
    known = state.game.rules_source.clauses.get(line.clause)
    origin = ""
    if known is not None and known.kind == "sentence":
        origin = f" ({known.owner})"
    said = line_text(state, tally, line)
    return ScoreTree(
        f"{said}{origin} = {line.total}",
        line.amount,
        line.clause,
        known.cites if known else (),
        label=line.label,
        adds=_added(line),
    )


def _added(line: Counted) -> int | None:
    """What a line adds to those before it; none if it does something else to them."""
    match line.op:
        case "start" | "+":
            return line.amount
        case "-":
            return -line.amount
        case _:
            return None


def line_text(state: PlayState, tally: Tally, line: Counted) -> str:
    """What a line did, in its author's label, and the member it counted for."""
    said = f"{SIGNS[line.op]}{line.amount} {line.label}"
    t = _member_type(state.game.rules_source, tally, line) if line.member is not None else None
    if t is None:
        return said
    return f"{said} ({state.game.presenter.text(line.member, t, state.position)})"


def _member_type(rules: Ruleset, tally: Tally, line: Counted) -> Type | None:
    """The type of what a line counts for each; none if it counts once."""
    written = rules.tables[tally.table].lines
    added = [
        x
        for e in rules.extensions
        if (e.kind, e.target, e.clause) == ("score", tally.table, line.clause)
        for x in e.lines
    ]
    own = [x for outer in written for x in (outer, *outer.inner) if x.clause == line.clause]
    by_cards = [x for outer in added for x in (outer, *outer.inner)]
    for found in (*own, *by_cards):
        if found.each is not None and found.label == line.label:
            return element(found.each[1].type)
    return None
