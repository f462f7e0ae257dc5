"""Features: `x's f`, which is `f of x` and `f(x)`: fields, layers, places, variables, definitions and built-in words of one thing."""

from __future__ import annotations

from rulelang import core
from rulelang.core.types import (
    NUMBER,
    PLAYER,
    TEXT,
    UNKNOWN,
    BoardT,
    ListT,
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
from rulelang.diagnostics import nearest
from rulelang.elaborate.builtins import WORDS
from rulelang.elaborate.nouns import Nouns
from rulelang.elaborate.type_checker import YES, Scope, said
from rulelang.syntax.nodes import Node


class Features(Nouns):
    """What belongs to a thing."""

    def feature(self, word: Node, of: core.Expr, scope: Scope) -> core.Expr:
        """`x's f`, which is `f of x` and `f(x)`: a field, a layer, a place, a variable, a definition or a built-in word of one thing."""
        r, name, t = self.names.rules, word.text, non_optional(of.type)
        if t == UNKNOWN:
            return core.Const(None, type=UNKNOWN)
        if isinstance(t, PieceT):
            known = r.components[t.name].field(name)
            if known is not None:
                return core.Attribute(name, of, type=known)
            site = self.names.site(self.names.plurals.get(name, name))
            if site is not None and any(
                layer.component == t.name for layer in r.boards[site.board].layers
            ):
                many = name in self.names.plurals
                return core.Builtin(
                    "sites" if many else "site",
                    (of, core.Const(site.role, type=TEXT)),
                    type=SetT(site) if many else OptionalT(site),
                )
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
                return core.Builtin(
                    "on",
                    (of, core.Const(name, type=TEXT)),
                    type=ListT(piece) if layer.stacked else OptionalT(piece),
                )
            if board.grown_from == name and t.role == "cell":
                return core.Builtin("tile", (of,), type=OptionalT(PieceT(name)))
            if name == "number" and board.grown_from and t.role == "cell":
                return core.Builtin("tile_index", (of,), type=NUMBER)
        if isinstance(t, BoardT):
            singular = self.names.plurals.get(name, name)
            site = self.names.site(singular)
            if site is not None and site.board == t.name and name != singular:
                return core.Builtin(
                    "board_sites", (of, core.Const(site.role, type=TEXT)), type=SetT(site)
                )
            if singular in r.components and name != singular:
                return core.Builtin(
                    "board_pieces",
                    (of, core.Const(singular, type=TEXT)),
                    type=SetT(PieceT(singular)),
                )
        if (
            name in r.places
            and r.places[name].of is not None
            and fits(t, r.places[name].of or UNKNOWN)
        ):
            return self.contents(name, of)
        if (
            name in r.states
            and r.states[name].of is not None
            and fits(t, r.states[name].of or UNKNOWN)
        ):
            return core.Read(name, of, type=r.states[name].type)
        if name in r.boards and r.boards[name].per_player and t == PLAYER:
            return core.Builtin("board_of", (of, core.Const(name, type=TEXT)), type=BoardT(name))
        head = self.names.heads.get(name)
        if head and len(head.params) == 1:
            if fits(of.type, head.params[0][1]):
                return core.Apply(name, (of,), type=self.define(name))
            if isinstance(head.params[0][1], SetT) and fits(of.type, head.params[0][1].of):
                return core.Apply(
                    name, (core.SetOf((of,), type=head.params[0][1]),), type=self.define(name)
                )
        signature = self.names.signatures.get(name)
        if (
            signature
            and signature[0] == "score"
            and len(signature[1]) == 1
            and fits(of.type, signature[1][0][1])
        ):
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
                return core.Image(var, of, YES, one, False, type=SetT(non_optional(one.type)))
            del self.report.found[before:]
        near = nearest(name, self.features_of(t))
        self.report.add(
            "unknown-field",
            word.span,
            name=name,
            of=said(t),
            fix=f"Did you mean `{near[0]}`?" if near else self.names.usage_hint(name),
        )
        return core.Const(None, type=UNKNOWN)

    def features_of(self, t: Type) -> list[str]:
        """The names that may follow `'s` after a thing of this type."""
        r = self.names.rules
        found = [
            name
            for name, word in WORDS.items()
            if word.arity == 1 and word.result(self.names, (t,)) is not None
        ]
        found += [
            name for name, place in r.places.items() if place.of is not None and fits(t, place.of)
        ]
        found += [
            name for name, state in r.states.items() if state.of is not None and fits(t, state.of)
        ]
        found += [
            name
            for name, head in self.names.heads.items()
            if len(head.params) == 1 and fits(t, head.params[0][1])
        ]
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
