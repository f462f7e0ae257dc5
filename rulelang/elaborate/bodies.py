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
from rulelang.diagnostics.source import MAX_TREE
from rulelang.elaborate.clauses import content, requirements, score_lines
from rulelang.elaborate.definitions import Definitions, param_scope
from rulelang.elaborate.invariants import compile_invariant
from rulelang.elaborate.patterns import (
    CardLanguage,
    Pattern,
    compile_pattern,
    compile_reaction,
)
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
class _Pass:
    """What the compilation of every declaration works with."""

    checker: TypeChecker
    patterns: list[Pattern]
    open_menus: frozenset[str]

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


def compile_bodies(symbols: SymbolTable, nodes: list[Node]) -> tuple[TypeChecker, CardLanguage]:
    """Compile all declarations, each kind after those it needs, into the ruleset of the symbols.

    Returns the type checker and the patterns and templates that cards are compiled with.
    """
    for node in nodes:
        if node.kind == "procedure" and node.parts[2] is not None:
            symbols.results[node.part(0).text] = symbols.type_of(node.part(2))
    definitions = Definitions(symbols)
    made = _Pass(definitions.checker, [], _open_menus(nodes))
    for node in nodes:
        if node.kind == "state":
            _state(made, node)
    definitions.compile_all()
    for kind, compile_declaration in BODIES.items():
        for node in nodes:
            if node.kind == kind:
                try:
                    compile_declaration(made, node)
                except RecursionError:
                    symbols.report.add("too-deep", node.span, limit=str(MAX_TREE))
    for node in nodes:
        if node.kind in ONLY_IN_PATTERNS:
            symbols.report.add("extension-alone", node.span)
    return made.checker, CardLanguage(made.patterns, definitions.templates)


def _open_menus(nodes: list[Node]) -> frozenset[str]:
    """The labels of the menus that are open for actions."""
    return frozenset(
        plain(part.part(0))
        for node in nodes
        if node.kind in ("flow", "procedure", "action")
        for part in node.walk()
        if part.kind == "open_menu"
    )


def _state(made: _Pass, node: Node) -> None:
    word, owner, shown = node.part(0), node.parts[1], node.parts[4]
    of = made.symbols.named_type(owner) if owner is not None else None
    t = made.symbols.type_of(node.part(2))
    initial = made.checker.wanted(node.part(3), {}, t)
    visibility = shown.text if shown is not None else "public"
    if shown is not None and visibility not in ("public", "private", "hidden"):
        expected = "public, private or hidden"
        made.report.add("bad-setting", shown.span, key=word.text, expected=expected)
    clause = made.symbols.clause("state", f"state {word.text}", "", node)
    made.rules.states[word.text] = State(word.text, of, t, initial, visibility, clause)


def _score(made: _Pass, node: Node) -> None:
    name = node.part(0).text
    if name in made.rules.tables or name not in made.symbols.signatures:
        return
    params = made.symbols.signatures[name][1]
    owner = f"score {name}"
    clause = made.symbols.clause("score", owner, "", node)
    reads = _wording(made, node.parts[2], params)
    lines = score_lines(made.checker, content(node, 3), param_scope(params), owner)
    made.rules.tables[name] = Table(name, params, lines, clause, reads)


def _wording(made: _Pass, reads: Node | None, params: Params) -> tuple[str, ...]:
    """How an event or table is said: its slots are its own values, by name alone."""
    known = [name for name, _ in params]
    texts = reads.words("STRING") if reads is not None else []
    for text in texts:
        for slot in re.findall(r"\{([^{}]*)\}", plain(text)):
            if slot not in known:
                names = ", ".join(known) or "none"
                made.report.add("unknown-slot", text.span, slot=slot, known=names, fix=_SLOTS)
    return tuple(plain(text) for text in texts)


# ------------------------------------------------------------------------ events
def _event(made: _Pass, node: Node) -> None:
    name = node.part(0).text
    params = made.own_params(node)
    if params is None or name in made.rules.events:
        return
    owner = f"event {name}"
    clause = made.symbols.clause("event", owner, "", node)
    context = BodyContext(made.checker, owner, may_decide=False)
    steps = compile_body(context, content(node, 3), param_scope(params))
    reads = _wording(made, node.parts[2], params)
    made.rules.events[name] = Event(name, params, (), steps, clause, reads)


def _rules(made: _Pass, node: Node) -> None:
    word = node.part(0)
    scope = _event_scope(made, word, node.part(1))
    if scope is None:
        return
    guard = made.checker.optional_conds(node.parts[2], scope)
    made.symbols.check_node_citations(node)
    checker, owner = made.checker.judging(word.text), f"rules of {word.text}"
    added = requirements(checker, content(node, 3), scope, owner, guard, node.cites)
    event = made.rules.events[word.text]
    for rule in added:
        _check_label(made, rule, event, owner)
    made.rules.events[word.text] = replace(event, rules=(*event.rules, *added))


def _check_label(made: _Pass, rule: Rule, event: Event, owner: str) -> None:
    """Report a requirement whose label another of the event already has."""
    same = (other for other in event.rules if other.label == rule.label and not rule.slot)
    other = next(same, None)
    if other is not None:
        clauses = made.rules.clauses
        first = clauses[other.clause].span.line
        where = clauses[rule.clause].span
        made.report.add("two-clauses", where, label=rule.label, owner=owner, first=first)


def _event_scope(made: _Pass, word: Node, given: Node) -> Scope | None:
    """The names that `rules of build(p, b, at)` gives to the parameters of the event."""
    params = made.checker.signature(word.text, "event")
    if params is None:
        events = [n for n, (kind, _) in made.symbols.signatures.items() if kind == "event"]
        fix = "Events are: " + ", ".join(events) if events else None
        made.report.add("not-an-event", word.span, name=word.text, fix=fix)
        return None
    called = [part.text for part in content(given)]
    if len(called) != len(params):
        made.checker.argument_count(word, len(called), params)
    return {alias: core.Var(name, type=t) for alias, (name, t) in zip(called, params, strict=False)}


def _reaction(made: _Pass, node: Node) -> None:
    found = compile_reaction(made.checker, node, {}, "reaction")
    if found is not None:
        made.rules.reactions.append(found)


# ------------------------------------------------------------------------ play
def _action(made: _Pass, node: Node) -> None:
    name = node.part(0).text
    params = made.own_params(node)
    if params is None or name in made.rules.procedures:
        return
    scope = param_scope(params)
    if len(params) != 1 or params[0][1] != PLAYER:
        made.report.add("action-head", node.part(1).span, name=name)
    title = plain(node.part(2)) if node.parts[2] is not None else name.replace("_", " ")
    if node.parts[3] is not None:
        _check_menu(made, node.part(3).words("STRING")[0])
    guard = made.checker.optional_conds(node.parts[4], scope)
    clause = made.symbols.clause("action", f"action {name}", "", node)
    context = BodyContext(made.checker, f"action {name}", may_open=True)
    steps = compile_body(context, content(node, 5), scope)
    made.rules.procedures[name] = Procedure(name, params, title, guard, steps, clause, True)


def _check_menu(made: _Pass, label: Node) -> None:
    """Report a menu to which an action is added and which is open nowhere."""
    if plain(label) in made.open_menus:
        return
    known = ", ".join(f'"{other}"' for other in sorted(made.open_menus))
    fix = f"It is open at {known}." if known else None
    made.report.add("no-such-slot", label.span, slot=plain(label), owner="take one of", fix=fix)


def _procedure(made: _Pass, node: Node) -> None:
    name = node.part(0).text
    params = made.own_params(node)
    if params is None or name in made.rules.procedures:
        return
    gives = made.symbols.results.get(name)
    owner, title = f"procedure {name}", name.replace("_", " ")
    clause = made.symbols.clause("procedure", owner, "", node)
    context = BodyContext(made.checker, owner, gives or UNKNOWN, may_open=True)
    steps = compile_body(context, content(node, 3), param_scope(params))
    made.rules.procedures[name] = Procedure(name, params, title, None, steps, clause, False, gives)


def _flow(made: _Pass, node: Node) -> None:
    if made.rules.flow:
        what = "the flow of the game"
        made.report.add("name-taken", node.span, name="flow", what=what, where="")
        return
    made.rules.flow_clause = made.symbols.clause("flow", "flow", "", node)
    made.rules.flow = compile_body(BodyContext(made.checker, "flow"), content(node), {})


def _latch(made: _Pass, node: Node) -> None:
    name = node.part(0).text
    owner = f"once {name}"
    clause = made.symbols.clause("latch", owner, "", node)
    cond = made.checker.conds(node.part(1), {})
    steps = compile_body(BodyContext(made.checker, owner), content(node, 2), {})
    made.rules.latches.append(Latch(name, cond, steps, clause))


# ------------------------------------------------------------------------ the end
def _end(made: _Pass, node: Node) -> None:
    words = node.words()
    name, unit = words[0].text, words[1].text if len(words) > 1 else None
    clause = made.symbols.clause("end", f"end {name}", "", node)
    cond = made.checker.conds(node.first("conds"), {})
    made.rules.endings.append(Ending(name, unit, cond, clause))


def _rank(made: _Pass, node: Node) -> None:
    scope: Scope = {"player": core.Var("player", type=PLAYER)}
    made.symbols.clause("rank", "rank", "", node)
    for line in node.words("rankline"):
        word = line.part(0)
        if word.text not in ("highest", "lowest", "only"):
            expected = '"highest", "lowest" or "only"'
            made.report.add("unexpected-word", word.span, word=word.text, expected=expected)
        only = word.text == "only"
        cond = made.checker.optional_conds(line.parts[2], scope)
        key = made.checker.wanted(line.part(1), scope, TRUTH if only else NUMBER)
        clause = made.symbols.clause("rankline", "rank", "line", line)
        lines = made.rules.hurdles if only else made.rules.ranks
        lines.append(RankLine(word.text != "lowest", key, cond, clause))


# ------------------------------------------------------------------------ the rest
def _invariant(made: _Pass, node: Node) -> None:
    compile_invariant(made.checker, node)


def _pattern(made: _Pass, node: Node) -> None:
    made.patterns.append(compile_pattern(made.checker, node))


def _variant(made: _Pass, node: Node) -> None:
    word, over = node.part(0), node.words()[1:]
    made.rules.variants[word.text] = Variant(
        word.text, plain(node.part(1)), node.cites, node.span, tuple(other.text for other in over)
    )
    declared = made.symbols.declared.items()
    known = [name for name, (what, _) in declared if what == "a variant" and name != word.text]
    for other in over:
        if other.text not in known:
            made.report.add(
                "unknown-variant",
                other.span,
                name=other.text,
                known=", ".join(known) or "none",
                fix=did_you_mean(other.text, known),
            )
    made.symbols.clause("variant", f"variant {word.text}", "", node)


def _ruling(made: _Pass, node: Node) -> None:
    reason = " ".join(bar.part(0).text.strip() for bar in node.words("bar"))
    settled = node.first("settled")
    by = tuple(plain(text) for text in settled.words("STRING")) if settled else ()
    made.symbols.check_node_citations(node)
    made.rules.rulings.append(Ruling(plain(node.part(0)), node.cites, reason, by, node.span))


# kind of declaration -> how its body is compiled, each after those it needs
BODIES: Mapping[str, Callable[[_Pass, Node], None]] = MappingProxyType(
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
