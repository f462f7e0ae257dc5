"""What cards add where rules are open: found by the piece that is played, or by what lies there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import TypeAlias, cast

from interpreter.engine.noted import Noted
from interpreter.evaluator.expressions import Env, Func
from interpreter.model.position import Position
from interpreter.model.values import Fault
from rulelang import core
from rulelang.analysis.cost import looks_back
from rulelang.builtins.pieces import holder
from rulelang.core.types import PLAYER, PieceT
from rulelang.core.values import Value
from rulelang.ruleset import Extension, Params

Values: TypeAlias = tuple[Value, ...]
Added: TypeAlias = tuple[Extension, Env]  # with `card` and `you` bound
Adding: TypeAlias = Callable[[Position, Values], Iterable[Added]]


class Additions:
    """What cards add to the clauses of one game."""

    def __init__(self, noted: Noted, func: Callable[[core.Expr], Func], counts: bool) -> None:
        """`func` gives the function of a condition, as a question of its own.

        If it `counts`, `asked` says how often it was asked what cards add.
        """
        self.noted, self.setup, self._func = noted, noted.setup, func
        self.counts, self.asked = counts, 0
        self._slots: dict[tuple[str, str, str], list[Extension]] = {}
        self._made: dict[tuple[str, str, str], Adding] = {}
        for extension in self.setup.rules.extensions:
            if extension.clause not in noted.without and extension.pattern not in noted.without:
                slot = (extension.kind, extension.target, extension.slot)
                self._slots.setdefault(slot, []).append(extension)
        self.bearers = {
            (d.component, d.title): self.setup.by_title.get((d.component, d.title.lower()), ())
            for d in self.setup.rules.designs
        }
        """Component and title -> the pieces that bear this title."""

    def at(self, kind: str, target: str, slot: str) -> Sequence[Extension]:
        """All that any card may add in a slot, in the order of the rules."""
        return self._slots.get((kind, target, slot), ())

    def to(self, kind: str, target: str, slot: str, params: Params) -> Adding:
        """What cards add in a slot of a clause with these parameters, in a position.

        In the order of the rules, then of the pieces.
        """
        made = self._made.get((kind, target, slot))
        if made is None:
            made = self._adding(self.at(kind, target, slot), params)
            self._made[kind, target, slot] = made = self._counted(made) if self.counts else made
        return made

    def _counted(self, adding: Adding) -> Adding:
        def counted(s: Position, values: Values) -> Iterable[Added]:
            self.asked += 1
            return adding(s, values)

        return counted

    def _adding(self, added: Sequence[Extension], params: Params) -> Adding:
        if self.noted.record:
            return lambda s, values: self._noting(s, added, params, values)
        runs = [
            self._by_piece(list(run), params) if played else self._in_force(list(run))
            for played, run in groupby(added, _component_played)
        ]
        if not runs:
            return lambda s, values: ()
        if len(runs) == 1:
            return runs[0]
        return lambda s, values: chain.from_iterable(run(s, values) for run in runs)

    # ------------------------------------------------------------------------------------ as played
    def _by_piece(self, run: list[Extension], params: Params) -> Adding:
        """What the first piece of a component among the values adds."""
        by_piece: dict[Value, list[Extension]] = {}
        for extension in run:
            for piece in self.bearers.get((extension.component, extension.title), ()):
                by_piece.setdefault(piece, []).append(extension)
        at = _first(params, PieceT(run[0].component))
        your = _first(params, PLAYER)
        if at is None:
            return lambda s, values: ()
        card = at

        def played(s: Position, values: Values) -> Iterable[Added]:
            found = by_piece.get(values[card])
            if found is None:
                return ()
            env = {"card": values[card], "you": None if your is None else values[your]}
            return [(extension, env) for extension in found]

        return played

    # -------------------------------------------------------------------------------------- in play
    def _in_force(self, run: list[Extension]) -> Adding:
        """What cards add while they lie somewhere and their conditions hold.

        It is found once for a position: what is in force seldom changes.
        """
        conds = tuple(e.cond for e in run if e.cond is not None)
        if not self.noted.keeps or looks_back(self.setup.rules, conds):
            return lambda s, values: self._in_play(s, run)
        key = self.setup.memo_keys.own(self.noted.reads.all(conds) | {"where"})

        def in_force(s: Position, values: Values) -> Iterable[Added]:
            # Under keys of this kind what is in force is kept, and nothing else.
            memo = cast("dict[int, tuple[Added, ...]]", s.memo(key))
            found = memo.get(0)
            if found is None:
                try:
                    found = memo[0] = tuple(self._in_play(s, run))
                except Fault:  # which nobody may come to, if what is before it answers
                    return self._in_play(s, run)
            return found

        return in_force

    def _in_play(self, s: Position, run: Iterable[Extension]) -> Iterator[Added]:
        """Each with each bearer that is somewhere, while or until its condition holds."""
        for extension in run:
            for piece in self.bearers.get((extension.component, extension.title), ()):
                if s.where[piece] is None:
                    continue
                env = {"card": piece, "you": self.player_of(s, piece)}
                if extension.cond is None or bool(self._func(extension.cond)(s, env)) == (
                    extension.lifetime == "while"
                ):
                    yield extension, env

    def player_of(self, s: Position, piece: int) -> int | None:
        """The player a card speaks of as `you`: who has it, or whose it is."""
        found = holder(s, piece)
        return found if found is not None else self.setup.pieces[piece].owner

    # ---------------------------------------------------------------------------------------- noted
    def _noting(
        self, s: Position, added: Sequence[Extension], params: Params, values: Values
    ) -> Iterator[Added]:
        """The same one by one; of each the wording is noted as looked at."""
        for extension in added:
            self.noted.touched.add(extension.pattern)
            if extension.lifetime == "played":
                yield from self._by_piece([extension], params)(s, values)
            else:
                yield from self._in_play(s, (extension,))


def _component_played(extension: Extension) -> str:
    """The component of the card, if the addition holds for the moment it is played."""
    return extension.component if extension.lifetime == "played" else ""


def _first(params: Params, wanted: object) -> int | None:
    return next((i for i, (_, t) in enumerate(params) if t == wanted), None)
