"""The stage of a scenario: a position built from pictures and statements, and what may be asked of
it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from interpreter.engine.entry import enter
from interpreter.engine.events import Refused
from interpreter.game.advice import advised
from interpreter.game.game import Game, State
from interpreter.game.position_io import picture
from interpreter.game.refusals import Refusal
from interpreter.model.position import Position, empty_position
from interpreter.model.tally import Tally
from rulelang import core
from rulelang.core.types import PieceT, SiteT
from rulelang.core.values import Value, members, number, numbers
from rulelang.diagnostics.source import Span
from rulelang.phrases.describe import Describer
from rulelang.ruleset import Ruleset, Step


class Failed(Exception):
    """A step that cannot be carried out; `span` is where, if it is not the step as a whole."""

    def __init__(self, message: str, span: Span | None = None) -> None:
        """The message is for people."""
        super().__init__(message)
        self.span = span


class Stage:
    """One scenario's position, before and between its plays."""

    def __init__(self, game: Game) -> None:
        """An empty position of the game."""
        self.game = game
        self.rules: Ruleset = game.rules_source
        self.s: Position = empty_position(game.setup, 0)
        self.refused: list[Refusal] | None = None  # why the last play was, if it was
        self.cited: set[str] = set()  # the statements those reasons rest on
        self.asked = ""  # what was asked, of whom, where it was refused
        self.tallies: tuple[Tally, ...] = ()
        self.flowing = False
        self.earlier: Position | None = None  # before the last play

    def env(self, witnessed: bool = False) -> dict[str, Value]:
        """The words a scenario may ask about; who witnessed the last play is worked out only if
        asked.
        """
        state = State(self.game, self.s)
        known: dict[str, Value] = {
            "scored": next((t.total for t in self.tallies), 0),
            "refused": self.refused is not None,
            "ended": self.s.ended is not None,
            "winners": frozenset(state.winners),
            "deciding": frozenset(d.player for d in state.decisions),
        }
        return {**known, "witnesses": self.witnesses()} if witnessed else known

    def witnesses(self) -> frozenset[int]:
        """The players who see the game otherwise since the last play; whose turn it is to decide is
        no sight of it.
        """
        if self.earlier is None:
            return frozenset()
        before, now = State(self.game, self.earlier), State(self.game, self.s)
        unseen = {"decisions": None, "undo": None}
        return frozenset(
            p for p in range(self.game.players) if before.view(p) | unseen != now.view(p) | unseen
        )

    def reasons(self) -> str:
        """Why the last play was refused, and what was asked there of whom."""
        said = "; ".join(map(str, self.refused or ())) or "no reason is known"
        return f"{said}; asked {self.asked}" if self.asked else said

    def advised(self, cites: tuple[str, ...]) -> bool:
        """Do the rules, by clauses that cite these statements (or by any), have something to say of
        the setup?
        """
        said = [item.clause.cites for item in advised(self.game)]
        return all(any(cite in known for known in said) for cite in cites) if cites else bool(said)

    def settled(self, step: Step) -> None:
        """Nothing: settings were read before the game was built."""

    def seed(self, step: Step) -> None:
        """The seed of chance."""
        self.s.seed = step.number

    def start(self, step: Step) -> None:
        """Begin the flow of the game, or enter it where it does a procedure or lets a player take
        an action.
        """
        self.s.seed = step.number or self.s.seed
        self.flowing = True
        try:
            if step.name:
                values = tuple(self.value(answer.value) for answer in step.args)
                enter(self.game.machine, self.s, step.name, values)
            else:
                self.game.machine.begin(self.s)
            self.game.machine.run(self.s)
        except Refused as error:
            raise Failed(str(error)) from error

    def draw(self, step: Step) -> None:
        """Lay what a picture of a board shows; raises Failed for a sign that is not explained."""
        copy = number(self.value(step.player)) if step.player is not None else 0
        legend = {sign: (value, who) for sign, value, who in step.legend}
        signs = picture(
            self.game.setup, self.s, step.name, list(step.rows), self.game.rules, copy, legend
        )
        self.s.touch()
        for sign, cells in signs.items():
            if sign not in legend:
                raise Failed(f"the sign {sign} of the picture is not explained")
            value, who = legend[sign]
            for cell in cells:
                self._lay(step.name, cell, value, who)

    def _lay(self, board: str, cell: int, value: core.Expr, who: core.Expr | None) -> None:
        """Put what a sign stands for on a cell: a piece of a set, or the value of the board's only
        cell variable.
        """
        component = getattr(value.type, "of", value.type)  # of a set or list, or a single piece
        if isinstance(component, PieceT):
            self._lay_piece(board, cell, component.name, value, who)
            return
        fitting = [
            v
            for v in self.rules.states.values()
            if isinstance(v.of, SiteT)
            and v.of.board == board
            and value.type in (v.type, getattr(v.type, "of", None))
        ]
        if len(fitting) != 1:
            raise Failed("it is not clear which variable of the cells the picture shows")
        self.s.assign(fitting[0].name, cell, self.value(value))

    def _lay_piece(
        self, board: str, cell: int, component: str, value: core.Expr, who: core.Expr | None
    ) -> None:
        """Put the first free piece of a set, of this owner if one is given, on a cell."""
        owner = self.value(who) if who is not None else None
        pieces = self.game.setup.pieces
        free = [
            p
            for p in self.loose(numbers(self.value(value)))
            if owner is None or pieces[p].owner == owner
        ]
        if not free:
            raise Failed("there are not enough pieces for the picture")
        if component == self.rules.boards[board].grown_from:
            if len(self.game.setup.tile_shape(free[0])) != 1:
                raise Failed("a tile of several cells is placed by the labels of its cells")
            self.s.lay(free[0], board, (cell,))
            return
        layer = next(x for x in self.rules.boards[board].layers if x.component == component)
        self.s.put(free[0], layer.name, (cell,))

    def value(self, expr: core.Expr | None, at: Position | None = None) -> Value:
        """An expression's value here, or in another position."""
        assert expr is not None
        return self.game.rules.value(
            expr,
            self.s if at is None else at,
            self.env(asks(expr, {"witnesses"})) if asks(expr) else {},
        )

    def set_up(self, step: Step) -> None:
        """Do the statements of a `given` block."""
        env: dict[str, Value] = {}
        for stmt in step.body:
            try:
                self.given(env, stmt)
            except Refused as error:
                raise Failed(str(error), stmt.span) from error
            except Failed as error:
                raise Failed(str(error), stmt.span) from error
        self.s.dirty = False

    def given(self, env: dict[str, Value], stmt: core.Stmt) -> None:
        """A statement of a `given` block: events are performed without asking their rules."""
        machine = self.game.machine
        if isinstance(stmt, core.Do) and stmt.target in self.rules.events:
            values = tuple(self.game.rules.value(a, self.s, env) for a in stmt.args)
            self.game.effects.perform(self.s, stmt.target, values)
        elif isinstance(stmt, core.Do):
            values = tuple(self.game.rules.value(a, self.s, env) for a in stmt.args)
            machine.call(self.s, stmt.target, values)
            machine.run(self.s)
        elif isinstance(stmt, core.Put) and not isinstance(stmt.what, core.Var):
            self._put(env, stmt)
        elif isinstance(stmt, core.Move) and titles_only(stmt.what):
            for title in (part for part in core.walk(stmt.what) if isinstance(part, core.Titled)):
                self._move(env, stmt, title)
        elif isinstance(stmt, core.Repeat) and stmt.times is not None:
            self._repeat(env, stmt)
        else:
            self.game.effects.perform_statement(self.s, env, stmt)

    def _repeat(self, env: dict[str, Value], stmt: core.Repeat) -> None:
        """`move 3 "title" from …`: just so many pieces; any other repetition as it is written."""
        first = stmt.body[0] if len(stmt.body) == 1 else None
        if isinstance(first, core.Move) and isinstance(first.what, core.Pick):
            there = members(self.game.rules.evaluator.value(first.what.of, self.s, env))
            wanted = self.game.rules.number(stmt.times, self.s, env) if stmt.times else 0
            if len(there) < wanted:
                said = Describer(self.rules).say(first.what.of)
                raise Failed(f"there are not {wanted} of {said}, but {len(there)}")
        self.game.effects.perform_statement(self.s, env, stmt)

    def _put(self, env: dict[str, Value], stmt: core.Put) -> None:
        """`put "title" at …`: a piece of that title that is not on a board yet."""
        what = stmt.what.of if isinstance(stmt.what, core.Pick) else stmt.what
        found = self.game.rules.value(what, self.s, env)
        free = self.loose([found] if isinstance(found, int) else numbers(found or ()))
        if not free:
            raise Failed("there is no such piece left to put")
        made = core.Put(core.Const(free[0]), stmt.layer, stmt.sites, span=stmt.span)
        self.game.effects.perform_statement(self.s, env, made)

    def _move(self, env: dict[str, Value], stmt: core.Move, title: core.Titled) -> None:
        """`move "title" to …`: the pieces of that title that lie on no board; those on a board only
        if there are no others.
        """
        members = numbers(self.value(title))
        moved = frozenset(self.loose(members) or members)
        self.game.effects.perform_statement(
            self.s, env, replace(stmt, what=core.Const(moved, type=title.type))
        )

    def loose(self, pieces: Iterable[int | None]) -> list[int]:
        """Those of the pieces that are not on a board."""
        return [p for p in pieces if p is not None and len(self.s.where[p] or ()) < 3]


def titles_only(expr: core.Expr) -> bool:
    """Are only titles of pieces named, one or several?"""
    if isinstance(expr, core.Titled):
        return True
    if isinstance(expr, core.SetOp):
        return titles_only(expr.left) and titles_only(expr.right)
    return isinstance(expr, core.Pick) and isinstance(expr.of, core.Titled)


_WORDS = {"scored", "refused", "ended", "winners", "deciding", "witnesses", "advised"}


def asks(expr: core.Expr, names: set[str] = _WORDS) -> bool:
    """Does the expression speak of what only a scenario knows?"""
    return any(isinstance(part, core.Var) and part.name in names for part in core.walk(expr))
