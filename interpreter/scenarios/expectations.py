"""What is expected of a position: conditions, refusals, lines of a score, and what is asked of
players, offered to them and known to them. Each gives what does not hold, in words.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple, cast

from interpreter.engine.decisions import Spec
from interpreter.game.game import State
from interpreter.game.refusals import Refusal
from interpreter.game.views import knows_variable
from interpreter.model.position import Index, Position
from interpreter.model.tally import Counted, Tally
from interpreter.model.visibility import may_know, pieces_in
from interpreter.scenarios.fixture import Failed, Stage, asks
from rulelang import core
from rulelang.core.types import (
    TEXT,
    TRUTH,
    UNKNOWN,
    OptionalT,
    PieceT,
    SetT,
    Type,
    element,
    fits,
)
from rulelang.core.values import Value, members, number, ordered
from rulelang.phrases.describe import Describer
from rulelang.ruleset import Item, Ruleset, Step, Told


class Unmet(NamedTuple):
    """What does not hold, in words; and, where it can be held side by side, what was expected and
    what there is instead.
    """

    message: str
    expected: str = ""
    found: str = ""


ACCEPTED = "expected a refusal, but the play was accepted"
_NOT_REFUSED = Unmet(ACCEPTED, "refused", "accepted")


# ------------------------------------------------------------------------------- conditions
def unmet(stage: Stage, step: Step) -> Iterator[Unmet]:
    """What does not hold of an `expect`: its conditions, the reasons of a refusal, its lines."""
    advised = any(asks(cond, {"advised"}) for cond in step.cond)
    known = {"advised": stage.advised(step.cites)} if advised else {}
    for cond in step.cond:
        words = stage.env(asks(cond, {"witnesses"})) | known
        if not stage.game.rules.holds(stage.s, cond, words):
            yield _unlike(stage, cond)
    if (step.cites and not advised) or step.reasons:
        yield from _other_reasons(stage, step)
    if step.lines:
        yield from _other_lines(stage, step)


def _unlike(stage: Stage, cond: core.Expr) -> Unmet:
    if isinstance(cond, core.Var) and cond.name == "refused":
        return _NOT_REFUSED
    if stage.refused is not None and isinstance(cond, core.Not) and asks(cond.of, {"refused"}):
        reasons = stage.reasons()
        return Unmet(f"the play was refused: {reasons}", "not refused", f"refused: {reasons}")
    describer = Describer(stage.rules)
    said = expected = describer.say(cond)
    found = ""
    if isinstance(cond, core.Compare):
        value = stage.value(cond.left)
        text = stage.game.presenter.text(value, cond.left.type, stage.s)
        said += f"; it is {text}"
        found = f"{describer.say(cond.left)} is {text}"
    if stage.refused is not None:
        said += f" (the play was refused: {stage.reasons()})"
    return Unmet(f"expected: {said}", expected, found)


def _other_reasons(stage: Stage, step: Step) -> Iterator[Unmet]:
    """The statements and labels that a refusal should rest on and does not."""
    if stage.refused is None:
        if not any(asks(cond, {"refused"}) for cond in step.cond):
            yield _NOT_REFUSED
        return
    labels = {label for reason in stage.refused for label in _labels(stage.rules, reason)}
    missing = [cite for cite in step.cites if cite not in stage.cited]
    missing += [f"“{label}”" for label in step.reasons if label not in labels]
    if missing:
        cited = ", ".join(sorted(stage.cited))
        by = f"{cited}: {stage.reasons()}" if cited else stage.reasons()
        wanted = ", ".join([*step.cites, *(f"“{label}”" for label in step.reasons)])
        message = f"refused, but not by {', '.join(missing)}: by {by}"
        yield Unmet(message, f"refused by {wanted}", f"refused by {by}")


def _labels(rules: Ruleset, reason: Refusal) -> Iterator[str]:
    """What a reason may be called: its label, that of its clause, the sentence of a card."""
    yield reason.label
    for clause in (reason.clause, *reason.also):
        if clause in rules.clauses:
            yield rules.clauses[clause].label
            yield sentence_of(rules, clause)


def sentence_of(rules: Ruleset, clause: str) -> str:
    """The sentence of a card that a clause is; empty if it is none."""
    known = rules.clauses.get(clause)
    if known is None or known.kind != "sentence":
        return ""
    for design in rules.designs:
        for sentence, (_, span) in zip(design.sentences, design.text, strict=True):
            if span == known.span:
                return sentence
    return ""


# ------------------------------------------------------------------------------- lines
class Line(NamedTuple):
    """A line of a score as expected: its label is empty where none is written."""

    op: str
    amount: Value
    label: str

    def __str__(self) -> str:
        return f"{self.op} {self.amount}" + (f" “{self.label}”" if self.label else "")


def _other_lines(stage: Stage, step: Step) -> Iterator[Unmet]:
    """The first line that counted otherwise than expected, with all that counted; totals that do
    not follow from their lines.
    """
    found = [line for tally in stage.tallies for line in tally.lines]
    wanted = [Line(op, stage.value(amount), label) for op, amount, label in step.lines]
    for place, (line, want) in enumerate(zip_longest(found, wanted), 1):
        if line is not None and want is not None and _is_line(stage.rules, line, want):
            continue
        is_so = f"it is {Line(line.op, line.amount, line.label)}" if line else "there is none"
        expected = str(want) if want is not None else "no more lines"
        lines = [str(Line(c.op, c.amount, c.label)) for c in found]
        counted = "; ".join(lines) or "none"
        yield Unmet(
            f"line {place}: expected {expected}; {is_so} (the lines that counted are {counted})",
            "\n".join(map(str, wanted)),
            "\n".join(lines),
        )
        return
    for tally in stage.tallies:
        yield from map(Unmet, _wrong_totals(tally))


def _is_line(rules: Ruleset, line: Counted, want: Line) -> bool:
    """Is a line that counted the one expected, by the label or the card's sentence, if written?"""
    if (line.op, line.amount) != (want.op, want.amount):
        return False
    return want.label in ("", line.label) or want.label == sentence_of(rules, line.clause)


def _wrong_totals(tally: Tally) -> Iterator[str]:
    """Work the running totals of a table out anew from its lines; what differs.

    A line that counted but changed nothing, or one that was passed over, would show here.
    """
    total = 0
    for line in tally.lines:
        match line.op:
            case "+":
                total += line.amount
            case "-":
                total -= line.amount
            case "times":
                total *= line.amount
            case _:  # start, exactly, and bounds that counted set the total
                total = line.amount
        if line.total != total:
            yield f"after {line.label!r} the total is {line.total}; by its lines {total}"
            return
    if tally.total != total:
        yield f"the total is {tally.total}; by the lines that counted {total}"


# ---------------------------------------------------------------- what is asked, offered, known
def asked_in_words(specs: Sequence[Spec]) -> str:
    """Of whom what is asked: `of p1: action, of p2: said`."""
    return ", ".join(f"of p{spec.player + 1}: {spec.name}" for spec in specs) or "is nothing"


def told_otherwise(stage: Stage, told: Told) -> Iterator[Unmet]:
    """What is asked, offered or known otherwise than expected."""
    player = number(stage.value(told.player)) if told.player is not None else None
    return _MATTERS[told.matter](stage, told, player)


class Matches(NamedTuple):
    """What there is, in words, and for each item expected the indices of what it names."""

    there: list[str]
    named: list[tuple[str, frozenset[int]]]

    def besides(self) -> list[str]:
        """What there is that no item names."""
        covered = {index for _, named in self.named for index in named}
        return [text for index, text in enumerate(self.there) if index not in covered]


def _differences(told: Told, matches: Matches, what: str) -> Iterator[Unmet]:
    """How what there is differs from the items: all of them, some among others, or none of them."""
    if told.denied:
        found = [text for text, named in matches.named if named]
        if found:
            message = f"expected not {what}: {', '.join(found)}"
            yield Unmet(message, f"not {what}: {_listed(found)}", f"{what}: {_listed(found)}")
        return
    missing = [text for text, named in matches.named if not named]
    besides = [] if told.others else matches.besides()
    if missing or besides:
        there = f"{what}: {_listed(matches.there) or 'nothing'}"
        parts = [there]
        parts += [f"expected, but missing: {_listed(missing)}"] if missing else []
        parts += [f"not expected: {_listed(besides)}"] if besides else []
        yield Unmet("; ".join(parts), _wanted(told, matches, what), there)


def _wanted(told: Told, matches: Matches, what: str) -> str:
    """What is expected, as it is told of what there is."""
    wanted = _listed([text for text, _ in matches.named]) or "nothing"
    return f"{what}: {wanted}" + (", …" if told.others else "")


def _listed(words: list[str]) -> str:
    return ", ".join(dict.fromkeys(words))


def _asked(stage: Stage, told: Told, player: int | None) -> Iterator[Unmet]:
    specs = [s for s in stage.game.decider.open(stage.s) if player in (None, s.player)]
    named = []
    for item in told.items:
        is_prompt = bool(item.meanings)
        fit = (i for i, s in enumerate(specs) if item.text == (s.prompt if is_prompt else s.name))
        named.append((item.text, frozenset(fit)))
    whose = "" if player is None else f" of p{player + 1}"
    yield from _differences(told, Matches([s.name for s in specs], named), f"asked{whose}")


def _offered(stage: Stage, told: Told, player: int | None) -> Iterator[Unmet]:
    specs = [s for s in stage.game.decider.open(stage.s) if player in (None, s.player)]
    whose = "" if player is None else f" to p{player + 1}"
    if len(specs) > 1:
        asked = asked_in_words(specs)
        raise Failed(f"say to whom it is offered, as in `offered to p1`; asked {asked}")
    if not specs:
        yield from _differences(
            told, Matches([], [(item.text, frozenset()) for item in told.items]), f"offered{whose}"
        )
        return
    spec = specs[0]
    at = stage.s.branches[spec.seat] if spec.seat is not None else stage.s
    several = spec.mode in ("some", "order")
    options = list(spec.domain if several else stage.game.decider.options(stage.s, spec))
    t = {"action": TEXT, "may": TRUTH}.get(spec.mode, spec.item)
    there = [stage.game.presenter.text(option, t, at) for option in options]
    named = []
    for item in told.items:
        wanted = frozenset(_alike(stage, x, t) for x in _values(stage, item, t, at))
        fit = (i for i, option in enumerate(options) if _alike(stage, option, t) in wanted)
        named.append((_in_words(stage, item), frozenset(fit)))
    yield from _differences(told, Matches(there, named), f"offered{whose}")


def _known(stage: Stage, told: Told, player: int | None) -> Iterator[Unmet]:
    own = State(stage.game, stage.s).seen_by(player)
    whose = "" if player is None else f" to p{player + 1}"
    if told.place is None:
        for item in told.items:
            if _knows(stage, item, player, own) is told.denied:
                verb = "is" if told.denied else "is not"
                yield Unmet(f"{_in_words(stage, item)} {verb} known{whose}")
        return
    t = element(told.place.type) or told.place.type
    lying = ordered(frozenset(members(stage.value(told.place))))
    seen = [piece for piece in lying if may_know(own, player, piece, t)]
    there = [stage.game.presenter.text(piece, t, stage.s) for piece in seen]
    named = []
    for item in told.items:
        wanted = frozenset(_alike(stage, x, t) for x in _values(stage, item, t, stage.s))
        fit = (i for i, piece in enumerate(seen) if _alike(stage, piece, t) in wanted)
        named.append((_in_words(stage, item), frozenset(fit)))
    yield from _differences(told, Matches(there, named), f"known{whose}")


def _knows(stage: Stage, item: Item, player: int | None, own: Position) -> bool:
    """May the player know a variable, or which pieces these are?"""
    for meaning in item.meanings:
        if isinstance(meaning, core.Read):
            index = stage.value(meaning.index) if meaning.index is not None else None
            # whose it is, is a number, or a pair of them
            return knows_variable(stage.game, own, player, meaning.state, cast("Index", index))
    found = [(stage.value(_all_of(x)), _all_of(x).type) for x in item.meanings]
    value, t = next(((v, t) for v, t in found if pieces_in(v, t)), (None, UNKNOWN))
    if value is None:
        raise Failed(f"there is no piece {_in_words(stage, item)}")
    return may_know(own, player, value, t)


_MATTERS: dict[str, Callable[[Stage, Told, int | None], Iterator[Unmet]]] = {
    "asked": _asked,
    "offered": _offered,
    "known": _known,
}


# ------------------------------------------------------------------------------- items
def _all_of(expr: core.Expr) -> core.Expr:
    """A title that is written for one piece stands for all its pieces."""
    if isinstance(expr, core.Pick) and isinstance(expr.of, core.Titled):
        return expr.of
    return expr


def _values(stage: Stage, item: Item, t: Type, at: Position) -> list[Value]:
    """The values of a type that an item names: one, or each member of a set; raises Failed where it
    names none of that type.
    """
    for meaning in map(_all_of, item.meanings):
        if fits(meaning.type, t):
            return [stage.value(meaning, at)]
        if fits(meaning.type, SetT(t)):
            return list(members(stage.value(meaning, at)))
    raise Failed(f"{_in_words(stage, item)} is nothing that could be offered or known here")


def _alike(stage: Stage, value: Value, t: Type) -> Hashable:
    """What is the same for values that are written alike: two pieces of one title, for example."""
    inner = element(t)
    if isinstance(value, frozenset):
        return frozenset(_alike(stage, x, inner or t) for x in value)
    if isinstance(value, tuple) and inner is not None:
        return tuple(_alike(stage, x, inner) for x in value)
    piece = t.of if isinstance(t, OptionalT) else t
    if isinstance(piece, PieceT) and isinstance(value, int):
        return stage.game.presenter.piece(value)
    return value


def _in_words(stage: Stage, item: Item) -> str:
    """An item as it was written, or as its meaning is said."""
    return item.text or Describer(stage.rules).say(item.meanings[0])
