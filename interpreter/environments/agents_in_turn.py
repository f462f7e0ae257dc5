"""A game as an AEC environment of PettingZoo: agents act one after the other."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from interpreter.environments.arrays import Tensor
from interpreter.environments.spaces import Mask, dense, mask_of, masked
from interpreter.environments.table import Rules, Table
from interpreter.game import log
from interpreter.model.errors import InputError

Observation: TypeAlias = dict[str, Tensor | Mask]


def names_of(rules: Rules) -> list[str]:
    """The agents of a game: its players by number, from 1."""
    return [f"player_{p + 1}" for p in range(rules.game.players)]


def observed(table: Table, player: int) -> Observation:
    """What an agent observes, and what it may do."""
    return {"observation": dense(table, player), "action_mask": mask_of(table, player)}


def shown(table: Table) -> str:
    """What has happened, in the words an onlooker reads."""
    return "\n".join(log.told(table.state, e, None) for e in log.gathered(table.state.log))


class AgentsInTurn(AECEnv[str, Observation, int]):
    """One agent for each player, who takes one factor of a decision at a time.

    Where players decide at once they do so in the order of seats, and none observes what another
    has chosen.
    """

    def __init__(self, rules: Rules, render_mode: str | None = None) -> None:
        """Nothing is played before `reset`."""
        super().__init__()
        self.rules, self.render_mode = rules, render_mode
        self.metadata = {
            "name": f"rulelang_{rules.game.id}_v0",
            "render_modes": ["ansi"],
            "is_parallelizable": True,
        }
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

    def reset(self, seed: int | None = None, options: dict[str, object] | None = None) -> None:
        """Begin a game; the same seed gives the same chance."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.table = Table.start(self.rules, int(self._random.integers(2**31)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in self.agents}
        self._settle()

    def observe(self, agent: str) -> Observation:
        """What an agent knows, and what it may do."""
        player = self.possible_agents.index(agent)
        found = observed(self.table, player)
        if agent in self.agents and self.agent_selection != agent:
            found["action_mask"] = np.zeros(self.rules.numbering.count, dtype=np.int8)
        return found

    def step(self, action: int | None) -> None:
        """The action of the agent whose turn it is; raises Illegal, and nothing has changed."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise InputError(f"{agent} is to act, and gives no action")
        self.table = self.table.after(self.possible_agents.index(agent), int(action))
        self._cumulative_rewards[agent] = 0
        self._settle()
        self._accumulate_rewards()

    def _settle(self) -> None:
        """Note who is to act next and, when the game is over, what it has paid."""
        table = self.table
        self._clear_rewards()
        if table.over or table.at_bound:
            self.rewards = dict(zip(self.possible_agents, table.rewards(), strict=True))
            self.terminations = dict.fromkeys(self.agents, table.over)
            self.truncations = dict.fromkeys(self.agents, table.at_bound)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[table.deciding[0]]

    def render(self) -> str | None:
        """What has happened, in words."""
        return shown(self.table) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""
