"""What is done, as instructions: the statements of the flow, procedures and events in English."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from interpreter.paper.document import Line
from rulelang import core
from rulelang.core.types import NUMBER, PLAYER, TRUTH, UNKNOWN, PieceT, element, non_optional
from rulelang.core.visit import Role, walk
from rulelang.diagnostics.english import article, spoken
from rulelang.elaborate.placeholders import OFFER, attempted
from rulelang.phrases.prose import DOUBLED, Prose, capital, happening
from rulelang.ruleset import Ruleset

Cites = Callable[[str], tuple[str, ...]]
Node = TypeVar("Node", bound=core.Stmt)
# What a line of a table does to the total, as a sentence begins with it.
SIGNS = {
    "start": "Start with {}",
    "+": "Add {}",
    "-": "Take off {}",
    "times": "Multiply by {}",
    "exactly": "Make it {}",
    "floor": "At least {}",
    "cap": "At most {}",
}
STEPS: dict[type[core.Stmt], Callable[[Steps, core.Stmt], Line]] = {}  # closed: tested


class Steps:
    """Writes bodies of one ruleset out as lines."""

    def __init__(self, rules: Ruleset, prose: Prose) -> None:
        """Speak of these rules with these names in scope."""
        self.rules, self.prose = rules, prose

    def body(self, body: core.Body) -> tuple[Line, ...]:
        """The steps of a body, one after the other; what they name is forgotten after them."""
        with self.prose.scope():
            lines: list[Line] = []
            brought: list[str] = []
            for stmt in body:
                title = self.brought_by(stmt)
                if title:
                    brought.append(title)
                    continue
                lines += self.brought(brought)
                brought = []
                lines.append(self.step(stmt))
                if isinstance(stmt, core.If) and stmt.other:
                    lines.append(Line("Otherwise:", inner=self.body(stmt.other)))
            return (*lines, *self.brought(brought))

    def brought_by(self, stmt: core.Stmt) -> str:
        """The title of the card whose text brings this step; the empty string for the rules' own.

        Such a step is done for a piece of that title, and holds the sentence's own clause.
        """
        match stmt:
            case core.If(core.Member(_, core.Titled(_, title)), (*_, core.If(core.Const(True)))):
                return title
            case core.ForEach(
                "card", core.Filter(_, core.Titled(_, title)), _, (*_, core.If(core.Const(True)))
            ):
                return title
            case _:
                return ""

    def brought(self, titles: list[str]) -> list[Line]:
        """One line for all steps that the texts of cards bring here."""
        if not titles:
            return []
        named = ", ".join(f"“{title}”" for title in dict.fromkeys(titles))
        return [
            Line(f"What its text says for this moment is carried out. Such texts have: {named}.")
        ]

    def step(self, stmt: core.Stmt) -> Line:
        """One step with what it rests on."""
        made = STEPS[type(stmt)](self, stmt)
        clause = stmt.clause or ""
        known = self.rules.clauses.get(clause)
        return replace(
            made,
            text=capital(made.text),
            clause=clause,
            cites=known.cites if known is not None else (),
            terms=tuple(terms(self.rules, _own(stmt))),
        )


def _own(stmt: core.Stmt) -> list[object]:
    """What belongs to a step itself and not to those within it."""
    fields = [getattr(stmt, name) for name in stmt.layout.roles]
    found: list[object] = [
        value
        for value in fields
        if isinstance(value, core.Expr)
        or (isinstance(value, tuple) and value and isinstance(value[0], core.Expr))
    ]
    if isinstance(stmt, core.Do):
        found.append(stmt.target)
    if isinstance(stmt, core.Take):
        found += stmt.actions
    return found


def own_parts(rules: Ruleset, body: core.Body) -> list[object]:
    """The expressions of a body and of all bodies in it, but for steps that cards bring."""
    steps, found = Steps(rules, Prose(rules)), list[object]()
    for stmt in body:
        if not steps.brought_by(stmt):
            found += _own(stmt)
            for name, role in stmt.layout.roles.items():
                if role is Role.BODY:
                    found += own_parts(rules, getattr(stmt, name))
    return found


def terms(rules: Ruleset, items: list[object]) -> list[tuple[str, str]]:
    """The sections that say what these expressions speak of, once each."""
    found: dict[str, str] = {}
    for item in items:
        if isinstance(item, str):
            found |= dict([target(rules, item)])
            continue
        for node in walk(item):
            match node:
                case core.Apply(define=name) if name in rules.definitions:
                    found[f"define-{name}"] = called(rules.definitions[name].reads, name)
                case core.Total(table=name) if name in rules.tables:
                    found[f"score-{name}"] = called(rules.tables[name].reads, name)
                case core.Accepts(event=name):
                    found |= dict([target(rules, name)])
                case core.Groups(relation=str(name)) | core.Reach(relation=str(name)):
                    known = rules.definitions.get(name)
                    found[f"define-{name}"] = called(known.reads if known else (), name)
                case _:
                    pass
    return list(found.items())


def definitions_in(item: object) -> list[str]:
    """The names of the definitions that a core object asks for, itself or in what is in it."""
    found: list[str] = []
    for node in walk(item):
        match node:
            case core.Apply(define=name):
                found.append(name)
            case core.Groups(relation=str(name)) | core.Reach(relation=str(name)):
                found.append(name)
            case _:
                pass
    return found


def target(rules: Ruleset, name: str) -> tuple[str, str]:
    """The section of an event or procedure, with its title."""
    if name in rules.events:
        return f"event-{name}", called(rules.events[name].reads, name)
    bare = attempted(name)
    return f"procedure-{bare}", title_of(rules, bare)


def title_of(rules: Ruleset, name: str) -> str:
    """What an action or procedure is called."""
    known = rules.procedures.get(name)
    return capital(known.title or spoken(name)) if known is not None else capital(spoken(name))


def called(reads: tuple[str, ...], name: str) -> str:
    """A definition's wording with blanks where its values stand, or its name."""
    return capital(re.sub(r"\{[^}]*\}", "…", reads[0])) if reads else capital(spoken(name))


# ------------------------------------------------------------- one function for each node class
def _steps(
    node: type[Node],
) -> Callable[[Callable[[Steps, Node], Line]], Callable[[Steps, Node], Line]]:
    """Enter a function in the table as the one that writes this class of statements."""

    def enter(write: Callable[[Steps, Node], Line]) -> Callable[[Steps, Node], Line]:
        def checked(w: Steps, s: core.Stmt) -> Line:
            assert isinstance(s, node)
            return write(w, s)

        STEPS[node] = checked
        return write

    return enter


@_steps(core.Let)
def _let(w: Steps, s: core.Let) -> Line:
    value = w.prose.say(s.value)
    if s.value == core.Const(True):
        return Line("nothing is done.")
    name = w.prose.quote(s.var, s.value.type)
    return Line(f"{name} stands below for: {value}.")


@_steps(core.Chance)
def _chance(w: Steps, s: core.Chance) -> Line:
    among = w.prose.say(s.of)
    name = w.prose.quote(s.var, element(s.of.type) or UNKNOWN)
    return Line(f"draw {name} at random from {among}, each equally likely.")


@_steps(core.Assign)
def _assign(w: Steps, s: core.Assign) -> Line:
    what = w.prose.of(spoken(s.state), s.index)
    value = s.value
    read = core.Read(s.state, s.index)
    if isinstance(value, core.Arith) and value.op in "+-" and value.left == read:
        verb, where = ("add", "to") if value.op == "+" else ("take", "off")
        return Line(f"{verb} {w.prose.say(value.right)} {where} {what}.")
    if isinstance(value, core.SetOp) and value.left == read:
        verb, where = ("add", "to") if value.op == "+" else ("take", "from")
        return Line(f"{verb} {w.prose.say(value.right)} {where} {what}.")
    if value.type == TRUTH and isinstance(value, core.Const):
        whose = f" for {w.prose.say(s.index)}" if s.index is not None else ""
        return Line(f"{'mark' if value.value else 'unmark'} “{spoken(s.state)}”{whose}.")
    return Line(f"set {what} to {w.prose.say(value)}.")


@_steps(core.Move)
def _move(w: Steps, s: core.Move) -> Line:
    to = w.prose.of(w.rules.places[s.place].called, s.index)
    if w.rules.places[s.place].ordered:
        to = f"the {'bottom' if s.bottom else 'top'} of {to}"
    return Line(f"move {w.prose.members(s.what)} to {to}.")


@_steps(core.Draw)
def _draw(w: Steps, s: core.Draw) -> Line:
    to, number = w.prose.of(w.rules.places[s.place].called, s.index), w.prose.say(s.count)
    words = w.rules.components[w.rules.places[s.place].holds].words
    many = f"{number} {words[0 if number == '1' else 1]}" if number.isdecimal() else number
    return Line(f"draw {many} from {w.prose.say(s.source)} to {to}.")


@_steps(core.Put)
def _put(w: Steps, s: core.Put) -> Line:
    return Line(f"put {w.prose.say(s.what)} on {w.prose.say(s.sites)}.")


@_steps(core.Shuffle)
def _shuffle(w: Steps, s: core.Shuffle) -> Line:
    return Line(f"shuffle {w.prose.of(w.rules.places[s.place].called, s.index)}.")


@_steps(core.Reveal)
def _reveal(w: Steps, s: core.Reveal) -> Line:
    to = "everybody" if s.to is None else w.prose.say(s.to)
    return Line(f"show {w.prose.members(s.what)} to {to}.")


@_steps(core.Do)
def _do(w: Steps, s: core.Do) -> Line:
    what = attempted(s.target)
    offered = s.target.startswith(OFFER)
    said = happening(w.prose, what, s.args)
    if s.result is not None:
        known = w.rules.procedures.get(what)
        name = w.prose.quote(s.result, (known.gives if known else None) or UNKNOWN)
        return Line(f"carry out {said}; it gives {name}.")
    if what in w.rules.events and w.rules.events[what].reads:
        return Line(f"{said}, if the rules allow it." if offered else f"{said}.")
    said = said.replace(f"“{spoken(what)}”", f"“{title_of(w.rules, what)}”")
    return Line(f"{'one may' if offered else ''} carry out {said}.".strip())


@_steps(core.Give)
def _give(w: Steps, s: core.Give) -> Line:
    return Line(f"what this gives is {w.prose.say(s.value)}.")


@_steps(core.Finish)
def _finish(w: Steps, s: core.Finish) -> Line:
    return Line(f"the {spoken(s.unit)} is over: see whether the game ends now.")


@_steps(core.If)
def _if(w: Steps, s: core.If) -> Line:
    cond = w.prose.say(s.cond)
    return Line(f"if {cond}:", inner=w.body(s.then))


@_steps(core.ForEach)
def _for_each(w: Steps, s: core.ForEach) -> Line:
    each = w.prose.each("for each one", s.domain)
    by = f", in an order that {w.prose.say(s.by)} chooses" if s.by is not None else ""
    with w.prose.scope():
        name = w.prose.bind(s.var, s.item)
        return Line(f"{each} ({name}){by}:", inner=w.body(s.body))


@_steps(core.Repeat)
def _repeat(w: Steps, s: core.Repeat) -> Line:
    if s.times is not None:
        often = f"do this {w.prose.say(s.times)} times:"
    elif s.cond is not None:
        often = f"again and again, as long as {w.prose.say(s.cond)}:"
    else:
        often = "again and again, until the game ends:"
    return Line(often, inner=w.body(s.body))


@_steps(core.Each)
def _each(w: Steps, s: core.Each) -> Line:
    start = f", beginning with {w.prose.say(s.start)}" if s.start is not None else ""
    with w.prose.scope():
        name = w.prose.bind(s.var, PLAYER)
        how = {
            "in turn": f"each player in turn{start}, clockwise",
            "at once": "all players at the same time",
        }.get(s.mode, "all players at the same time, each in secret until all are done")
        watched = ""
        if s.watcher is not None and s.open is not None:
            w.prose.bind(s.watcher, PLAYER)
            watched = f"; another may look on as soon as this is so of him: {w.prose.say(s.open)}"
        named = "" if name == "the player" else f" ({name})"
        return Line(f"{how}{named}{watched}:", inner=w.body(s.body))


@_steps(core.Choose)
def _choose(w: Steps, s: core.Choose) -> Line:
    by, among = w.prose.say(s.by), w.prose.members(s.domain)
    what = w.prose.type_noun(s.item)
    prompt = s.prompt if _names_it(s.prompt) else ""
    asked = "" if prompt else _asked(w, s)
    if s.mode == "one":
        with w.prose.scope():
            w.prose.bind(s.var, s.item, "that", what)
            cond = "" if s.cond == core.Const(True) else f", such that {w.prose.say(s.cond)}"
        name = w.prose.bind(s.var, s.item, called=prompt or _chosen(w, s))
        what = name if element(s.item) is not None else article(name.removeprefix("the "))
        return Line(f"{by} chooses {what}: one of {among}{cond}{asked}.")
    with w.prose.scope():
        w.prose.bind(s.var, s.item, "that", what)
        cond = "" if s.cond == core.Const(True) else f", such that {w.prose.say(s.cond)}"
    name = w.prose.bind(s.var, s.item, called=prompt or _chosen(w, s))
    if s.mode == "order":
        return Line(f"{by} puts {among} in an order of his choice{cond} ({name}){asked}.")
    number = _how_many(w, s)
    if len(number.split()) > 4:
        return Line(f"{by} chooses from {among}{cond} ({name}){asked}. How many: {number}.")
    return Line(f"{by} chooses {number} of {among}{cond} ({name}){asked}.")


def _chosen(w: Steps, s: core.Choose) -> str:
    """What chosen pieces are called: by their component, and not by a word for their part in a
    text; the empty string for other things."""
    t = element(s.item) or non_optional(s.item)
    if not isinstance(t, PieceT):
        return ""
    one = s.mode == "one" and element(s.item) is None
    return w.prose.type_noun(t) if one else f"chosen {w.prose.type_noun(t, True)}"


def _names_it(prompt: str) -> bool:
    """Does a prompt name what is chosen, and ask nothing?"""
    return 0 < len(prompt) < 40 and prompt[0].islower() and not set("?{") & set(prompt)


_LEFT_OUT = "\0"  # stands in no text


def _asked(w: Steps, stmt: core.Choose | core.May) -> str:
    """A prompt that asks, with the values in it said in words; the empty string for none.

    A number that is still to be worked out is left out, with the brackets it stands in: “Which
    cards do you pay?”; elsewhere dots stand for it: “Do you pay half of …?”.
    """
    if not stmt.prompt:
        return ""
    said = "".join(
        part if isinstance(part, str) else _value(w, part) for part in stmt.asks or (stmt.prompt,)
    )
    said = re.sub(rf" *\([^()]*{_LEFT_OUT}[^()]*\)", "", said)
    said = DOUBLED.sub(r"\1 ", said)
    said = re.sub(rf"\b([Ww]hich) {_LEFT_OUT} ", r"\1 ", said)
    return f" (“{said.replace(_LEFT_OUT, '…')}”)"


def _value(w: Steps, part: core.Expr) -> str:
    """A value in a prompt, in words; a mark for a number that nobody knows yet."""
    value = w.prose.say(part)
    return value if part.type != NUMBER or value.isdigit() else _LEFT_OUT


def _how_many(w: Steps, s: core.Choose) -> str:
    low = w.prose.say(s.low) if s.low is not None else ""
    high = w.prose.say(s.high) if s.high is not None else ""
    if low == high:
        return f"exactly {low}" if low else "any number"
    if not high:
        return f"at least {low}" if low != "0" else "any number"
    return f"at most {high}" if low in ("", "0") else f"{low} to {high}"


@_steps(core.Take)
def _take(w: Steps, s: core.Take) -> Line:
    titles = [Line(f"{title_of(w.rules, name)}.") for name in s.actions]
    return Line(f"{w.prose.say(s.by)} does one of these that is possible:", inner=tuple(titles))


@_steps(core.May)
def _may(w: Steps, s: core.May) -> Line:
    asked = _asked(w, s)
    return Line(f"{w.prose.say(s.by)} may do this{asked}:", inner=w.body(s.body))


@_steps(core.Maximize)
def _maximize(w: Steps, s: core.Maximize) -> Line:
    value = w.prose.say(s.value)
    text = f"do the following so that this becomes as large as it can: {value}."
    aside = [title_of(w.rules, name) for name in s.aside]
    if aside:
        text += f" Nobody need do for it: {', '.join(aside)}."
    return Line(text, inner=w.body(s.body))
