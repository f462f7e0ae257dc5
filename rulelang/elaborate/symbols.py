"""What every name stands for: the table of declarations that later passes look names up in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from rulelang.core.types import (
    DIRECTION,
    NUMBER,
    PLAYER,
    SHAPE,
    TEXT,
    TRUTH,
    UNKNOWN,
    KindT,
    ListT,
    OptionalT,
    PairT,
    PhraseT,
    PieceT,
    SetT,
    SiteT,
    Type,
)
from rulelang.diagnostics import Report, nearest
from rulelang.diagnostics.source import NOWHERE, Span
from rulelang.ruleset import Clause, Component, Params, Ruleset
from rulelang.syntax.nodes import Node


@dataclass
class Head:
    """What is known of a definition before its body is read."""

    node: Node
    params: Params
    type: Type | None
    busy: bool = False
    done: bool = False


@dataclass
class Names:
    """The table of declarations of one ruleset while it is compiled."""

    rules: Ruleset
    report: Report
    statements: frozenset[str] | None = None  # what may be cited; none: not checked
    heads: dict[str, Head] = field(default_factory=dict)
    declared: dict[str, tuple[str, Span]] = field(default_factory=dict)
    members: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    plurals: dict[str, str] = field(default_factory=dict)
    sorts: dict[str, Type] = field(default_factory=dict)
    signatures: dict[str, tuple[str, Params]] = field(
        default_factory=dict
    )  # events, procedures, tables
    menus: dict[str, list[str]] = field(
        default_factory=dict
    )  # what a menu is open at -> the actions declared there
    repeats: dict[str, int] = field(
        default_factory=dict
    )  # how often a clause of this name was made
    usual: dict[tuple[str, str], Node] = field(
        default_factory=dict
    )  # what a component says a field is, unless a piece says otherwise
    titles: dict[str, list[str]] = field(default_factory=dict)  # title -> components
    usual_deck: Node | None = None  # the deck list that the game names

    @cached_property
    def _spellings(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for title in self.titles:
            found.setdefault(title.lower(), []).append(title)
        return found

    def spelt(self, title: str) -> list[str]:
        """The titles that are this one but for small and large letters; asked for when all are known."""
        return self._spellings.get(title.lower(), [])

    # ---------------------------------------------------------------------------------------- declaring
    def declare(self, what: str, word: Node) -> bool:
        """Enter a name; a second declaration of the same name is reported at the second."""
        name = word.text
        if name in BUILTIN_TYPES or name in ("none", "true", "false", "players"):
            self.report.add(
                "name-taken", word.span, name=name, what="a word of the language", where=""
            )
            return False
        if name in self.declared:
            old, span = self.declared[name]
            self.report.add(
                "name-taken",
                word.span,
                name=name,
                what=old,
                where=f"declared in {span.file}, line {span.line}",
            )
            return False
        self.declared[name] = (what, word.span)
        return True

    def clause(
        self,
        kind: str,
        owner: str,
        label: str,
        node: Node | None,
        span: Span | None = None,
        cites: tuple[str, ...] | None = None,
    ) -> str:
        """Make a clause; its id is unique: owner/label, numbered where an unlabelled one repeats."""
        base = f"{owner}/{label}" if label else owner
        n = self.repeats.get(base, 1)
        found = base if n == 1 else f"{base}#{n}"
        while found in self.rules.clauses:
            n += 1
            found = f"{base}#{n}"
        self.repeats[base] = n
        known = cites if cites is not None else (node.cites if node else ())
        where = span or (node.span if node else NOWHERE)
        if node is not None:
            self.check_cites(node)
        self.rules.clauses[found] = Clause(found, kind, owner, label, known, where)
        return found

    def check_cites(self, node: Node) -> None:
        """Every citation of the line names a statement of the rulebook, if there is one."""
        cite = node.first("CITE")
        if cite is not None:
            self.check_said(node.cites, cite.span)

    def check_said(self, cites: Iterable[str], span: Span) -> None:
        """The same of citations that stand there."""
        if self.statements is None:
            return
        for word in cites:
            if word not in self.statements:
                near = nearest(word, self.statements, 1)
                self.report.add(
                    "unknown-citation",
                    span,
                    cite=word,
                    fix=f"Nearest is [{near[0]}]." if near else None,
                )

    # ---------------------------------------------------------------------------------------- looking up
    def type_of(self, node: Node) -> Type:
        """The type a piece of syntax names; an unknown name is reported."""
        if node.kind == "set_of":
            return SetT(self.type_of(node.part(-1)))
        if node.kind == "list_of":
            if node.part(0).text != "list":
                self.report.add(
                    "unknown-type",
                    node.part(0).span,
                    name=node.part(0).text,
                    fix="Write `set of …` or `list of …`.",
                )
            return ListT(self.type_of(node.part(-1)))
        if node.kind == "or_none":
            if node.part(1).text != "none":
                self.report.add(
                    "unknown-type",
                    node.part(1).span,
                    name=node.part(1).text,
                    fix="Only `or none` may follow a type.",
                )
            return OptionalT(self.named_type(node.part(0)))
        return self.named_type(node.part(0))

    def named_type(self, word: Node) -> Type:
        """The type of this name; unknown (and reported) if there is none."""
        found = self.find_type(word.text)
        if found is not None:
            return found
        near = nearest(word.text, self.type_names())
        fix = f"Did you mean `{near[0]}`?" if near else None
        self.report.add("unknown-type", word.span, name=word.text, fix=fix)
        return UNKNOWN

    def find_type(self, name: str) -> Type | None:
        """The type of this name, if it is one."""
        r = self.rules
        if name in BUILTIN_TYPES:
            return BUILTIN_TYPES[name]
        if name in r.kinds or name in r.options:
            return KindT(name) if not self.numeric_option(name) else NUMBER
        if name in r.components:
            return PieceT(name)
        if name in r.pairs:
            return PairT(name)
        if name in self.sorts:
            return PhraseT(name, self.sorts[name])
        for board in r.boards.values():
            for role, word in board.roles:
                if word == name:
                    return SiteT(board.name, role, word)
        return None

    def type_names(self) -> list[str]:
        """All names of types."""
        r = self.rules
        sites = [word for board in r.boards.values() for _, word in board.roles]
        return [*BUILTIN_TYPES, *r.kinds, *r.components, *r.pairs, *sites, *self.sorts]

    def numeric_option(self, name: str) -> bool:
        """Is it an option whose values are numbers?"""
        values = self.rules.options.get(name)
        return values is not None and all(isinstance(value, int) for value in values)

    def kind_members(self, name: str) -> tuple[str, ...]:
        """The members of a kind, or the values of an option."""
        if name in self.rules.kinds:
            return self.rules.kinds[name].members
        return tuple(str(value) for value in self.rules.options.get(name, ()))

    def kind_field(self, component: Component, kind: str) -> tuple[str, Type] | None:
        """The one field of a component that says its kind: of this kind, or a set or list of it; none if there are two."""
        fits = [(name, type_) for name, type_ in component.fields if _kind_in(type_) == kind]
        return fits[0] if len(fits) == 1 else None

    def site(self, name: str) -> SiteT | None:
        """The site type of this name (singular), if it is one."""
        found = self.find_type(name)
        return found if isinstance(found, SiteT) else None

    def owned(self, name: str) -> str | None:
        """How a name is said that does not stand by itself: what belongs to each of something, takes values or is carried out."""
        r = self.rules
        for known, what in ((r.places, "a place"), (r.states, "a variable")):
            if name in known and known[name].of is not None:
                return (
                    f"`{name}` is {what} of each {known[name].of}: say whose, as in `x's {name}`."
                )
        if name in r.boards:
            return f"Each player has a board `{name}`: say whose, as in `p's {name}`."
        if name in self.heads:
            return f"`{name}` takes values: write `{name}({', '.join(p for p, _ in self.heads[name].params)})`."
        if name in self.signatures:
            kind, params = self.signatures[name]
            call = f"{name}({', '.join(p for p, _ in params)})"
            if kind == "procedure":
                return f"`{name}` is carried out by a line of its own, `do {call}`, or `let x = {call}` for what it gives."
            return (
                f"`{name}` takes values: write `{call}`."
                if kind == "score"
                else f"`{name}` is carried out by a line of its own, `do {call}`."
            )
        if self.find_type(name) is not None:
            return f"`{name}` is a type; what is of it needs a name of its own, as in `some x in S` or `(x: {name})`."
        holders = [c.name for c in r.components.values() if c.field(name) is not None]
        holders += [
            dict(b.roles)[layer.role]
            for b in r.boards.values()
            for layer in b.layers
            if layer.name == name
        ]
        return (
            f"`{name}` is of each {holders[0]}: say of which, as in `x's {name}`."
            if holders
            else None
        )

    def suggest(self, word: str, more: Iterable[str] = ()) -> str | None:
        """A fix that names the nearest known names."""
        known = {*self.declared, *self.members, *self.plurals, *more}
        near = nearest(word, known - {word})  # what is known, but not here, helps nobody
        return "Did you mean " + " or ".join(f"`{name}`" for name in near) + "?" if near else None


def _kind_in(type_: Type) -> str | None:
    if isinstance(type_, SetT | ListT | OptionalT):
        return _kind_in(type_.of)
    return type_.name if isinstance(type_, KindT) else None


BUILTIN_TYPES: dict[str, Type] = {
    "truth": TRUTH,
    "number": NUMBER,
    "text": TEXT,
    "shape": SHAPE,
    "player": PLAYER,
    "direction": DIRECTION,
}
