"""Nouns: what a kind, a group, a title, a plural or a property stands for, of one thing or as the set of all that are so."""

from __future__ import annotations

from rulelang import core
from rulelang.core.types import (
    PLAYER,
    TEXT,
    TRUTH,
    UNKNOWN,
    KindT,
    PieceT,
    SetT,
    SiteT,
    Type,
    element,
    fits,
    non_optional,
)
from rulelang.diagnostics import nearest
from rulelang.diagnostics.source import Span
from rulelang.elaborate.builtins import WORDS
from rulelang.elaborate.type_checker import YES, Base, Scope, flat, said
from rulelang.syntax.nodes import Node, plain


class Nouns(Base):
    """What words stand for."""

    def is_what(self, left: core.Expr, what: Node, scope: Scope) -> core.Expr:
        """`x is …`: a kind, a group, a title, a property defined of one thing, none, or an equal value."""
        if what.kind in ("group_",):
            return self.is_what(left, what.part(0), scope)
        if what.kind == "or_":
            return core.Any(
                tuple(self.is_what(left, part, scope) for part in flat(what.part(0))),
                type=TRUTH,
                span=what.span,
            )
        t = non_optional(left.type)
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
            self.report.add(
                "wrong-type",
                what.span,
                found=said(right.type),
                wanted=said(left.type),
                fix=self._which_field(t, right.type),
            )
        return core.Compare("=", left, right, type=TRUTH)

    def _which_field(self, t: Type, kind: Type) -> str | None:
        """Where a piece has several fields of the kind it is asked to be: that one must be named."""
        component = self.names.rules.components.get(t.name) if isinstance(t, PieceT) else None
        if component is None:
            return None
        fields = [name for name, type_ in component.fields if type_ == kind]
        if len(fields) < 2:
            return None
        return f"A {component.name} has several fields that are {said(kind)}: name the one that is meant, as in `'s {fields[0]} is`."

    def kind_test(self, left: core.Expr, word: str, span: Span) -> core.Expr | None:
        """`x is member` or `x is group`, for x of that kind or a piece with one field of that kind."""
        r, t = self.names.rules, non_optional(left.type)
        word = self.names.plurals.get(word, word)
        options: list[tuple[str, tuple[int, ...]]] = [
            (kind, (index,)) for kind, index in self.names.members.get(word, [])
        ]
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
                    value, holds = (
                        core.Attribute(known[0], left, type=known[1], span=span),
                        known[1],
                    )
            if value is None:
                continue
            consts = tuple(core.Const(i, type=KindT(kind), span=span) for i in members)
            if element(holds) is not None:
                tests = tuple(core.Member(c, value, type=TRUTH, span=span) for c in consts)
                return tests[0] if len(tests) == 1 else core.Any(tests, type=TRUTH, span=span)
            if len(consts) == 1:
                return core.Compare("=", value, consts[0], type=TRUTH, span=span)
            return core.Member(
                value, core.SetOf(consts, type=SetT(KindT(kind))), type=TRUTH, span=span
            )
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
        if (
            head
            and len(head.params) == 1
            and fits(left.type, head.params[0][1])
            and self.define(word) in (TRUTH, UNKNOWN)
        ):
            return core.Apply(word, (left,), type=TRUTH)
        return None

    def noun(self, node: Node, item: Type, scope: Scope) -> core.Expr:
        """What a noun after a relation (`a thing`, `at least 2 things`, `every thing`) ranges over: all things of this type that are so."""
        if node.kind == "name" and node.part(0).text not in scope:
            found = self.all_that_are(node.part(0).text, non_optional(item), node.span)
            if found is not None:
                return found
        if node.kind == "string" and isinstance(non_optional(item), PieceT):
            return self.titled(node.part(0), non_optional(item))
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
        return (
            core.Filter(var, everything, test, type=SetT(item), span=span)
            if test is not None
            else None
        )

    def everything(self, item: Type) -> core.Expr | None:
        """The set of all things of a finite type, if it has one."""
        if isinstance(item, PieceT | SiteT | KindT) or item == PLAYER:
            return core.Builtin("all", (core.Const(str(item), type=TEXT),), type=SetT(item))
        return None

    def titled(self, word: Node, t: Type) -> core.Expr:
        """All pieces of this title; a title nobody has is reported."""
        assert isinstance(t, PieceT)
        title = plain(word)
        match = next(
            (
                name
                for name in self.names.titles_ignoring_case(title)
                if t.name in self.names.titles[name]
            ),
            None,
        )
        if match is None:
            near = nearest(
                title,
                [name for name, components in self.names.titles.items() if t.name in components],
            )
            self.report.add(
                "unknown-title",
                word.span,
                title=title,
                of=str(t),
                fix=f'Did you mean "{near[0]}"?' if near else None,
            )
            match = title
        return core.Titled(t.name, match, type=SetT(t), span=word.span)

    def kind_member(self, name: str, want: Type, word: Node) -> core.Expr | None:
        """A member of a kind: of the kind asked for, or of the only kind that has one of this name."""
        known = self.names.members.get(name, [])
        if not known:
            return None
        wanted = non_optional(want)
        for kind, index in known:
            if wanted == KindT(kind):
                return core.Const(index, type=wanted)
            inner = element(want)
            if inner is not None and non_optional(inner) == KindT(kind):
                return core.SetOf((core.Const(index, type=KindT(kind)),), type=SetT(KindT(kind)))
        inner = element(want)
        if inner is not None and inner != UNKNOWN:
            return None
        if len(known) > 1 and want == UNKNOWN:
            self.report.add(
                "ambiguous-name",
                word.span,
                name=name,
                kinds=" and ".join(kind for kind, _ in known),
            )
        kind, index = known[0]
        return core.Const(index, type=KindT(kind))

    def named_set(self, name: str, want: Type, word: Node) -> core.Expr | None:
        """A plural or a group as a set: all pieces, all sites, the members of a group, all things of a kind."""
        r = self.names.rules
        singular = self.names.plurals.get(name, name)
        inner = element(want)
        if inner is not None and inner != UNKNOWN:
            found = self.all_that_are(singular, non_optional(inner), word.span)
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
