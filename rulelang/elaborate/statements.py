"""Statements of events, procedures and the flow become effects and control.

`compile_body` elaborates a block; a name that a line introduces is known to the lines after it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from rulelang import core
from rulelang.core.types import NUMBER, PLAYER, UNKNOWN, ListT, SetT, Type, non_optional
from rulelang.diagnostics import did_you_mean
from rulelang.elaborate.calls import values_by_place
from rulelang.elaborate.clauses import content
from rulelang.elaborate.effects import effect, variable
from rulelang.elaborate.placeholders import Attempt, Opening
from rulelang.elaborate.symbols import SymbolTable
from rulelang.elaborate.texts import text_with_values
from rulelang.elaborate.type_checker import TRUE, Scope, TypeChecker
from rulelang.syntax.nodes import Node, plain


@dataclass(frozen=True)
class BodyContext:
    """What the statements of one body need to know of the declaration they stand in.

    `owner` names the clauses of cited lines; `gives` is the type that a procedure gives. Events and
    reactions may not decide; only procedures and actions may be open for the statements of cards.
    """

    checker: TypeChecker
    owner: str
    gives: Type = UNKNOWN
    may_decide: bool = True
    may_open: bool = False

    @property
    def symbols(self) -> SymbolTable:
        """The symbol table."""
        return self.checker.symbols

    def decision(self, node: Node) -> None:
        """Report a decision where none may be made."""
        if not self.may_decide:
            self.checker.report.add("decision-in-event", node.span)


def compile_body(context: BodyContext, nodes: list[Node], scope: Scope) -> core.Body:
    """A block of statements, in order."""
    found: list[core.Stmt] = []
    for node in nodes:
        made, scope = _statement(context, node, scope)
        if made is None:
            continue
        clause = None
        if node.cites:
            named = node.kind in ("do", "verb", "verb_some", "let", "attempt")
            label = node.part(0).text if named else node.kind.strip("_")
            clause = context.symbols.clause("step", context.owner, label, node)
        found.append(replace(made, span=node.span, clause=clause))
    return tuple(found)


def _statement(context: BodyContext, node: Node, scope: Scope) -> tuple[core.Stmt | None, Scope]:
    """One statement (None if it has a mistake, reported) and the scope after it."""
    binder = BINDERS.get(node.kind)
    if binder is not None:
        return binder(context, node, scope)
    return STATEMENTS[node.kind](context, node, scope), scope


def _block(context: BodyContext, node: Node, scope: Scope) -> core.Body:
    return compile_body(context, content(node), scope)


# ------------------------------------------------------------------------ naming values
def _let(context: BodyContext, node: Node, scope: Scope) -> tuple[core.Stmt | None, Scope]:
    word, value = node.part(0), node.part(1)
    if value.kind == "call":
        if value.part(0).text == "chance":
            return _let_chance(context, word, value, scope)
        if context.checker.signature(value.part(0).text, "procedure") is not None:
            return _let_result(context, word, value, scope)
    made = context.checker.expr(value, scope)
    var, inner = context.checker.bind(word, made.type, scope)
    return core.Let(var, made), inner


def _let_chance(
    context: BodyContext, word: Node, call: Node, scope: Scope
) -> tuple[core.Stmt, Scope]:
    """`let x = chance(S)`."""
    checker = context.checker
    given = values_by_place(checker, call.part(0), call.parts[1])
    if given:
        domain, item = checker.collection(given[0], scope)
    else:
        domain, item = core.SetOf(()), UNKNOWN
    var, inner = checker.bind(word, item, scope)
    return core.Chance(var, domain), inner


def _let_result(
    context: BodyContext, word: Node, call: Node, scope: Scope
) -> tuple[core.Stmt, Scope]:
    """`let x = f(…)` for a procedure."""
    checker, name = context.checker, call.part(0).text
    params = context.symbols.signatures[name][1]
    args = checker.arguments(call.part(0), call.parts[1], params, scope)
    var, inner = checker.bind(word, context.symbols.results.get(name, UNKNOWN), scope)
    return core.Do(name, args, var), inner


def _set_to(context: BodyContext, node: Node, scope: Scope) -> core.Stmt | None:
    target = variable(context.checker, node.part(0), scope)
    if target is None:
        return None
    value = context.checker.wanted(node.part(1), scope, target.type)
    return core.Assign(target.state, target.index, value)


# ------------------------------------------------------------------------ calls
def _do(context: BodyContext, node: Node, scope: Scope) -> core.Stmt | None:
    word = node.part(0)
    if word.text == "nothing":
        return core.Let("nothing", TRUE)
    signatures, checker = context.symbols.signatures, context.checker
    params = checker.signature(word.text, "event", "action", "procedure")
    if params is None:
        known = [name for name, (kind, _) in signatures.items() if kind != "score"]
        fix = did_you_mean(word.text, known)
        checker.report.add("not-an-event", word.span, name=word.text, fix=fix)
        return None
    if signatures[word.text][0] != "event":
        context.decision(word)
    return core.Do(word.text, checker.arguments(word, node.parts[1], params, scope))


def _attempt(context: BodyContext, node: Node, scope: Scope) -> core.Stmt | None:
    """`attempt EVENT(…)`: an event, and under `otherwise` what follows where it is refused."""
    context.decision(node)
    word, args, by = node.part(0), node.parts[1], node.parts[2]
    checker = context.checker
    params = checker.signature(word.text, "event")
    refused = _block(context, node.part(-1).part(-1), scope)
    if params is None:
        known = [name for name, (kind, _) in context.symbols.signatures.items() if kind == "event"]
        fix = did_you_mean(word.text, known)
        checker.report.add("not-attempted", word.span, name=word.text, fix=fix)
        return None
    player = _decider(context, by, scope, node)
    return Attempt(word.text, checker.arguments(word, args, params, scope), player, refused)


def _verb(context: BodyContext, node: Node, scope: Scope) -> core.Stmt | None:
    return effect(context.checker, node, scope, context.gives)


def _open_slot(context: BodyContext, node: Node, scope: Scope) -> core.Stmt | None:
    if not context.may_open:
        context.checker.report.add("open-outside", node.span)
        return None
    return Opening(plain(node.part(0)))


# ------------------------------------------------------------------------ decisions
def _decider(context: BodyContext, node: Node | None, scope: Scope, where: Node) -> core.Expr:
    """Who decides: the player said, or the only one in scope; reported if it is neither."""
    if node is not None:
        return context.checker.wanted(node, scope, PLAYER)
    players = [value for value in scope.values() if value.type == PLAYER]
    if len(players) == 1:
        return players[0]
    context.checker.report.add("who-decides", where.span)
    return core.Const(0, type=PLAYER)


def _prompt(word: Node, text: Node | None) -> str:
    return plain(text) if text is not None else word.text.replace("_", " ")


def _asks(context: BodyContext, text: Node | None, scope: Scope) -> tuple[core.Said, ...]:
    """The parts of a prompt, if values stand in it; they are read before anything is chosen."""
    if text is None or not {"{", "}"} & set(plain(text)):
        return ()
    return text_with_values(context.checker, text, scope)


def _choose(context: BodyContext, node: Node, scope: Scope) -> tuple[core.Stmt, Scope]:
    """`choose …`: in the filter the name is one member, afterwards it is what was chosen."""
    context.decision(node)
    checker = context.checker
    how_many, word, where, by = node.parts[0], node.part(1), node.parts[3], node.parts[4]
    domain, item = checker.collection(node.part(2), scope)
    player = _decider(context, by, scope, node)
    text, item_type = _prompt(word, node.parts[5]), non_optional(item)
    asks = _asks(context, node.parts[5], scope)
    var, inner = checker.bind(word, item, scope)
    cond = checker.conds(where, inner)
    if how_many is None:
        one = core.Choose(var, "one", None, None, domain, cond, player, text, item_type, asks)
        return one, inner
    low, high = _bounds(checker, how_many, scope)
    some = core.Choose(var, "some", low, high, domain, cond, player, text, item_type, asks)
    return some, {**scope, word.text: core.Var(var, type=SetT(item_type))}


def _bounds(
    checker: TypeChecker, how_many: Node, scope: Scope
) -> tuple[core.Expr, core.Expr | None]:
    """The least and the most that may be chosen; no most if any number may."""
    zero = core.Const(0, type=NUMBER)
    if how_many.kind == "any_number":
        return zero, None
    if how_many.kind == "exactly":
        exact = checker.wanted(how_many.part(0), scope, NUMBER)
        return exact, exact
    if how_many.kind == "at_most":
        return zero, checker.wanted(how_many.part(1), scope, NUMBER)
    low = checker.wanted(how_many.part(0), scope, NUMBER)
    return low, checker.wanted(how_many.part(1), scope, NUMBER)


def _choose_order(context: BodyContext, node: Node, scope: Scope) -> tuple[core.Stmt, Scope]:
    context.decision(node)
    word = node.part(0)
    domain, item = context.checker.collection(node.part(1), scope)
    player = _decider(context, node.parts[2], scope, node)
    item = non_optional(item)
    var, inner = context.checker.bind(word, ListT(item), scope)
    text, asks = _prompt(word, node.first("STRING")), _asks(context, node.first("STRING"), scope)
    return core.Choose(var, "order", None, None, domain, TRUE, player, text, item, asks), inner


def _take(context: BodyContext, node: Node, scope: Scope) -> core.Stmt:
    context.decision(node)
    actions: list[str] = []
    for word in content(node):
        if word.kind == "open_menu":
            actions += context.symbols.menus.get(plain(word.part(0)), [])
        elif word.kind == "NAME" and _is_action(context, word, suggest=True):
            actions.append(word.text)
    by = next((part for part in content(node) if part.kind not in ("NAME", "open_menu")), None)
    return core.Take(tuple(dict.fromkeys(actions)), _decider(context, by, scope, node))


def _is_action(context: BodyContext, word: Node, suggest: bool) -> bool:
    """Whether the word names an action; anything else is reported."""
    if context.checker.signature(word.text, "action") is not None:
        return True
    signatures = context.symbols.signatures
    known = [name for name, (kind, _) in signatures.items() if kind == "action"]
    fix = did_you_mean(word.text, known) if suggest else None
    context.checker.report.add("not-an-action", word.span, name=word.text, fix=fix)
    return False


def _may(context: BodyContext, node: Node, scope: Scope) -> core.Stmt:
    context.decision(node)
    by = next((part for part in content(node)[1:] if part.kind != "stmts"), None)
    player = _decider(context, by, scope, node)
    body, asks = _block(context, node.part(-1), scope), _asks(context, node.part(0), scope)
    return core.May(plain(node.part(0)), player, body, asks)


def _maximize(context: BodyContext, node: Node, scope: Scope) -> core.Stmt:
    context.decision(node)
    most, rare = node.parts[2], node.first("aside")
    bound = context.checker.wanted(most, scope, NUMBER) if most is not None else None
    aside = rare.words() if rare is not None else []
    for word in aside:
        _is_action(context, word, suggest=False)
    goal = context.checker.wanted(node.part(0), scope, NUMBER)
    inner = _block(context, node.part(-1), scope)
    return core.Maximize(goal, inner, bound, tuple(word.text for word in aside))


# ------------------------------------------------------------------------ control
def _if(context: BodyContext, node: Node, scope: Scope) -> core.Stmt:
    checker = context.checker
    first, *rest = content(node, 1)
    other: core.Body = ()
    for part in reversed(rest):
        if part.kind == "else_":
            other = _block(context, part.part(-1), scope)
        else:
            cond = checker.conds(part.part(0), scope)
            inner = _block(context, part.part(-1), scope)
            other = (core.If(cond, inner, other, span=part.span),)
    return core.If(checker.conds(node.part(0), scope), _block(context, first, scope), other)


def _for_each(context: BodyContext, node: Node, scope: Scope) -> core.Stmt:
    checker = context.checker
    domain, item = checker.collection(node.part(1), scope)
    var, inner = checker.bind(node.part(0), item, scope)
    cond, order = node.parts[2], node.parts[3]
    if cond is not None:
        domain = core.Filter(var, domain, checker.conds(cond, inner), type=domain.type)
    by = checker.wanted(order, scope, PLAYER) if order is not None else None
    block = _block(context, node.part(-1), inner)
    return core.ForEach(var, domain, by, block, non_optional(item))


def _repeat(context: BodyContext, node: Node, scope: Scope) -> core.Stmt:
    return core.Repeat(None, None, _block(context, node.part(-1), scope))


def _repeat_while(context: BodyContext, node: Node, scope: Scope) -> core.Stmt:
    cond = context.checker.conds(node.part(0), scope)
    return core.Repeat(cond, None, _block(context, node.part(-1), scope))


def _repeat_times(context: BodyContext, node: Node, scope: Scope) -> core.Stmt:
    times = context.checker.wanted(node.part(0), scope, NUMBER)
    return core.Repeat(None, times, _block(context, node.part(-1), scope))


def _each(context: BodyContext, node: Node, scope: Scope) -> core.Stmt:
    word, schedule, checker = node.part(0), node.part(1), context.checker
    start = None
    if schedule.kind == "in_turn" and schedule.parts[-1] is not None:
        start = checker.wanted(schedule.part(-1), scope, PLAYER)
    var, inner = checker.bind(word, PLAYER, scope)
    block, mode = _block(context, node.part(-1), inner), _MODES[schedule.kind]
    if schedule.kind != "at_once" or schedule.parts[-1] is None:
        return core.Each(var, mode, start, block)
    watcher, between = checker.bind(schedule.part(-2), PLAYER, inner)
    cond = checker.conds(schedule.part(-1), between)
    return core.Each(var, mode, start, block, watcher, cond)


_MODES = {"in_turn": "in turn", "at_once": "at once", "sealed": "at once sealed"}

Binder = Callable[[BodyContext, Node, Scope], tuple[core.Stmt | None, Scope]]
BINDERS: Mapping[str, Binder] = MappingProxyType(
    {"let": _let, "choose": _choose, "choose_order": _choose_order}
)
# every kind of node that the grammar makes of a statement is here or in BINDERS
STATEMENTS: Mapping[str, Callable[[BodyContext, Node, Scope], core.Stmt | None]] = MappingProxyType(
    {
        "set_to": _set_to,
        "do": _do,
        "attempt": _attempt,
        "verb": _verb,
        "verb_some": _verb,
        "open_slot": _open_slot,
        "take": _take,
        "may": _may,
        "maximize": _maximize,
        "if_": _if,
        "for_each": _for_each,
        "repeat": _repeat,
        "repeat_while": _repeat_while,
        "repeat_times": _repeat_times,
        "each": _each,
    }
)
