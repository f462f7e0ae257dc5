"""Second pass over the declarations: what each says is compiled into the ruleset.

Definitions, events, score tables, procedures and the rest; what they name is already known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from rulelang import core
from rulelang.core.types import NUMBER, PLAYER, TRUTH, UNKNOWN
from rulelang.diagnostics import Report, did_you_mean
from rulelang.diagnostics.source import MAX_TREE, Span
from rulelang.elaborate.card_language import CardLanguage, Pattern
from rulelang.elaborate.clauses import content, requirements, score_lines
from rulelang.elaborate.declaration_memo import DeclarationMemo, Kept, Unchanged
from rulelang.elaborate.definitions import Definitions, param_scope
from rulelang.elaborate.invariants import compile_invariant
from rulelang.elaborate.patterns import compile_pattern, compile_reaction
from rulelang.elaborate.statements import BodyContext, compile_body
from rulelang.elaborate.symbols import SymbolTable
from rulelang.elaborate.type_checker import Scope, TypeChecker
from rulelang.ruleset import (
    Ending,
    Event,
    Latch,
    Params,
    Procedure,
    RankLine,
    Rule,
    Ruleset,
    Ruling,
    State,
    Table,
    Variant,
)
from rulelang.syntax.nodes import Node, plain

_SLOTS = (
    "A slot names one of its own values, as in {p}; "
    "what is more is said by a definition that reads."
)


@dataclass(frozen=True)
class _Unit:
    """The ruleset being compiled: what the compilation of every declaration works with."""

    checker: TypeChecker
    patterns: list[Pattern]
    open_menus: frozenset[str]
    told: dict[Span, core.Slot]  # what roles are at each opening
    unchanged: Unchanged  # what may be taken over from another compilation
    memo: DeclarationMemo  # what the next one may take over from this one

    @property
    def symbols(self) -> SymbolTable:
        return self.checker.symbols

    @property
    def rules(self) -> Ruleset:
        return self.checker.symbols.rules

    @property
    def report(self) -> Report:
        return self.checker.report

    def own_params(self, node: Node) -> Params | None:
        """The declared parameters; None if another declaration has the name of this one."""
        return self.checker.signature(node.part(0).text, node.kind)


def compile_bodies(
    symbols: SymbolTable,
    nodes: list[Node],
    first: int = 1,
    before: DeclarationMemo | None = None,
) -> tuple[TypeChecker, CardLanguage, DeclarationMemo]:
    """Compile all declarations, each kind after those it needs, into the ruleset of the symbols.

    Fresh names have the number `first` and those above it. What was compiled `before` is taken over
    where it holds. Returns the type checker, the patterns and templates that cards are compiled
    with, and what another compilation may take over.
    """
    for node in nodes:
        if node.kind == "procedure" and node.parts[2] is not None:
            symbols.results[node.part(0).text] = symbols.type_of(node.part(2))
    unchanged = Unchanged(before or DeclarationMemo(), nodes, symbols.titles)
    definitions = Definitions(symbols, first, unchanged)
    memo = DeclarationMemo(tuple(nodes), symbols.titles, definitions.kept)
    unit = _Unit(definitions.checker, [], _open_menus(nodes), {}, unchanged, memo)
    for node in nodes:
        if node.kind == "state":
            _state(unit, node)
    definitions.compile_all()
    by_kind: dict[str, list[Node]] = {}
    for node in nodes:
        by_kind.setdefault(node.kind, []).append(node)
    for kind, compile_declaration in BODIES.items():
        for node in by_kind.get(kind, ()):
            try:
                compile_declaration(unit, node)
            except RecursionError:
                symbols.report.add("too-deep", node.span, limit=str(MAX_TREE))
    for node in nodes:
        if node.kind in ONLY_IN_PATTERNS:
            symbols.report.add("extension-alone", node.span)
    return unit.checker, CardLanguage(unit.patterns, definitions.templates), memo


def _open_menus(nodes: list[Node]) -> frozenset[str]:
    """The labels of the menus that are open for actions."""
    return frozenset(
        plain(part.part(0))
        for node in nodes
        if node.kind in ("flow", "procedure", "action")
        for part in node.walk()
        if part.kind == "open_menu"
    )


def _state(unit: _Unit, node: Node) -> None:
    word, owner, shown, wording = node.part(0), node.parts[1], node.parts[4], node.parts[5]
    of = unit.symbols.named_type(owner) if owner is not None else None
    t = unit.symbols.type_of(node.part(2))
    initial = unit.checker.wanted(node.part(3), {}, t)
    visibility = shown.text if shown is not None else "public"
    if shown is not None and visibility not in ("public", "private", "hidden"):
        expected = "public, private or hidden"
        unit.report.add("bad-setting", shown.span, key=word.text, expected=expected)
    clause = unit.symbols.clause("state", f"state {word.text}", "", node)
    reads = _wording(unit, wording, ((word.text, t),))
    told = reads[0] if reads else ""
    unit.rules.states[word.text] = State(word.text, of, t, initial, visibility, clause, told)


def _score(unit: _Unit, node: Node) -> None:
    name = node.part(0).text
    if name in unit.rules.tables or name not in unit.symbols.signatures:
        return
    params = unit.symbols.signatures[name][1]
    owner = f"score {name}"
    clause = unit.symbols.clause("score", owner, "", node)
    reads = _wording(unit, node.parts[2], params)
    lines = score_lines(unit.checker, content(node, 3), param_scope(params), owner)
    unit.rules.tables[name] = Table(name, params, lines, clause, reads)


def _wording(unit: _Unit, reads: Node | None, params: Params) -> tuple[str, ...]:
    """How an event or table is said: its slots are its own values, by name alone."""
    known = [name for name, _ in params]
    texts = reads.words("STRING") if reads is not None else []
    for text in texts:
        for slot in re.findall(r"\{([^{}]*)\}", plain(text)):
            if slot not in known:
                names = ", ".join(known) or "none"
                unit.report.add("unknown-slot", text.span, slot=slot, known=names, fix=_SLOTS)
    return tuple(plain(text) for text in texts)


# ------------------------------------------------------------------------ events
def _event(unit: _Unit, node: Node) -> None:
    name = node.part(0).text
    params = unit.own_params(node)
    if params is None or name in unit.rules.events:
        return
    owner = f"event {name}"
    clause = unit.symbols.clause("event", owner, "", node)
    context = BodyContext(unit.checker, owner, may_decide=False)
    steps = compile_body(context, content(node, 3), param_scope(params))
    reads = _wording(unit, node.parts[2], params)
    unit.rules.events[name] = Event(name, params, (), steps, clause, reads)


def _rules(unit: _Unit, node: Node) -> None:
    word = node.part(0)
    scope = _event_scope(unit, word, node.part(1))
    if scope is None:
        return
    guard = unit.checker.optional_conds(node.parts[2], scope)
    unit.symbols.check_node_citations(node)
    checker, owner = unit.checker.judging(word.text), f"rules of {word.text}"
    added = requirements(checker, content(node, 3), scope, owner, guard, node.cites)
    event = unit.rules.events[word.text]
    for rule in added:
        _check_label(unit, rule, event, owner)
    unit.rules.events[word.text] = replace(event, rules=(*event.rules, *added))


def _check_label(unit: _Unit, rule: Rule, event: Event, owner: str) -> None:
    """Report a requirement whose label another of the event already has."""
    same = (other for other in event.rules if other.label == rule.label and not rule.slot)
    other = next(same, None)
    if other is not None:
        clauses = unit.rules.clauses
        first = clauses[other.clause].span.line
        where = clauses[rule.clause].span
        unit.report.add("two-clauses", where, label=rule.label, owner=owner, first=first)


def _event_scope(unit: _Unit, word: Node, given: Node) -> Scope | None:
    """The names that `rules of build(p, b, at)` gives to the parameters of the event."""
    params = unit.checker.signature(word.text, "event")
    if params is None:
        events = [n for n, (kind, _) in unit.symbols.signatures.items() if kind == "event"]
        fix = "Events are: " + ", ".join(events) if events else None
        unit.report.add("not-an-event", word.span, name=word.text, fix=fix)
        return None
    called = [part.text for part in content(given)]
    if len(called) != len(params):
        unit.checker.argument_count(word, len(called), params)
    return {alias: core.Var(name, type=t) for alias, (name, t) in zip(called, params, strict=False)}


def _reaction(unit: _Unit, node: Node) -> None:
    found = compile_reaction(unit.checker, node, {}, "reaction")
    if found is not None:
        unit.rules.reactions.append(found)


# ------------------------------------------------------------------------ play
def _action(unit: _Unit, node: Node) -> None:
    name = node.part(0).text
    params = unit.own_params(node)
    if params is None or name in unit.rules.procedures:
        return
    scope = param_scope(params)
    if len(params) != 1 or params[0][1] != PLAYER:
        unit.report.add("action-head", node.part(1).span, name=name)
    title = plain(node.part(2)) if node.parts[2] is not None else name.replace("_", " ")
    if node.parts[3] is not None:
        _check_menu(unit, node.part(3).words("STRING")[0])
    guard = unit.checker.optional_conds(node.parts[4], scope)
    clause = unit.symbols.clause("action", f"action {name}", "", node)
    context = BodyContext(unit.checker, f"action {name}", may_open=True)
    steps = compile_body(context, content(node, 5), scope)
    unit.rules.procedures[name] = Procedure(name, params, title, guard, steps, clause, True)


def _check_menu(unit: _Unit, label: Node) -> None:
    """Report a menu to which an action is added and which is open nowhere."""
    if plain(label) in unit.open_menus:
        return
    known = ", ".join(f'"{other}"' for other in sorted(unit.open_menus))
    fix = f"It is open at {known}." if known else None
    unit.report.add("no-such-slot", label.span, slot=plain(label), owner="take one of", fix=fix)


def _procedure(unit: _Unit, node: Node) -> None:
    name = node.part(0).text
    params = unit.own_params(node)
    if params is None or name in unit.rules.procedures:
        return
    gives = unit.symbols.results.get(name)
    owner, title = f"procedure {name}", name.replace("_", " ")
    clause = unit.symbols.clause("procedure", owner, "", node)
    context = BodyContext(unit.checker, owner, gives or UNKNOWN, may_open=True)
    steps = compile_body(context, content(node, 3), param_scope(params))
    unit.rules.procedures[name] = Procedure(name, params, title, None, steps, clause, False, gives)


def _flow(unit: _Unit, node: Node) -> None:
    if unit.rules.flow:
        what = "the flow of the game"
        unit.report.add("name-taken", node.span, name="flow", what=what, where="")
        return
    unit.rules.flow_clause = unit.symbols.clause("flow", "flow", "", node)
    unit.rules.flow = compile_body(BodyContext(unit.checker, "flow"), content(node), {})


def _latch(unit: _Unit, node: Node) -> None:
    name = node.part(0).text
    owner = f"once {name}"
    clause = unit.symbols.clause("latch", owner, "", node)
    cond = unit.checker.conds(node.part(1), {})
    steps = compile_body(BodyContext(unit.checker, owner), content(node, 2), {})
    unit.rules.latches.append(Latch(name, cond, steps, clause))


# ------------------------------------------------------------------------ the end
def _end(unit: _Unit, node: Node) -> None:
    words = node.words()
    name, part_of_play = words[0].text, words[1].text if len(words) > 1 else None
    clause = unit.symbols.clause("end", f"end {name}", "", node)
    cond = unit.checker.conds(node.first("conds"), {})
    unit.rules.endings.append(Ending(name, part_of_play, cond, clause))


def _rank(unit: _Unit, node: Node) -> None:
    scope: Scope = {"player": core.Var("player", type=PLAYER)}
    unit.symbols.clause("rank", "rank", "", node)
    for line in node.words("rankline"):
        word = line.part(0)
        if word.text not in ("highest", "lowest", "only"):
            expected = '"highest", "lowest" or "only"'
            unit.report.add("unexpected-word", word.span, word=word.text, expected=expected)
        only = word.text == "only"
        cond = unit.checker.optional_conds(line.parts[2], scope)
        key = unit.checker.wanted(line.part(1), scope, TRUTH if only else NUMBER)
        clause = unit.symbols.clause("rankline", "rank", "line", line)
        lines = unit.rules.hurdles if only else unit.rules.ranks
        lines.append(RankLine(word.text != "lowest", key, cond, clause))


# ------------------------------------------------------------------------ the rest
def _invariant(unit: _Unit, node: Node) -> None:
    compile_invariant(unit.checker, node)


def _pattern(unit: _Unit, node: Node) -> None:
    kept = unit.unchanged.pattern(node)
    if kept is None or not unit.symbols.enter_again(kept.clauses):
        findings = len(unit.report.found)
        with unit.symbols.recording() as entered:
            made = compile_pattern(unit.checker, node, unit.told)
        kept = Kept(node, made, tuple(entered))
        if len(unit.report.found) > findings:
            unit.patterns.append(made)
            return
    unit.memo.keep_pattern(kept)
    unit.patterns.append(kept.made)


def _variant(unit: _Unit, node: Node) -> None:
    word, over = node.part(0), node.words()[1:]
    unit.rules.variants[word.text] = Variant(
        word.text, plain(node.part(1)), node.cites, node.span, tuple(other.text for other in over)
    )
    declared = unit.symbols.declared.items()
    known = [name for name, (what, _) in declared if what == "a variant" and name != word.text]
    for other in over:
        if other.text not in known:
            unit.report.add(
                "unknown-variant",
                other.span,
                name=other.text,
                known=", ".join(known) or "none",
                fix=did_you_mean(other.text, known),
            )
    unit.symbols.clause("variant", f"variant {word.text}", "", node)


def _ruling(unit: _Unit, node: Node) -> None:
    reason = " ".join(bar.part(0).text.strip() for bar in node.words("bar"))
    settled = node.first("settled")
    by = tuple(plain(text) for text in settled.words("STRING")) if settled else ()
    unit.symbols.check_node_citations(node)
    unit.rules.rulings.append(Ruling(plain(node.part(0)), node.cites, reason, by, node.span))


# kind of declaration -> how its body is compiled, each after those it needs
BODIES: Mapping[str, Callable[[_Unit, Node], None]] = MappingProxyType(
    {
        "score": _score,
        "event": _event,
        "rules": _rules,
        "action": _action,
        "procedure": _procedure,
        "flow": _flow,
        "invariant": _invariant,
        "reaction": _reaction,
        "latch": _latch,
        "end": _end,
        "rank": _rank,
        "pattern": _pattern,
        "variant": _variant,
        "ruling": _ruling,
    }
)
# declarations that add to others, which only a pattern may hold
ONLY_IN_PATTERNS = frozenset({"define_at", "score_at", "rules_at", "procedure_at"})
