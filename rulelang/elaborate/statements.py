"""Statements of events, procedures and flows become effects and control; names introduced by a line are known to the lines after it."""

from __future__ import annotations

from dataclasses import replace

from rulelang import core
from rulelang.core.types import NUMBER, PLAYER, UNKNOWN, ListT, SetT, Type, non_optional
from rulelang.diagnostics import nearest
from rulelang.elaborate.effects import Verbs
from rulelang.elaborate.type_checker import TRUE, Scope
from rulelang.elaborate.weave import Opening
from rulelang.syntax.nodes import Node, plain


class Statements(Verbs):
    """Turns statement syntax into core statements."""

    def body(self, nodes: list[Node], scope: Scope) -> core.Body:
        """A block of statements, in order."""
        found: list[core.Stmt] = []
        for node in nodes:
            if node.kind == "CITE":
                continue
            made, scope = self.statement(node, scope)
            if made is not None:
                cites = node.cites
                clause = None
                if cites:
                    label = (
                        node.part(0).text
                        if node.kind in ("do", "verb", "let")
                        else node.kind.strip("_")
                    )
                    clause = self.names.clause("step", self.owner, label, node)
                found.append(replace(made, span=node.span, clause=clause))
        return tuple(found)

    def statement(self, node: Node, scope: Scope) -> tuple[core.Stmt | None, Scope]:
        """One statement and the scope after it."""
        made = getattr(self, f"_{node.kind.strip('_')}")(node, scope)
        if isinstance(made, tuple):
            return made
        return made, scope

    def _block(self, node: Node, scope: Scope) -> core.Body:
        return self.body([part for part in node.parts if part is not None], scope)

    # ---------------------------------------------------------------------------------------- naming values
    def _let(self, node: Node, scope: Scope) -> tuple[core.Stmt | None, Scope]:
        word, value = node.part(0), node.part(1)
        if value.kind == "call":
            name = value.part(0).text
            if name == "chance":
                args = value.parts[1]
                domain, item = (
                    self.exprs.collection(args.part(0), scope)
                    if args
                    else (core.SetOf(()), UNKNOWN)
                )
                var, inner = self.exprs.bind(word, item, scope)
                return core.Chance(var, domain), inner
            known = self.names.signatures.get(name)
            if known and known[0] == "procedure":
                args_made = self.exprs.arguments(value.part(0), value.parts[1], known[1], scope)
                var, inner = self.exprs.bind(word, self.names.results.get(name, UNKNOWN), scope)
                return core.Do(name, args_made, var), inner
        made = self.exprs.expr(value, scope)
        var, inner = self.exprs.bind(word, made.type, scope)
        return core.Let(var, made), inner

    def _set_to(self, node: Node, scope: Scope) -> core.Stmt | None:
        target = self.exprs.expr(node.part(0), scope)
        if not isinstance(target, core.Read):
            if target.type != UNKNOWN:
                self.report.add("not-a-state", node.part(0).span)
            return None
        return core.Assign(
            target.state, target.index, self.exprs.wanted(node.part(1), scope, target.type)
        )

    # ---------------------------------------------------------------------------------------- calls and decisions
    def _do(self, node: Node, scope: Scope) -> core.Stmt | None:
        word = node.part(0)
        if word.text == "nothing":
            return core.Let("nothing", TRUE)
        known = self.names.signatures.get(word.text)
        if known is None or known[0] == "score":
            near = nearest(
                word.text, [n for n, (k, _) in self.names.signatures.items() if k != "score"]
            )
            self.report.add(
                "not-an-event",
                word.span,
                name=word.text,
                fix=f"Did you mean `{near[0]}`?" if near else None,
            )
            return None
        if known[0] != "event":
            self._decision(word)
        return core.Do(word.text, self.exprs.arguments(word, node.parts[1], known[1], scope))

    def _decision(self, node: Node) -> None:
        if not self.decisions_allowed:
            self.report.add("decision-in-event", node.span)

    def _open_slot(self, node: Node, scope: Scope) -> core.Stmt | None:
        if not self.may_open:
            self.report.add("open-outside", node.span)
            return None
        return Opening(plain(node.part(0)))

    def by(self, node: Node | None, scope: Scope, where: Node) -> core.Expr:
        """Who decides: as said, or the only player in scope."""
        if node is not None:
            return self.exprs.wanted(node, scope, PLAYER)
        players = [value for value in scope.values() if value.type == PLAYER]
        if len(players) == 1:
            return players[0]
        self.report.add("who-decides", where.span)
        return core.Const(0, type=PLAYER)

    def _choose(self, node: Node, scope: Scope) -> tuple[core.Stmt | None, Scope]:
        self._decision(node)
        howmany, word, domain_node, cond_node, by_node, prompt = node.parts[0:6]
        assert word is not None and domain_node is not None
        domain, item = self.exprs.collection(domain_node, scope)
        by = self.by(by_node, scope, node)
        text = plain(prompt) if prompt is not None else word.text.replace("_", " ")
        # in the filter the name stands for one member; afterwards for what was chosen
        var, inner = self.exprs.bind(word, item, scope)
        cond = self.exprs.conds(cond_node, inner)
        if howmany is None:
            return core.Choose(
                var, "one", None, None, domain, cond, by, text, item=non_optional(item)
            ), inner
        chosen: Type = SetT(non_optional(item))
        low: core.Expr | None
        high: core.Expr | None
        if howmany.kind == "exactly":
            low = high = self.exprs.wanted(howmany.part(0), scope, NUMBER)
        elif howmany.kind == "at_most":
            low, high = (
                core.Const(0, type=NUMBER),
                self.exprs.wanted(howmany.part(1), scope, NUMBER),
            )
        elif howmany.kind == "any_number":
            low, high = core.Const(0, type=NUMBER), None
        else:
            low, high = (
                self.exprs.wanted(howmany.part(0), scope, NUMBER),
                self.exprs.wanted(howmany.part(1), scope, NUMBER),
            )
        after = {**scope, word.text: core.Var(var, type=chosen)}
        return core.Choose(
            var, "some", low, high, domain, cond, by, text, item=non_optional(item)
        ), after

    def _choose_order(self, node: Node, scope: Scope) -> tuple[core.Stmt | None, Scope]:
        self._decision(node)
        word = node.part(0)
        domain, item = self.exprs.collection(node.part(1), scope)
        by = self.by(node.parts[2], scope, node)
        prompt = node.first("STRING")
        var, inner = self.exprs.bind(word, ListT(non_optional(item)), scope)
        text = plain(prompt) if prompt is not None else word.text.replace("_", " ")
        return core.Choose(
            var, "order", None, None, domain, TRUE, by, text, item=non_optional(item)
        ), inner

    def _take(self, node: Node, scope: Scope) -> core.Stmt | None:
        self._decision(node)
        tail = [
            part
            for part in node.parts
            if part is not None and part.kind not in ("NAME", "open_menu", "CITE")
        ]
        actions: list[str] = []
        for word in (
            part for part in node.parts if part is not None and part.kind in ("NAME", "open_menu")
        ):
            if word.kind == "open_menu":
                actions += self.names.menus.get(plain(word.part(0)), [])
                continue
            known = self.names.signatures.get(word.text)
            if known is None or known[0] != "action":
                near = nearest(
                    word.text, [n for n, (k, _) in self.names.signatures.items() if k == "action"]
                )
                self.report.add(
                    "not-an-action",
                    word.span,
                    name=word.text,
                    fix=f"Did you mean `{near[0]}`?" if near else None,
                )
            else:
                actions.append(word.text)
        return core.Take(
            tuple(dict.fromkeys(actions)), self.by(tail[0] if tail else None, scope, node)
        )

    def _may(self, node: Node, scope: Scope) -> core.Stmt:
        self._decision(node)
        inner = [part for part in node.parts if part is not None]
        by = next((p for p in inner[1:] if p.kind not in ("stmts", "CITE")), None)
        return core.May(
            plain(node.part(0)), self.by(by, scope, node), self._block(node.part(-1), scope)
        )

    def _maximize(self, node: Node, scope: Scope) -> core.Stmt:
        self._decision(node)
        most, rare = node.parts[2], node.first("aside")
        bound = self.exprs.wanted(most, scope, NUMBER) if most is not None else None
        aside = tuple(word.text for word in rare.words()) if rare is not None else ()
        for word in rare.words() if rare is not None else ():
            if self.names.signatures.get(word.text, ("", ()))[0] != "action":
                self.report.add("not-an-action", word.span, name=word.text, fix=None)
        return core.Maximize(
            self.exprs.wanted(node.part(0), scope, NUMBER),
            self._block(node.part(-1), scope),
            bound,
            aside,
        )

    # ---------------------------------------------------------------------------------------- control
    def _if(self, node: Node, scope: Scope) -> core.Stmt:
        cond, blocks = (
            node.part(0),
            [part for part in node.parts[1:] if part is not None and part.kind != "CITE"],
        )
        other: core.Body = ()
        for part in reversed(blocks[1:]):
            if part.kind == "else_":
                other = self._block(part.part(-1), scope)
            else:
                other = (
                    core.If(
                        self.exprs.conds(part.part(0), scope),
                        self._block(part.part(-1), scope),
                        other,
                        span=part.span,
                    ),
                )
        return core.If(self.exprs.conds(cond, scope), self._block(blocks[0], scope), other)

    def _for_each(self, node: Node, scope: Scope) -> core.Stmt:
        domain, item = self.exprs.collection(node.part(1), scope)
        var, inner = self.exprs.bind(node.part(0), item, scope)
        cond, order = node.parts[2], node.parts[3]
        if cond is not None:
            domain = core.Filter(var, domain, self.exprs.conds(cond, inner), type=domain.type)
        by = self.exprs.wanted(order, scope, PLAYER) if order is not None else None
        return core.ForEach(var, domain, by, self._block(node.part(-1), inner), non_optional(item))

    def _repeat(self, node: Node, scope: Scope) -> core.Stmt:
        return core.Repeat(None, None, self._block(node.part(-1), scope))

    def _repeat_while(self, node: Node, scope: Scope) -> core.Stmt:
        return core.Repeat(
            self.exprs.conds(node.part(0), scope), None, self._block(node.part(-1), scope)
        )

    def _repeat_times(self, node: Node, scope: Scope) -> core.Stmt:
        return core.Repeat(
            None, self.exprs.wanted(node.part(0), scope, NUMBER), self._block(node.part(-1), scope)
        )

    def _each(self, node: Node, scope: Scope) -> core.Stmt:
        word, schedule = node.part(0), node.part(1)
        start = None
        mode = {"in_turn": "in turn", "at_once": "at once", "sealed": "at once sealed"}[
            schedule.kind
        ]
        if schedule.kind == "in_turn" and schedule.parts[-1] is not None:
            start = self.exprs.wanted(schedule.part(-1), scope, PLAYER)
        var, inner = self.exprs.bind(word, PLAYER, scope)
        body = self._block(node.part(-1), inner)
        if schedule.kind != "at_once" or schedule.parts[-1] is None:
            return core.Each(var, mode, start, body)
        watcher, between = self.exprs.bind(schedule.part(-2), PLAYER, inner)
        return core.Each(
            var, mode, start, body, watcher, self.exprs.conds(schedule.part(-1), between)
        )
