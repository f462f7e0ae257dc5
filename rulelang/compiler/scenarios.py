"""Scenarios become steps with compiled expressions, so that a mistake in a test is told like any other."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from rulelang import core
from rulelang.compiler.decks import trial_deck
from rulelang.core.types import (
    NUMBER,
    PLAYER,
    TEXT,
    TRUTH,
    UNKNOWN,
    ListT,
    PieceT,
    SetT,
    Type,
    fits,
)
from rulelang.diagnostics import nearest
from rulelang.elaborate.nouns import all_that_are, titled
from rulelang.elaborate.statements import BodyContext, compile_body
from rulelang.elaborate.symbols import SymbolTable
from rulelang.elaborate.type_checker import Scope, TypeChecker
from rulelang.ruleset import Scenario, Step
from rulelang.syntax.nodes import Node, plain, split_cites

_OPS = {
    "start_op": "start",
    "add_op": "+",
    "sub_op": "-",
    "mul_op": "times",
    "exact_op": "exactly",
    "floor_op": "floor",
    "cap_op": "cap",
}


def variants_of(node: Node, known: set[str]) -> frozenset[str]:
    """The variants a scenario is played with."""
    words = [part.part(0).text for step in node.words("s_with") for part in step.words("setting")]
    return frozenset(word for word in words if word in known)


def variants_played(nodes: list[Node]) -> set[frozenset[str]]:
    """Every set of variants, but the empty one, that some scenario is played with."""
    known = {node.part(0).text for node in nodes if node.kind == "variant"}
    return {variants_of(node, known) for node in nodes if node.kind == "scenario"} - {frozenset()}


@dataclass
class Told:
    """Scenarios compiled under a frame in which nothing was wrong, by the numbers of their syntax, and the choices there were in play."""

    chosen: dict[str, list[Type]] = field(default_factory=dict)
    scenarios: dict[int, tuple[Node, Scenario]] = field(default_factory=dict)


def compile_scenarios(
    names: SymbolTable,
    exprs: TypeChecker,
    nodes: list[Node],
    variants: frozenset[str],
    known: Told,
) -> None:
    """Compile every scenario played with exactly these variants, and check that rulings name scenarios that exist.

    Of what is `known` under the same frame only scenarios that bring a deck list hang on what cards say, as long as cards bring no other choices.
    """
    found: dict[str, Node] = {}
    reader = _Scenario(names, exprs)
    before = known.scenarios if known.chosen == reader.chosen else {}
    known.chosen, known.scenarios = reader.chosen, {}
    for node in nodes:
        if node.kind == "scenario":
            name = plain(node.part(0))
            if name in found:
                names.report.add(
                    "two-clauses",
                    node.part(0).span,
                    label=name,
                    owner="the scenarios",
                    first=found[name].span.line,
                )
            found[name] = node
            if variants_of(node, set(names.rules.variants)) != variants:
                continue
            if id(node) in before:
                known.scenarios[id(node)] = before[id(node)]
                names.rules.scenarios.append(before[id(node)][1])
                continue
            so_far = len(names.report.found), len(names.rules.clauses)
            names.check_node_citations(node)
            names.rules.scenarios.append(reader.compile(node))
            if (len(names.report.found), len(names.rules.clauses)) == so_far and not node.words(
                "s_deck"
            ):
                known.scenarios[id(node)] = (node, names.rules.scenarios[-1])
    for node in nodes:
        settled = node.first("settled") if node.kind == "ruling" else None
        for word in settled.words("STRING") if settled else []:
            if plain(word) not in found:
                near = nearest(plain(word), found)
                names.report.add(
                    "unknown-scenario",
                    word.span,
                    name=plain(word),
                    fix=f'Did you mean "{near[0]}"?' if near else None,
                )


class _Scenario:
    def __init__(self, names: SymbolTable, exprs: TypeChecker) -> None:
        self.names, self.exprs = names, exprs
        self.scope: Scope = {
            "scored": core.Var("scored", type=NUMBER),
            "refused": core.Var("refused", type=TRUTH),
            "ended": core.Var("ended", type=TRUTH),
            "winners": core.Var("winners", type=SetT(PLAYER)),
            "deciding": core.Var("deciding", type=SetT(PLAYER)),
            "witnesses": core.Var("witnesses", type=SetT(PLAYER)),
            "advised": core.Var("advised", type=TRUTH),
        }

    def compile(self, node: Node) -> Scenario:
        steps = [
            self.step(part) for part in node.parts[1:] if part is not None and part.kind != "CITE"
        ]
        return Scenario(
            plain(node.part(0)), node.cites, tuple(s for s in steps if s is not None), node.span
        )

    def step(self, node: Node) -> Step | None:
        made: Step | None = getattr(self, f"_{node.kind}")(node)
        return made

    def _s_number(self, node: Node) -> Step | None:
        word = node.part(0)
        if word.text not in ("players", "seed"):
            self.names.report.add(
                "unexpected-word", word.span, word=word.text, expected='"players" or "seed"'
            )
            return None
        return Step(word.text, node.span, number=int(node.part(1).text))

    def _s_with(self, node: Node) -> Step:
        settings: list[tuple[str, str | None]] = []
        for part in node.words("setting"):
            word, value = part.part(0), part.parts[1] if len(part.parts) > 1 else None
            known = self.names.rules.options.get(word.text)
            if known is None and word.text not in self.names.rules.variants:
                near = nearest(word.text, [*self.names.rules.options, *self.names.rules.variants])
                self.names.report.add(
                    "unknown-variant",
                    word.span,
                    name=word.text,
                    known=", ".join([*self.names.rules.options, *self.names.rules.variants]),
                    fix=f"Did you mean `{near[0]}`?" if near else None,
                )
            elif known is not None and (value is None or value.text not in {str(v) for v in known}):
                self.names.report.add(
                    "bad-setting", part.span, key=word.text, expected=", ".join(map(str, known))
                )
            settings.append((word.text, value.text if value is not None else None))
        return Step("with", node.span, settings=tuple(settings))

    def _s_board(self, node: Node) -> Step | None:
        word = node.part(0)
        if word.text not in self.names.rules.boards:
            self.names.report.add(
                "unknown-name", word.span, name=word.text, fix=self.names.suggest(word.text)
            )
            return None
        rest = [p for p in node.parts[1:] if p is not None]
        player = None
        if rest and rest[0].kind == "NAME":
            player = self.exprs.wanted(Node("name", (rest[0],), rest[0].span), self.scope, PLAYER)
        rows = tuple(p.part(0).text.strip() for p in rest if p.kind == "bar")
        legend: list[tuple[str, core.Expr, core.Expr | None]] = []
        for part in rest:
            if part.kind == "legend":
                owner = part.parts[2] if len(part.parts) > 2 else None
                who = self.exprs.wanted(owner, self.scope, PLAYER) if owner is not None else None
                legend.append(
                    (plain(part.part(0)), self.legend_value(part.part(1), word.text), who)
                )
        return Step(
            "board", node.span, name=word.text, rows=rows, legend=tuple(legend), player=player
        )

    def legend_value(self, node: Node, board: str) -> core.Expr:
        """A sign on a board picture stands for pieces of a title or sort, or for the value of a variable of the site."""
        known = self.names.rules.boards[board]
        components = [
            *(layer.component for layer in known.layers),
            *([known.grown_from] if known.grown_from else []),
        ]
        if node.kind == "string":
            for component in components:
                if component in self.names.titles.get(plain(node.part(0)), []):
                    return titled(self.exprs, node.part(0), PieceT(component))
        if node.kind == "name" and node.part(0).text not in self.scope:
            for component in components:
                made = all_that_are(self.exprs, node.part(0).text, PieceT(component), node.span)
                if made is not None:
                    return made
        return self.exprs.expr(node, self.scope)

    def _s_deck(self, node: Node) -> Step:
        return Step("deck", node.span, deck=trial_deck(self.names, node))

    def _s_given(self, node: Node) -> Step:
        parts = [part for part in node.part(0).parts if part is not None]
        given = compile_body(BodyContext(self.exprs, "given"), parts, self.scope)
        return Step("given", node.span, body=given)

    def _s_start(self, node: Node) -> Step:
        number = node.first("NUMBER")
        return Step("start", node.span, number=int(number.text) if number else 0)

    def _s_play(self, node: Node) -> Step:
        player = self.exprs.wanted(node.part(0), self.scope, PLAYER)
        word, args = node.part(1), node.parts[2]
        choices = self.choices(word)
        found: list[tuple[str, core.Expr]] = []
        for part in args.parts if args else ():
            if part is None:
                continue
            if part.kind != "named_arg":
                self.names.report.add(
                    "bad-arguments",
                    part.span,
                    name=word.text,
                    meaning="a play gives each choice by name, as in `at: x`",
                    found="",
                )
                continue
            key = part.part(0)
            wants = choices.get(key.text)
            if wants is None:
                near = nearest(key.text, choices)
                fix = f"Did you mean `{near[0]}`?" if near else None
                self.names.report.add(
                    "unknown-choice",
                    key.span,
                    name=key.text,
                    known=", ".join(choices) or "none",
                    fix=fix,
                )
                continue
            value = self.choice_value(part.part(1), wants)
            found.append((key.text, value))
        return Step("play", node.span, name=word.text, player=player, args=tuple(found))

    def choice_value(self, node: Node, wants: list[Type]) -> core.Expr:
        """A choice's value: of the first type it fits."""
        report = self.names.report
        before = len(report.found)
        for t in wants:
            made = self.exprs.expr(node, self.scope, t)
            if len(report.found) == before and (
                fits(made.type, t) or (isinstance(t, SetT) and fits(made.type, t.of))
            ):
                return self.exprs.check(made, t, node.span)
            del report.found[before:]
        return self.exprs.wanted(node, self.scope, wants[0] if wants else UNKNOWN)

    def choices(self, word: Node) -> dict[str, list[Type]]:
        """The names a play may give values to: an event's parameters, or every choice made in the procedure and what it does."""
        known = self.names.signatures.get(word.text)
        if known is None and word.text not in ("choose", "take"):
            near = nearest(word.text, self.names.signatures)
            self.names.report.add(
                "not-an-event",
                word.span,
                name=word.text,
                fix=f"Did you mean `{near[0]}`?" if near else None,
            )
            return {}
        if known is not None and known[0] == "event":
            return {name: [t] for name, t in known[1]}
        found: dict[str, list[Type]] = {name: [t] for name, t in known[1]} if known else {}
        for name, types in self.chosen.items():
            known_types = found.setdefault(name, [])
            known_types += [t for t in types if t not in known_types]
        found.setdefault("may", [TRUTH])
        found.setdefault("action", [TEXT])
        return found

    @cached_property
    def chosen(self) -> dict[str, list[Type]]:
        """Every choice made in procedures and in the flow, and of what types."""
        found: dict[str, list[Type]] = {}
        for body in [
            *(procedure.body for procedure in self.names.rules.procedures.values()),
            self.names.rules.flow,
        ]:
            for stmt in walk_body(body):
                _collect(stmt, found)
        return found

    def _s_expect(self, node: Node) -> Step:
        conds = node.part(0)
        cond = tuple(self.exprs.truth(p, self.scope) for p in conds.parts if p is not None)
        cite = node.first("CITE")
        if cite is not None:
            self.names.check_node_citations(node)
        lines: list[tuple[str, core.Expr, str]] = []
        for part in node.words("line"):
            lines.append(
                (
                    _OPS[part.part(0).kind],
                    self.exprs.wanted(part.part(1), self.scope, NUMBER),
                    plain(part.part(2)),
                )
            )
        return Step(
            "expect",
            node.span,
            cond=cond,
            cites=split_cites(cite.text) if cite else (),
            lines=tuple(lines),
        )


def _collect(stmt: core.Stmt, found: dict[str, list[Type]]) -> None:
    if isinstance(stmt, core.Choose):
        t: Type = (
            stmt.item
            if stmt.mode == "one"
            else SetT(stmt.item)
            if stmt.mode == "some"
            else ListT(stmt.item)
        )
        types = found.setdefault(stmt.var.split("~")[0], [])
        if t not in types and t != UNKNOWN:
            types.append(t)
    elif (
        isinstance(stmt, core.ForEach) and stmt.by is not None
    ):  # which member is next is a choice too
        types = found.setdefault(stmt.var.split("~")[0], [])
        if stmt.item not in types:
            types.append(stmt.item)


def walk_body(body: core.Body) -> list[core.Stmt]:
    """All statements of a body, those inside others too."""
    found: list[core.Stmt] = []
    for stmt in body:
        found.append(stmt)
        for name in ("then", "other", "body"):
            inner = getattr(stmt, name, None)
            if isinstance(inner, tuple):
                found += walk_body(inner)
    return found
