"""Values, pieces and positions written as a scenario writes them.

What cannot be said in the language of scenarios raises Unsayable; whoever writes one out runs it
before it is given to anybody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from interpreter.engine.decisions import Spec
from interpreter.game.game import Game
from interpreter.model.position import Index, Position, empty_position
from interpreter.model.setup import BoardInfo, Key
from rulelang import core
from rulelang.builtins.world import Whereabouts
from rulelang.core.types import (
    NUMBER,
    PLAYER,
    TEXT,
    TRUTH,
    KindT,
    ListT,
    OptionalT,
    PieceT,
    SiteT,
    Type,
    element,
)
from rulelang.core.values import Value, members, number, numbers, ordered


class Unsayable(Exception):
    """A value or a place for which scenarios have no words."""


@dataclass(frozen=True)
class PieceAt:
    """A piece that lies elsewhere than at the beginning."""

    piece: int
    where: Whereabouts


@dataclass(frozen=True)
class ValueOf:
    """A variable with another value than at the beginning."""

    state: str
    index: Index
    value: Value


Fact = PieceAt | ValueOf


def facts(position: Position) -> list[Fact]:
    """What is otherwise than before anything happened: pieces first to last, then variables."""
    start = empty_position(position.setup, 0)
    rank = {piece: n for pieces in position.places.values() for n, piece in enumerate(pieces)}
    moved = [
        PieceAt(piece, where)
        for piece, where in enumerate(position.where)
        if where != start.where[piece]
    ]
    moved.sort(key=lambda f: (str(f.where[:1]) if f.where else "", rank.get(f.piece, 0)))
    values = [
        ValueOf(name, index, value)
        for name, of in position.vars.items()
        for index, value in of.items()
        if value != start.vars[name].get(index, position.setup.defaults[name])
    ]
    return [*moved, *values]


def built(game: Game, found: Sequence[Fact]) -> Position:
    """The position at the beginning with these facts."""
    s = empty_position(game.setup, 0)
    for fact in found:
        match fact:
            case PieceAt():
                _lay(game, s, fact)
            case ValueOf():
                s.assign(fact.state, fact.index, fact.value)
    s.touch()
    s.dirty = False
    return s


def _lay(game: Game, s: Position, fact: PieceAt) -> None:
    match fact.where:
        case None:
            s.lift(fact.piece)
        case ("on", str() as layer, tuple() as sites):
            s.put(fact.piece, layer, tuple(map(number, sites)))
        case ("tile", str() as board, tuple() as cells):
            s.lay(fact.piece, board, tuple(map(number, cells)))
        case (str() as name, index):
            s.move(fact.piece, (name, index), bottom=True)


@dataclass
class Phrasing:
    """Writes values of one position; sites of boards that grow as its pictures have them."""

    game: Game
    position: Position
    live: bool = False  # is it a position of a game from its seed, which no picture moves?
    corners: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, info in self.game.setup.boards.items():
            for copy in range(info.copies):
                spots = [info.grid.position(c) for c in self.position.present(name, copy)]
                if info.board.grown_from is not None and (spots or self.live):
                    middle = info.grid.position(info.grid.ground(0, 0))
                    low = [min((spot[i] for spot in spots), default=0) for i in (0, 1)]
                    self.corners[name, copy] = middle if self.live else (low[0], low[1])

    # --------------------------------------------------------------------------------- values
    def value(self, value: Value, t: Type, spec: Spec | None = None) -> str:
        """A value of a type; of pieces that are offered, those that this decision offers."""
        if value is None:
            return "none"
        inner = element(t)
        if isinstance(t, OptionalT):
            return self.value(value, t.of, spec)
        if inner is not None or isinstance(value, frozenset):
            return self._several(value, t, inner or t, spec)
        if isinstance(value, bool):
            return "true" if value else "false"
        if t == TEXT or isinstance(value, str):
            return f'"{value}"'
        if not isinstance(value, int):
            raise Unsayable(str(t))
        return self._one(value, t)

    def _one(self, value: int, t: Type) -> str:
        if t == NUMBER:
            return str(value)
        if t == TRUTH:
            return "true" if value else "false"
        if t == PLAYER:
            return f"p{value + 1}"
        match t:
            case KindT():
                return self.game.presenter.name(t, value)
            case SiteT():
                return self.site(value, t)
            case PieceT():
                return self.piece(value)
        raise Unsayable(str(t))

    def _several(self, value: Value, t: Type, inner: Type, spec: Spec | None) -> str:
        items = list(ordered(members(value)))
        if isinstance(inner, PieceT) and not isinstance(t, ListT) and items:
            return self.pieces(numbers(tuple(items)), spec)
        return "{" + ", ".join(self.value(item, inner) for item in items) + "}"

    def expression(self, expr: core.Expr, names: Mapping[str, str]) -> str:
        """What a ranking goes by: words of the rules, numbers, and what comes of them."""
        match expr:
            case core.Var() if expr.name in names:
                return names[expr.name]
            case core.Const() if expr.type == NUMBER:
                return str(expr.value)
            case core.Apply() | core.Total():
                name = expr.define if isinstance(expr, core.Apply) else expr.table
                return f"{name}({', '.join(self.expression(a, names) for a in expr.args)})"
            case core.Read(index=None):
                return expr.state
            case core.Read(index=core.Expr() as index):
                return f"{self.expression(index, names)}'s {expr.state}"
            case core.Arith():
                both = (self.expression(e, names) for e in (expr.left, expr.right))
                return f"({f' {expr.op} '.join(both)})"
        raise Unsayable("an amount")

    def piece(self, piece: int) -> str:
        """A piece by its title, or the first that is printed so."""
        design = self.game.setup.pieces[piece].design
        if design.title:
            return f'"{design.title}"'
        return f"first of {self._printed(piece)}"

    def _printed(self, piece: int) -> str:
        """The set of the pieces on which the same is printed, of the same owner."""
        known = self.game.setup.pieces[piece]
        component = self.game.rules_source.components[known.design.component]
        plural = component.words[1].replace(" ", "_")
        values = dict(known.design.values)
        conds = []
        for name, t in component.fields:
            said = values.get(name)
            if isinstance(said, int) and (t == NUMBER or isinstance(t, KindT)):
                conds.append(f"x's {name} = {self._one(said, t)}")
        if known.owner is not None:
            conds.append(f"x's owner = p{known.owner + 1}")
        return f"{{x in {plural} where {', '.join(conds)}}}" if conds else plural

    def pieces(self, wanted: Sequence[int], spec: Spec | None = None) -> str:
        """A set of pieces, title by title, of those that are offered or that lie where they do."""
        pool = set(numbers(spec.domain)) if spec is not None and spec.domain else None
        if pool is not None and pool == set(wanted) == set(self._together(wanted[0])):
            return self.place(self.position.where[wanted[0]])
        if pool is not None and any(p not in pool for q in wanted for p in self._alike(q)):
            return self._offered(wanted, pool)
        lying: dict[tuple[int, Whereabouts], list[int]] = {}
        for piece in wanted:
            key = self.game.setup.twin[piece], self.position.where[piece]
            lying.setdefault(key, []).append(piece)
        return " + ".join(
            self._so_many(some, len(self._alike(some[0])), where)
            for (_, where), some in lying.items()
        )

    def _offered(self, wanted: Sequence[int], pool: set[int]) -> str:
        """All of each title that are offered: titles stand for just these."""
        titles = [self.game.setup.pieces[p].design.title for p in wanted]
        meant = {p for p in pool if self.game.setup.pieces[p].design.title in titles}
        if not all(titles) or meant != set(wanted):
            raise Unsayable("some of those that are offered")
        return " + ".join(f'"{title}"' for title in dict.fromkeys(titles))

    def _alike(self, piece: int) -> list[int]:
        """The pieces like this one that lie where it does."""
        twin = self.game.setup.twin
        return [p for p in self._together(piece) if twin[p] == twin[piece]]

    def _together(self, piece: int) -> Sequence[int]:
        """The pieces in the place where this one lies."""
        where = self.position.where[piece]
        if where is None or len(where) != 2:
            return [p for p, at in enumerate(self.position.where) if at == where]
        return self.position.places[where]

    def _so_many(self, some: list[int], among: int, where: Whereabouts) -> str:
        """So many of those that are alike and lie in a place, the last ones."""
        piece = some[0]
        title = self.game.setup.pieces[piece].design.title
        if where is not None and len(where) == 2:
            cond = f'x is "{title}"' if title else self._conditions(piece)
            base = f"{{x in {self.place(where)} where {cond}}}" if cond else self.place(where)
        elif len(some) == among:
            base = f'{{"{title}"}}' if title and among == 1 else self._printed(piece)
        else:
            raise Unsayable("several alike on a board")
        if len(some) == among:
            return base
        ends = [f"first of {base}", f"last of {base}"]
        if len(some) <= len(ends):
            return "{" + ", ".join(ends[: len(some)]) + "}"
        if among - len(some) <= len(ends):
            return f"({base} - {{{', '.join(ends[: among - len(some)])}}})"
        raise Unsayable("some of many alike")

    def _conditions(self, piece: int) -> str:
        said = self._printed(piece)
        return said.partition(" where ")[2].removesuffix("}")

    def place(self, where: Whereabouts) -> str:
        """A place, and whose it is."""
        if where is None or len(where) != 2:
            raise Unsayable("no place")
        name, index = where
        of = self.game.rules_source.places[name].of
        if index is None or of is None:
            return name
        return f"{self._one(number(index), of)}'s {name}"

    # ---------------------------------------------------------------------------------- sites
    def site(self, site: int, t: SiteT) -> str:
        """A site by its column and row."""
        info = self.game.setup.boards[t.board]
        copy, local = divmod(site, info.stride(t.role))
        if t.role == "cell":
            return self._cell(info, copy, local)
        if t.role != "side":
            raise Unsayable("a corner")
        present = self.position.present(t.board, copy)
        cells = [c for c in info.grid.cells_of_side[local] if c in present]
        if not cells:
            raise Unsayable("a side of nothing")
        direction = info.grid.directions[info.grid.sides_of[cells[0]].index(local)]
        return f"side_to({self._cell(info, copy, cells[0])}, {direction})"

    def _cell(self, info: BoardInfo, copy: int, local: int) -> str:
        name = info.board.name
        board = f"p{copy + 1}'s {name}" if info.board.per_player else name
        column, row = info.grid.position(local)
        if info.board.grown_from is None:
            return f"site_at({board}, {column + 1}, {row + 1})"
        left, top = self.corners.get((name, copy), (column, row))
        return f"ground_at({board}, {column - left + 1}, {row - top + 1})"

    # ------------------------------------------------------------------------------ positions
    def position_lines(self, found: Sequence[Fact]) -> Iterator[str]:
        """The steps of a scenario that set these facts up."""
        yield from self._pictures(found)
        lines = [*self._placed(found), *self._assigned(found)]
        if lines:
            yield "given"
            yield from (f"  {line}" for line in lines)

    def _pictures(self, found: Sequence[Fact]) -> Iterator[str]:
        """The boards that have grown, by the labels of their cells."""
        boards: dict[tuple[str, int], dict[tuple[int, int], str]] = {}
        for fact in found:
            match fact:
                case PieceAt(where=("tile", str() as name, tuple() as sites)):
                    info = self.game.setup.boards[name]
                case _:
                    continue
            for cell in sites:
                copy, local = divmod(number(cell), info.cells)
                t = SiteT(name, "cell", dict(info.board.roles).get("cell", "cell"))
                label = self.game.presenter.cell_label(number(cell), t, self.position)
                boards.setdefault((name, copy), {})[info.grid.position(local)] = label
        for (name, copy), cells in boards.items():
            per_player = self.game.setup.boards[name].board.per_player
            yield f"board {name} of p{copy + 1}" if per_player else f"board {name}"
            left, top = self.corners[name, copy]
            right, bottom = (max(spot[i] for spot in cells) for i in (0, 1))
            width = max(map(len, cells.values()))
            for row in range(top, bottom + 1):
                signs = (cells.get((c, row), ".").ljust(width) for c in range(left, right + 1))
                yield f"  | {' '.join(signs)}".rstrip()

    def changes(self, before: Sequence[Fact], after: Sequence[Fact]) -> Iterator[str]:
        """Conditions that hold of what was changed: values of variables, sizes of places."""
        known = set(before)
        for fact in after:
            if isinstance(fact, ValueOf) and fact not in known:
                if isinstance(self.game.rules_source.states[fact.state].of, PieceT):
                    continue  # the piece may lie elsewhere then
                state = self.game.rules_source.states[fact.state]
                try:
                    said = self.value(fact.value, state.type)
                    whose = (
                        ""
                        if fact.index is None or state.of is None
                        else (f"{self._whose(fact.index, state.of)}'s ")
                    )
                except Unsayable:
                    continue
                yield f"{whose}{fact.state} = {said}"

    def _placed(self, found: Sequence[Fact]) -> Iterator[str]:
        groups: Counter[tuple[int, Key]] = Counter()
        for fact in found:
            if not isinstance(fact, PieceAt) or (
                fact.where is not None and fact.where[0] == "tile"
            ):
                continue
            match fact.where:
                case ("on", str() as layer, tuple() as sites):
                    yield f"put {self.piece(fact.piece)} at {self._sites(layer, sites)}"
                case (str() as name, index):
                    key: Key = (name, index)
                    groups[self.game.setup.twin[fact.piece], key] += 1
                case _:
                    raise Unsayable("a piece that lies nowhere")
        for (twin, key), count in groups.items():
            piece = self.game.setup.twin.index(twin)
            yield self._moved(piece, count, key)

    def _moved(self, piece: int, count: int, key: Key) -> str:
        """The statement that puts so many pieces that are alike into a place."""
        start = empty_position(self.game.setup, 0)
        title = self.game.setup.pieces[piece].design.title
        twin = self.game.setup.twin[piece]
        alike = [p for p, of in enumerate(self.game.setup.twin) if of == twin]
        to = self.place(key)
        if count == len(alike):
            return f'move "{title}" to {to}' if title else f"move {self._printed(piece)} to {to}"
        source = self.place(start.where[piece])
        if title:
            return f'move {count} "{title}" from {source} to {to}'
        if count == 1:
            return f"move first of {self._printed(piece)} to {to}"
        raise Unsayable("some of many without a title")

    def _sites(self, layer: str, sites: tuple[Value, ...]) -> str:
        board = self.game.setup.layer_board[layer]
        info = self.game.setup.boards[board]
        role = next(known.role for known in info.board.layers if known.name == layer)
        t = SiteT(board, role, dict(info.board.roles).get(role, role))
        said = [self.site(number(site), t) for site in sites]
        return said[0] if len(said) == 1 and role != "cell" else "{" + ", ".join(said) + "}"

    def _assigned(self, found: Sequence[Fact]) -> Iterator[str]:
        for fact in found:
            if not isinstance(fact, ValueOf):
                continue
            state = self.game.rules_source.states[fact.state]
            said = self.value(fact.value, state.type)
            if fact.index is None or state.of is None:
                yield f"set {fact.state} to {said}"
            else:
                yield f"set {self._whose(fact.index, state.of)}'s {fact.state} to {said}"

    def _whose(self, index: Index, of: Type) -> str:
        """Whose value a variable holds."""
        if isinstance(of, PieceT) and isinstance(index, int):
            return f"(first of {self.pieces([index])})"
        return self.value(index, of)
