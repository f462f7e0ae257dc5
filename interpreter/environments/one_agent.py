"""A game of one player, or one seat of a game, as an environment of Gymnasium."""

from __future__ import annotations

import gymnasium
from gymnasium import spaces

from interpreter.environments.agents_in_turn import shown
from interpreter.environments.arrays import Tensor
from interpreter.environments.spaces import Mask, box, dense, mask_of
from interpreter.environments.table import Rules, Table
from interpreter.game.game import Illegal
from interpreter.model.errors import InputError

STAY, RAISE = "stay", "raise"


class OneAgent(gymnasium.Env):
    """One agent takes one factor of a decision at a time; bots at random sit in the other seats.

    `info["action_mask"]` says what is legal. An action that is not changes nothing and pays
    nothing, and `info["illegal"]` says why, unless `illegal="raise"` asks for Illegal.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self, rules: Rules, seat: int = 0, illegal: str = STAY, render_mode: str | None = None
    ) -> None:
        """Nothing is played before `reset`."""
        if illegal not in (STAY, RAISE):
            raise InputError(f"illegal is {STAY!r} or {RAISE!r}, not {illegal!r}")
        self.rules, self.seat, self.illegal, self.render_mode = rules, seat, illegal, render_mode
        self.observation_space: spaces.Box = box(rules)
        self.action_space: spaces.Discrete = spaces.Discrete(rules.numbering.count)

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[Tensor, dict[str, object]]:
        """Begin a game; the same seed gives the same chance."""
        super().reset(seed=seed)
        self.table = self._others(Table.start(self.rules, self._drawn(2**31)))
        return dense(self.table, self.seat), self._info()

    def step(self, action: int) -> tuple[Tensor, float, bool, bool, dict[str, object]]:
        """The tensor, reward, whether the game is over or cut off, and the mask of what is
        legal.
        """
        told: dict[str, object] = {}
        try:
            self.table = self._others(self.table.after(self.seat, int(action)))
        except Illegal as error:
            if self.illegal == RAISE:
                raise
            told = {"illegal": str(error)}
        table = self.table
        reward = table.rewards()[self.seat] if not told else 0.0
        info = {**self._info(), **told}
        return dense(table, self.seat), reward, table.over, table.at_bound, info

    def action_masks(self) -> Mask:
        """1 at each legal action, as agents that mask ask for it."""
        return mask_of(self.table, self.seat)

    def _info(self) -> dict[str, object]:
        return {"action_mask": self.action_masks()}

    def _drawn(self, below: int) -> int:
        return int(self.np_random.integers(below))

    def _others(self, table: Table) -> Table:
        """The table when it is this seat's turn again, or the game is over."""
        while not table.over and not table.at_bound and self.seat not in table.deciding:
            player = table.deciding[0]
            legal = table.legal(player)
            table = table.after(player, legal[self._drawn(len(legal))])
        return table

    def render(self) -> str | None:
        """What has happened, in words."""
        return shown(self.table) if self.render_mode == "ansi" else None
