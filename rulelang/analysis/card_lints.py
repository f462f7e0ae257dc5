"""What can be said against a card by its text alone: it can never be played, a sentence never
applies, it leaves as soon as it comes.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace

from rulelang import core
from rulelang.analysis.card_deps import Others
from rulelang.analysis.contradiction import Entailment
from rulelang.analysis.no_effect import Idle
from rulelang.analysis.partial_eval import Certain
from rulelang.analysis.subset import parts
from rulelang.analysis.unasked import Unasked
from rulelang.analysis.unknowns import Copy, Env
from rulelang.compiler.compiled import Compiled
from rulelang.core.types import TRUTH, OptionalT, PieceT
from rulelang.phrases.describe import Describer
from rulelang.queries.database import Query
from rulelang.ruleset import Design, Event, Extension, Params, Rule, Ruleset
from rulelang.ruleset.parts import SETTING, Parts, recording


def lint_cards(
    compiled: Compiled,
    without: frozenset[str] = frozenset(),
    growing: frozenset[str] = frozenset(),
    elsewhere: frozenset[str] = frozenset(),
) -> None:
    """Report what is wrong with the texts of cards, but for these titles.

    Rules with errors are not looked at, nor cards with errors.

    Of components that are `growing` variants bring further cards; what is named `elsewhere` they
    may ask for.
    """
    if compiled.report.usable:
        lints = _Lints(compiled, growing, elsewhere)
        for design in compiled.rules.designs:
            if (
                design.text
                and design.title not in without
                and not compiled.report.has_error_in(design.span)
            ):
                lints.look(design)
                lints.act(design)


Told = tuple[str, str, tuple[tuple[str, object], ...]]  # code, clause, values of the message


class Looks(Query[str, Hashable]):
    """How cards look, by their clauses."""

    lints: _Lints

    def work(self, key: str) -> Hashable:
        """All of a card that its lints go by."""
        return self.lints.looks(key)


class JudgedCards(Query[str, tuple[Told, ...]]):
    """What is to be told of cards, by their clauses."""

    lints: _Lints

    def work(self, key: str) -> tuple[Told, ...]:
        """The card is judged."""
        return self.lints.judged(key)


class _Lints:
    def __init__(
        self, compiled: Compiled, growing: frozenset[str], elsewhere: frozenset[str]
    ) -> None:
        queries = compiled.queries
        self.report, self.growing = compiled.report, growing
        self.unasked = Unasked(compiled.rules, elsewhere)
        self.plain, self.parts = compiled.rules, queries.of(Parts)
        self.rules = recording(self.parts)
        self.certain = Certain(self.rules, growing, Others(compiled.rules, queries))
        self.describer, self.nothing = Describer(self.rules), Idle(self.certain)
        self.entailment = Entailment(self.certain)
        self.known, self.look_of = queries.of(JudgedCards), queries.of(Looks)
        self.known.lints = self.look_of.lints = self
        self.asked: dict[str, list[Rule]] = {}
        self.told: list[Told] = []
        self.designs = {design.clause: design for design in compiled.rules.designs}
        self.texts: dict[tuple[str, str], list[Extension]] = {}
        for e in compiled.rules.extensions:
            self.texts.setdefault((e.component, e.title), []).append(e)

    def looks(self, clause: str) -> Hashable:
        """All of a card that its lints go by; none if there is none of this clause."""
        design = self.designs.get(clause)
        if design is None:
            return None
        own = tuple(self.texts.get((design.component, design.title), []))
        looks = (design.component, design.title, design.values, design.copies, design.sentences)
        return (looks, design.nouns, tuple(e.clause for e in own), self.growing)

    def judged(self, clause: str) -> tuple[Told, ...]:
        """What is to be told of a card."""
        self.told = []
        if self.look_of(clause) is not None:
            design = self.designs[clause]
            self.certain.expect(design.nouns)
            self.parts(SETTING)
            self.certain.others.meaning(((), design.component, design.title))
            self.card(design)
            self.certain.others.rest_on_looks(clause)
        return tuple(self.told)

    def look(self, design: Design) -> None:
        """Tell what is against a card."""
        for key, clause, values in self.known(design.clause):
            span = self.plain.clauses[clause].span
            self.report.add(key, span, notes=(), fix=None, **dict(values))

    def act(self, design: Design) -> None:
        """Tell which sentences act on nothing: that may depend on the texts of any card."""
        own = self.texts.get((design.component, design.title), [])
        for e in own:
            if self.unasked.is_unasked(e, own):
                example = self.unasked.example(e)
                fix = f"Write with it what it acts on, as in “{example}”" if example else None
                fix = fix and f"{fix}, or take it out."
                span = self.plain.clauses[e.clause].span
                self.report.add("acts-on-nothing", span, notes=(), fix=fix, title=design.title)

    def tell(self, key: str, clause: str, **values: object) -> None:
        """Something is to be reported at a clause."""
        self.told.append((key, clause, tuple(values.items())))

    def card(self, design: Design) -> None:
        """Everything against one card."""
        own = self.texts.get((design.component, design.title), [])
        needs = list(self._requirements(design, own))
        if not self._unplayable(design, needs):
            self._idle(design, own, needs)
        for e in own:
            if e.reaction is not None and self._leaves(design, e):
                self.tell("leaves-at-once", e.clause, title=design.title)

    # --------------------------------------------------------------------------------- requirements
    def _requirements(
        self, design: Design, own: list[Extension]
    ) -> Iterator[tuple[Extension, Rule]]:
        """What the card asks of its own play, whatever the play; of an event that is never for such
        a card, nothing.
        """
        for e in own:
            if e.lifetime == "played" and e.kind == "rules" and not self._elsewhere(design, e):
                env = self._env(design, e, self.rules.events[e.target].params)
                for rule in e.rules:
                    if rule.need is not None and (
                        rule.cond is None or self.certain.truth(rule.cond, env) is True
                    ):
                        yield e, rule

    def _elsewhere(self, design: Design, e: Extension) -> bool:
        """Is it about an event that is never for such a card, whatever its text says?"""
        if e.kind != "rules" or e.lifetime != "played":
            return False
        env = self._bound(design, self.rules.events[e.target].params)
        return any(
            self.certain.truth(rule.need, env) is False
            for rule in self._asked(design, e.target)
            if rule.need is not None
        )

    def _unplayable(self, design: Design, needs: list[tuple[Extension, Rule]]) -> bool:
        """Its requirements can never hold, together or with those of the event: nobody can ever
        play it.
        """
        before = len(self.told)
        for index, (one, first) in enumerate(needs):
            if self._excluded(design, one, [first]):
                self._never(design, one, f"“{first.label}” never holds")
                continue
            for other in self._asked(design, one.target):
                if self._excluded(design, one, [first, other]):
                    self._never(
                        design, one, f"it must be “{first.label}” and “{other.label}” at once"
                    )
                    break
            for two, second in needs[index + 1 :]:
                if one.target == two.target and self._excluded(design, two, [first, second]):
                    self._never(
                        design, two, f"it must be “{first.label}” and “{second.label}” at once"
                    )
        if len(self.told) == before and len({one.target for one, _ in needs}) == 1:
            self._together(design, needs)
        return len(self.told) > before

    def _together(self, design: Design, needs: list[tuple[Extension, Rule]]) -> None:
        """One requirement leaves several ways, and the others close them all."""
        asked = [rule for _, rule in needs]
        others = self._asked(design, needs[0][0].target)
        for context, why in (
            ([], "its other requirements leave"),
            (others, "what is asked of all cards and its other requirements leave"),
        ):
            if self._excluded(design, needs[0][0], [*context, *asked]):
                rest = ([rule for rule in asked if rule is not one] for one in asked)
                first = next(
                    (
                        i
                        for i, some in enumerate(rest)
                        if not self._excluded(design, needs[0][0], [*context, *some])
                    ),
                    0,
                )
                self._never(design, needs[first][0], f"{why} no way for “{asked[first].label}”")
                return

    def _asked(self, design: Design, name: str) -> list[Rule]:
        """What an event asks of such a card, whatever its text says, as far as that is a matter of
        what is printed and of single variables.
        """
        event = self.rules.events[name]
        if name not in self.asked:
            needs = [
                (rule, core.All(tuple(p for p in parts(rule.need) if _is_simple(p)), type=TRUTH))
                for rule in event.rules
                if rule.need is not None
            ]
            self.asked[name] = [
                replace(rule, need=need)
                for rule, need in needs
                if need.of and (rule.cond is None or _is_simple(rule.cond))
            ]
        env = self._bound(design, event.params)
        return [
            rule
            for rule in self.asked[name]
            if rule.cond is None or self.certain.truth(rule.cond, env) is True
        ]

    def _excluded(self, design: Design, e: Extension, rules: list[Rule]) -> bool:
        """Can these rules of one event never all let the card be played?"""
        return self.entailment.never(
            [rule.need for rule in rules if rule.need is not None],
            self._env(design, e, self.rules.events[e.target].params),
        )

    def _never(self, design: Design, e: Extension, why: str) -> None:
        self.tell("never-playable", e.clause, title=design.title, why=why)

    # --------------------------------------------------------------------------- what never applies
    def _idle(
        self, design: Design, own: list[Extension], needs: list[tuple[Extension, Rule]]
    ) -> None:
        """A sentence of which nothing can ever apply, or that changes nothing where it does."""
        by_clause: dict[str, list[Extension]] = {}
        for e in own:
            by_clause.setdefault(e.clause, []).append(e)
        for clause, found in by_clause.items():
            deeds = [
                self.nothing.idle(e, self._env(design, e, self._added(e)[0]))
                for e in found
                if e.kind != "rules"
            ]
            why = [reason for e in found for reason in self._reasons(design, e, needs)]
            if deeds and None not in deeds:
                self.tell("does-nothing", clause, why=deeds[0])
            elif why and None not in why:
                self.tell("never-applies", clause, why=why[0])

    def _reasons(
        self, design: Design, e: Extension, needs: list[tuple[Extension, Rule]]
    ) -> Iterator[str | None]:
        """For each thing a text adds why it never applies, or none if it may."""
        params, conds = self._added(e)
        env = self._env(design, e, params)
        if self._elsewhere(design, e):
            return
        if (
            e.lifetime == "while"
            and e.cond is not None
            and self.certain.truth(e.cond, env) is False
        ):
            yield f"it never comes to be that {self.describer.say(e.cond)}"
            return
        plays = [
            self._together_asked(design, name, needs)
            for name in self.rules.events
            if self._of_the_play(name, e, params)
        ]
        for cond in conds:
            yield None if cond is None else self._never_so(cond, env, plays)

    def _together_asked(
        self, design: Design, event: str, needs: list[tuple[Extension, Rule]]
    ) -> list[core.Expr]:
        """All that an event asks of a card by the rules and by its text."""
        rules = [*self._asked(design, event), *[rule for one, rule in needs if one.target == event]]
        return [rule.need for rule in rules if rule.need is not None]

    def _never_so(self, cond: core.Expr, env: Env, plays: list[list[core.Expr]]) -> str | None:
        """Why a condition never holds, of a card of which this is asked where it is played; none if
        it may.
        """
        if self.certain.truth(cond, env) is False:
            parts = cond.of if isinstance(cond, core.All) else (cond,)
            part = next((p for p in parts if self.certain.truth(p, env) is False), cond)
            return f"it never comes to be that {self.describer.say(part)}"
        if self.entailment.never([cond], env):
            return (
                "its conditions never hold together"
                if isinstance(cond, core.All)
                else f"it never comes to be that {self.describer.say(cond)}"
            )
        if plays and all(self.entailment.never([cond, *asked], env) for asked in plays):
            return "the card can only be played where it does not"
        return None

    def _added(self, e: Extension) -> tuple[Params, list[core.Expr | None]]:
        """What an addition may speak of, and the condition of each thing it adds; none where it
        needs none.
        """
        if e.reaction is not None:
            return e.reaction.params, [e.reaction.cond]
        if e.kind == "score":
            return self.rules.tables[e.target].params, [line.cond for line in e.lines]
        if e.kind == "define":
            return self.rules.definitions[e.target].params, [case.cond for case in e.cases]
        if e.kind == "rules":
            forbidden = [None if r.need is None else core.Not(r.need, type=TRUTH) for r in e.rules]
            return self.rules.events[e.target].params, [
                n if r.cond is None else r.cond for r, n in zip(e.rules, forbidden, strict=True)
            ]
        return (), [None]

    def _of_the_play(self, name: str, e: Extension, params: Params) -> bool:
        """Is a table worked out for an event, of the same things by the same names?"""
        event = self.rules.events[name]
        if e.lifetime != "played" or e.kind != "score":
            return False
        asked = [
            part
            for part in core.walk(event.body)
            if isinstance(part, core.Total) and part.table == e.target
        ]
        return bool(asked) and all(
            isinstance(a, core.Var) and a.name == name and (name, t) in event.params
            for part in asked
            for (name, t), a in zip(params, part.args, strict=True)
        )

    def _env(self, design: Design, e: Extension, params: Params) -> Env:
        """What is known of the names in a text: which card bears it, and that it is the card being
        played.
        """
        return (
            self._bound(design, params)
            if e.lifetime == "played"
            else {"card": Copy(design, "card")}
        )

    def _bound(self, design: Design, params: Params) -> Env:
        """The card under its own name and that of what is played."""
        card = Copy(design, "card")
        return {"card": card} | {
            name: card for name, _ in [p for p in params if piece_of(p[1]) == design.component][:1]
        }

    # -------------------------------------------------------------------------------------- leaving
    def _leaves(self, design: Design, e: Extension) -> bool:
        """Does what brings the card into play also take it away, for certain?"""
        assert e.reaction is not None
        event = self.rules.events[e.reaction.event]
        if event.name not in arrivals(self.rules, e.component):
            return False
        for index, (name, t) in enumerate(event.params):
            if piece_of(t) != e.component:
                continue
            comes = list(goes(event.body, name, self.rules))
            card = Copy(design, "card", comes[-1] if comes else None)
            bound: Env = {"card": card, e.reaction.params[index][0]: card}
            always = e.reaction.cond is None or self.certain.truth(e.reaction.cond, bound) is True
            in_force = e.cond is None or self.certain.truth(e.cond, {"card": card}) is True
            takes = list(goes(e.reaction.body, "card", self.rules)) + list(
                goes(e.reaction.body, e.reaction.params[index][0], self.rules)
            )
            if comes and takes and always and in_force and takes[-1] != comes[-1]:
                return True
        return False


_SIMPLE = (
    core.All,
    core.Any,
    core.Not,
    core.Compare,
    core.Member,
    core.SetOf,
    core.Const,
    core.Var,
    core.Attribute,
    core.Read,
    core.Arith,
)


def _is_simple(e: core.Expr) -> bool:
    """Does a condition speak of what is printed and of variables alone?"""
    return all(isinstance(part, _SIMPLE) for part in core.walk(e))


def piece_of(t: object) -> str | None:
    """The component a value of this type is a piece of, if it is one."""
    t = t.of if isinstance(t, OptionalT) else t
    return t.name if isinstance(t, PieceT) else None


def arrivals(rules: Ruleset, component: str) -> list[str]:
    """The events by which a piece comes into play: those that put it on a board or, if none does,
    that move it and ask something.
    """
    moved = [
        (event.name, sort)
        for event in rules.events.values()
        if event.rules
        for name, t in event.params
        if piece_of(t) == component
        for sort, _ in goes(event.body, name, rules)
    ]
    put = [name for name, sort in moved if sort == "layer"]
    return list(dict.fromkeys(put or [name for name, _ in moved]))


def goes(body: core.Body, name: str, rules: Ruleset, deep: int = 0) -> Iterator[tuple[str, str]]:
    """Where statements take the piece of this name in any case, in their order."""
    for stmt in body:
        if (
            isinstance(stmt, core.Move | core.Put)
            and isinstance(stmt.what, core.Var)
            and stmt.what.name == name
        ):
            yield ("place", stmt.place) if isinstance(stmt, core.Move) else ("layer", stmt.layer)
        elif isinstance(stmt, core.Do) and deep < 8:
            known: Event | None = rules.events.get(stmt.target)
            for (inner, _), arg in (
                zip(known.params, stmt.args, strict=True)
                if known is not None and not known.rules
                else ()
            ):
                if isinstance(arg, core.Var) and arg.name == name:
                    yield from goes(known.body if known is not None else (), inner, rules, deep + 1)
