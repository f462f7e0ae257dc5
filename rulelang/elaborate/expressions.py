"""Expressions: names are resolved and types checked, and syntax becomes core objects; nothing is left to be decided at run time."""

from __future__ import annotations

from dataclasses import replace

from rulelang import core
from rulelang.core.types import (
    DIRECTION,
    NONE,
    NUMBER,
    PLAYER,
    SHAPE,
    TEXT,
    TRUTH,
    UNKNOWN,
    BoardT,
    KindT,
    OptionalT,
    PairT,
    PieceT,
    SetT,
    SiteT,
    Type,
    element,
    fits,
    non_optional,
)
from rulelang.elaborate.arithmetic import Amounts
from rulelang.elaborate.builtins import WORDS
from rulelang.elaborate.type_checker import NO_NODE, Scope, only, said
from rulelang.syntax.nodes import Node, plain


class Expressions(Amounts):
    """Turns expression syntax into core objects; every mistake is reported at its own word and stands in as `unknown`."""

    def _number(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        text = node.part(0).text
        if len(text) > 9:
            self.report.add("number-too-large", node.span, limit="999999999")
            return core.Const(0, type=NUMBER)
        return core.Const(int(text), type=NUMBER)

    def _string(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        word, want = node.part(0), non_optional(want)
        if want == SHAPE:
            return core.Const(plain(word), type=SHAPE)
        if isinstance(want, PieceT):
            return core.Pick(self.titled(word, want), type=OptionalT(want))
        inner = element(want)
        if inner is not None and isinstance(non_optional(inner), PieceT):
            return self.titled(word, non_optional(inner))
        return core.Const(plain(word), type=TEXT)

    def _group_(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self.expr(node.part(0), scope, want)

    def _name(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        word = node.part(0)
        name = word.text
        if name in scope:
            found = scope[name]
            if isinstance(
                found, core.Slot
            ):  # what the wording may speak of is what is in scope where it stands
                seen = (
                    tuple(scope.items())
                    if any(not isinstance(value, core.Slot) for value in scope.values())
                    else ()
                )
                return core.Slot(found.name, (*found.scope, *seen), type=found.type, span=word.span)
            return replace(found, span=word.span)
        r = self.names.rules
        if name == "none":
            return core.Const(None, type=NONE)
        if name in ("true", "false"):
            return core.Const(name == "true", type=TRUTH)
        member = self.kind_member(name, want, word)
        if member is not None:
            return member
        if name in self.names.heads and not self.names.heads[name].params:
            return core.Apply(name, (), type=self.define(name))
        if name in r.states and r.states[name].of is None:
            return core.Read(name, None, type=r.states[name].type)
        if name in r.places and r.places[name].of is None:
            return self.contents(name, None)
        if name in r.boards and not r.boards[name].per_player:
            return core.Builtin("board", (core.Const(name, type=TEXT),), type=BoardT(name))
        if name in r.options:
            return core.Setting(
                name, type=NUMBER if self.names.numeric_option(name) else KindT(name)
            )
        if (
            name in self.names.signatures
            and self.names.signatures[name][0] == "score"
            and not self.names.signatures[name][1]
        ):
            return core.Total(name, (), type=NUMBER)
        if name == "players":
            return core.Builtin("all", (core.Const("player", type=TEXT),), type=SetT(PLAYER))
        if name == "directions":
            return core.Builtin("all", (core.Const("direction", type=TEXT),), type=SetT(DIRECTION))
        if name in _COMPASS:
            return core.Builtin("compass", (core.Const(name, type=TEXT),), type=DIRECTION)
        if len(name) <= 3 and name[0] == "p" and name[1:].isdigit():
            most = r.players[1]
            if int(name[1:]) < 1 or (most is not None and int(name[1:]) > most):
                self.report.add(
                    "unknown-name",
                    word.span,
                    name=name,
                    fix=f"The players are p1 to p{most}." if most else "The first player is p1.",
                )
            return core.Const(int(name[1:]) - 1, type=PLAYER)
        found_set = self.named_set(name, want, word)
        if found_set is not None:
            return found_set
        self.report.add(
            "unknown-name",
            word.span,
            name=name,
            fix=self.names.usage_hint(name) or self.names.suggest(name, scope),
        )
        return core.Const(None, type=UNKNOWN)

    def _call(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        word, args, r = node.part(0), node.parts[1], self.names.rules
        name = word.text
        if name in scope and isinstance(scope[name], core.Slot):
            return self.rebound(scope[name], args, scope)
        if name in ("before", "after"):
            body = (
                self.expr(only(args), scope, want)
                if only(args) is not None
                else core.Const(None, type=UNKNOWN)
            )
            return core.At(name, self.in_event, (), body, type=body.type)
        if name == "chance":
            self.report.add(
                "bad-verb",
                word.span,
                name=name,
                form="let x = chance(S)",
                fix="Name what is drawn in a line before this one, then use the name.",
            )
            return core.Const(None, type=UNKNOWN)
        if name == "groups" and args is not None:
            return self._groups(word, args, scope)
        if name == "reach" and args is not None:
            return self._reach(word, args, scope)
        if name in self.names.heads:
            head = self.names.heads[name]
            return core.Apply(
                name, self.arguments(word, args, head.params, scope), type=self.define(name)
            )
        if name in r.pairs:
            parts = r.pairs[name].parts
            return core.Builtin("pair", self.arguments(word, args, parts, scope), type=PairT(name))
        signature = self.names.signatures.get(name)
        if signature and signature[0] == "score":
            return core.Total(name, self.arguments(word, args, signature[1], scope), type=NUMBER)
        given = [part for part in (args.parts if args else ()) if part is not None]
        if (
            name in WORDS
            and WORDS[name].arity == len(given)
            and not any(g.kind == "named_arg" for g in given)
        ):
            values = tuple(self.expr(g, scope, self._hint(name, i)) for i, g in enumerate(given))
            result = WORDS[name].result(self.names, tuple(v.type for v in values))
            if any(v.type == UNKNOWN for v in values) and result is None:
                return core.Const(None, type=UNKNOWN)
            if result is not None:
                return core.Builtin(name, values, type=result)
            if len(values) != 1:
                self.report.add(
                    "bad-arguments",
                    node.span,
                    name=name,
                    meaning=WORDS[name].meaning,
                    found=", ".join(said(v.type) for v in values),
                )
                return core.Const(None, type=UNKNOWN)
        if len(given) == 1 and given[0].kind != "named_arg":
            holder = r.places.get(name) or r.states.get(name)
            index_type = holder.of if holder is not None and holder.of is not None else UNKNOWN
            return self.feature(word, self.expr(given[0], scope, index_type), scope)
        self.report.add(
            "unknown-call",
            word.span,
            name=name,
            fix=self.names.usage_hint(name) or self.names.suggest(name, WORDS),
        )
        return core.Const(None, type=UNKNOWN)

    def _hint(self, name: str, index: int) -> Type:
        if name in ("footprints",) and index == 0:
            return SHAPE
        if name in ("step", "run", "side_to") and index == 1:
            return DIRECTION
        return UNKNOWN

    def rebound(self, slot: core.Expr, args: Node | None, scope: Scope) -> core.Expr:
        """A wording applied to other things: `w(at: x's cells)`."""
        assert isinstance(slot, core.Slot)
        bound = dict(scope)  # what the wording around it leaves unsaid, it takes from there
        for arg in args.parts if args else ():
            if arg is None or arg.kind != "named_arg":
                meaning = "a wording is told what it is said of by name"
                self.report.add(
                    "bad-arguments",
                    (arg or args or NO_NODE).span,
                    name=slot.name,
                    meaning=meaning,
                    found="",
                )
                continue
            bound[arg.part(0).text] = self.expr(arg.part(1), scope)
        return core.Slot(slot.name, tuple(bound.items()), type=slot.type)

    def _groups(self, word: Node, args: Node, scope: Scope) -> core.Expr:
        given = [part for part in args.parts if part is not None]
        of, item = self.collection(given[0], scope)
        relation = self._relation_name(given[1], item) if len(given) > 1 else None
        if relation is None and not isinstance(non_optional(item), SiteT) and item != UNKNOWN:
            self.report.add(
                "bad-arguments",
                word.span,
                name="groups",
                meaning="sets of cells, or a set and a relation",
                found=said(item),
            )
        return core.Groups(of, relation, type=SetT(SetT(non_optional(item))))

    def _reach(self, word: Node, args: Node, scope: Scope) -> core.Expr:
        given = [part for part in args.parts if part is not None]
        seeds, item = self.collection(given[0], scope)
        within: core.Expr | None = None
        relation: str | None = None
        steps: core.Expr | None = None
        for arg in given[1:]:  # a relation to follow, a set not to leave, a number of steps
            if (
                arg.kind == "name"
                and arg.part(0).text in self.names.heads
                and len(self.names.heads[arg.part(0).text].params) == 2
            ):
                relation = self._relation_name(arg, item)
                continue
            found = self.expr(arg, scope, SetT(item))
            if found.type == NUMBER and item != NUMBER:
                steps = found
            else:
                within = self.check(found, SetT(item), arg.span)
        return core.Reach(seeds, within, relation, steps, type=SetT(non_optional(item)))

    def _relation_name(self, node: Node, item: Type) -> str | None:
        if node.kind == "name":
            name = node.part(0).text
            head = self.names.heads.get(name)
            if head and len(head.params) == 2:
                self.define(name)
                if not (fits(item, head.params[0][1]) and fits(item, head.params[1][1])):
                    self.report.add(
                        "wrong-type",
                        node.span,
                        found=f"a relation of {said(head.params[0][1])}",
                        wanted=f"a relation of {said(item)}",
                    )
                return name
        self.report.add("unknown-relation", node.span, name=node.text or "this", fix=None)
        return None


_COMPASS = ("north", "east", "south", "west", "northeast", "southeast", "southwest", "northwest")
