"""What a card touches: other cards, rules and open questions, and chains that feed themselves.

Two cards touch if one names the other, if one writes what the other reads, if both move the same
things, or bear on the same event or word while they lie. A contact is the more surprising the fewer
cards share its reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from interpreter.authoring.distinguish import Difference, Sides, shown_beside
from interpreter.authoring.small_positions import named_by
from interpreter.game.game import Game
from interpreter.game.worked_out import WorkedOut
from interpreter.proofs.sides import text_of_card
from rulelang import core
from rulelang.analysis.calls import walk_calls
from rulelang.analysis.reads import Reads
from rulelang.analysis.unasked import Unasked
from rulelang.analysis.writes import statements, writes
from rulelang.builtins.record import ANYTHING
from rulelang.core.values import Json
from rulelang.ruleset import Clause, Design, Extension, Ruleset

_NAMED = "named by its text"
_READ = "reads what it writes"
_ASKED_FOR = (_NAMED, _READ)  # why the other card's text is the one that asks
_COMMON = frozenset({"where", "known", "tiles", ANYTHING})  # what nearly everything reads or writes

Key = tuple[str, str]  # component and title


@dataclass(frozen=True)
class Contact:
    """A card that is touched, for which reasons, how rare these are, and a position."""

    title: str
    reasons: tuple[str, ...]
    surprise: float
    shown: Difference | None = None

    def as_json(self) -> dict[str, Json]:
        """The contact as plain data."""
        return {
            "card": self.title,
            "reasons": list(self.reasons),
            "surprise": round(self.surprise, 3),
            "where": self.shown.how if self.shown is not None else None,
            "outcomes": [self.shown.one, self.shown.two] if self.shown is not None else [],
        }


@dataclass(frozen=True)
class Touched:
    """All that a card touches."""

    design: Design
    contacts: tuple[Contact, ...]
    clauses: tuple[Clause, ...]
    questions: tuple[str, ...]
    chains: tuple[tuple[str, ...], ...]

    def as_json(self) -> dict[str, Json]:
        """What is touched as plain data."""
        clauses: list[Json] = [{"clause": c.id, "cites": list(c.cites)} for c in self.clauses]
        return {
            "card": self.design.title,
            "contacts": [contact.as_json() for contact in self.contacts],
            "rules": clauses,
            "questions": list(self.questions),
            "chains": [list(chain) for chain in self.chains],
        }


@dataclass
class _Handles:
    """What of one card others may touch: sources it reads and writes, what it bears on."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    bears_on: set[str] = field(default_factory=set)
    named: set[Key] = field(default_factory=set)
    counts: set[str] = field(default_factory=set)  # printed fields that it looks at


class _Texts:
    """The handles of all cards of a game, and how many share each."""

    def __init__(self, game: Game) -> None:
        self.rules: Ruleset = game.rules_source
        reads = Reads(self.rules)
        self.handles: dict[Key, _Handles] = {}
        self.printed = _printed(self.rules)
        for e in self.rules.extensions:
            self._add(self.handles.setdefault((e.component, e.title), _Handles()), e, reads)
        for design in self.rules.designs:
            key = (design.component, design.title)
            if key in self.handles:
                self.handles[key].named |= _named(game, design)
        self.count: dict[str, int] = {}
        for handles in self.handles.values():
            for source in {*handles.reads, *handles.writes, *handles.bears_on}:
                self.count[source] = self.count.get(source, 0) + 1

    def _add(self, handles: _Handles, e: Extension, reads: Reads) -> None:
        reaction = e.reaction
        asked = (e.lines, e.rules, e.cases, e.cond, reaction.cond if reaction else None)
        for node in walk_calls(self.rules, asked):
            if isinstance(node, core.Attribute) and node.name in self.printed:
                handles.counts.add(node.name)
        handles.reads |= {s for s in reads.all(asked) if s not in _COMMON}
        body = (*e.body, *(reaction.body if reaction is not None else ()))
        for stmt in body:
            handles.writes |= {s for s in writes(self.rules, stmt) if s not in _COMMON}
        if e.lifetime != "played":
            handles.bears_on.add(f"{e.kind} {e.target}")


def _printed(rules: Ruleset) -> dict[str, set[Key]]:
    """The cards on which a number is printed that most cards of their sort lack, by its field."""
    found: dict[str, set[Key]] = {}
    for design in rules.designs:
        for name, value in design.values:
            if isinstance(value, int) and value:
                found.setdefault(name, set()).add((design.component, design.title))
    return {name: keys for name, keys in found.items() if 2 * len(keys) < len(rules.designs)}


def _named(game: Game, design: Design) -> set[Key]:
    """The cards that a text names."""
    pieces = game.setup.pieces
    return {
        (pieces[p].design.component, pieces[p].design.title)
        for noun in design.nouns
        for p in named_by(game, noun)
    }


_texts = WorkedOut(_Texts)


def interactions(game: Game, design: Design, most: int) -> Touched:
    """What a card touches: at most so many cards, the most surprising first."""
    texts, rules = _texts(game), game.rules_source
    key = (design.component, design.title)
    own = [e for e in rules.extensions if (e.component, e.title) == key]
    clauses = tuple(dict.fromkeys(_clauses(rules, own)))
    cites = dict.fromkeys(c for clause in clauses for c in clause.cites if c.startswith("OQ"))
    statements_ = game.loaded.statements
    questions = tuple(f"{c} {statements_[c].text}" for c in cites if c in statements_)
    contacts = sorted(_contacts(texts, key), key=lambda c: (-c.surprise, c.title))[:most]
    shown = tuple(_shown(game, design, contact) for contact in contacts)
    return Touched(design, shown, clauses, questions, tuple(_chains(rules, own)))


def _contacts(texts: _Texts, key: Key) -> Iterator[Contact]:
    """Every card that touches or is touched, with the reasons."""
    mine = texts.handles.get(key, _Handles())
    for other in {(d.component, d.title): None for d in texts.rules.designs}:
        if other == key:
            continue
        yours = texts.handles.get(other, _Handles())
        reasons: dict[str, float] = {}
        if other in mine.named:
            reasons["its text names it"] = 2 / len(mine.named)
        if key in yours.named:
            reasons[_NAMED] = 2 / len(yours.named)
        for name in sorted(mine.counts):
            if other in texts.printed[name]:
                said = f"its text counts what is printed on it: {name.replace('_', ' ')}"
                reasons[said] = 1 / len(texts.printed[name])
        for head, there in (
            (_READ, mine.writes & yours.reads),
            ("writes what it reads", mine.reads & yours.writes),
            ("both change", mine.writes & yours.writes),
            ("both bear on", mine.bears_on & yours.bears_on),
        ):
            for source in sorted(there):
                said = source.rpartition(":")[2].replace("_", " ")
                reasons[f"{head}: {said}"] = 1 / texts.count[source]
        if reasons:
            yield Contact(other[1], tuple(reasons), sum(reasons.values()))


def _shown(game: Game, design: Design, contact: Contact) -> Contact:
    """The contact with a small position in which one card's text counts beside the other card.

    The card whose text asks for the other is looked at first.
    """
    pairs = [(design.title, contact.title), (contact.title, design.title)]
    if all(reason.startswith(_ASKED_FOR) for reason in contact.reasons):
        pairs.reverse()
    for bearer, beside in pairs:
        found = _beside(game, design.component, bearer, beside)
        if found is not None:
            return replace(contact, shown=found)
    return contact


def _beside(game: Game, component: str, bearer: str, beside: str) -> Difference | None:
    """A small position in which the text of one card counts beside another card."""
    borne = game.setup.by_title.get((component, bearer.lower()), ())
    lying = game.setup.by_title.get((component, beside.lower()), ())
    if not borne or not lying:
        return None
    readings = text_of_card(game.loaded, game.setup.pieces[borne[0]].design).readings
    if not readings:
        return None
    return shown_beside(game, Sides(readings, (), alone=True), borne[0], lying)


def _clauses(rules: Ruleset, own: Iterable[Extension]) -> Iterator[Clause]:
    """The clauses that the sentences are made of, what they add to, and who asks for that."""
    unasked = Unasked(rules)
    for e in own:
        names = [e.clause, e.pattern]
        if e.kind == "define":
            names += [f"define {name}" for name in sorted(unasked.above(e.target))]
        elif e.kind == "score":
            names += [rules.tables[e.target].clause]
        elif e.kind == "steps":
            names += [rules.procedures[e.target].clause]
        else:
            event = rules.events[e.reaction.event if e.reaction is not None else e.target]
            names += [event.clause, *(r.clause for r in event.rules if r.slot == e.slot)]
        for name in names:
            if name in rules.clauses:
                yield rules.clauses[name]


def _chains(rules: Ruleset, own: Iterable[Extension]) -> Iterator[tuple[str, ...]]:
    """Chains by which what a card does calls on the card again: events, one after another."""
    for e in own:
        if e.reaction is None:
            continue
        heard = e.reaction.event
        for first in sorted(_done(rules, e.reaction.body)):
            path = _path(rules, first, heard)
            if path is not None:
                yield (heard, *path)


def _path(rules: Ruleset, start: str, goal: str) -> tuple[str, ...] | None:
    """The shortest way from one event to another by what follows each."""
    seen, ways = {start}, list[tuple[str, ...]]([(start,)])
    for way in ways:
        if way[-1] == goal:
            return way
        for after in sorted(_followed(rules, way[-1]) - seen):
            seen.add(after)
            ways.append((*way, after))
    return None


def _followed(rules: Ruleset, event: str) -> set[str]:
    """The events that are done as an event is, or after it."""
    bodies: list[core.Stmt] = []
    if event in rules.events:
        bodies += rules.events[event].body
    if event in rules.procedures:
        bodies += rules.procedures[event].body
    for reaction in rules.reactions:
        if reaction.event == event:
            bodies += reaction.body
    for e in rules.extensions:
        if e.reaction is not None and e.reaction.event == event:
            bodies += e.reaction.body
    return _done(rules, bodies)


def _done(rules: Ruleset, body: Iterable[core.Stmt]) -> set[str]:
    return {stmt.target for stmt in statements(list(body)) if isinstance(stmt, core.Do)}
