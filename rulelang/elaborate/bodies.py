"""The bodies of declarations: definitions, tables, events, procedures and the rest, each compiled when its time comes."""

from __future__ import annotations

import re

from rulelang import core
from rulelang.core.types import NUMBER, PLAYER, TRUTH, UNKNOWN, PhraseT, Type, fits
from rulelang.diagnostics import nearest
from rulelang.diagnostics.source import MAX_TREE
from rulelang.elaborate.clauses import cases, content, defined_value, requirements, score_lines
from rulelang.elaborate.expressions import type_checker
from rulelang.elaborate.invariants import Invariants
from rulelang.elaborate.patterns import Extensions
from rulelang.elaborate.statements import Statements
from rulelang.elaborate.symbols import SymbolTable
from rulelang.elaborate.type_checker import TRUE, Scope
from rulelang.ruleset import (
    Case,
    Definition,
    Ending,
    Event,
    Latch,
    Params,
    Procedure,
    RankLine,
    Ruling,
    State,
    Table,
    Variant,
)
from rulelang.syntax.nodes import Node, plain

_SLOTS = "A slot names one of its own values, as in {p}; what is more is said by a definition that reads."
_MOST_CHAINED = 40  # definitions that need definitions that need …


class Bodies:
    """Compiles what declarations say into the ruleset."""

    def __init__(self, names: SymbolTable) -> None:
        """Everything is found, named and entered in `names`."""
        self.names, self.report, self.rules = names, names.report, names.rules
        self.chain: list[
            int
        ] = []  # the definitions being compiled, one inside the other: how high is what each needs so far
        self.heights: dict[str, int] = {}
        self.open_menus: set[str] = set()
        self.exprs = type_checker(names, self.define)
        self.stmts = Statements(names, self.exprs)
        self.invariants = Invariants(names, self.exprs)
        self.extensions = Extensions(names, self.exprs, self.stmts)

    def run(self, nodes: list[Node]) -> None:
        """Compile all declarations, each kind after those it needs."""
        for node in nodes:
            if node.kind == "procedure" and node.parts[2] is not None:
                self.names.results[node.part(0).text] = self.names.type_of(node.part(2))
        bodies = (node for node in nodes if node.kind in ("flow", "procedure", "action"))
        self.open_menus = {
            plain(part.part(0))
            for node in bodies
            for part in node.walk()
            if part.kind == "open_menu"
        }
        for node in nodes:
            if node.kind == "state":
                self._state(node)
        for name in list(self.names.heads):
            self.define(name)
        order = [
            "score",
            "event",
            "rules",
            "action",
            "procedure",
            "flow",
            "invariant",
            "reaction",
            "latch",
            "end",
            "rank",
            "pattern",
            "variant",
            "ruling",
        ]
        for kind in order:
            for node in nodes:
                if node.kind == kind:
                    try:
                        getattr(self, f"_{kind}")(node)
                    except RecursionError:
                        self.report.add("too-deep", node.span, limit=str(MAX_TREE))
        for node in nodes:
            if node.kind in ("define_at", "score_at", "rules_at", "procedure_at"):
                self.report.add("extension-alone", node.span)

    def scope_of(self, params: Params) -> Scope:
        return {
            name: core.Slot(name, (), type=t.of)
            if isinstance(t, PhraseT)
            else core.Var(name, type=t)
            for name, t in params
        }

    def define(self, name: str) -> Type:
        """The type of a definition; compiles it when first asked for, and reports a circle."""
        head = self.names.heads[name]
        if head.done:
            if self.chain:
                self.chain[-1] = max(self.chain[-1], self.heights[name])
            return head.type or UNKNOWN
        if head.busy:
            circle = [n for n, h in self.names.heads.items() if h.busy and not h.done]
            circle = circle[circle.index(name) :] if name in circle else circle
            self.report.add(
                "circular",
                head.node.part(0).span,
                name=name,
                circle=" needs ".join([*circle, name]),
            )
            return head.type or UNKNOWN
        self.chain.append(0)
        if len(self.chain) > _MOST_CHAINED:
            self.chain.pop()
            self.report.add(
                "too-deep",
                head.node.part(0).span,
                limit=str(_MOST_CHAINED),
                fix="Define what it needs above it.",
            )
            return head.type or UNKNOWN
        head.busy = True
        node, scope = head.node, self.scope_of(head.params)
        template = any(isinstance(t, PhraseT) for _, t in head.params)
        if template:
            scope = {
                n: core.Slot(n, (), type=t.of if isinstance(t, PhraseT) else t)
                for n, t in head.params
            }
        owner = f"define {name}"
        clause = self.names.clause("define", owner, "", node)
        if node.kind == "define_one":
            conds = node.part(4)
            value = defined_value(self.exprs, conds, scope, head.type)
            made: tuple[Case, ...] = (Case(value, None, clause),)
            found = head.type or value.type
        else:
            parts = content(node, 4)
            made = cases(self.exprs, parts, scope, owner, head.type)
            found = head.type or next(
                (c.value.type for c in made if c.value is not None and c.value.type != UNKNOWN),
                UNKNOWN,
            )
        if (
            head.type is None
            and len(found_types := {c.value.type for c in made if c.value is not None}) > 1
        ):
            for c in made:
                if c.value is not None and not fits(c.value.type, found):
                    self.exprs.check(c.value, found, c.value.span)
            del found_types
        head.type, head.done, head.busy = found, True, False
        self.heights[name] = self.chain.pop() + 1
        if self.heights[name] == _MOST_CHAINED:
            self.report.add(
                "too-deep",
                node.part(0).span,
                limit=str(_MOST_CHAINED),
                fix="Put some of the definitions it needs into one.",
            )
        if self.chain:
            self.chain[-1] = max(self.chain[-1], self.heights[name])
        reads = tuple(
            plain(p) for p in (node.parts[3].words("STRING") if node.parts[3] is not None else [])
        )
        if not template:
            self.rules.definitions[name] = Definition(
                name, head.params, found, made, reads, clause, node.span
            )
        else:
            self.extensions.templates[name] = made[0].value or TRUE
        return found

    def _state(self, node: Node) -> None:
        word, owner, shown = node.part(0), node.parts[1], node.parts[4]
        of = self.names.named_type(owner) if owner is not None else None
        t = self.names.type_of(node.part(2))
        initial = self.exprs.wanted(node.part(3), {}, t)
        visibility = shown.text if shown is not None else "public"
        if shown is not None and visibility not in ("public", "private", "hidden"):
            self.report.add(
                "bad-setting", shown.span, key=word.text, expected="public, private or hidden"
            )
        clause = self.names.clause("state", f"state {word.text}", "", node)
        self.rules.states[word.text] = State(word.text, of, t, initial, visibility, clause)

    def _score(self, node: Node) -> None:
        name = node.part(0).text
        if name in self.rules.tables or name not in self.names.signatures:
            return
        params = self.names.signatures[name][1]
        clause = self.names.clause("score", f"score {name}", "", node)
        parts = content(node, 3)
        reads = self._wording(node.parts[2], params)
        lines = score_lines(self.exprs, parts, self.scope_of(params), f"score {name}")
        self.rules.tables[name] = Table(name, params, lines, clause, reads)

    def _event(self, node: Node) -> None:
        name = node.part(0).text
        if name in self.rules.events or self.names.signatures.get(name, ("", ()))[0] != "event":
            return
        params = self.names.signatures[name][1]
        clause = self.names.clause("event", f"event {name}", "", node)
        self.stmts.owner, self.stmts.decisions_allowed = f"event {name}", False
        body = self.stmts.body([p for p in node.parts[3:] if p is not None], self.scope_of(params))
        self.stmts.decisions_allowed = True
        reads = self._wording(node.parts[2], params)
        self.rules.events[name] = Event(name, params, (), body, clause, reads)

    def _wording(self, reads: Node | None, params: Params) -> tuple[str, ...]:
        """How an event or table is said: its slots are its own values, by name alone."""
        known = [name for name, _ in params]
        texts = reads.words("STRING") if reads is not None else []
        for text in texts:
            for match in re.finditer(r"\{([^{}]*)\}", plain(text)):
                if match.group(1) not in known:
                    self.report.add(
                        "unknown-slot",
                        text.span,
                        slot=match.group(1),
                        known=", ".join(known) or "none",
                        fix=_SLOTS,
                    )
        return tuple(plain(text) for text in texts)

    def _rules(self, node: Node) -> None:
        words = node.words()
        word, given = words[0], node.part(1)
        scope = self.event_scope(word, given)
        if scope is None:
            return
        head = node.parts[2]
        guard = self.exprs.conds(head, scope) if head is not None else None
        self.names.check_node_citations(node)
        made = requirements(
            self.exprs.judging(word.text),
            content(node, 3),
            scope,
            f"rules of {word.text}",
            guard,
            node.cites,
        )
        old = self.rules.events[word.text]
        for rule in made:
            clash = next((r for r in old.rules if r.label == rule.label and not rule.slot), None)
            if clash is not None:
                where = self.rules.clauses[rule.clause].span
                self.report.add(
                    "two-clauses",
                    where,
                    label=rule.label,
                    owner=f"rules of {word.text}",
                    first=self.rules.clauses[clash.clause].span.line,
                )
        self.rules.events[word.text] = Event(
            old.name, old.params, (*old.rules, *made), old.body, old.clause, old.reads
        )

    def event_scope(self, word: Node, given: Node | None) -> Scope | None:
        """The names a head like `build(p, b, at)` gives to an event's parameters, as core variables of those parameters."""
        known = self.names.signatures.get(word.text)
        if known is None or known[0] != "event":
            events = [n for n, (k, _) in self.names.signatures.items() if k == "event"]
            self.report.add(
                "not-an-event",
                word.span,
                name=word.text,
                fix="Events are: " + ", ".join(events) if events else None,
            )
            return None
        called = (
            [p.text for p in given.parts if p is not None]
            if given is not None
            else [n for n, _ in known[1]]
        )
        if len(called) != len(known[1]):
            self.exprs.argument_count(word, len(called), known[1])
        return {
            alias: core.Var(name, type=t)
            for alias, (name, t) in zip(called, known[1], strict=False)
        }

    def _invariant(self, node: Node) -> None:
        self.invariants.invariant(node)

    def _action(self, node: Node) -> None:
        name = node.part(0).text
        if (
            name in self.rules.procedures
            or self.names.signatures.get(name, ("", ()))[0] != "action"
        ):
            return
        params = self.names.signatures[name][1]
        scope = self.scope_of(params)
        if len(params) != 1 or params[0][1] != PLAYER:
            self.report.add("action-head", node.part(1).span, name=name)
        title = plain(node.part(2)) if node.parts[2] is not None else name.replace("_", " ")
        if node.parts[3] is not None:
            self._menu(node.part(3).words("STRING")[0])
        guard = self.exprs.conds(node.parts[4], scope) if node.parts[4] is not None else None
        clause = self.names.clause("action", f"action {name}", "", node)
        self.stmts.owner, self.stmts.may_open = f"action {name}", True
        body = self.stmts.body([p for p in node.parts[5:] if p is not None], scope)
        self.stmts.may_open = False
        self.rules.procedures[name] = Procedure(name, params, title, guard, body, clause, True)

    def _menu(self, label: Node) -> None:
        """An action that is added to a menu needs a menu that is open there."""
        if plain(label) not in self.open_menus:
            fix = (
                "It is open at "
                + ", ".join(f'"{known}"' for known in sorted(self.open_menus))
                + "."
                if self.open_menus
                else None
            )
            self.report.add(
                "no-such-slot", label.span, slot=plain(label), owner="take one of", fix=fix
            )

    def _procedure(self, node: Node) -> None:
        name = node.part(0).text
        if (
            name in self.rules.procedures
            or self.names.signatures.get(name, ("", ()))[0] != "procedure"
        ):
            return
        params = self.names.signatures[name][1]
        gives = self.names.results.get(name)
        clause = self.names.clause("procedure", f"procedure {name}", "", node)
        self.stmts.owner, self.stmts.result, self.stmts.may_open = f"procedure {name}", gives, True
        body = self.stmts.body([p for p in node.parts[3:] if p is not None], self.scope_of(params))
        self.stmts.may_open = False
        self.rules.procedures[name] = Procedure(
            name, params, name.replace("_", " "), None, body, clause, False, gives
        )

    def _flow(self, node: Node) -> None:
        if self.rules.flow:
            self.report.add(
                "name-taken", node.span, name="flow", what="the flow of the game", where=""
            )
            return
        self.rules.flow_clause = self.names.clause("flow", "flow", "", node)
        self.stmts.owner = "flow"
        self.rules.flow = self.stmts.body([p for p in node.parts if p is not None], {})

    def _reaction(self, node: Node) -> None:
        made = self.extensions.reaction(node, {}, "reaction")
        if made is not None:
            self.rules.reactions.append(made)

    def _latch(self, node: Node) -> None:
        name = node.part(0).text
        clause = self.names.clause("latch", f"once {name}", "", node)
        self.stmts.owner = f"once {name}"
        cond = self.exprs.conds(node.part(1), {})
        self.rules.latches.append(
            Latch(
                name,
                cond,
                self.stmts.body([p for p in node.parts[2:] if p is not None], {}),
                clause,
            )
        )

    def _end(self, node: Node) -> None:
        words = node.words()
        unit = words[1].text if len(words) > 1 else None
        conds = next(p for p in node.parts if p is not None and p.kind == "conds")
        clause = self.names.clause("end", f"end {words[0].text}", "", node)
        self.rules.endings.append(Ending(words[0].text, unit, self.exprs.conds(conds, {}), clause))

    def _rank(self, node: Node) -> None:
        scope: Scope = {"player": core.Var("player", type=PLAYER)}
        self.names.clause("rank", "rank", "", node)
        for line in node.words("rankline"):
            word = line.part(0)
            if word.text not in ("highest", "lowest", "only"):
                self.report.add(
                    "unexpected-word",
                    word.span,
                    word=word.text,
                    expected='"highest", "lowest" or "only"',
                )
            cond = self.exprs.conds(line.parts[2], scope) if line.parts[2] is not None else None
            key = self.exprs.wanted(line.part(1), scope, TRUTH if word.text == "only" else NUMBER)
            made = RankLine(
                word.text != "lowest",
                key,
                cond,
                self.names.clause("rankline", "rank", "line", line),
            )
            (self.rules.hurdles if word.text == "only" else self.rules.ranks).append(made)

    def _pattern(self, node: Node) -> None:
        self.extensions.pattern(node)

    def _variant(self, node: Node) -> None:
        name = node.part(0).text
        over = [word for word in node.words() if word is not node.part(0)]
        self.rules.variants[name] = Variant(
            name, plain(node.part(1)), node.cites, node.span, tuple(word.text for word in over)
        )
        known = [
            other
            for other, (what, _) in self.names.declared.items()
            if what == "a variant" and other != name
        ]
        for word in over:
            if word.text not in known:
                near = nearest(word.text, known, 1)
                fix = f"Did you mean `{near[0]}`?" if near else None
                self.report.add(
                    "unknown-variant",
                    word.span,
                    name=word.text,
                    known=", ".join(known) or "none",
                    fix=fix,
                )
        self.names.clause("variant", f"variant {name}", "", node)

    def _ruling(self, node: Node) -> None:
        reason = " ".join(bar.part(0).text.strip() for bar in node.words("bar"))
        settled = node.first("settled")
        by = tuple(plain(p) for p in settled.words("STRING")) if settled else ()
        self.names.check_node_citations(node)
        self.rules.rulings.append(Ruling(plain(node.part(0)), node.cites, reason, by, node.span))
