"""A game as a Parallel environment of PettingZoo: all agents act at each step."""

from __future__ import annotations

from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import ParallelEnv

from interpreter.environments.agents_in_turn import Observation, names_of, observed, shown
from interpreter.environments.spaces import masked
from interpreter.environments.table import Rules, Table
from interpreter.model.errors import InputError


class AgentsAtOnce(ParallelEnv[str, Observation, int]):
    """All who are to decide act in the same step; for the others only to wait is legal."""

    def __init__(self, rules: Rules, render_mode: str | None = None) -> None:
        """Nothing is played before `reset`."""
        self.rules, self.render_mode = rules, render_mode
        self.metadata = {"name": f"rulelang_{rules.game.id}_v0", "render_modes": ["ansi"]}
        self.possible_agents = names_of(rules)
        self._observations = {agent: masked(rules) for agent in self.possible_agents}
        self._actions = {a: spaces.Discrete(rules.numbering.count) for a in self.possible_agents}
        self._random, _ = seeding.np_random(None)

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's observations; always the same object."""
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The numbered actions; always the same object."""
        return self._actions[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, object]]]:
        """Begin a game; the same seed gives the same chance."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.table = Table.start(self.rules, int(self._random.integers(2**31)))
        self.agents = self.possible_agents[:]
        return self._observed(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, object]],
    ]:
        """The actions of all; raises Illegal where one is not legal, and nothing has changed."""
        table, deciding = self.table, self.table.deciding
        for player, agent in enumerate(self.possible_agents):
            if player in deciding and agent not in actions:
                raise InputError(f"{agent} is to act, and gives no action")
            if agent in actions and player in deciding:
                table = table.after(player, int(actions[agent]))
            elif agent in actions:
                self.table.after(player, int(actions[agent]))  # only to wait is legal
        self.table = table
        agents, done = self.agents, table.over or table.at_bound
        found = self._observed()
        rewards = dict(zip(agents, table.rewards(), strict=True))
        over = dict.fromkeys(agents, table.over)
        cut = dict.fromkeys(agents, table.at_bound)
        infos: dict[str, dict[str, object]] = {agent: {} for agent in agents}
        if done:
            self.agents = []
        return found, rewards, over, cut, infos

    def _observed(self) -> dict[str, Observation]:
        return {a: observed(self.table, p) for p, a in enumerate(self.possible_agents)}

    def render(self) -> str | None:
        """What has happened, in words."""
        return shown(self.table) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""
