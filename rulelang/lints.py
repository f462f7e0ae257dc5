"""What can be said against a card by its text alone: it can never be played, a sentence never applies, it leaves as soon as it comes."""
from __future__ import annotations

from collections.abc import Iterator

from rulelang import core
from rulelang.certain import Certain
from rulelang.compile import Compiled
from rulelang.describe import Describer
from rulelang.entail import contradict, contradicts_itself
from rulelang.idle import Idle
from rulelang.messages import Report
from rulelang.ruleset import Design, Event, Extension, Params, Rule, Ruleset
from rulelang.types import TRUTH, OptionalT, PieceT
from rulelang.unknowns import Copy, Env


def lint_cards(compiled: Compiled, without: frozenset[str] = frozenset(), growing: frozenset[str] = frozenset()) -> None:
    """Add to the report what is wrong with the texts of cards, but for these titles; rules with errors are not looked at, nor cards with errors.

    Of components that are `growing` variants bring further cards.
    """
    if compiled.report.sound:
        lints = _Lints(compiled.rules, compiled.report, Certain(compiled.rules, growing))
        for design in compiled.rules.designs:
            if design.text and design.title not in without and not compiled.report.flawed(design.span):
                lints.card(design)


class _Lints:
    def __init__(self, rules: Ruleset, report: Report, certain: Certain) -> None:
        self.rules, self.report = rules, report
        self.certain, self.describer, self.nothing = certain, Describer(rules), Idle(certain)
        self.texts: dict[tuple[str, str], list[Extension]] = {}
        for e in rules.extensions:
            self.texts.setdefault((e.component, e.title), []).append(e)

    def card(self, design: Design) -> None:
        """Everything against one card."""
        own = self.texts.get((design.component, design.title), [])
        needs = list(self._requirements(design, own))
        if not self._unplayable(design, needs):
            self._idle(design, own, needs)
        for e in own:
            if e.reaction is not None and self._leaves(design, e):
                self.report.add("leaves-at-once", self.rules.clauses[e.clause].span, title=design.title)

    # ---------------------------------------------------------------------------------------- requirements
    def _requirements(self, design: Design, own: list[Extension]) -> Iterator[tuple[Extension, Rule]]:
        """What the card asks of its own play, whatever the play; of an event that is never for such a card, nothing."""
        for e in own:
            if e.lifetime == "played" and e.kind == "rules" and not self._elsewhere(design, e):
                env = self._env(design, e, self.rules.events[e.target].params)
                for rule in e.rules:
                    if rule.need is not None and (rule.cond is None or self.certain.truth(rule.cond, env) is True):
                        yield e, rule

    def _elsewhere(self, design: Design, e: Extension) -> bool:
        """Is it about an event that is never for such a card, whatever its text says?"""
        event = self.rules.events.get(e.target)
        env = self._env(design, e, event.params if event is not None else ())
        asked = [rule.need for rule in event.rules if rule.need is not None and rule.cond is None] if event is not None else []
        return e.kind == "rules" and e.lifetime == "played" and any(self.certain.truth(need, env) is False for need in asked)

    def _unplayable(self, design: Design, needs: list[tuple[Extension, Rule]]) -> bool:
        """Its requirements can never hold together: nobody can ever play it."""
        before = len(self.report.found)
        for index, (one, first) in enumerate(needs):
            assert first.need is not None
            env = self._env(design, one, self.rules.events[one.target].params)
            if self.certain.truth(first.need, env) is False or contradicts_itself(first.need, self.certain):
                self._never(design, one, f"“{first.label}” never holds")
            for two, second in needs[index + 1 :]:
                assert second.need is not None
                if one.target == two.target and contradict(first.need, second.need, self.certain):
                    self._never(design, two, f"it must be “{first.label}” and “{second.label}” at once")
        if len(self.report.found) == before and len(needs) > 2 and len({one.target for one, _ in needs}) == 1:
            self._together(design, needs)
        return len(self.report.found) > before

    def _together(self, design: Design, needs: list[tuple[Extension, Rule]]) -> None:
        """One requirement leaves several ways, and the others close them all."""
        asked = [rule.need for _, rule in needs if rule.need is not None]
        for index, (one, first) in enumerate(needs):
            others = core.All(tuple(need for number, need in enumerate(asked) if number != index), type=TRUTH)
            if first.need is not None and contradict(first.need, others, self.certain):
                self._never(design, one, f"its other requirements leave no way for “{first.label}”")
                return

    def _never(self, design: Design, e: Extension, why: str) -> None:
        self.report.add("never-playable", self.rules.clauses[e.clause].span, title=design.title, why=why)

    # ---------------------------------------------------------------------------------------- what never applies
    def _idle(self, design: Design, own: list[Extension], needs: list[tuple[Extension, Rule]]) -> None:
        """A sentence of which nothing can ever apply, or that changes nothing where it does."""
        by_clause: dict[str, list[Extension]] = {}
        for e in own:
            by_clause.setdefault(e.clause, []).append(e)
        for clause, found in by_clause.items():
            span = self.rules.clauses[clause].span
            deeds = [self.nothing.idle(e, self._env(design, e, self._added(e)[0])) for e in found if e.kind != "rules"]
            why = [reason for e in found for reason in self._reasons(design, e, needs)]
            if deeds and None not in deeds:
                self.report.add("does-nothing", span, why=deeds[0])
            elif why and None not in why:
                self.report.add("never-applies", span, why=why[0])

    def _reasons(self, design: Design, e: Extension, needs: list[tuple[Extension, Rule]]) -> Iterator[str | None]:
        """For each thing a text adds why it never applies, or none if it may."""
        params, conds = self._added(e)
        env = self._env(design, e, params)
        if self._elsewhere(design, e):
            return
        if e.lifetime == "while" and e.cond is not None and self.certain.truth(e.cond, env) is False:
            yield f"it never comes to be that {self.describer.say(e.cond)}"
            return
        spoken = [need for one, rule in needs for need in [rule.need] if need is not None and self._of_the_play(one, e, params)]
        for cond in conds:
            yield None if cond is None else self._never_so(cond, env, spoken)

    def _never_so(self, cond: core.Expr, env: Env, needs: list[core.Expr]) -> str | None:
        """Why a condition never holds; none if it may."""
        if self.certain.truth(cond, env) is False:
            parts = cond.of if isinstance(cond, core.All) else (cond,)
            part = next((p for p in parts if self.certain.truth(p, env) is False), cond)
            return f"it never comes to be that {self.describer.say(part)}"
        if contradicts_itself(cond, self.certain):
            return "its conditions never hold together"
        if any(contradict(cond, need, self.certain) for need in needs):
            return "the card can only be played where it does not"
        return None

    def _added(self, e: Extension) -> tuple[Params, list[core.Expr | None]]:
        """What an addition may speak of, and the condition of each thing it adds; none where it needs none."""
        if e.reaction is not None:
            return e.reaction.params, [e.reaction.cond]
        if e.kind == "score":
            return self.rules.tables[e.target].params, [line.cond for line in e.lines]
        if e.kind == "define":
            return self.rules.definitions[e.target].params, [case.cond for case in e.cases]
        if e.kind == "rules":
            forbidden = [None if r.need is None else core.Not(r.need, type=TRUTH) for r in e.rules]
            return self.rules.events[e.target].params, [n if r.cond is None else r.cond for r, n in zip(e.rules, forbidden, strict=True)]
        return (), [None]

    def _of_the_play(self, need: Extension, e: Extension, params: Params) -> bool:
        """Is a table worked out for the play that the requirement is about, of the same things by the same names?"""
        event = self.rules.events[need.target]
        if e.lifetime != "played" or e.kind != "score":
            return False
        asked = [part for part in core.walk(event.body) if isinstance(part, core.Total) and part.table == e.target]
        return bool(asked) and all(
            isinstance(a, core.Var) and a.name == name and (name, t) in event.params for part in asked for (name, t), a in zip(params, part.args, strict=True)
        )

    def _env(self, design: Design, e: Extension, params: Params) -> Env:
        """What is known of the names in a text: which card bears it, and that it is the card being played."""
        card = Copy(design, "card")
        env: Env = {"card": card}
        if e.lifetime == "played":
            played = next((name for name, t in params if piece_of(t) == e.component), None)
            env |= {played: card} if played is not None else {}
        return env

    # ---------------------------------------------------------------------------------------- leaving
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
            takes = list(goes(e.reaction.body, "card", self.rules)) + list(goes(e.reaction.body, e.reaction.params[index][0], self.rules))
            if comes and takes and always and in_force and takes[-1] != comes[-1]:
                return True
        return False


def piece_of(t: object) -> str | None:
    """The component a value of this type is a piece of, if it is one."""
    t = t.of if isinstance(t, OptionalT) else t
    return t.name if isinstance(t, PieceT) else None


def arrivals(rules: Ruleset, component: str) -> list[str]:
    """The events by which a piece comes into play: those that put it on a board or, if none does, that move it and ask something."""
    moved = [
        (event.name, sort) for event in rules.events.values() if event.rules
        for name, t in event.params if piece_of(t) == component for sort, _ in goes(event.body, name, rules)
    ]  # fmt: skip
    put = [name for name, sort in moved if sort == "layer"]
    return list(dict.fromkeys(put or [name for name, _ in moved]))


def goes(body: core.Body, name: str, rules: Ruleset, deep: int = 0) -> Iterator[tuple[str, str]]:
    """Where statements take the piece of this name in any case, in their order."""
    for stmt in body:
        if isinstance(stmt, core.Move | core.Put) and isinstance(stmt.what, core.Var) and stmt.what.name == name:
            yield ("place", stmt.place) if isinstance(stmt, core.Move) else ("layer", stmt.layer)
        elif isinstance(stmt, core.Do) and deep < 8:
            known: Event | None = rules.events.get(stmt.target)
            for (inner, _), arg in zip(known.params, stmt.args, strict=True) if known is not None and not known.rules else ():
                if isinstance(arg, core.Var) and arg.name == name:
                    yield from goes(known.body if known is not None else (), inner, rules, deep + 1)
