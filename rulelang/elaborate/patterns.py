"""Patterns: the sentences that card texts may hold, and what each adds to the rules.

A pattern is compiled once into extensions with slots, which each card's own words fill. In it,
`card` is the piece that bears the text and `you` the player it belongs to or who plays it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from rulelang import core
from rulelang.core.types import PLAYER, TRUTH, UNKNOWN, PieceT
from rulelang.diagnostics.source import Span
from rulelang.elaborate.card_language import Pattern
from rulelang.elaborate.clauses import cases, content, requirements, score_lines
from rulelang.elaborate.definitions import slot_scope
from rulelang.elaborate.placeholders import Opening
from rulelang.elaborate.statements import BodyContext, compile_body
from rulelang.elaborate.type_checker import Scope, TypeChecker
from rulelang.english import PROVIDED
from rulelang.ruleset import Extension, Params, Reaction, Ruleset
from rulelang.syntax.nodes import Node, plain

# kind of node -> kind of extension, and what it may extend
EXTENSIONS = {
    "score_at": ("score", ("score",)),
    "rules_at": ("rules", ("event",)),
    "define_at": ("define", ("define",)),
    "procedure_at": ("steps", ("procedure", "action")),
}
LIFETIMES = {"grant_while": "while", "grant_until": "until", "grant_played": "played"}


@dataclass(frozen=True)
class _Grant:
    """What the extensions of one sentence share: who bears it, how long it lasts, its clauses."""

    component: str
    owner: str
    lifetime: str = "while"
    cond: core.Expr | None = None

    def extension(self, target: str, kind: str, slot: str) -> Extension:
        """An extension that adds nothing yet."""
        return Extension(
            target, kind, slot, (), (), (), None, self.lifetime, self.cond, self.component, "", ""
        )


def compile_pattern(checker: TypeChecker, node: Node, told: dict[Span, core.Slot]) -> Pattern:
    """A pattern with its extensions; labels and texts that do not agree with it are reported.

    `told` holds what roles are at each opening, and is filled.
    """
    texts = node.words("STRING")
    text = plain(texts[0])
    slots: Params = tuple(
        (slot.part(0).text, checker.symbols.type_of(slot.part(1))) for slot in node.words("slot")
    )
    component = _bearer(checker, node)
    scope = slot_scope(slots)
    scope["card"] = core.Var("card", type=PieceT(component) if component else UNKNOWN)
    scope["you"] = core.Var("you", type=PLAYER)
    grant = _Grant(component, f'pattern "{text}"')
    made: list[Extension] = []
    for part in content(node):
        if part.kind not in ("STRING", "slot", PROVIDED):
            made += _granted(checker, part, scope, grant)
    _check_texts(checker, texts, slots)
    _check_labels(checker, node, slots)
    clause = checker.symbols.clause("pattern", grant.owner, "", node)
    return Pattern(
        tuple(plain(said) for said in texts),
        slots,
        tuple(replace(extension, pattern=clause) for extension in made),
        node.cites,
        node.part(0).span,
        component,
        node.text,
        _told(checker, node, scope, made, told),
    )


def _told(
    checker: TypeChecker,
    node: Node,
    scope: Scope,
    made: list[Extension],
    known: dict[Span, core.Slot],
) -> core.Slot | None:
    """What each role is for a condition beside a sentence; None for a pattern of a game's own."""
    part = node.first(PROVIDED)
    targets = {extension.target for extension in made if extension.reaction is None}
    if part is None or len(targets) != 1:
        return None
    if part.span not in known:
        params = _params_of(checker, targets.pop())
        inside = {
            "card": scope["card"],
            "you": scope["you"],
            **{name: core.Var(name, type=t) for name, t in params},
            PROVIDED: core.Slot(PROVIDED, (), type=TRUTH),
        }
        found = checker.wanted(part.part(0), inside, TRUTH)
        if not isinstance(found, core.Slot):
            return None
        known[part.span] = found
    return known[part.span]


def _params_of(checker: TypeChecker, target: str) -> Params:
    head = checker.symbols.heads.get(target)
    return head.params if head is not None else checker.symbols.signatures[target][1]


def _check_texts(checker: TypeChecker, texts: list[Node], slots: Params) -> None:
    """Report each slot that a text of the pattern does not say."""
    for text in texts:
        for name, _ in slots:
            if not re.search(rf"\{{{name}\b", plain(text)):
                checker.report.add("slot-unsaid", text.span, text=plain(text), slot=name)


def _check_labels(checker: TypeChecker, node: Node, slots: Params) -> None:
    """Report each slot in the label of a line that the pattern does not have."""
    known = [name for name, _ in slots]
    for part in node.walk():
        label = part.first("STRING") if part.kind in ("line", "must") else None
        if label is None:
            continue
        for slot in sorted(set(re.findall(r"\{(\w+)\}", plain(label))) - set(known)):
            names = ", ".join(known) or "none"
            checker.report.add("unknown-slot", label.span, slot=slot, known=names)


def _bearer(checker: TypeChecker, node: Node) -> str:
    """The component whose cards a pattern is for: one its targets take, or one with titles."""
    symbols = checker.symbols
    for part in node.walk():
        if part.kind in EXTENSIONS or part.kind == "reaction":
            target = part.words()[0].text
            head = symbols.heads.get(target)
            params = head.params if head else symbols.signatures.get(target, ("", ()))[1]
            for _, t in params:
                if isinstance(t, PieceT):
                    return t.name
    components = symbols.rules.components
    titled = symbols.titles.bearers & components.keys()
    return min(titled) if titled else next(iter(components), "")


# ------------------------------------------------------------------------ extensions
def _granted(checker: TypeChecker, node: Node, scope: Scope, grant: _Grant) -> list[Extension]:
    """The extensions under one lifetime."""
    if node.kind == "reaction":
        return _extension(checker, node, scope, grant)
    lifetime = LIFETIMES[node.kind]
    inner = [part for part in content(node) if part.kind != "AS_PLAYED"]
    cond = None
    if lifetime != "played":
        cond, inner = checker.conds(inner[0], scope), inner[1:]
    grant = replace(grant, lifetime=lifetime, cond=cond)
    return [made for part in inner for made in _extension(checker, part, scope, grant)]


def _extension(checker: TypeChecker, node: Node, scope: Scope, grant: _Grant) -> list[Extension]:
    """One contribution: lines, rules, cases, a reaction or steps; none if it has a mistake."""
    if node.kind == "reaction":
        made = compile_reaction(checker, node, scope, grant.owner)
        if made is None:
            return []
        base = grant.extension(made.event, "reaction", "")
        return [replace(base, reaction=made, clause=made.clause)]
    word, label = node.words()[0], node.first("STRING")
    target, slot = word.text, plain(label) if label is not None else ""
    kind, extended = EXTENSIONS.get(node.kind, ("", ()))
    params = _target_params(checker, target, extended)
    if params is None or label is None:
        checker.report.add("no-such-slot", word.span, slot=slot, owner=target)
        return []
    known = _open_slots(checker.symbols.rules, kind, target)
    if slot not in known:
        labels = ", ".join(f'"{other}"' for other in known)
        fix = f"It is open at {labels}." if known else None
        checker.report.add("no-such-slot", label.span, slot=slot, owner=target, fix=fix)
        return []
    inside = {**scope, **{name: core.Var(name, type=t) for name, t in params}}
    return [_filled(checker, node, inside, grant.owner, grant.extension(target, kind, slot))]


def _target_params(checker: TypeChecker, target: str, extended: tuple[str, ...]) -> Params | None:
    """The parameters of what is extended; None if it cannot be extended so."""
    if extended == ("define",):
        head = checker.symbols.heads.get(target)
        return head.params if head is not None else None
    return checker.signature(target, *extended)


def _filled(
    checker: TypeChecker, node: Node, scope: Scope, owner: str, extension: Extension
) -> Extension:
    """The extension with the lines, rules, statements or cases that stand in the node."""
    parts = [part for part in content(node) if part.kind not in ("AT", "STRING", "NAME")]
    target = extension.target
    if extension.kind == "score":
        return replace(extension, lines=score_lines(checker, parts, scope, owner))
    if extension.kind == "rules":
        rules = requirements(checker.judging(target), parts, scope, owner)
        return replace(extension, rules=rules)
    if extension.kind == "steps":
        return replace(extension, body=compile_body(BodyContext(checker, owner), parts, scope))
    want = checker.symbols.heads[target].type
    return replace(extension, cases=cases(checker, parts, scope, owner, want))


def _open_slots(rules: Ruleset, kind: str, target: str) -> list[str]:
    """The labels at which a table, rule list, definition or procedure is open."""
    if kind == "steps":
        statements = core.walk(rules.procedures[target].body)
        return [part.label for part in statements if isinstance(part, Opening)]
    slots: list[str | None] = []
    if kind == "score":
        lines = rules.tables[target].lines
        slots = [part.slot for part in (*lines, *(p for line in lines for p in line.inner))]
    elif kind == "rules":
        slots = [rule.slot for rule in rules.events[target].rules]
    elif target in rules.definitions:
        slots = [case.slot for case in rules.definitions[target].cases]
    return [slot for slot in slots if slot]


def compile_reaction(checker: TypeChecker, node: Node, scope: Scope, owner: str) -> Reaction | None:
    """What follows an event; None (reported) if it names none."""
    word, given = node.part(0), node.part(1)
    signature = checker.signature(word.text, "event")
    if signature is None:
        checker.report.add("not-an-event", word.span, name=word.text, fix=None)
        return None
    called = [part.text for part in content(given)]
    if len(called) != len(signature):
        checker.argument_count(word, len(called), signature)
    params = tuple((alias, t) for alias, (_, t) in zip(called, signature, strict=False))
    inside = {**scope, **{name: core.Var(name, type=t) for name, t in params}}
    clause = checker.symbols.clause("reaction", owner, f"when {word.text}", node)
    cond = checker.optional_conds(node.parts[2], inside)
    context = BodyContext(checker, owner, may_decide=False)
    return Reaction(
        word.text, params, cond, compile_body(context, content(node, 3), inside), clause
    )
