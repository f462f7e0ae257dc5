"""Scenarios become steps with compiled expressions, so their mistakes are reported as any other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from rulelang import core
from rulelang.compiler.decks import trial_deck
from rulelang.compiler.node_memo import NodeMemo
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
from rulelang.diagnostics import did_you_mean, nearest
from rulelang.elaborate.nouns import all_that_are, titled
from rulelang.elaborate.statements import BodyContext, compile_body
from rulelang.elaborate.symbols import SymbolTable
from rulelang.elaborate.type_checker import Scope, TypeChecker
from rulelang.ruleset import Scenario, Step
from rulelang.syntax.nodes import Node, plain, split_cites

Choices = dict[str, list[Type]]  # the name of a choice -> the types it is made from

_LINE_KINDS = {
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
class ScenarioMemo:
    """Scenarios without findings compiled under one frame, and the choices there were in play."""

    choices: Choices = field(default_factory=dict)
    scenarios: NodeMemo[Scenario] = field(default_factory=NodeMemo)


def compile_scenarios(
    checker: TypeChecker, nodes: list[Node], variants: frozenset[str], memo: ScenarioMemo
) -> None:
    """Add every scenario played with exactly these variants to the ruleset.

    Scenarios are taken from the memo while cards bring no other choices, and those of these nodes
    are kept there. One that brings a deck list depends on what cards say, so it is never kept.
    """
    symbols = checker.symbols
    compiler = _Compiler(checker)
    before = memo.scenarios if memo.choices == compiler.choices_in_play else NodeMemo[Scenario]()
    memo.choices, memo.scenarios = compiler.choices_in_play, NodeMemo[Scenario]()
    names: dict[str, Node] = {}
    for node in nodes:
        if node.kind != "scenario":
            continue
        _check_name(symbols, node, names)
        if variants_of(node, set(symbols.rules.variants)) != variants:
            continue
        so_far = len(symbols.report.found), len(symbols.rules.clauses)
        scenario = before.get(node) or compiler.scenario(node)
        symbols.rules.scenarios.append(scenario)
        is_whole = (len(symbols.report.found), len(symbols.rules.clauses)) == so_far
        if is_whole and not node.words("s_deck"):
            memo.scenarios.keep(node, scenario)
    _check_rulings(symbols, nodes, names)


def _check_name(symbols: SymbolTable, node: Node, names: dict[str, Node]) -> None:
    """Enter the name of a scenario, reported if another has it."""
    label = plain(node.part(0))
    if label in names:
        symbols.report.add(
            "two-clauses",
            node.part(0).span,
            label=label,
            owner="the scenarios",
            first=names[label].span.line,
        )
    names[label] = node


def _check_rulings(symbols: SymbolTable, nodes: list[Node], names: dict[str, Node]) -> None:
    """Report rulings that are settled by scenarios that do not exist."""
    for node in nodes:
        settled = node.first("settled") if node.kind == "ruling" else None
        for word in settled.words("STRING") if settled else []:
            if plain(word) not in names:
                near = nearest(plain(word), names)
                fix = f'Did you mean "{near[0]}"?' if near else None
                symbols.report.add("unknown-scenario", word.span, name=plain(word), fix=fix)


def _scope_of_scenarios() -> Scope:
    types = {
        "scored": NUMBER,
        "refused": TRUTH,
        "ended": TRUTH,
        "winners": SetT(PLAYER),
        "deciding": SetT(PLAYER),
        "witnesses": SetT(PLAYER),
        "advised": TRUTH,
    }
    return {name: core.Var(name, type=t) for name, t in types.items()}


@dataclass(frozen=True)
class _Compiler:
    """Compiles the steps of scenarios; `scope` has what their conditions may speak of."""

    checker: TypeChecker
    scope: Scope = field(default_factory=_scope_of_scenarios)

    @property
    def symbols(self) -> SymbolTable:
        """The symbol table of the type checker."""
        return self.checker.symbols

    def scenario(self, node: Node) -> Scenario:
        """A scenario with those of its steps that could be compiled; the others are reported."""
        self.symbols.check_node_citations(node)
        parts = [part for part in node.parts[1:] if part is not None and part.kind != "CITE"]
        steps = [STEPS[part.kind](self, part) for part in parts]
        made = tuple(step for step in steps if step is not None)
        return Scenario(plain(node.part(0)), node.cites, made, node.span)

    def legend_value(self, node: Node, board: str) -> core.Expr:
        """What a sign on a picture of a board stands for.

        That is pieces of a title or kind, or the value of a variable of the site.
        """
        known = self.symbols.rules.boards[board]
        components = [layer.component for layer in known.layers]
        components += [known.grown_from] if known.grown_from else []
        if node.kind == "string":
            for component in components:
                if component in self.symbols.titles.get(plain(node.part(0)), []):
                    return titled(self.checker, node.part(0), PieceT(component))
        if node.kind == "name" and node.part(0).text not in self.scope:
            for component in components:
                made = all_that_are(self.checker, node.part(0).text, PieceT(component), node.span)
                if made is not None:
                    return made
        return self.checker.expr(node, self.scope)

    def choice_value(self, node: Node, wanted: list[Type]) -> core.Expr:
        """The value of a choice, of the first type it fits."""
        report = self.symbols.report
        before = len(report.found)
        for t in wanted:
            made = self.checker.expr(node, self.scope, t)
            is_fit = fits(made.type, t) or (isinstance(t, SetT) and fits(made.type, t.of))
            if len(report.found) == before and is_fit:
                return self.checker.check(made, t, node.span)
            del report.found[before:]
        return self.checker.wanted(node, self.scope, wanted[0] if wanted else UNKNOWN)

    def choices_of(self, word: Node) -> Choices:
        """The choices that a play of this name may give.

        Those are an event's parameters, or every choice in the procedure and in what it does.
        """
        known = self.symbols.signatures.get(word.text)
        if known is None and word.text not in ("choose", "take"):
            fix = did_you_mean(word.text, self.symbols.signatures)
            self.symbols.report.add("not-an-event", word.span, name=word.text, fix=fix)
            return {}
        found: Choices = {name: [t] for name, t in known[1]} if known is not None else {}
        if known is not None and known[0] == "event":
            return found
        for name, types in self.choices_in_play.items():
            known_types = found.setdefault(name, [])
            known_types += [t for t in types if t not in known_types]
        found.setdefault("may", [TRUTH])
        found.setdefault("action", [TEXT])
        return found

    @cached_property
    def choices_in_play(self) -> Choices:
        """Every choice made in procedures and in the flow; UNKNOWN types are left out."""
        rules = self.symbols.rules
        found: Choices = {}
        for node in core.walk([*(known.body for known in rules.procedures.values()), rules.flow]):
            if isinstance(node, core.Choose):
                types = found.setdefault(node.var.split("~")[0], [])
                if _type_chosen(node) not in [*types, UNKNOWN]:
                    types.append(_type_chosen(node))
            elif isinstance(node, core.ForEach) and node.by is not None:  # which one is next
                types = found.setdefault(node.var.split("~")[0], [])
                if node.item not in types:
                    types.append(node.item)
        return found


def _type_chosen(stmt: core.Choose) -> Type:
    if stmt.mode == "one":
        return stmt.item
    return SetT(stmt.item) if stmt.mode == "some" else ListT(stmt.item)


# -------------------------------------------------------------------------- one function for a step
def _number(compiler: _Compiler, node: Node) -> Step | None:
    word = node.part(0)
    if word.text not in ("players", "seed"):
        expected = '"players" or "seed"'
        compiler.symbols.report.add("unexpected-word", word.span, word=word.text, expected=expected)
        return None
    return Step(word.text, node.span, number=int(node.part(1).text))


def _with(compiler: _Compiler, node: Node) -> Step:
    symbols = compiler.symbols
    options, variants = symbols.rules.options, symbols.rules.variants
    settings: list[tuple[str, str | None]] = []
    for part in node.words("setting"):
        word, value = part.part(0), part.parts[1] if len(part.parts) > 1 else None
        known = options.get(word.text)
        if known is None and word.text not in variants:
            symbols.report.add(
                "unknown-variant",
                word.span,
                name=word.text,
                known=", ".join([*options, *variants]),
                fix=did_you_mean(word.text, [*options, *variants]),
            )
        elif known is not None and (value is None or value.text not in map(str, known)):
            expected = ", ".join(map(str, known))
            symbols.report.add("bad-setting", part.span, key=word.text, expected=expected)
        settings.append((word.text, value.text if value is not None else None))
    return Step("with", node.span, settings=tuple(settings))


def _board(compiler: _Compiler, node: Node) -> Step | None:
    symbols, checker, word = compiler.symbols, compiler.checker, node.part(0)
    if word.text not in symbols.rules.boards:
        fix = symbols.suggest(word.text)
        symbols.report.add("unknown-name", word.span, name=word.text, fix=fix)
        return None
    rest = [part for part in node.parts[1:] if part is not None]
    player = None
    if rest and rest[0].kind == "NAME":
        player = checker.wanted(Node("name", (rest[0],), rest[0].span), compiler.scope, PLAYER)
    rows = tuple(part.part(0).text.strip() for part in rest if part.kind == "bar")
    legend: list[tuple[str, core.Expr, core.Expr | None]] = []
    for part in node.words("legend"):
        owner = part.parts[2] if len(part.parts) > 2 else None
        who = checker.wanted(owner, compiler.scope, PLAYER) if owner is not None else None
        sign = plain(part.part(0))
        legend.append((sign, compiler.legend_value(part.part(1), word.text), who))
    return Step("board", node.span, name=word.text, rows=rows, legend=tuple(legend), player=player)


def _deck(compiler: _Compiler, node: Node) -> Step:
    return Step("deck", node.span, deck=trial_deck(compiler.symbols, node))


def _given(compiler: _Compiler, node: Node) -> Step:
    parts = [part for part in node.part(0).parts if part is not None]
    given = compile_body(BodyContext(compiler.checker, "given"), parts, compiler.scope)
    return Step("given", node.span, body=given)


def _start(compiler: _Compiler, node: Node) -> Step:
    number = node.first("NUMBER")
    return Step("start", node.span, number=int(number.text) if number else 0)


def _play(compiler: _Compiler, node: Node) -> Step:
    report = compiler.symbols.report
    player = compiler.checker.wanted(node.part(0), compiler.scope, PLAYER)
    word, args = node.part(1), node.parts[2]
    choices = compiler.choices_of(word)
    found: list[tuple[str, core.Expr]] = []
    for part in args.parts if args else ():
        if part is None:
            continue
        if part.kind != "named_arg":
            meaning = "a play gives each choice by name, as in `at: x`"
            report.add("bad-arguments", part.span, name=word.text, meaning=meaning, found="")
            continue
        key = part.part(0)
        wanted = choices.get(key.text)
        if wanted is None:
            known = ", ".join(choices) or "none"
            fix = did_you_mean(key.text, choices)
            report.add("unknown-choice", key.span, name=key.text, known=known, fix=fix)
            continue
        found.append((key.text, compiler.choice_value(part.part(1), wanted)))
    return Step("play", node.span, name=word.text, player=player, args=tuple(found))


def _expect(compiler: _Compiler, node: Node) -> Step:
    checker = compiler.checker
    conds = [part for part in node.part(0).parts if part is not None]
    cond = tuple(checker.truth(part, compiler.scope) for part in conds)
    cite = node.first("CITE")
    if cite is not None:
        compiler.symbols.check_node_citations(node)
    lines = tuple(
        (
            _LINE_KINDS[part.part(0).kind],
            checker.wanted(part.part(1), compiler.scope, NUMBER),
            plain(part.part(2)),
        )
        for part in node.words("line")
    )
    cites = split_cites(cite.text) if cite else ()
    return Step("expect", node.span, cond=cond, cites=cites, lines=lines)


STEPS: dict[str, Callable[[_Compiler, Node], Step | None]] = {  # closed: tested by the grammar
    "s_number": _number,
    "s_with": _with,
    "s_board": _board,
    "s_deck": _deck,
    "s_given": _given,
    "s_start": _start,
    "s_play": _play,
    "s_expect": _expect,
}
