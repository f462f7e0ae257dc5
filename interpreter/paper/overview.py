"""The first page of a book: how many play, how a game goes, what counts, when it ends."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.paper.document import Line, Section
from interpreter.paper.steps import Steps, called, title_of
from rulelang import core
from rulelang.core.visit import walk
from rulelang.diagnostics.english import counted, spoken
from rulelang.elaborate.placeholders import attempted
from rulelang.phrases.prose import Prose, capital
from rulelang.ruleset import Line as ScoreLine
from rulelang.ruleset import RankLine, Ruleset, Table

_DEPTH = 2  # procedures within procedures that are looked into
_LONG = 90  # letters of a step that are too many for one in short
_MOST_STEPS, _MOST_LABELS, _MOST_TABLES = 16, 12, 4


def overview(rules: Ruleset) -> Section:
    """The game in short, from what its rules say."""
    lines = [Line(f"{players(rules)}{_chosen(rules)}", label="Players")]
    if rules.ranks:
        lines.append(Line(_aim(rules, rules.ranks[0]), label="Aim"))
    head, course = _course(rules)
    if course:
        if len(course) == 1 and course[0].inner:  # a round, with what it is made of
            course = list(course[0].inner)
        lines.append(Line(head, label="Course", inner=tuple(course[:_MOST_STEPS])))
    counts = tuple(_counts(rules))
    if counts:
        lines.append(Line("What brings most of it:", label="What counts", inner=counts))
    ends = [f"{capital(spoken(e.name))}: {_ending(rules, e.unit, e.cond)}" for e in rules.endings]
    if ends:
        lines.append(Line(" ".join(ends), label="End"))
    return Section("In short", "in-short", lines=tuple(lines))


def _aim(rules: Ruleset, rank: RankLine) -> str:
    """What comes first: most of something, or being the one of whom something is so."""
    key, prose = rank.key, Prose(rules)
    if isinstance(key, core.IfElse) and (key.then, key.other) == (core.Const(1), core.Const(0)):
        so = "so" if rank.largest else "not so"
        return f"To be a player of whom this is {so} in the end: {prose.say(key.cond)}."
    most = "most" if rank.largest else "least"
    return f"To have the {most} of this in the end: {prose.say(key)}."


def players(rules: Ruleset) -> str:
    """How many may play."""
    low, high = rules.players
    if high is None:
        return f"For {low} or more players."
    return f"For {low} to {high} players." if low != high else f"For {counted(low, 'player')}."


def _chosen(rules: Ruleset) -> str:
    """The options that are agreed on before a game."""
    names = [n for n in rules.options if n != "deck" and n not in rules.decks]
    said = [f"{spoken(n)} ({', '.join(spoken(str(v)) for v in rules.options[n])})" for n in names]
    return f" Agree beforehand on: {'; '.join(said)}." if said else ""


def _ending(rules: Ruleset, unit: str | None, cond: core.Expr) -> str:
    moment = "at once when" if unit is None else f"after the {spoken(unit)} in which"
    return f"{moment} {Prose(rules).say(cond)}."


# ------------------------------------------------------------------------------ how a game goes
def _course(rules: Ruleset) -> tuple[str, list[Line]]:
    """What is done again and again, after what is done once."""
    once: list[core.Stmt] = []
    for stmt in rules.flow:
        endless = isinstance(stmt, core.Repeat) and stmt.cond is None and stmt.times is None
        if isinstance(stmt, core.Repeat) and endless and _decides(rules, stmt.body):
            ready = [x for one in once for x in _in_short(rules, one, _DEPTH)]
            often = "again and again until the game ends:"
            head = f"First: {_joined(ready)}. Then, {often}" if ready else capital(often)
            return head, [x for one in stmt.body for x in _in_short(rules, one, 0)]
        once.append(stmt)
    return "In this order:", [x for one in rules.flow for x in _in_short(rules, one, 1)]


def _joined(lines: list[Line]) -> str:
    said = [line.text.rstrip(".:") for line in lines if line.text and not line.inner]
    return "; ".join(x[:1].lower() + x[1:] for x in dict.fromkeys(said))


def _decides(rules: Ruleset, body: core.Body) -> bool:
    """Is anything decided in a body, or in what it calls?"""
    todo: list[object] = [body]
    seen: set[str] = set()
    while todo:
        for node in walk(todo.pop()):
            if isinstance(node, core.Choose | core.Take | core.May):
                return True
            name = attempted(node.target) if isinstance(node, core.Do) else ""
            if name in rules.procedures and name not in seen:
                seen.add(name)
                todo.append(rules.procedures[name].body)
    return False


def _in_short(rules: Ruleset, stmt: core.Stmt, depth: int) -> Iterator[Line]:
    """A step without its details; none for what is only kept account of."""
    match stmt:
        case core.Do():
            yield from _done(rules, stmt, depth)
        case core.Take(actions):
            titles = [title_of(rules, name) for name in actions]
            yield Line(f"One of these: {'; '.join(titles)}.")
        case core.Each():
            yield from _by_each(rules, stmt, depth)
        case core.Repeat(body=body) | core.ForEach(body=body) | core.Maximize(body=body):
            yield from _within(rules, body, depth)
        case core.If(_, then, other):
            yield from _within(rules, (*then, *other), depth)
        case core.May(body=body):
            for line in _within(rules, body, depth):
                text = f"If one likes: {line.text[:1].lower()}{line.text[1:]}"
                yield Line(text, inner=line.inner)
        case core.Draw():
            said = Steps(rules, Prose(rules)).step(stmt).text
            if len(said) < _LONG:
                yield Line(said)
        case core.Shuffle(place=place):
            yield Line(f"Shuffle the {rules.places[place].called}.")
        case _:
            return


def _done(rules: Ruleset, stmt: core.Do, depth: int) -> Iterator[Line]:
    """A procedure by its title, with what it is made of where that says more; an event as it is
    worded."""
    name = attempted(stmt.target)
    if name in rules.procedures:
        known = rules.procedures[name]
        inner = [] if depth >= _DEPTH else _within(rules, known.body, depth + 1)
        decided = any(isinstance(node, core.Take) for node in walk(known.body))
        if inner and (decided or depth == 0 or len(inner) > 1):
            yield Line(f"{title_of(rules, name)}:", inner=tuple(inner))
        else:
            yield Line(f"{title_of(rules, name)}.")
    elif name in rules.events:
        event, prose = rules.events[name], Prose(rules)
        prose.bind_all(event.params)
        params = tuple(core.Var(n, type=t) for n, t in event.params)
        reads = event.reads
        said = prose.say_wording(reads[0], event.params, params) if reads else spoken(name)
        yield Line(f"{capital(said)}.")


def _by_each(rules: Ruleset, stmt: core.Each, depth: int) -> Iterator[Line]:
    """What each player does, on one line if it is one thing."""
    inner = _within(rules, stmt.body, depth)
    how = "Each player in turn" if stmt.mode == "in turn" else "All players at the same time"
    if len(inner) == 1 and not inner[0].inner:
        text = inner[0].text
        yield Line(f"{how}: {text[:1].lower()}{text[1:]}")
    elif inner:
        yield Line(f"{how}:", inner=tuple(inner))


def _within(rules: Ruleset, body: core.Body, depth: int) -> list[Line]:
    """The steps of a body in short, none said twice in a row."""
    found: list[Line] = []
    for stmt in body:
        for line in _in_short(rules, stmt, depth):
            plain = Line(line.text, inner=line.inner)
            if plain not in found:
                found.append(plain)
    return found


# ------------------------------------------------------------------------------ what counts
def _counts(rules: Ruleset) -> Iterator[Line]:
    """The tables that what is ranked is made of, with what their lines are called."""
    for table in list(_feeding(rules))[:_MOST_TABLES]:
        labels = list(dict.fromkeys(_labels(table.lines)))
        more = ", and more" if len(labels) > _MOST_LABELS else ""
        prose = Prose(rules)
        prose.bind_all(table.params)
        values = tuple(core.Var(n, type=t) for n, t in table.params)
        name = (
            prose.say_wording(table.reads[0], table.params, values)
            if table.reads
            else spoken(table.name)
        )
        terms = ((f"score-{table.name}", called(table.reads, table.name)),)
        said = f"{', '.join(labels[:_MOST_LABELS])}{more}."
        yield Line(capital(said), label=capital(name), terms=terms)


def _feeding(rules: Ruleset) -> Iterator[Table]:
    """The tables that the first rank hangs on: itself, or by variables and definitions."""
    nodes = (
        node
        for part in (rules.flow, *rules.events.values(), *rules.procedures.values())
        for node in walk(part)
    )
    setting: dict[str, list[core.Expr]] = {}
    for node in nodes:
        if isinstance(node, core.Assign):
            setting.setdefault(node.state, []).append(node.value)
    todo: list[object] = [rules.ranks[0].key] if rules.ranks else []
    seen: set[str] = set()
    while todo:
        for node in walk(todo.pop(0)):
            name, more = _leads_to(rules, node, setting)
            if name and name not in seen:
                seen.add(name)
                todo += more
                if isinstance(node, core.Total):
                    yield rules.tables[node.table]


def _leads_to(
    rules: Ruleset, node: core.Node, setting: dict[str, list[core.Expr]]
) -> tuple[str, list[object]]:
    """What an expression asks for by name, and what that is made of."""
    match node:
        case core.Total(table=name) if name in rules.tables:
            return f"table {name}", [*rules.tables[name].lines]
        case core.Read(state=name):
            return f"state {name}", [*setting.get(name, ())]
        case core.Apply(define=name) if name in rules.definitions:
            return f"define {name}", [*rules.definitions[name].cases]
        case _:
            return "", []


def _labels(lines: tuple[ScoreLine, ...]) -> Iterator[str]:
    """What the lines are called that add something."""
    for line in lines:
        if line.op == "one":
            yield from _labels(line.inner)
        elif line.op == "slot":
            yield "what texts of pieces say"
        else:
            yield line.label
