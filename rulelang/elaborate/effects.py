"""Statements that begin with a verb: what is moved, drawn, put, shown, added; what each verb needs is told where it is missing."""

from __future__ import annotations

from rulelang import core
from rulelang.core.types import (
    NUMBER,
    PLAYER,
    UNKNOWN,
    ListT,
    PieceT,
    SetT,
    SiteT,
    Type,
    element,
    fits,
    non_optional,
)
from rulelang.diagnostics import Report, nearest
from rulelang.elaborate.symbols import SymbolTable
from rulelang.elaborate.type_checker import Scope, TypeChecker, type_in_words
from rulelang.syntax.nodes import Node, plain

VERBS = ("move", "draw", "put", "shuffle", "reveal", "add", "subtract", "finish", "give")


class Verbs:
    """Turns verbs into core statements."""

    def __init__(self, names: SymbolTable, exprs: TypeChecker) -> None:
        """Both tables are shared with the other passes; `owner` names the clauses of cited lines."""
        self.names, self.exprs = names, exprs
        self.owner = ""
        self.decisions_allowed = True
        self.may_open = (
            False  # only procedures and actions have a name that cards' statements can be for
        )
        self.result: Type | None = None

    @property
    def report(self) -> Report:
        """Where mistakes are told, as of expressions."""
        return self.names.report

    def _verb(self, node: Node, scope: Scope) -> core.Stmt | None:
        word = node.part(0)
        parts = [part for part in node.parts[1:] if part is not None and part.kind != "CITE"]
        preps = {
            prep.part(0).text: value for prep, value in zip(parts[1::2], parts[2::2], strict=True)
        }
        method = getattr(self, f"_verb_{word.text}", None) if word.text in VERBS else None
        if method is None:
            near = nearest(word.text, [*VERBS, "do", "set", "let", "choose", "take", "repeat"], 1)
            self.report.add(
                "unknown-verb",
                word.span,
                name=word.text,
                fix=f"Did you mean `{near[0]}`?" if near else None,
            )
            return None
        found: core.Stmt | None = method(node, parts[0], preps, scope)
        return found

    def _need(self, node: Node, preps: dict[str, Node], *wanted: str) -> bool:
        if set(preps) == set(wanted):
            return True
        form = " ".join(f"{w} …" for w in wanted)
        self.report.add(
            "bad-verb",
            node.span,
            name=node.part(0).text,
            form=f"{node.part(0).text} … {form}".strip(),
        )
        return False

    def _verb_move(
        self, node: Node, what: Node, preps: dict[str, Node], scope: Scope
    ) -> core.Stmt | None:
        if not self._need(node, preps, "to"):
            return None
        target, bottom = preps["to"], False
        if target.kind == "of_" and target.part(0).text in ("bottom", "top"):
            bottom, target = target.part(0).text == "bottom", target.part(1)
        place = self.place(target, scope)
        if place is None:
            return None
        return core.Move(self.pieces(what, scope, place), place.place, place.index, bottom)

    def pieces(self, node: Node, scope: Scope, place: core.Contents | None = None) -> core.Expr:
        """One piece, or a set or list of pieces, of the sort the place holds."""
        want: Type = UNKNOWN
        if place is not None:
            want = SetT(PieceT(self.names.rules.places[place.place].holds))
        found = self.exprs.expr(node, scope, want)
        if (
            want != UNKNOWN
            and not fits(found.type, want)
            and not fits(found.type, element(want) or UNKNOWN)
        ):
            return self.exprs.check(found, want, node.span)
        return found

    def place(self, node: Node, scope: Scope) -> core.Contents | None:
        """A place that pieces can go to."""
        found = self.exprs.expr(node, scope)
        if isinstance(found, core.Contents):
            return found
        if found.type != UNKNOWN:
            self.report.add("not-a-place", node.span, known=", ".join(self.names.rules.places))
        return None

    def _verb_draw(
        self, node: Node, what: Node, preps: dict[str, Node], scope: Scope
    ) -> core.Stmt | None:
        if not self._need(node, preps, "from", "to"):
            return None
        source, target = self.place(preps["from"], scope), self.place(preps["to"], scope)
        count = self.exprs.wanted(what, scope, NUMBER)
        return core.Draw(count, source, target.place, target.index) if source and target else None

    def _verb_put(
        self, node: Node, what: Node, preps: dict[str, Node], scope: Scope
    ) -> core.Stmt | None:
        if not self._need(node, preps, "at"):
            return None
        sites = self.exprs.expr(preps["at"], scope)
        lay = non_optional(sites.type)  # one lay picked out of several may be none, as any pick
        site = non_optional(element(lay) or lay)
        piece = self.exprs.expr(what, scope)
        if isinstance(site, SiteT):
            boards = self.names.rules.boards
            layers = [layer for layer in boards[site.board].layers if layer.role == site.role]
            t = non_optional(element(piece.type) or piece.type)
            if not isinstance(t, PieceT):
                for layer in layers:
                    if what.kind == "string" and layer.component in self.names.titles.get(
                        plain(what.part(0)), []
                    ):
                        piece = self.exprs.expr(what, scope, PieceT(layer.component))
                        t = PieceT(layer.component)
            if isinstance(t, PieceT):
                fit = [layer for layer in layers if layer.component == t.name]
                if fit:
                    return core.Put(piece, fit[0].name, sites)
                if boards[site.board].grown_from == t.name and isinstance(lay, ListT):
                    return core.Put(piece, "", sites)
                if boards[site.board].grown_from == t.name:
                    fix = f"The board grows from it: put it at the list of its new cells, as in `choose at in spots(x, {site.board})` and `put x at at`."
                    self.report.add(
                        "no-layer",
                        node.span,
                        piece=t.name,
                        site=site.name,
                        role=site.name,
                        board=site.board,
                        fix=fix,
                    )
                    return None
                self.report.add(
                    "no-layer",
                    node.span,
                    piece=t.name,
                    site=site.name,
                    role=site.name,
                    board=site.board,
                )
                return None
        if UNKNOWN not in (piece.type, sites.type) or not isinstance(site, SiteT):
            self.report.add(
                "wrong-type",
                preps["at"].span,
                found=type_in_words(sites.type),
                wanted="a site or sites of a board",
            )
        return None

    def _verb_shuffle(
        self, node: Node, what: Node, preps: dict[str, Node], scope: Scope
    ) -> core.Stmt | None:
        place = self.place(what, scope) if self._need(node, preps) else None
        return core.Shuffle(place.place, place.index) if place else None

    def _verb_reveal(
        self, node: Node, what: Node, preps: dict[str, Node], scope: Scope
    ) -> core.Stmt | None:
        if preps and not self._need(node, preps, "to"):
            return None
        to = self.exprs.wanted(preps["to"], scope, SetT(PLAYER)) if preps else None
        return core.Reveal(self.pieces(what, scope), to)

    def _verb_add(
        self, node: Node, what: Node, preps: dict[str, Node], scope: Scope
    ) -> core.Stmt | None:
        return self._change("+", node, what, preps, "to", scope)

    def _verb_subtract(
        self, node: Node, what: Node, preps: dict[str, Node], scope: Scope
    ) -> core.Stmt | None:
        return self._change("-", node, what, preps, "from", scope)

    def _change(
        self, op: str, node: Node, what: Node, preps: dict[str, Node], prep: str, scope: Scope
    ) -> core.Stmt | None:
        if not self._need(node, preps, prep):
            return None
        target = self.exprs.expr(preps[prep], scope)
        if not isinstance(target, core.Read):
            if target.type != UNKNOWN:
                self.report.add("not-a-state", preps[prep].span)
            return None
        amount = self.exprs.wanted(what, scope, target.type)
        value: core.Expr = (
            core.Arith(op, target, amount, type=NUMBER)
            if target.type == NUMBER
            else core.SetOp(op, target, amount, type=target.type)
        )
        return core.Assign(target.state, target.index, value)

    def _verb_finish(
        self, node: Node, what: Node, preps: dict[str, Node], scope: Scope
    ) -> core.Stmt | None:
        if what.kind != "name":
            self.report.add("bad-verb", node.span, name="finish", form="finish round")
            return None
        return core.Finish(what.part(0).text)

    def _verb_give(
        self, node: Node, what: Node, preps: dict[str, Node], scope: Scope
    ) -> core.Stmt | None:
        return core.Give(self.exprs.wanted(what, scope, self.result or UNKNOWN))
