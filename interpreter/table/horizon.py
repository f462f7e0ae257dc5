"""How far typed words can reach: which of them any choice still to come could explain.

A search that follows the rules turns back where words are left that nothing ahead is called by.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.engine.walker import Place
from interpreter.game.formatting import column_letters
from interpreter.game.game import Game
from interpreter.game.worked_out import WorkedOut
from interpreter.model.position import Position
from interpreter.model.setup import BoardInfo
from interpreter.table.fuzzy import Vocabulary, words
from rulelang import core
from rulelang.builtins.boards import all_sites
from rulelang.core.identity import IdentityMap
from rulelang.core.types import (
    NUMBER,
    PLAYER,
    TRUTH,
    KindT,
    OptionalT,
    PairT,
    PieceT,
    SiteT,
    Type,
    element,
)
from rulelang.diagnostics.english import spoken

_LITTLE = ("none", "to", "first", "at", "of", "player")  # said of sets, places and whose they are


def _pieces(game: Game) -> dict[str, Vocabulary]:
    """The words on the pieces of each component."""
    return {
        component: Vocabulary(w for p in pieces for w in words(game.presenter.piece(p)))
        for component, pieces in game.setup.by_component.items()
    }


def _ground(game: Game) -> dict[str, Vocabulary]:
    """The words of the places of each board by column and row, whether a cell is there or not."""
    return {
        name: Vocabulary(
            f"{column_letters(column)}{row + 1}"
            for column, row in map(info.grid.position, range(info.cells))
        )
        for name, info in game.setup.boards.items()
    }


_pieces_of = WorkedOut(_pieces)
_ground_of = WorkedOut(_ground)


class Horizon:
    """What typed words can still be explained by, from a place in the rules on."""

    def __init__(self, game: Game, s: Position, typed: tuple[str, ...], wide: bool) -> None:
        """The words are those of one line, which is held against one position.

        With `wide`, wherever an action is chosen all actions are looked at.
        """
        self.game, self.s, self.typed, self.wide = game, s, typed, wide
        self._everything = frozenset(range(len(typed)))
        self._numbers = frozenset(i for i, word in enumerate(typed) if word.isdecimal())
        self._of_type: dict[str, frozenset[int]] = {}
        self._of_body = IdentityMap[core.Body, list[frozenset[int]]]()
        self._of_procedure: dict[str, frozenset[int]] = {}

    def at(self, place: Place) -> frozenset[int]:
        """The words, by place, that a choice from here on may be called by."""
        return self._from(place.body)[min(place.pc, len(place.body))]

    # ------------------------------------------------------------------------------ along the rules
    def _from(self, body: core.Body) -> list[frozenset[int]]:
        """For each statement of a body, and its end, what it and those after it may explain."""
        found = self._of_body.get(body)
        if found is None:
            found = self._of_body.keep(body, [frozenset()] * (len(body) + 1))
            for pc in range(len(body) - 1, -1, -1):
                found[pc] = found[pc + 1] | self._statement(body[pc])
        return found

    def _statement(self, stmt: core.Stmt) -> frozenset[int]:
        return self._union(self._part(part) for part in core.walk(stmt))

    def _part(self, part: core.Node) -> frozenset[int]:
        match part:
            case core.Choose():
                return self._type(part.item) | self._explained(words(part.prompt))
            case core.May():
                return self._explained(("yes", "no", *words(part.prompt)))
            case core.Take():
                return self._union(map(self._procedure, self._actions(part)))
            case core.Do() if part.target in self.game.rules_source.procedures:
                return self._procedure(part.target)
            case _:
                return frozenset()

    def _actions(self, stmt: core.Take) -> Iterable[str]:
        known = self.game.rules_source.procedures.items()
        return [name for name, p in known if p.is_action] if self.wide else stmt.actions

    def _procedure(self, name: str) -> frozenset[int]:
        """What the title of a procedure or a choice in it may explain."""
        if name not in self._of_procedure:
            self._of_procedure[name] = frozenset()  # one that calls itself adds nothing by it
            known = self.game.rules_source.procedures[name]
            own = self._explained(words(known.title or spoken(name)))
            self._of_procedure[name] = own | self._from(known.body)[0]
        return self._of_procedure[name]

    # ------------------------------------------------------------------------------ what is called
    def _explained(self, meant: Iterable[str]) -> frozenset[int]:
        return self._known(Vocabulary(meant))

    def _known(self, vocabulary: Vocabulary) -> frozenset[int]:
        return frozenset(i for i, word in enumerate(self.typed) if vocabulary.explains(word))

    def _type(self, t: Type) -> frozenset[int]:
        """The words that a value of a type may be called by."""
        key = str(t)
        if key not in self._of_type:
            self._of_type[key] = self._worked_out(t)
        return self._of_type[key]

    def _worked_out(self, t: Type) -> frozenset[int]:
        inner = t.of if isinstance(t, OptionalT) else element(t)
        if inner is not None:
            return self._type(inner) | self._explained(_LITTLE)
        if t == NUMBER:
            return self._numbers
        if t == PLAYER:
            return self._numbers | self._explained(("player",))
        if t == TRUTH:
            return self._explained(("yes", "no"))
        match t:
            case PieceT():
                return self._known(_pieces_of(self.game)[t.name])
            case KindT():
                members = range(self.game.setup.kind_size(t.name))
                said = (self.game.presenter.member(t, member) for member in members)
                return self._explained(word for text in said for word in words(text))
            case PairT():
                parts = self.game.rules_source.pairs[t.name].parts
                return self._union(self._type(part) for _, part in parts)
            case SiteT():
                return self._site(t, self.game.setup.boards[t.board])
            case _:
                return self._everything

    def _site(self, t: SiteT, info: BoardInfo) -> frozenset[int]:
        """A site is called by its own label, or by column and row, and on a board of each player by
        whose it is."""
        found = self._known(_ground_of(self.game)[t.board]) | self._explained(_LITTLE)
        if t.role == "cell" and info.board.labels is None:
            return found | (self._numbers if info.copies > 1 else frozenset())
        cells = SiteT(t.board, "cell", dict(info.board.roles).get("cell", "cell"))
        label = self.game.presenter.cell_label
        said = {w for c in all_sites(self.s, info, "cell") for w in words(label(c, cells, self.s))}
        if t.role != "cell":
            said |= {*words(t.name), *info.grid.directions}
            found |= self._numbers
        return found | self._explained(said) | (self._numbers if info.copies > 1 else frozenset())

    def _union(self, parts: Iterable[frozenset[int]]) -> frozenset[int]:
        return frozenset[int]().union(*parts)
