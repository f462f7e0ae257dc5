"""Expressions: names are resolved and types checked, and syntax becomes core objects; nothing is left to be decided at run time."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulelang import core
from rulelang.messages import nearest
from rulelang.names import DIRECTION, Names, plural, spoken
from rulelang.source import Span
from rulelang.syntax import Node, plain
from rulelang.types import (
    NONE, NUMBER, PLAYER, SHAPE, TEXT, TRUTH, UNKNOWN, BoardT, KindT, ListT, OptionalT, PairT, PhraseT, PieceT, SetT, SiteT, Type, element, fits,
)  # fmt: skip
from rulelang.vocabulary import WORDS

Scope = dict[str, core.Expr]
YES = core.Const(True, type=TRUTH)


def bare(t: Type) -> Type:
    """The type without `or none`."""
    return t.of if isinstance(t, OptionalT) else t


class Expressions:
    """Turns expression syntax into core objects; every mistake is reported at its own word and stands in as `unknown`."""

    def __init__(self, names: Names, define: Callable[[str], Type]) -> None:
        """`define` gives the type of a definition, compiling it first if need be."""
        self.names = names
        self.report = names.report
        self.define = define
        self.in_event: str | None = None
        self.fresh = 0

    # ---------------------------------------------------------------------------------------- entry points
    def conds(self, node: Node | None, scope: Scope) -> core.Expr:
        """A comma list of conditions: all of them; none is true."""
        if node is None:
            return YES
        parts = [self.truth(part, scope) for part in node.parts if part is not None]
        return parts[0] if len(parts) == 1 else core.All(tuple(parts), type=TRUTH, span=node.span)

    def truth(self, node: Node, scope: Scope) -> core.Expr:
        """A condition."""
        return self.wanted(node, scope, TRUTH)

    def wanted(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        """An expression that must be of this type; kinds, titles and groups are understood as what is asked for."""
        found = self.expr(node, scope, want)
        return self.check(found, want, node.span)

    def check(self, found: core.Expr, want: Type, span: Span) -> core.Expr:
        """The expression if its type fits, else a report and an unknown in its place."""
        if fits(found.type, want):
            return found
        if isinstance(want, SetT) and fits(found.type, want.of):
            return core.SetOf((found,), type=want, span=span)
        self.report.add("wrong-type", span, found=said(found.type), wanted=said(want))
        return core.Const(None, type=UNKNOWN, span=span)

    def expr(self, node: Node, scope: Scope, want: Type = UNKNOWN) -> core.Expr:
        """Any expression; `want` guides what a bare word stands for but is not enforced."""
        method = getattr(self, f"_{node.kind.lower()}", None)
        assert method is not None, node.kind
        found: core.Expr = method(node, scope, want)
        return found if found.span.line else replace(found, span=node.span)

    def bind(self, word: Node, t: Type, scope: Scope) -> tuple[str, Scope]:
        """A new name in scope; taking one that is in use is reported."""
        name = word.text
        if name in scope:
            self.report.add("name-in-use", word.span, name=name)
        self.fresh += 1
        unique = f"{name}~{self.fresh}"
        return unique, {**scope, name: core.Var(unique, type=t)}

    # ---------------------------------------------------------------------------------------- logic
    def _or_(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self._chain(node.part(0), scope, want, core.Any)

    def _and_(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self._chain(node.part(0), scope, want, core.All)

    def _chain(self, node: Node, scope: Scope, want: Type, make: type[core.All] | type[core.Any]) -> core.Expr:
        items = [self.truth(part, scope) for part in flat(node)]
        return make(tuple(items), type=TRUTH, span=node.span)

    def _not_(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return core.Not(self.truth(node.part(0), scope), type=TRUTH)

    def _if_expr(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        cond = self.truth(node.part(0), scope)
        then, other = self.expr(node.part(1), scope, want), self.expr(node.part(2), scope, want)
        t = then.type if fits(other.type, then.type) else other.type
        if t == NONE or not fits(then.type, t):
            if other.type == NONE or then.type == NONE:
                t = OptionalT(bare(then.type if other.type == NONE else other.type))
            else:
                self.report.add("wrong-type", node.part(2).span, found=said(other.type), wanted=said(then.type))
        return core.IfElse(cond, then, other, type=t)

    def _some(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self._quantified(node, scope, lambda v, d, c: core.Exists(v, d, c, type=TRUTH))

    def _none_of(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self._quantified(node, scope, lambda v, d, c: core.Not(core.Exists(v, d, c, type=TRUTH), type=TRUTH))

    def _every(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        domain, item = self.collection(node.part(1), scope)
        var, inner = self.bind(node.part(0), item, scope)
        if node.parts[2] is not None:
            domain = core.Filter(var, domain, self.truth(node.part(2), inner), type=domain.type)
        return core.Forall(var, domain, self.truth(node.part(3), inner), type=TRUTH)

    def _quantified(self, node: Node, scope: Scope, make: Callable[[str, core.Expr, core.Expr], core.Expr]) -> core.Expr:
        domain, item = self.collection(node.part(1), scope)
        var, inner = self.bind(node.part(0), item, scope)
        return make(var, domain, self.truth(node.part(2), inner))

    def collection(self, node: Node, scope: Scope, want: Type = UNKNOWN) -> tuple[core.Expr, Type]:
        """A set or list, with the type of its members; bare words stand for all of their sort."""
        found = self.expr(node, scope, want if want != UNKNOWN else SetT(UNKNOWN))
        item = element(found.type)
        if item is None:
            self.report.add("not-a-set", node.span, found=said(found.type))
            return core.Const(frozenset(), type=UNKNOWN), UNKNOWN
        return found, item

    def _supposing(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        event, args = self.event_args(node, scope)
        body = self.expr(node.part(2), scope, want)
        return core.At("supposing", event, args, body, type=body.type)

    def _can(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        event, args = self.event_args(node, scope)
        return core.Accepts(event or "", args, type=TRUTH)

    def event_args(self, node: Node, scope: Scope) -> tuple[str | None, tuple[core.Expr, ...]]:
        """The event named first in the node and its values."""
        word = node.part(0)
        known = self.names.signatures.get(word.text)
        if known is None or known[0] != "event":
            events = [name for name, (kind, _) in self.names.signatures.items() if kind == "event"]
            near = nearest(word.text, events)
            self.report.add("not-an-event", word.span, name=word.text, fix=f"Did you mean `{near[0]}`?" if near else None)
            return None, ()
        return word.text, self.arguments(word, node.parts[1], known[1], scope)

    # ---------------------------------------------------------------------------------------- comparison
    def _equal(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self._comparison("=", node.part(0), node.part(1), scope)

    def _compare(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self._comparison(node.part(1).text, node.part(0), node.part(2), scope)

    def _comparison(self, op: str, a: Node, b: Node, scope: Scope) -> core.Expr:
        left = self.expr(a, scope)
        right = self.expr(b, scope, left.type)
        if left.type == UNKNOWN or (isinstance(a.kind, str) and a.kind == "name" and not fits(left.type, right.type)):
            left = self.expr(a, scope, right.type)
        if not (fits(left.type, right.type) or fits(right.type, left.type)):
            self.report.add("wrong-type", b.span, found=said(right.type), wanted=said(left.type))
        elif op not in ("=", "!="):
            t = bare(left.type)
            ordered = t in (NUMBER, UNKNOWN) or (isinstance(t, KindT) and t.name in self.names.rules.kinds and self.names.rules.kinds[t.name].ordered)
            if not ordered:
                self.report.add("no-order", a.span.to(b.span), type=said(t))
        return core.Compare(op, left, right, type=TRUTH)

    def _is_(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self.is_what(self.expr(node.part(0), scope), node.part(2), scope)

    def _is_not(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return core.Not(self.is_what(self.expr(node.part(0), scope), node.part(2), scope), type=TRUTH)

    def is_what(self, left: core.Expr, what: Node, scope: Scope) -> core.Expr:
        """`x is …`: a kind, a group, a title, a property defined of one thing, none, or an equal value."""
        if what.kind in ("group_",):
            return self.is_what(left, what.part(0), scope)
        if what.kind == "or_":
            return core.Any(tuple(self.is_what(left, part, scope) for part in flat(what.part(0))), type=TRUTH, span=what.span)
        t = bare(left.type)
        if what.kind == "string" and isinstance(t, PieceT):
            return core.Member(left, self.titled(what.part(0), t), type=TRUTH)
        if what.kind == "name":
            word = what.part(0).text
            if word not in scope:
                found = self.kind_test(left, word, what.span) or self.property_test(left, word)
                if found is not None:
                    return found
        right = self.expr(what, scope, left.type)
        if not (fits(left.type, right.type) or fits(right.type, left.type)):
            self.report.add("wrong-type", what.span, found=said(right.type), wanted=said(left.type))
        return core.Compare("=", left, right, type=TRUTH)

    def kind_test(self, left: core.Expr, word: str, span: Span) -> core.Expr | None:
        """`x is member` or `x is group`, for x of that kind or a piece with one field of that kind."""
        r, t = self.names.rules, bare(left.type)
        word = self.names.plurals.get(word, word)
        options: list[tuple[str, tuple[int, ...]]] = [(kind, (index,)) for kind, index in self.names.members.get(word, [])]
        if word in r.groups:
            options.append((r.groups[word].kind, r.groups[word].members))
        for kind, members in options:
            value: core.Expr | None = None
            holds: Type = UNKNOWN
            if t == KindT(kind):
                value, holds = left, t
            elif isinstance(t, PieceT):
                known = self.names.kind_field(r.components[t.name], kind)
                if known:
                    value, holds = core.Attribute(known[0], left, type=known[1], span=span), known[1]
            if value is None:
                continue
            consts = tuple(core.Const(i, type=KindT(kind), span=span) for i in members)
            if element(holds) is not None:
                tests = tuple(core.Member(c, value, type=TRUTH, span=span) for c in consts)
                return tests[0] if len(tests) == 1 else core.Any(tests, type=TRUTH, span=span)
            if len(consts) == 1:
                return core.Compare("=", value, consts[0], type=TRUTH, span=span)
            return core.Member(value, core.SetOf(consts, type=SetT(KindT(kind))), type=TRUTH, span=span)
        if isinstance(t, PieceT) and word in r.components and t.name == word:
            return YES
        return None

    def property_test(self, left: core.Expr, word: str) -> core.Expr | None:
        """`x is outer`, `d is ready`: a built-in or defined truth of one thing."""
        if word in WORDS and WORDS[word].arity == 1:
            result = WORDS[word].result(self.names, (left.type,))
            if result == TRUTH:
                return core.Builtin(word, (left,), type=TRUTH)
        head = self.names.heads.get(word)
        if head and len(head.params) == 1 and fits(left.type, head.params[0][1]) and self.define(word) in (TRUTH, UNKNOWN):
            return core.Apply(word, (left,), type=TRUTH)
        return None

    def _in_(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        left = self.expr(node.part(0), scope)
        right, item = self.collection(node.part(1), scope, SetT(left.type))
        if not fits(left.type, item):
            left = self.expr(node.part(0), scope, item)
            if not fits(left.type, item) and not fits(item, left.type):
                self.report.add("wrong-type", node.part(0).span, found=said(left.type), wanted=said(item))
        return core.Member(left, right, type=TRUTH)

    def _not_in(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return core.Not(self._in_(node, scope, want), type=TRUTH)

    def _relation(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self.related(node.part(1), self.expr(node.part(0), scope), lambda t: self.wanted(node.part(2), scope, t))

    def _relation_noun(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        left, word, noun = self.expr(node.part(0), scope), node.part(1), node.part(2)
        params = self.relation_params(word, left)
        if params is None:
            return core.Const(None, type=UNKNOWN)
        what = noun.part(-1)
        domain = self.noun(what, params[1], scope)
        self.fresh += 1
        var = f"it~{self.fresh}"
        test = self.related(word, left, lambda t: core.Var(var, type=t))
        if noun.kind == "some_noun":
            return core.Exists(var, domain, test, type=TRUTH)
        if noun.kind == "no_noun":
            return core.Not(core.Exists(var, domain, test, type=TRUTH), type=TRUTH)
        if noun.kind == "every_noun":
            return core.Forall(var, domain, test, type=TRUTH)
        count = core.Builtin("count", (core.Filter(var, domain, test, type=domain.type),), type=NUMBER, span=node.span)
        amount = self.wanted(noun.part(-2), scope, NUMBER)
        op = {"at_least": ">=", "at_most": "<=", "exactly": "="}[noun.kind]
        return core.Compare(op, count, amount, type=TRUTH)

    def relation_params(self, word: Node, left: core.Expr) -> tuple[Type, Type] | None:
        """The two types a relation holds between."""
        head = self.names.heads.get(word.text)
        if head and len(head.params) == 2:
            return head.params[0][1], head.params[1][1]
        if word.text in WORDS and WORDS[word.text].relation:
            return left.type, bare(left.type)
        relations = [n for n, h in self.names.heads.items() if len(h.params) == 2] + [n for n, w in WORDS.items() if w.relation]
        near = nearest(word.text, relations)
        self.report.add("unknown-relation", word.span, name=word.text, fix=f"Did you mean `{near[0]}`?" if near else None)
        return None

    def related(self, word: Node, left: core.Expr, right: Callable[[Type], core.Expr]) -> core.Expr:
        """`a relation b`."""
        params = self.relation_params(word, left)
        if params is None:
            return core.Const(None, type=UNKNOWN)
        if word.text in WORDS:
            return core.Builtin(word.text, (left, right(params[1])), type=TRUTH)
        left = self.check(left, params[0], left.span)
        t = self.define(word.text)
        if not fits(t, TRUTH):
            self.report.add("wrong-type", word.span, found=said(t), wanted="truth")
        return core.Apply(word.text, (left, right(params[1])), type=TRUTH)

    def noun(self, node: Node, item: Type, scope: Scope) -> core.Expr:
        """What a noun after a relation (`a thing`, `at least 2 things`, `every thing`) ranges over: all things of this type that are so."""
        if node.kind == "name" and node.part(0).text not in scope:
            found = self.all_that_are(node.part(0).text, bare(item), node.span)
            if found is not None:
                return found
        if node.kind == "string" and isinstance(bare(item), PieceT):
            return self.titled(node.part(0), bare(item))
        found, inner = self.collection(node, scope, SetT(item))
        if not fits(inner, item):
            self.report.add("wrong-type", node.span, found=said(inner), wanted=said(item))
        return found

    def all_that_are(self, word: str, item: Type, span: Span) -> core.Expr | None:
        """The set of all things of a type that a word (kind, group, property, the type itself) says."""
        word = self.names.plurals.get(word, word)
        everything = self.everything(item)
        if everything is None:
            return None
        if word in (str(item), "one"):
            return everything
        self.fresh += 1
        var = f"it~{self.fresh}"
        it = core.Var(var, type=item, span=span)
        test = self.kind_test(it, word, span) or self.property_test(it, word)
        return core.Filter(var, everything, test, type=SetT(item), span=span) if test is not None else None

    def everything(self, item: Type) -> core.Expr | None:
        """The set of all things of a finite type, if it has one."""
        if isinstance(item, PieceT | SiteT | KindT) or item == PLAYER:
            return core.Builtin("all", (core.Const(str(item), type=TEXT),), type=SetT(item))
        return None

    def titled(self, word: Node, t: Type) -> core.Expr:
        """All pieces of this title; a title nobody has is reported."""
        assert isinstance(t, PieceT)
        title = plain(word)
        known = [name for name, components in self.names.titles.items() if t.name in components]
        match = next((name for name in known if name.lower() == title.lower()), None)
        if match is None:
            near = nearest(title, known)
            self.report.add("unknown-title", word.span, title=title, of=str(t), fix=f'Did you mean "{near[0]}"?' if near else None)
            match = title
        return core.Titled(t.name, match, type=SetT(t), span=word.span)

    # ---------------------------------------------------------------------------------------- arithmetic, sets
    def _plus(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self._binary("+", node, scope, want)

    def _minus(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self._binary("-", node, scope, want)

    def _binary(self, op: str, node: Node, scope: Scope, want: Type) -> core.Expr:
        left = self.expr(node.part(0), scope, want)
        right = self.expr(node.part(1), scope, left.type)
        if element(left.type) is not None and left.type != UNKNOWN:
            right = self.check(right, left.type, node.part(1).span)
            t = left.type if left.type != SetT(UNKNOWN) else right.type
            return core.SetOp(op, left, right, type=t)
        for side, part in ((left, node.part(0)), (right, node.part(1))):
            self.check(side, NUMBER, part.span)
        return core.Arith(op, left, right, type=NUMBER)

    def _times(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return core.Arith("*", self.wanted(node.part(0), scope, NUMBER), self.wanted(node.part(1), scope, NUMBER), type=NUMBER)

    def _divide(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        op = "/down" if node.part(2).text.endswith("down") else "/up"
        return core.Arith(op, self.wanted(node.part(0), scope, NUMBER), self.wanted(node.part(1), scope, NUMBER), type=NUMBER)

    def _negative(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return core.Arith("-", core.Const(0, type=NUMBER), self.wanted(node.part(0), scope, NUMBER), type=NUMBER)

    def _empty(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return core.SetOf((), type=want if isinstance(want, SetT) else SetT(UNKNOWN))

    def _set_lit(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        inner = element(want) or UNKNOWN
        items = [self.expr(part, scope, inner) for part in node.parts if part is not None]
        t = next((item.type for item in items if item.type not in (UNKNOWN, NONE)), inner)
        if all(fits(item.type, SetT(inner)) and not fits(item.type, inner) for item in items) and inner != UNKNOWN:
            joined = items[0]  # {"a title", "another"} where pieces are wanted: the union of what each stands for
            for item in items[1:]:
                joined = core.SetOp("+", joined, item, type=want)
            return joined
        for item, part in zip(items, (p for p in node.parts if p is not None), strict=True):
            self.check(item, t, part.span)
        return core.SetOf(tuple(items), type=SetT(t))

    def _span(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return core.Range(self.wanted(node.part(0), scope, NUMBER), self.wanted(node.part(1), scope, NUMBER), type=SetT(NUMBER))

    def _filter(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        domain, item = self.collection(node.part(1), scope, want)
        var, inner = self.bind(node.part(0), item, scope)
        as_name, cond, stable, extreme = node.parts[2], node.parts[3], node.parts[4], node.parts[5]
        if as_name is not None:
            so_far, inner = self.bind(as_name, SetT(item), inner)
            if stable is None:
                self.report.add("stable-missing", node.span)
            return core.Stable(var, so_far, domain, self.conds(cond, inner), type=domain.type)
        found: core.Expr = domain
        if cond is not None:
            found = core.Filter(var, domain, self.conds(cond, inner), type=domain.type)
        if extreme is not None:
            word = extreme.part(0)
            if word.text not in ("largest", "smallest"):
                self.report.add("unexpected-word", word.span, word=word.text, expected='"largest" or "smallest"')
            key = self.wanted(extreme.part(1), inner, NUMBER)
            found = core.Best(var, found, key, word.text == "largest", type=domain.type)
        return found

    def _image(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self._for_in(node, scope, repeats=False, want=want)

    def _each_of(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self._for_in(node, scope, repeats=True, want=want)

    def _for_in(self, node: Node, scope: Scope, repeats: bool, want: Type) -> core.Expr:
        domain, item = self.collection(node.part(2), scope)
        var, inner = self.bind(node.part(1), item, scope)
        cond = self.conds(node.parts[3], inner)
        body = self.expr(node.part(0), inner, element(want) or UNKNOWN)
        t: Type = ListT(body.type) if repeats else SetT(bare(body.type))
        return core.Image(var, domain, cond, body, repeats, type=t)

    def _the(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        found, item = self.collection(node.part(0), scope)
        return core.Pick(found, type=OptionalT(item) if item != UNKNOWN else UNKNOWN)

    def _of_(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        word = node.part(0)
        inner = SetT(NUMBER) if word.text in ("sum", "largest", "smallest") else SetT(UNKNOWN) if word.text in ("count", "first", "last") else UNKNOWN
        return self.feature(word, self.expr(node.part(1), scope, inner), scope)

    def _field_of(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self.feature(node.part(1), self.expr(node.part(0), scope), scope)

    def feature(self, word: Node, of: core.Expr, scope: Scope) -> core.Expr:
        """`x's f`, which is `f of x` and `f(x)`: a field, a layer, a place, a variable, a definition or a built-in word of one thing."""
        r, name, t = self.names.rules, word.text, bare(of.type)
        if t == UNKNOWN:
            return core.Const(None, type=UNKNOWN)
        if isinstance(t, PieceT):
            known = r.components[t.name].field(name)
            if known is not None:
                return core.Attribute(name, of, type=known)
            site = self.names.site(self.names.plurals.get(name, name))
            if site is not None and any(layer.component == t.name for layer in r.boards[site.board].layers):
                many = name in self.names.plurals
                return core.Builtin("sites" if many else "site", (of, core.Const(site.role, type=TEXT)), type=SetT(site) if many else OptionalT(site))
            grown = next((b for b in r.boards.values() if b.grown_from == t.name), None)
            if site is not None and grown is not None and site.board == grown.name:
                return core.Builtin("tile_cells", (of,), type=SetT(site))
        if isinstance(t, PairT):
            for part, part_type in r.pairs[t.name].parts:
                if part == name:
                    return core.Attribute(name, of, type=part_type)
        if isinstance(t, SiteT):
            board = r.boards[t.board]
            layer = board.layer(name)
            if layer is not None and layer.role == t.role:
                piece = PieceT(layer.component)
                return core.Builtin("on", (of, core.Const(name, type=TEXT)), type=ListT(piece) if layer.stacked else OptionalT(piece))
            if board.grown_from == name and t.role == "cell":
                return core.Builtin("tile", (of,), type=OptionalT(PieceT(name)))
            if name == "number" and board.grown_from and t.role == "cell":
                return core.Builtin("tile_index", (of,), type=NUMBER)
        if isinstance(t, BoardT):
            singular = self.names.plurals.get(name, name)
            site = self.names.site(singular)
            if site is not None and site.board == t.name and name != singular:
                return core.Builtin("board_sites", (of, core.Const(site.role, type=TEXT)), type=SetT(site))
            if singular in r.components and name != singular:
                return core.Builtin("board_pieces", (of, core.Const(singular, type=TEXT)), type=SetT(PieceT(singular)))
        if name in r.places and r.places[name].of is not None and fits(t, r.places[name].of or UNKNOWN):
            return self.contents(name, of)
        if name in r.states and r.states[name].of is not None and fits(t, r.states[name].of or UNKNOWN):
            return core.Read(name, of, type=r.states[name].type)
        if name in r.boards and r.boards[name].per_player and t == PLAYER:
            return core.Builtin("board_of", (of, core.Const(name, type=TEXT)), type=BoardT(name))
        head = self.names.heads.get(name)
        if head and len(head.params) == 1:
            if fits(of.type, head.params[0][1]):
                return core.Apply(name, (of,), type=self.define(name))
            if isinstance(head.params[0][1], SetT) and fits(of.type, head.params[0][1].of):
                return core.Apply(name, (core.SetOf((of,), type=head.params[0][1]),), type=self.define(name))
        signature = self.names.signatures.get(name)
        if signature and signature[0] == "score" and len(signature[1]) == 1 and fits(of.type, signature[1][0][1]):
            return core.Total(name, (of,), type=NUMBER)
        if name in WORDS and WORDS[name].arity == 1:
            result = WORDS[name].result(self.names, (of.type,))
            if result is not None:
                return core.Builtin(name, (of,), type=result)
        inner = element(t)
        if isinstance(t, SetT) and inner not in (None, UNKNOWN):
            # what a field is of one thing, it is of a set: the set of what each gives
            self.fresh += 1
            var = f"it~{self.fresh}"
            before = len(self.report.found)
            one = self.feature(word, core.Var(var, type=inner or UNKNOWN), scope)
            if len(self.report.found) == before:
                if element(one.type) is not None:
                    sets = core.Image(var, of, YES, one, False, type=SetT(one.type))
                    return core.Builtin("joined", (sets,), type=one.type)
                return core.Image(var, of, YES, one, False, type=SetT(bare(one.type)))
            del self.report.found[before:]
        near = nearest(name, self.features_of(t))
        self.report.add("unknown-field", word.span, name=name, of=said(t), fix=f"Did you mean `{near[0]}`?" if near else None)
        return core.Const(None, type=UNKNOWN)

    def features_of(self, t: Type) -> list[str]:
        """The names that may follow `'s` after a thing of this type."""
        r = self.names.rules
        found = [name for name, word in WORDS.items() if word.arity == 1 and word.result(self.names, (t,)) is not None]
        found += [name for name, place in r.places.items() if place.of is not None and fits(t, place.of)]
        found += [name for name, state in r.states.items() if state.of is not None and fits(t, state.of)]
        found += [name for name, head in self.names.heads.items() if len(head.params) == 1 and fits(t, head.params[0][1])]
        if isinstance(t, PieceT):
            found += [name for name, _ in r.components[t.name].fields]
        if isinstance(t, PairT):
            found += [name for name, _ in r.pairs[t.name].parts]
        if isinstance(t, SiteT):
            found += [layer.name for layer in r.boards[t.board].layers]
        return found

    def contents(self, place: str, index: core.Expr | None) -> core.Expr:
        """What is in a place."""
        known = self.names.rules.places[place]
        piece = PieceT(known.holds)
        return core.Contents(place, index, type=ListT(piece) if known.ordered else SetT(piece))

    # ---------------------------------------------------------------------------------------- words and calls
    def _number(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        text = node.part(0).text
        if len(text) > 9:
            self.report.add("number-too-large", node.span, limit="999999999")
            return core.Const(0, type=NUMBER)
        return core.Const(int(text), type=NUMBER)

    def _string(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        word, want = node.part(0), bare(want)
        if want == SHAPE:
            return core.Const(plain(word), type=SHAPE)
        if isinstance(want, PieceT):
            return core.Pick(self.titled(word, want), type=OptionalT(want))
        inner = element(want)
        if inner is not None and isinstance(bare(inner), PieceT):
            return self.titled(word, bare(inner))
        return core.Const(plain(word), type=TEXT)

    def _group_(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        return self.expr(node.part(0), scope, want)

    def _name(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        word = node.part(0)
        name = word.text
        if name in scope:
            found = scope[name]
            if isinstance(found, core.Slot):  # what the wording may speak of is what is in scope where it stands
                seen = tuple((key, value) for key, value in scope.items() if not isinstance(value, core.Slot))
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
            return core.Setting(name, type=NUMBER if self.names.numeric_option(name) else KindT(name))
        if name in self.names.signatures and self.names.signatures[name][0] == "score" and not self.names.signatures[name][1]:
            return core.Total(name, (), type=NUMBER)
        if name == "players":
            return core.Builtin("all", (core.Const("player", type=TEXT),), type=SetT(PLAYER))
        if name == "directions":
            return core.Builtin("all", (core.Const("direction", type=TEXT),), type=SetT(DIRECTION))
        if name in _COMPASS:
            return core.Builtin("compass", (core.Const(name, type=TEXT),), type=DIRECTION)
        if len(name) <= 3 and name[0] == "p" and name[1:].isdigit():
            return core.Const(int(name[1:]) - 1, type=PLAYER)
        found_set = self.named_set(name, want, word)
        if found_set is not None:
            return found_set
        self.report.add("unknown-name", word.span, name=name, fix=self.names.suggest(name, scope))
        return core.Const(None, type=UNKNOWN)

    def kind_member(self, name: str, want: Type, word: Node) -> core.Expr | None:
        """A member of a kind: of the kind asked for, or of the only kind that has one of this name."""
        known = self.names.members.get(name, [])
        if not known:
            return None
        wanted = bare(want)
        for kind, index in known:
            if wanted == KindT(kind):
                return core.Const(index, type=wanted)
            inner = element(want)
            if inner is not None and bare(inner) == KindT(kind):
                return core.SetOf((core.Const(index, type=KindT(kind)),), type=SetT(KindT(kind)))
        inner = element(want)
        if inner is not None and inner != UNKNOWN:
            return None
        if len(known) > 1 and want == UNKNOWN:
            self.report.add("ambiguous-name", word.span, name=name, kinds=" and ".join(kind for kind, _ in known))
        kind, index = known[0]
        return core.Const(index, type=KindT(kind))

    def named_set(self, name: str, want: Type, word: Node) -> core.Expr | None:
        """A plural or a group as a set: all pieces, all sites, the members of a group, all things of a kind."""
        r = self.names.rules
        singular = self.names.plurals.get(name, name)
        inner = element(want)
        if inner is not None and inner != UNKNOWN:
            found = self.all_that_are(singular, bare(inner), word.span)
            if found is not None:
                return found
        if singular in r.groups:
            group = r.groups[singular]
            items = tuple(core.Const(i, type=KindT(group.kind)) for i in group.members)
            return core.SetOf(items, type=SetT(KindT(group.kind)))
        if name != singular:
            t = self.names.find_type(singular)
            if t is not None:
                return self.everything(t)
        if name in r.kinds:
            return self.everything(KindT(name))
        return None

    def _call(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        word, args, r = node.part(0), node.parts[1], self.names.rules
        name = word.text
        if name in scope and isinstance(scope[name], core.Slot):
            return self.rebound(scope[name], args, scope)
        if name in ("before", "after"):
            body = self.expr(_only(args), scope, want) if _only(args) is not None else core.Const(None, type=UNKNOWN)
            return core.At(name, self.in_event, (), body, type=body.type)
        if name == "groups" and args is not None:
            return self._groups(word, args, scope)
        if name == "reach" and args is not None:
            return self._reach(word, args, scope)
        if name in self.names.heads:
            head = self.names.heads[name]
            return core.Apply(name, self.arguments(word, args, head.params, scope), type=self.define(name))
        if name in r.pairs:
            parts = r.pairs[name].parts
            return core.Builtin("pair", self.arguments(word, args, parts, scope), type=PairT(name))
        signature = self.names.signatures.get(name)
        if signature and signature[0] == "score":
            return core.Total(name, self.arguments(word, args, signature[1], scope), type=NUMBER)
        given = [part for part in (args.parts if args else ()) if part is not None]
        if name in WORDS and WORDS[name].arity == len(given) and not any(g.kind == "named_arg" for g in given):
            values = tuple(self.expr(g, scope, self._hint(name, i)) for i, g in enumerate(given))
            result = WORDS[name].result(self.names, tuple(v.type for v in values))
            if any(v.type == UNKNOWN for v in values) and result is None:
                return core.Const(None, type=UNKNOWN)
            if result is not None:
                return core.Builtin(name, values, type=result)
            if len(values) != 1:
                self.report.add("bad-arguments", node.span, name=name, meaning=WORDS[name].meaning, found=", ".join(said(v.type) for v in values))
                return core.Const(None, type=UNKNOWN)
        if len(given) == 1 and given[0].kind != "named_arg":
            holder = r.places.get(name) or r.states.get(name)
            index_type = holder.of if holder is not None and holder.of is not None else UNKNOWN
            return self.feature(word, self.expr(given[0], scope, index_type), scope)
        self.report.add("unknown-call", word.span, name=name, fix=self.names.suggest(name, WORDS))
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
        bound = {key: value for key, value in scope.items() if not isinstance(value, core.Slot)}
        for arg in args.parts if args else ():
            if arg is None or arg.kind != "named_arg":
                self.report.add("bad-arguments", (arg or args or _NO_NODE).span, name=slot.name, meaning="a wording is told what it is said of by name", found="")
                continue
            bound[arg.part(0).text] = self.expr(arg.part(1), scope)
        return core.Slot(slot.name, tuple(bound.items()), type=slot.type)

    def _groups(self, word: Node, args: Node, scope: Scope) -> core.Expr:
        given = [part for part in args.parts if part is not None]
        of, item = self.collection(given[0], scope)
        relation = self._relation_name(given[1], item) if len(given) > 1 else None
        if relation is None and not isinstance(bare(item), SiteT) and item != UNKNOWN:
            self.report.add("bad-arguments", word.span, name="groups", meaning="sets of cells, or a set and a relation", found=said(item))
        return core.Groups(of, relation, type=SetT(SetT(bare(item))))

    def _reach(self, word: Node, args: Node, scope: Scope) -> core.Expr:
        given = [part for part in args.parts if part is not None]
        seeds, item = self.collection(given[0], scope)
        within: core.Expr | None = None
        relation: str | None = None
        for arg in given[1:]:  # a set not to leave, a relation to follow, or both
            if arg.kind == "name" and arg.part(0).text in self.names.heads and len(self.names.heads[arg.part(0).text].params) == 2:
                relation = self._relation_name(arg, item)
            else:
                within = self.wanted(arg, scope, SetT(item))
        return core.Reach(seeds, within, relation, type=SetT(bare(item)))

    def _relation_name(self, node: Node, item: Type) -> str | None:
        if node.kind == "name":
            name = node.part(0).text
            head = self.names.heads.get(name)
            if head and len(head.params) == 2:
                self.define(name)
                if not (fits(item, head.params[0][1]) and fits(item, head.params[1][1])):
                    self.report.add("wrong-type", node.span, found=f"a relation of {said(head.params[0][1])}", wanted=f"a relation of {said(item)}")
                return name
        self.report.add("unknown-relation", node.span, name=node.text or "this", fix=None)
        return None

    def arguments(self, word: Node, args: Node | None, params: tuple[tuple[str, Type], ...], scope: Scope) -> tuple[core.Expr, ...]:
        """The values of a call, by place or by name, each checked against its parameter."""
        given = [part for part in (args.parts if args else ()) if part is not None]
        values: dict[str, core.Expr] = {}
        for index, arg in enumerate(given):
            if arg.kind == "named_arg":
                key = arg.part(0).text
                match = dict(params).get(key)
                if match is None:
                    near = nearest(key, [name for name, _ in params])
                    self.report.add("unknown-argument", arg.part(0).span, name=key, of=word.text, fix=f"Did you mean `{near[0]}`?" if near else None)
                    continue
                values[key] = self.wanted(arg.part(1), scope, match)
            elif index < len(params):
                values[params[index][0]] = self.wanted(arg, scope, params[index][1])
        if len(given) != len(params):
            wants = ", ".join(f"{name}: {t}" for name, t in params) or "nothing"
            self.report.add("argument-count", word.span, name=word.text, found=given_count(len(given)), wanted=wants)
        return tuple(values.get(name, core.Const(None, type=UNKNOWN)) for name, _ in params)


_COMPASS = ("north", "east", "south", "west", "northeast", "southeast", "southwest", "northwest")
_NO_NODE = Node("", (), Span("", 0, 0, 0, 0))


def flat(node: Node) -> list[Node]:
    """The members of a chain of `and` or of `or`, left to right."""
    found: list[Node] = []
    while node.kind in ("orchain", "andchain"):
        found.append(node.part(0))
        node = node.part(1)
    return [*found, node]


def _only(args: Node | None) -> Node:
    parts = [part for part in (args.parts if args else ()) if part is not None]
    return parts[0] if parts else _NO_NODE


def said(t: Type) -> str:
    """A type in a sentence: a number, a set of houses, a player or none."""
    if isinstance(t, PieceT | KindT | SiteT | PairT):
        return f"{_article(t.name)} {spoken(t.name)}"
    if isinstance(t, PhraseT):
        return f"{_article(t.sort)} {spoken(t.sort)} phrase"
    if isinstance(t, OptionalT):
        return f"{said(t.of)} or none"
    if isinstance(t, SetT | ListT):
        what = "a set" if isinstance(t, SetT) else "a list"
        if isinstance(bare(t.of), SetT | ListT):
            inner = said(bare(t.of)).split(" ", 1)[1]
            return f"{what} of {inner.replace('set', 'sets', 1) if inner.startswith('set') else inner.replace('list', 'lists', 1)}"
        return what if t.of == UNKNOWN else f"{what} of {plural(spoken(str(bare(t.of))))}"
    if isinstance(t, BoardT):
        return f"the board {spoken(t.name)}"
    return _PLAIN.get(str(t), spoken(str(t)))


_PLAIN = {
    "truth": "a condition", "number": "a number", "text": "a text", "player": "a player", "shape": "a shape", "nothing": "none", "unknown": "something",
}  # fmt: skip


def _article(word: str) -> str:
    return "an" if word[:1] in "aeiou" else "a"


def given_count(count: int) -> str:
    """How many values were given, as a message says it."""
    return {0: "none is", 1: "1 value is"}.get(count, f"{count} values are")
