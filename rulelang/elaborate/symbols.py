"""The symbol table: what every declared name stands for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

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
from rulelang.diagnostics import Report, did_you_mean, nearest
from rulelang.diagnostics.source import NOWHERE, Span
from rulelang.elaborate.titles import Titles
from rulelang.ruleset import Clause, Component, Params, Ruleset
from rulelang.syntax.nodes import Node


@dataclass
class Head:
    """What is known of a definition before its body is compiled (`busy`: while it is)."""

    node: Node
    params: Params
    type: Type | None
    busy: bool = False
    done: bool = False


@dataclass
class SymbolTable:
    """The declarations of one ruleset while it is compiled, by name."""

    rules: Ruleset
    report: Report
    # the statements that may be cited; None: citations are not checked
    statements: frozenset[str] | None = None
    heads: dict[str, Head] = field(default_factory=dict)
    # name -> what it is, in words, and where it is declared
    declared: dict[str, tuple[str, Span]] = field(default_factory=dict)
    # member of a kind -> each kind that has it, with its index there
    members: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    plurals: dict[str, str] = field(default_factory=dict)
    # sort of phrases -> the type of their meaning
    sorts: dict[str, Type] = field(default_factory=dict)
    # event, action, procedure or score table -> which of them, and its parameters
    signatures: dict[str, tuple[str, Params]] = field(default_factory=dict)
    # procedure -> the type it gives
    results: dict[str, Type] = field(default_factory=dict)
    # label of a menu -> the actions declared to be added there
    menus: dict[str, list[str]] = field(default_factory=dict)
    # owner and label -> how many clauses have them, for unique ids
    repeats: dict[str, int] = field(default_factory=dict)
    # component and field -> the field's default expression
    field_defaults: dict[tuple[str, str], Node] = field(default_factory=dict)
    titles: Titles = field(default_factory=Titles)
    default_deck: Node | None = None
    # the clauses of the declaration being compiled
    entered: list[Clause] = field(default_factory=list)

    # ------------------------------------------------------------------------------- declaring
    def declare(self, what: str, word: Node) -> bool:
        """Enter a name and return whether it was free; if not, report it."""
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
        """Enter a clause and return its unique id: owner/label, with #n if that is taken."""
        base = _base(owner, label)
        found, self.repeats[base] = self._free_id(base)
        known = cites if cites is not None else (node.cites if node else ())
        where = span or (node.span if node else NOWHERE)
        if node is not None:
            self.check_node_citations(node)
        entered = Clause(found, kind, owner, label, known, where)
        self.rules.clauses[found] = entered
        self.entered.append(entered)
        return found

    def _free_id(self, base: str) -> tuple[str, int]:
        """The first id of this owner and label that is free, with its number."""
        n = self.repeats.get(base, 1)
        found = base if n == 1 else f"{base}#{n}"
        while found in self.rules.clauses:
            n += 1
            found = f"{base}#{n}"
        return found, n

    @contextmanager
    def recording(self) -> Iterator[list[Clause]]:
        """Gives the list of the clauses that are entered meanwhile.

        Those of a declaration that is compiled in between are in the list of that one alone.
        """
        outer, self.entered = self.entered, []
        try:
            yield self.entered
        finally:
            self.entered = outer

    def enter_again(self, clauses: Sequence[Clause]) -> bool:
        """Enter the clauses of another compilation and return whether they have the same ids here;
        if not, none is entered.
        """
        before: dict[str, int | None] = {}
        for number, clause in enumerate(clauses):
            base = _base(clause.owner, clause.label)
            if base == clause.id and base not in self.repeats and base not in self.rules.clauses:
                found, n = base, 1
            else:
                found, n = self._free_id(base)
            if found != clause.id:
                self._take_back(clauses[:number], before)
                return False
            before.setdefault(base, self.repeats.get(base))
            self.repeats[base] = n
            self.rules.clauses[found] = clause
        return True

    def _take_back(self, clauses: Iterable[Clause], repeats: dict[str, int | None]) -> None:
        for clause in clauses:
            del self.rules.clauses[clause.id]
        for base, known in repeats.items():
            if known is None:
                del self.repeats[base]
            else:
                self.repeats[base] = known

    def check_node_citations(self, node: Node) -> None:
        """Report each citation on the node's line that names no statement of the rulebook."""
        cite = node.first("CITE")
        if cite is not None:
            self.check_citations(node.cites, cite.span)

    def check_citations(self, cites: Iterable[str], span: Span) -> None:
        """Report each of these citations that names no statement of the rulebook."""
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

    # ------------------------------------------------------------------------------ looking up
    def type_of(self, node: Node) -> Type:
        """The type a type expression names; an unknown name is reported."""
        if node.kind == "set_of":
            return SetT(self.type_of(node.part(-1)))
        if node.kind == "list_of":
            if node.part(0).text != "list":
                fix = "Write `set of …` or `list of …`."
                self._unknown_type(node.part(0), fix)
            return ListT(self.type_of(node.part(-1)))
        if node.kind == "or_none":
            if node.part(1).text != "none":
                self._unknown_type(node.part(1), "Only `or none` may follow a type.")
            return OptionalT(self.named_type(node.part(0)))
        return self.named_type(node.part(0))

    def named_type(self, word: Node) -> Type:
        """The type of this name; UNKNOWN (and reported) if there is none."""
        found = self.find_type(word.text)
        if found is not None:
            return found
        self._unknown_type(word, did_you_mean(word.text, self.type_names()))
        return UNKNOWN

    def _unknown_type(self, word: Node, fix: str | None) -> None:
        self.report.add("unknown-type", word.span, name=word.text, fix=fix)

    def find_type(self, name: str) -> Type | None:
        """The type of this name, or None."""
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
        return self.site(name)

    def site(self, name: str) -> SiteT | None:
        """The type of the sites with this (singular) name, or None."""
        for board in self.rules.boards.values():
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
        """The component's field of this kind (or a set or list of it); None unless just one."""
        fits = [(name, type_) for name, type_ in component.fields if _kind_in(type_) == kind]
        return fits[0] if len(fits) == 1 else None

    def usage_hint(self, name: str) -> str | None:
        """How to write a known name that cannot stand alone; None if it is unknown."""
        return (
            self._owner_hint(name)
            or self._call_hint(name)
            or self._type_hint(name)
            or self._feature_hint(name)
        )

    def _owner_hint(self, name: str) -> str | None:
        r = self.rules
        place, state = r.places.get(name), r.states.get(name)
        if place is not None and place.of is not None:
            return f"`{name}` is a place of each {place.of}: say whose, as in `x's {name}`."
        if state is not None and state.of is not None:
            return f"`{name}` is a variable of each {state.of}: say whose, as in `x's {name}`."
        if name in r.boards:
            return f"Each player has a board `{name}`: say whose, as in `p's {name}`."
        return None

    def _call_hint(self, name: str) -> str | None:
        if name in self.heads:
            return f"`{name}` takes values: write `{_call(name, self.heads[name].params)}`."
        if name not in self.signatures:
            return None
        what, params = self.signatures[name]
        call = _call(name, params)
        if what == "score":
            return f"`{name}` takes values: write `{call}`."
        hint = f"`{name}` is carried out by a line of its own, `do {call}`"
        if what == "procedure":
            return f"{hint}, or `let x = {call}` for what it gives."
        return f"{hint}."

    def _type_hint(self, name: str) -> str | None:
        if self.find_type(name) is None:
            return None
        return (
            f"`{name}` is a type; what is of it needs a name of its own, "
            f"as in `some x in S` or `(x: {name})`."
        )

    def _feature_hint(self, name: str) -> str | None:
        """The hint for a field of a component or a layer of a board."""
        r = self.rules
        holders = [c.name for c in r.components.values() if c.field(name) is not None]
        for board in r.boards.values():
            roles = dict(board.roles)
            holders += [roles[layer.role] for layer in board.layers if layer.name == name]
        if not holders:
            return None
        return f"`{name}` is of each {holders[0]}: say of which, as in `x's {name}`."

    def suggest(self, word: str, more: Iterable[str] = ()) -> str | None:
        """A fix that names the nearest known names."""
        known = {*self.declared, *self.members, *self.plurals, *more}
        # the word itself may be known, but not where it stands: naming it would not help
        near = nearest(word, known - {word})
        return "Did you mean " + " or ".join(f"`{name}`" for name in near) + "?" if near else None


def _base(owner: str, label: str) -> str:
    """What the ids of clauses with this owner and label begin with."""
    return f"{owner}/{label}" if label else owner


def _call(name: str, params: Params) -> str:
    return f"{name}({', '.join(param for param, _ in params)})"


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
