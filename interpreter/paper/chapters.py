"""The chapters of a book that come from the rules themselves, each clause as a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby

from interpreter.paper.components import PieceChapters
from interpreter.paper.document import Line, Section
from interpreter.paper.ideas import basic, places
from interpreter.paper.overview import overview
from interpreter.paper.steps import SIGNS, Steps, called, definitions_in, own_parts, terms, title_of
from rulelang import core
from rulelang.core.types import PLAYER, TRUTH, UNKNOWN, element
from rulelang.core.visit import walk
from rulelang.diagnostics.english import article, spoken
from rulelang.diagnostics.source import Source
from rulelang.elaborate.placeholders import OFFER
from rulelang.english import FOLDER
from rulelang.phrases.prose import Prose, capital
from rulelang.ruleset import Case, Definition, Event, Params, Procedure, Ruleset, Table
from rulelang.ruleset import Line as ScoreLine
from rulelang.ruleset.clauses import Rule


class Chapters:
    """Writes the chapters of one ruleset."""

    def __init__(self, rules: Ruleset, sources: Mapping[str, Source]) -> None:
        """Write of these rules, with the comments of their authors from the sources."""
        self.rules, self.sources = rules, sources

    def all(self) -> list[Section]:
        """Every chapter that has something to say, in the order a reader needs them."""
        pieces = PieceChapters(self.rules, self.comments)
        return [
            overview(self.rules),
            pieces.box(),
            self.basic_ideas(),
            self.course(),
            self.actions(),
            self.events(),
            self.by_itself(),
            self.scores(),
            self.end(),
            self.words(),
            pieces.cards(),
            self.card_words(),
            pieces.decks(),
        ]

    # ------------------------------------------------------------------------------ what is done
    def course(self) -> Section:
        """The flow, then every procedure that it leads to, in the order it comes to them."""
        steps = Steps(self.rules, Prose(self.rules)).body(self.rules.flow)
        lines = (Line("The game is played in this order:", self.rules.flow_clause), *steps)
        names = [n for n in self._reached() if not self.rules.procedures[n].is_action]
        return Section(
            "Setting up and the course of play",
            "course",
            lines=lines,
            sections=tuple(self._procedure(self.rules.procedures[name]) for name in names),
            ordered=True,
        )

    def _reached(self) -> list[str]:
        """The procedures in the order the flow comes to them; others after these."""
        found: dict[str, None] = {}

        def visit(body: core.Body) -> None:
            for node in walk(body):
                names = (
                    (node.target,)
                    if isinstance(node, core.Do)
                    else node.actions
                    if isinstance(node, core.Take)
                    else ()
                )
                for name in names:
                    if name in self.rules.procedures and name not in found:
                        found[name] = None
                        visit(self.rules.procedures[name].body)

        visit(self.rules.flow)
        return [*found, *(n for n in self.rules.procedures if n not in found)]

    def actions(self) -> Section:
        """What a player may do, action by action."""
        names = [n for n in self._reached() if self.rules.procedures[n].is_action]
        return Section(
            "What a player may do",
            "actions",
            sections=tuple(self._procedure(self.rules.procedures[name]) for name in names),
        )

    def _procedure(self, known: Procedure) -> Section:
        prose = Prose(self.rules)
        prose.bind_all(known.params)
        lines: list[Line] = []
        if known.guard is not None:
            text = f"Possible only if {prose.say(known.guard)}."
            lines.append(self._line(text, known.clause, known.guard))
        elif given := _given(prose, known):
            lines.append(self._line(given, known.clause))
        else:
            lines += self._head(known.clause)
        lines += Steps(self.rules, prose).body(known.body)
        return Section(
            title_of(self.rules, known.name),
            f"procedure-{known.name}",
            self.comments(known.clause),
            lines=tuple(lines),
        )

    def events(self) -> Section:
        """What can happen, what it must meet, and what it does."""
        known = [e for e in self.rules.events.values() if not e.name.startswith(OFFER)]
        note = "What must be so is looked at before anything is done; if one thing fails, it fails."
        return Section(
            "What happens, and what must be so for it",
            "events",
            (note,),
            sections=tuple(self._event(event) for event in known),
        )

    def _event(self, event: Event) -> Section:
        prose = Prose(self.rules)
        prose.bind_all(event.params)
        needs = tuple(self._rules(event.rules, prose))
        does = Steps(self.rules, prose).body(event.body)
        lines: tuple[Line, ...] = ()
        if needs:
            lines += (Line("All of this must be so:", inner=needs),)
        if does:
            lines += (Line("Then:", event.clause, inner=does),)
        return Section(
            self._title(prose, event.reads, event.params, event.name),
            f"event-{event.name}",
            self.comments(event.clause),
            lines=lines,
        )

    def _rules(self, rules: tuple[Rule, ...], prose: Prose) -> Iterator[Line]:
        """The rules of an event; those asked under one condition stand together below it."""
        for cond, group in groupby(rules, key=lambda rule: rule.cond):
            several = tuple(group)
            if cond is None or len(several) == 1:
                yield from (self._rule(rule, prose) for rule in several)
                continue
            head = self._line(f"Asked only if {prose.say(cond)}:", "", cond)
            inner = tuple(self._rule(replace(rule, cond=None), prose) for rule in several)
            yield replace(head, inner=inner)

    def _rule(self, rule: Rule, prose: Prose) -> Line:
        if rule.need is None:
            return self._line("What texts of pieces ask for besides.", rule.clause)
        text = prose.sentence(rule.need)
        if rule.cond is not None:
            text += f" – asked only if {prose.say(rule.cond)}"
        made = self._line(f"{text}.", rule.clause, rule.need, rule.cond)
        return replace(made, label=capital(rule.label))

    def by_itself(self) -> Section:
        """What follows an event, and what happens once in a game."""
        lines = []
        for reaction in self.rules.reactions:
            prose = Prose(self.rules)
            prose.bind_all(reaction.params)
            event = self.rules.events[reaction.event]
            values = tuple(core.Var(n, type=t) for n, t in reaction.params)
            happened = (
                prose.worded(event.reads[0], event.params, values)
                if event.reads and len(values) == len(event.params)
                else f"“{spoken(event.name)}”"
            )
            cond = f", if {prose.say(reaction.cond)}" if reaction.cond is not None else ""
            inner = Steps(self.rules, prose).body(reaction.body)
            text = f"After this: {happened}{cond}:"
            lines.append(replace(self._line(text, reaction.clause, reaction.cond), inner=inner))
        for latch in self.rules.latches:
            prose = Prose(self.rules)
            inner = Steps(self.rules, prose).body(latch.body)
            text = f"Once in a game, as soon as {prose.say(latch.cond)}:"
            made = replace(self._line(text, latch.clause, latch.cond), inner=inner)
            lines.append(replace(made, label=capital(spoken(latch.name))))
        return Section("What follows by itself", "by-itself", lines=tuple(lines))

    # ------------------------------------------------------------------------------ what counts
    def scores(self) -> Section:
        """Every table that is added up, line by line."""
        note = "A table is worked out from top to bottom; each line changes the total so far."
        return Section(
            "What counts",
            "scores",
            (note,),
            sections=tuple(self._table(table) for table in self.rules.tables.values()),
        )

    def _table(self, table: Table) -> Section:
        prose = Prose(self.rules)
        prose.bind_all(table.params)
        return Section(
            self._title(prose, table.reads, table.params, table.name),
            f"score-{table.name}",
            self.comments(table.clause),
            lines=(*self._head(table.clause), *self._score_lines(table.lines, prose)),
        )

    def _score_lines(self, lines: tuple[ScoreLine, ...], prose: Prose) -> Iterator[Line]:
        """The lines of a table; where texts of pieces alone say what counts, that is said once."""
        if lines and all(line.slot is not None for line in lines):
            for line in lines:
                yield self._line("Only what texts of pieces say.", line.clause)
            return
        if (grouped := _by_option(lines)) is not None:
            for cond, several in grouped:
                inner = tuple(self._score_line(line, prose) for line in several)
                if cond is None:
                    yield from inner
                else:
                    yield Line(f"Besides, if {prose.say(cond)}:", inner=inner)
            return
        before = False
        for line in lines:
            if line.slot is None or not before:
                yield self._score_line(line, prose)
            before = line.slot is not None

    def _score_line(self, line: ScoreLine, prose: Prose) -> Line:
        if line.op == "slot" or line.slot is not None:
            return self._line("Then what texts of pieces add.", line.clause)
        if line.op == "one":
            inner = tuple(self._score_lines(line.inner, prose))
            return replace(
                self._line("Only the first of these that holds:", line.clause), inner=inner
            )
        with prose.scope():
            each = ""
            if line.each is not None:
                t = element(line.each[1].type) or UNKNOWN
                among = prose.each("each", line.each[1])
                prose.bind(line.each[0], t, "that")
                each = f" for {among}"
            said = prose.say(line.amount)
            text = SIGNS.get(line.op, line.op + " {}").format(said) + each
            if line.cond is not None:
                text += f", if {prose.say(line.cond)}"
            domain = line.each[1] if line.each is not None else None
            made = self._line(f"{text}.", line.clause, line.amount, line.cond, domain)
        return replace(made, label=capital(line.label))

    def end(self) -> Section:
        """When the game is over and who has won."""
        lines = []
        for ending in self.rules.endings:
            prose = Prose(self.rules)
            moment = (
                "at once when"
                if ending.unit is None
                else f"at the end of {article(spoken(ending.unit))} if"
            )
            text = f"The game ends {moment} {prose.say(ending.cond)}."
            made = self._line(text, ending.clause, ending.cond)
            lines.append(replace(made, label=capital(spoken(ending.name))))
        for first, line in enumerate(self.rules.ranks):
            prose = Prose(self.rules)
            most = "most" if line.largest else "least"
            head = "First comes who has the" if not first else "Among equals, who has the"
            cond = f", if {prose.say(line.cond)}" if line.cond is not None else ""
            text = f"{head} {most} of this: {prose.say(line.key)}{cond}."
            lines.append(self._line(text, line.clause, line.key, line.cond))
        for line in self.rules.hurdles:
            prose = Prose(self.rules)
            text = f"Nobody can win without this: {prose.say(line.key)}."
            lines.append(self._line(text, line.clause, line.key, line.cond))
        if self.rules.ranks:
            lines.append(Line("Who is still equal then shares the place."))
        return Section("The end of the game", "end", lines=tuple(lines))

    # ------------------------------------------------------------------------ what words mean
    def basic_ideas(self) -> Section:
        """How places lie to each other, and the words that most of the rules speak of."""
        reached = self._words_reached()
        lying = places(self.rules, reached)
        first = [self.rules.definitions[name] for name in basic(self.rules, reached)]
        return Section(
            "Basic ideas",
            "ideas",
            ("What the following chapters speak of again and again.",) if first else (),
            sections=(
                *([lying] if lying.lines else []),
                *(self._definition(known) for known in first),
            ),
        )

    def words(self) -> Section:
        """Every other defined word with its meaning, by the letters of its wording; numbers that
        are said where they are used have no place here."""
        reached = self._words_reached()
        told = frozenset(basic(self.rules, reached))
        plain = frozenset(n for n in reached if _is_number(self.rules.definitions[n]))
        title = "What the other words mean" if told else "What the words mean"
        return self._glossary(title, "words", reached - told - plain)

    def card_words(self) -> Section:
        """Every word of the game's own that cards use and the rules do not."""
        cited = {
            c.owner
            for c in self.rules.clauses.values()
            if c.cites and not c.span.file.startswith(FOLDER)
        }
        mine = [d.name for d in self.rules.definitions.values() if d.clause in cited]
        names = frozenset(mine) - self._words_reached()
        return self._glossary("What the words of cards mean", "card-words", names)

    def _glossary(self, title: str, anchor: str, names: frozenset[str]) -> Section:
        known = [d for d in self.rules.definitions.values() if d.name in names]
        known.sort(key=lambda d: re.sub(r"^(… |the |a |an )+", "", called(d.reads, d.name).lower()))
        return Section(title, anchor, sections=tuple(self._definition(d) for d in known))

    def _words_reached(self) -> frozenset[str]:
        """The definitions that the rules themselves ask for, not those that only cards use."""
        r = self.rules
        todo: list[object] = [
            own_parts(r, r.flow),
            r.endings,
            r.ranks,
            r.hurdles,
            r.reactions,
            r.latches,
        ]
        todo += [r.events.values(), r.tables.values()]
        todo += [p.guard for p in r.procedures.values() if p.guard is not None]
        todo += [own_parts(self.rules, p.body) for p in r.procedures.values()]
        found: set[str] = set()
        while todo:
            item = todo.pop()
            items = item if isinstance(item, Iterable) else (item,)
            for name in (n for part in items for n in definitions_in(part)):
                if name in r.definitions and name not in found:
                    found.add(name)
                    todo.append(r.definitions[name])
        return frozenset(found)

    def _definition(self, known: Definition) -> Section:
        prose = Prose(self.rules)
        prose.bind_all(known.params)
        truth = known.type == TRUTH
        lines = [self._case(case, prose, truth, len(known.cases) == 1) for case in known.cases]
        head = (
            () if any(c.clause == known.clause for c in known.cases) else self._head(known.clause)
        )
        return Section(
            self._title(prose, known.reads, known.params, known.name),
            f"define-{known.name}",
            (*_about(prose, known), *self.comments(known.clause)),
            lines=(*head, *lines),
        )

    def _case(self, case: Case, prose: Prose, truth: bool, only: bool) -> Line:
        if case.value is None:
            return self._line("As texts of pieces say.", case.clause)
        said = prose.say(case.value)
        plain = case.value if isinstance(case.value, core.Const) else None
        if truth and plain is not None:
            text = "It is so" if plain.value else "It is not so"
            text += f" if {prose.say(case.cond)}" if case.cond is not None else ""
            text += " in all other cases" if case.cond is None and not only else ""
        elif case.cond is not None:
            text = f"If {prose.say(case.cond)}: {'it is so if ' if truth else ''}{said}"
        else:
            start = "" if only else "In all other cases: "
            text = f"{start}{'it is so if ' if truth else ''}{said}"
        return self._line(f"{capital(text)}.", case.clause, case.value, case.cond)

    # ------------------------------------------------------------------------------ what all use
    def _title(self, prose: Prose, reads: tuple[str, ...], params: Params, name: str) -> str:
        """A heading: the wording with what its values are called, or the name."""
        if not reads:
            return capital(spoken(name))
        values = tuple(core.Var(n, type=t) for n, t in params)
        return capital(prose.say_wording(reads[0], params, values))

    def _head(self, clause: str) -> tuple[Line, ...]:
        """A line that holds the citations of a whole declaration, if it has any."""
        known = self.rules.clauses.get(clause)
        if known is None or not known.cites:
            return ()
        return (
            Line(
                "This is done as follows:" if known.kind in _DONE else "As follows:",
                clause,
                known.cites,
            ),
        )

    def _line(self, text: str, clause: str, *of: core.Expr | None) -> Line:
        known = self.rules.clauses.get(clause)
        spoken_of = terms(self.rules, [e for e in of if e is not None])
        return Line(text, clause, known.cites if known is not None else (), tuple(spoken_of))

    def comments(self, clause: str) -> tuple[str, ...]:
        """What the authors wrote above a declaration, as one paragraph."""
        known = self.rules.clauses.get(clause)
        source = self.sources.get(known.span.file) if known is not None else None
        if known is None or source is None:
            return ()
        above: list[str] = []
        for text in reversed(source.lines[: known.span.line - 1]):
            if not text.startswith("#") or text.startswith("# ---"):
                break
            above.insert(0, text.removeprefix("#").strip())
        else:  # it opens the file, and is about all of that
            return ()
        return (" ".join(above),) if above and len(above) < _MANY else ()


def _by_option(
    lines: tuple[ScoreLine, ...],
) -> list[tuple[core.Expr | None, list[ScoreLine]]] | None:
    """Lines that are all added, in whatever order, apart by the option they are for: those of
    every game first. None if it is not so."""
    if any(line.op != "+" or line.slot is not None for line in lines):
        return None
    found: dict[core.Expr | None, list[ScoreLine]] = {None: []}
    for line in lines:
        option, left = _option_of(line)
        found.setdefault(option, []).append(left)
    return list(found.items()) if len(found) > 1 else None


def _option_of(line: ScoreLine) -> tuple[core.Expr | None, ScoreLine]:
    """The one option a line is for, if there is one, and the line without it."""
    parts = line.cond.of if isinstance(line.cond, core.All) else (line.cond,)
    known = [p for p in parts if p is not None]
    options = [p for p in known if _is_of_options(p)]
    if len(options) != 1:
        return None, line
    left = tuple(p for p in known if p != options[0])
    return options[0], replace(line, cond=_all_of(left))


def _all_of(parts: tuple[core.Expr, ...]) -> core.Expr | None:
    if len(parts) > 1:
        return core.All(parts, type=TRUTH)
    return parts[0] if parts else None


def _is_of_options(e: core.Expr) -> bool:
    """Does a condition hang on nothing but an option?"""
    return (
        isinstance(e, core.Compare)
        and isinstance(e.left, core.Setting)
        and isinstance(e.right, core.Const)
    )


_DONE = ("procedure", "action", "event")
_MANY = 8  # lines of comment that are more than a note


def _is_number(known: Definition) -> bool:
    """Is it a number without a wording, which stands itself wherever it is meant?"""
    plain = len(known.cases) == 1 and isinstance(known.cases[0].value, core.Const)
    return plain and not known.params and not known.reads


def _given(prose: Prose, known: Procedure) -> str:
    """For whom a procedure is carried out."""
    said = [prose.names[name] for name, t in known.params if t != PLAYER]
    return f"For {_and(said)}:" if said else ""


def _about(prose: Prose, known: Definition) -> tuple[str, ...]:
    if known.reads or not known.params:
        return ()
    return (f"Of {_and([prose.names[name] for name, _ in known.params])}.",)


def _and(items: Iterable[str]) -> str:
    made = list(items)
    return made[0] if len(made) == 1 else f"{', '.join(made[:-1])} and {made[-1]}"
