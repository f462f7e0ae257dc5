"""What is printed of a ruleset: its pieces with their copies, chosen by name or by what changed, as
sheets with all that did not fit."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass

from interpreter.paper.faces import FaceMaker, called
from interpreter.paper.identity import hash_of, id_of
from interpreter.paper.sheets import PRESETS, Piece, Sheet, board_sheet, sheets
from rulelang.compiler.compiled import Compiled
from rulelang.diagnostics import Diagnostic, finding
from rulelang.diagnostics.english import spoken
from rulelang.diagnostics.source import NOWHERE
from rulelang.queries.database import Query
from rulelang.ruleset import Board, Design, Ruleset
from rulelang.ruleset.parts import SETTING, Parts, recording

_ADVICE = (  # by what is wrong
    (
        "the picture “",
        "Put another picture of that name beside the rules: PNG, JPEG, or plain SVG.",
    ),
    (
        "no picture “",
        "Put a picture of that name beside the rules or below; none is looked for elsewhere.",
    ),
    (
        "than the paper",
        "Give its component a layout with a smaller size, or print on another paper.",
    ),
    ("the font has no", "Write it in letters that the font has."),
)
_LESS = "Say it in fewer words, or give its component a layout with more room there."
_MOST_CELLS = 900  # of a board that is printed on one sheet


@dataclass(frozen=True)
class Order:
    """What is to be printed, and how."""

    paper: str = "a4"
    preset: str = "home"
    backs: bool = True
    boards: bool = True
    players: int = 1
    known: Mapping[str, str] | None = None  # hashes by id: what has these is left out


@dataclass(frozen=True)
class Named:
    """A design as it is printed: its id and hash, and how many there are."""

    id: str
    hash: str
    title: str
    component: str
    copies: int


@dataclass(frozen=True)
class Printed:
    """The sheets, the pieces on them, and findings about what is not printed as it stands."""

    sheets: tuple[Sheet, ...]
    pieces: tuple[Named, ...]
    found: tuple[Diagnostic, ...]


def printed(
    rules: Ruleset,
    designs: list[Design],
    order: Order,
    read: Callable[[str], bytes | None] = lambda _: None,
) -> Printed:
    """The sheets of these designs; what does not fit is told, and the rest is printed."""
    found: list[Diagnostic] = []
    pieces, named = [], []
    for design in designs:
        maker = FaceMaker(rules, read)
        one = named_as(rules, design, order.players)
        if order.known is not None and order.known.get(one.id) == one.hash:
            continue
        front = maker.front(design)
        found += [_misfit(design, m.title, f"{spoken(m.box)}: {m.why}") for m in maker.misfits]
        back = maker.back(design) if order.backs and not front.cells else None
        pieces.append(Piece(one.title, front, back, one.copies))
        named.append(one)
    made, too_large = sheets(pieces, order.paper, PRESETS[order.preset], rules.title)
    for title in too_large:
        design = next(d for d in designs if called(rules, d) == title)
        found.append(_misfit(design, title, f"it is larger than the paper {order.paper}"))
    named = [one for one in named if one.title not in too_large]
    made += _boards(rules, order) if order.boards else []
    return Printed(tuple(made), tuple(named), tuple(found))


class Unfit(Query[str, tuple[tuple[str, str], ...]]):
    """What would not fit its box if designs were printed, by their clauses: titles and why."""

    looked: Callable[[str], Design]
    rules: Ruleset

    def work(self, key: str) -> tuple[tuple[str, str], ...]:
        """It is drawn."""
        self.database.of(Shown)(key)
        self.database.of(Parts)(SETTING)
        maker = FaceMaker(self.rules, prints=False)
        maker.front(self.looked(key))
        return tuple((m.title, f"{spoken(m.box)}: {m.why}") for m in maker.misfits)


class Shown(Query[str, Hashable]):
    """All of a design that is drawn, by its clause."""

    looked: Callable[[str], Design]

    def work(self, key: str) -> Hashable:
        """It is read off the design."""
        design = self.looked(key)
        return design.component, design.title, design.values, design.sentences, design.copies


def misfits(compiled: Compiled, designs: list[Design]) -> list[Diagnostic]:
    """What would not fit its box if these designs were printed."""
    unfit, shown = compiled.queries.of(Unfit), compiled.queries.of(Shown)
    unfit.looked = shown.looked = {design.clause: design for design in designs}.__getitem__
    unfit.rules = recording(compiled.queries.of(Parts))
    return [
        _misfit(design, title, why) for design in designs for title, why in unfit(design.clause)
    ]


def named_as(rules: Ruleset, design: Design, players: int) -> Named:
    """A design by its id; of a component of each player there are copies for so many."""
    component = rules.components[design.component]
    copies = design.copies * (players if component.per_player else 1)
    return Named(
        id_of(rules, design),
        hash_of(rules, design),
        called(rules, design),
        component.words[0],
        copies,
    )


def _misfit(design: Design, title: str, why: str) -> Diagnostic:
    """What is not printed as it stands, with what helps."""
    advice = next((told for word, told in _ADVICE if word in why), _LESS)
    return finding("does-not-fit", design.span or NOWHERE, title=title, why=why, advice=advice)


def _boards(rules: Ruleset, order: Order) -> list[Sheet]:
    """The boards that do not grow, one sheet each; those of each player as often as there are."""
    made = []
    for board in rules.boards.values():
        size = _size(rules, board, order.players)
        if board.grown_from is None and size is not None:
            name = f"{rules.title}: {spoken(board.name)}"
            labels = (f"{_letter(c)}{r + 1}" for r in range(size[1]) for c in range(size[0]))
            grid = board.ground(order.players).grid
            sheet = board_sheet(name, grid, size, order.paper, labels)
            made += [sheet] * (order.players if board.per_player else 1)
    return made


def _size(rules: Ruleset, board: Board, players: int) -> tuple[int, int] | None:
    """Its columns and rows, by the first value of an option that gives them; none if too many."""
    ground, found = board.ground(players), []
    for size in (ground.width, ground.height):
        value = size if isinstance(size, int) else rules.options.get(size, (0,))[0]
        found.append(value if isinstance(value, int) else 0)
    wide, high = found
    return (wide, high) if 0 < wide * high <= _MOST_CELLS else None


def _letter(column: int) -> str:
    return (_letter(column // 26 - 1) if column > 25 else "") + chr(ord("a") + column % 26)
