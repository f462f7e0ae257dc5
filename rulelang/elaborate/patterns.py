"""What a card's sentence adds to the rules: patterns are compiled once into extensions with slots, to be filled by each card's own words."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from rulelang import core
from rulelang.core.types import PLAYER, UNKNOWN, PhraseT, PieceT, Type
from rulelang.diagnostics.source import Span
from rulelang.elaborate import clauses
from rulelang.elaborate.clauses import requirements, score_lines
from rulelang.elaborate.statements import Statements
from rulelang.elaborate.symbols import SymbolTable
from rulelang.elaborate.type_checker import Scope, TypeChecker
from rulelang.elaborate.weave import Opening
from rulelang.ruleset import Case, Extension, Line, Params, Reaction, Rule
from rulelang.syntax.nodes import Node, plain

_KINDS = {"score_at": "score", "rules_at": "rules", "define_at": "define", "procedure_at": "steps"}


@dataclass(frozen=True)
class Pattern:
    """A sentence cards may use: the texts it may have, its slots, and the extensions it makes."""

    texts: tuple[str, ...]
    slots: tuple[tuple[str, Type], ...]
    extensions: tuple[Extension, ...]
    cites: tuple[str, ...]
    span: Span
    component: str


class Extensions:
    """Compiles patterns; `card` is the piece that bears the text, `you` the player it belongs to or who plays it."""

    def __init__(
        self,
        names: SymbolTable,
        exprs: TypeChecker,
        stmts: Statements,
    ) -> None:
        """The line makers are the compiler's own, so that cards and rules are read by the same code."""
        self.names, self.exprs, self.stmts, self.report = names, exprs, stmts, names.report
        self.patterns: list[Pattern] = []
        self.templates: dict[str, core.Expr] = {}

    def pattern(self, node: Node) -> None:
        """Compile one pattern."""
        texts = node.words("STRING")
        text = plain(texts[0])
        slots: list[tuple[str, Type]] = [
            (s.part(0).text, self.names.type_of(s.part(1))) for s in node.words("slot")
        ]
        component = self.bearer(node)
        scope: Scope = {
            name: core.Slot(name, (), type=t.of if isinstance(t, PhraseT) else t)
            for name, t in slots
        }
        scope["card"] = core.Var("card", type=PieceT(component) if component else UNKNOWN)
        scope["you"] = core.Var("you", type=PLAYER)
        made: list[Extension] = []
        for part in node.parts:
            if part is None or part.kind in ("STRING", "slot", "CITE"):
                continue
            made += self.grant(part, scope, component, text)
        known = [name for name, _ in slots]
        for said in texts:
            for silent in (name for name in known if not re.search(rf"\{{{name}\b", plain(said))):
                self.report.add("slot-unsaid", said.span, text=plain(said), slot=silent)
        for (
            part
        ) in node.walk():  # a label may hold slots too: it is then said in the sentence's own words
            label = part.first("STRING") if part.kind in ("line", "must") else None
            for unknown in set(re.findall(r"\{(\w+)\}", plain(label) if label else "")) - set(
                known
            ):
                self.report.add(
                    "unknown-slot",
                    label.span if label else node.span,
                    slot=unknown,
                    known=", ".join(known) or "none",
                )
        clause = self.names.clause("pattern", f'pattern "{text}"', "", node)
        made = [replace(extension, pattern=clause) for extension in made]
        self.patterns.append(
            Pattern(
                tuple(plain(t) for t in texts),
                tuple(slots),
                tuple(made),
                node.cites,
                node.part(0).span,
                component,
            )
        )

    def bearer(self, node: Node) -> str:
        """The component whose cards a pattern is for: the one that has cards, or the one its targets speak of."""
        with_text = {
            of
            for components in self.names.titles.values()
            for of in components
            if of in self.names.rules.components
        }
        for part in node.walk():
            if part.kind in ("score_at", "rules_at", "define_at", "procedure_at", "reaction"):
                target = part.words()[0].text
                head = self.names.heads.get(target)
                params: Params = (
                    head.params if head else self.names.signatures.get(target, ("", ()))[1]
                )
                for _, t in params:
                    if isinstance(t, PieceT):
                        return t.name
        return sorted(with_text)[0] if with_text else next(iter(self.names.rules.components), "")

    def grant(self, node: Node, scope: Scope, component: str, text: str) -> list[Extension]:
        """The extensions under one lifetime."""
        if node.kind == "reaction":
            made = self.reaction(node, scope, f'pattern "{text}"')
            return (
                [
                    Extension(
                        made.event,
                        "reaction",
                        "",
                        (),
                        (),
                        (),
                        made,
                        "while",
                        None,
                        component,
                        "",
                        made.clause,
                    )
                ]
                if made
                else []
            )
        lifetime = {"grant_while": "while", "grant_until": "until", "grant_played": "played"}[
            node.kind
        ]
        inner = [p for p in node.parts if p is not None and p.kind not in ("AS_PLAYED", "CITE")]
        cond = None
        if lifetime != "played":
            cond = self.exprs.conds(inner[0], scope)
            inner = inner[1:]
        found: list[Extension] = []
        for part in inner:
            found += self.extension(part, scope, component, text, lifetime, cond)
        return found

    def extension(
        self,
        node: Node,
        scope: Scope,
        component: str,
        text: str,
        lifetime: str,
        cond: core.Expr | None,
    ) -> list[Extension]:
        """One contribution: lines, rules, cases, a reaction or steps."""
        owner = f'pattern "{text}"'
        if node.kind == "reaction":
            made = self.reaction(node, scope, owner)
            return (
                [
                    Extension(
                        made.event,
                        "reaction",
                        "",
                        (),
                        (),
                        (),
                        made,
                        lifetime,
                        cond,
                        component,
                        "",
                        made.clause,
                    )
                ]
                if made
                else []
            )
        word = node.words()[0]
        target, kind = word.text, _KINDS.get(node.kind, "")
        head = self.names.heads.get(target)
        params = (
            head.params
            if head and kind == "define"
            else self.names.signatures.get(target, ("", ()))[1]
        )
        wanted = {"score": ("score",), "rules": ("event",), "steps": ("procedure", "action")}.get(
            kind
        )
        if (
            not kind
            or (kind == "define" and head is None)
            or (wanted and self.names.signatures.get(target, ("",))[0] not in wanted)
        ):
            self.report.add(
                "no-such-slot",
                node.span,
                slot=plain(node.first("STRING") or word) if node.first("STRING") else "",
                owner=target,
            )
            return []
        slot = plain(node.words("STRING")[0])
        if slot not in self.slots_of(kind, target):
            self.report.add(
                "no-such-slot",
                node.words("STRING")[0].span,
                slot=slot,
                owner=target,
                fix=self._open_slots(kind, target),
            )
            return []
        inside = {**scope, **{name: core.Var(name, type=t) for name, t in params}}
        parts = [
            p
            for p in node.parts
            if p is not None and p.kind not in ("AT", "CITE", "STRING", "NAME")
        ]
        lines: tuple[Line, ...] = ()
        rules: tuple[Rule, ...] = ()
        cases: tuple[Case, ...] = ()
        body: core.Body = ()
        if kind == "score":
            lines = score_lines(self.exprs, parts, inside, owner)
        elif kind == "rules":
            rules = requirements(self.exprs.judging(target), parts, inside, owner)
        elif kind == "steps":
            self.stmts.owner, self.stmts.result = owner, None
            body = self.stmts.body(parts, inside)
        else:
            cases = clauses.cases(self.exprs, parts, inside, owner, head.type if head else None)
        return [
            Extension(
                target,
                kind,
                slot,
                lines,
                rules,
                cases,
                None,
                lifetime,
                cond,
                component,
                "",
                "",
                body=body,
            )
        ]

    def slots_of(self, kind: str, target: str) -> list[str]:
        """The labels at which a table, rule list, definition or procedure is open."""
        r = self.names.rules
        if kind == "score":
            return [line.slot for line in r.tables[target].lines if line.slot] + [
                inner.slot for line in r.tables[target].lines for inner in line.inner if inner.slot
            ]
        if kind == "rules":
            return [rule.slot for rule in r.events[target].rules if rule.slot]
        if kind == "steps":
            return [
                part.label
                for part in core.walk(r.procedures[target].body)
                if isinstance(part, Opening)
            ]
        return (
            [case.slot for case in r.definitions[target].cases if case.slot]
            if target in r.definitions
            else []
        )

    def _open_slots(self, kind: str, target: str) -> str | None:
        known = self.slots_of(kind, target)
        return "It is open at " + ", ".join(f'"{slot}"' for slot in known) + "." if known else None

    def reaction(self, node: Node, scope: Scope, owner: str) -> Reaction | None:
        """What follows an event."""
        word, given = node.part(0), node.part(1)
        known = self.names.signatures.get(word.text)
        if known is None or known[0] != "event":
            self.report.add("not-an-event", word.span, name=word.text, fix=None)
            return None
        called = [p.text for p in given.parts if p is not None]
        params = tuple((alias, t) for alias, (_, t) in zip(called, known[1], strict=False))
        if len(called) != len(known[1]):
            self.exprs.argument_count(word, len(called), known[1])
        inside = {**scope, **{name: core.Var(name, type=t) for name, t in params}}
        clause = self.names.clause("reaction", owner, f"when {word.text}", node)
        cond = self.exprs.conds(node.parts[2], inside) if node.parts[2] is not None else None
        self.stmts.owner, self.stmts.decisions_allowed = owner, False
        body = self.stmts.body([p for p in node.parts[3:] if p is not None], inside)
        self.stmts.decisions_allowed = True
        return Reaction(word.text, params, cond, body, clause)
