"""Environments: games behind the interfaces that builders of agents use.

In come games and states (`interpreter.game`); out go numbered actions with masks of what is legal,
tensors of what a player may know, and environments of PettingZoo, Gymnasium and OpenSpiel. What
says which numbers mean what needs none of these libraries; each is imported where it is asked for.
It may use everything below it.
"""
