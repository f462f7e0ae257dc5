"""The proof that a sentence says no more than the rules say without it."""

from __future__ import annotations

from rulelang import core
from rulelang.core.values import Value
from rulelang.diagnostics import Diagnostic, finding
from rulelang.ruleset import Design, Extension, Ruleset
from rulelang.ruleset.inline import written_out


def restated(rules: Ruleset, design: Design, sentence: int) -> list[Diagnostic]:
    """The finding that what a sentence gives is what there is without it: all it adds are cases of
    definitions about its own card, each the constant that the definition gives next in any case,
    and no other text gives this card another.
    """
    clause = f"{design.clause}/sentence {sentence}"
    own = [e for e in rules.extensions if e.clause == clause]
    given = [_given(rules, e) for e in own]
    if not given or any(value is None for value in given):
        return []
    span = design.text[sentence - 1][1]
    why = f"it gives {given[0]}, as there is without it"
    return [finding("does-nothing", span, why=why)]


def _given(rules: Ruleset, e: Extension) -> Value:
    """The constant that an addition gives, if it is given without it in any case; none if not."""
    if e.kind != "define" or e.lifetime != "played" or len(e.cases) != 1:
        return None
    rivals = (
        o for o in rules.extensions if o is not e and (o.target, o.slot) == (e.target, e.slot)
    )
    if any(o.lifetime != "played" or _same_card(o, e) for o in rivals):
        return None
    value = _constant(rules, e.cases[0].value)
    return value if e.cases[0].cond is None and value == _usual(rules, e) else None


def _same_card(one: Extension, two: Extension) -> bool:
    return (one.component, one.title) == (two.component, two.title)


def _usual(rules: Ruleset, e: Extension) -> Value:
    """The constant that a definition gives in any case after the place where texts enter."""
    cases = rules.definitions[e.target].cases
    at = next((i for i, case in enumerate(cases) if case.slot == e.slot), len(cases))
    after = cases[at + 1] if at + 1 < len(cases) else None
    if after is None or after.slot is not None or after.cond is not None:
        return None
    return _constant(rules, after.value)


def _constant(rules: Ruleset, value: core.Expr | None) -> Value:
    said = None if value is None else written_out(value, rules)
    return said.value if isinstance(said, core.Const) else None
