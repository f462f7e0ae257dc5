"""What a card's text adds to the rules, line by line, in plain English."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.paper import document
from interpreter.paper.steps import SIGNS, Steps
from rulelang import core
from rulelang.core.types import TRUTH, UNKNOWN, PieceT, element
from rulelang.diagnostics.english import spoken
from rulelang.phrases.card_prose import CardProse
from rulelang.phrases.prose import for_many
from rulelang.ruleset import Case, Extension, Line, Params, Rule, Ruleset

_YOU = re.compile(r"\b([Yy]ou) (chooses|does|puts)\b")  # the verbs of steps
_WHEN = {"played": "when it is played", "while": "while {}", "until": "until {}"}


def effect(extension: Extension, rules: Ruleset) -> Iterator[str]:
    """What an extension adds to which table, rules or definition, for how long, line by line."""
    own = extension.lifetime == "played"
    params = _params(extension, rules)
    prose = CardProse(rules, "it" if own else _subject(rules, params, extension.component))
    prose.bind_target(params, extension.component, own)
    when = _WHEN.get(extension.lifetime, extension.lifetime)
    when = when.format(prose.say(extension.cond) if extension.cond is not None else "it lasts")
    if extension.kind == "reaction":
        yield from _reaction(extension, prose)
    elif extension.kind == "steps":
        yield f"{when}, at “{spoken(extension.slot)}” of “{spoken(extension.target)}”:"
        yield from _indented(Steps(rules, prose).body(extension.body))
    else:
        yield f"{when}, {_head(extension)}, at “{extension.slot}”:"
        for line in extension.lines:
            yield from ("  " + text for text in _line(line, prose))
        for rule in extension.rules:
            yield "  " + _rule(rule, prose)
        for case in extension.cases:
            yield "  " + _case(case, prose)


def _params(extension: Extension, rules: Ruleset) -> Params:
    """The values that what it adds to is given."""
    name = extension.target
    match extension.kind:
        case "score":
            return rules.tables[name].params if name in rules.tables else ()
        case "define":
            return rules.definitions[name].params if name in rules.definitions else ()
        case "rules":
            return rules.events[name].params if name in rules.events else ()
        case _ if extension.reaction is not None:
            return extension.reaction.params
        case _:
            return ()


def _subject(rules: Ruleset, params: Params, component: str) -> str:
    """What is judged or placed while a card lasts, as its sentences speak of it."""
    if any(t == PieceT(component) for name, t in params if name != "card"):
        return f"the {rules.components[component].words[0]}"
    return "it"


def _head(extension: Extension) -> str:
    target = spoken(extension.target)
    heads = {"score": f"adds to “{target}”", "rules": f"adds to the rules of “{target}”"}
    return heads.get(extension.kind, f"adds to what “{target}” means")


def _reaction(extension: Extension, prose: CardProse) -> Iterator[str]:
    reaction = extension.reaction
    assert reaction is not None
    cond = f", if {prose.say(reaction.cond)}" if reaction.cond is not None else ""
    yield f"after each “{spoken(extension.target)}”{cond}:"
    yield from _indented(Steps(prose.rules, prose).body(reaction.body))


def _indented(lines: tuple[document.Line, ...], depth: int = 1) -> Iterator[str]:
    for line in lines:
        text = _YOU.sub(lambda found: f"{found[1]} {for_many(found[2])}", line.text)
        yield "  " * depth + text.removesuffix(".")
        yield from _indented(line.inner, depth + 1)


def _line(line: Line, prose: CardProse) -> Iterator[str]:
    if line.op == "one":
        yield "the first of these that holds:"
        for inner in line.inner:
            yield from ("  " + text for text in _line(inner, prose))
        return
    with prose.scope():
        each = ""
        if line.each is not None:
            each = f" for {prose.each('each', line.each[1])}"
            prose.bind(line.each[0], element(line.each[1].type) or UNKNOWN, "that")
        sign = SIGNS.get(line.op, line.op + " {}")
        text = (sign[:1].lower() + sign[1:]).format(prose.say(line.amount)) + each
        cond = _without_nothing(line, prose)
        if cond is not None:
            text += f", if {prose.say(cond)}"
    yield f"{text} (“{line.label}”)"


def _without_nothing(line: Line, prose: CardProse) -> core.Expr | None:
    """The condition of a line, but for what always holds, and for that what is added or taken off
    is not nothing."""
    if line.cond is None:
        return None
    parts = line.cond.of if isinstance(line.cond, core.All) else (line.cond,)
    said = set(map(prose.say, _factors(line.amount))) if line.op in ("+", "-") else set()
    kept = tuple(part for part in parts if not _is_of_something(part, said, prose))
    if not kept:
        return None
    return kept[0] if len(kept) == 1 else core.All(kept, type=TRUTH)


def _factors(amount: core.Expr | None) -> tuple[core.Expr, ...]:
    """An amount, and what it is a product or a sum of."""
    if amount is None:
        return ()
    whole = (amount,)
    return (*whole, amount.left, amount.right) if isinstance(amount, core.Arith) else whole


def _is_of_something(part: core.Expr, said: set[str], prose: CardProse) -> bool:
    """Does a condition always hold, or only ask that one of these amounts is not nothing?"""
    match prose.plain(part):
        case core.Const(value):
            return value is True
        case core.Compare("!=", left, core.Const(0)):
            return prose.say(left) in said
        case _:
            return False


def _rule(rule: Rule, prose: CardProse) -> str:
    always = rule.cond is None or prose.plain(rule.cond) == core.Const(True)
    asked = f" (asked only if {prose.say(rule.cond)})" if rule.cond and not always else ""
    return f"“{rule.label}”: only if {prose.say(rule.need)}{asked}"


def _case(case: Case, prose: CardProse) -> str:
    cond = f" if {prose.say(case.cond)}" if case.cond is not None else ""
    if isinstance(case.value, core.Const) and case.value.value is True:
        return f"it is so{cond or ' always'}"
    return f"{prose.say(case.value)}{cond}"
