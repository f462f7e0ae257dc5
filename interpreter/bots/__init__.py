"""Bots: agents that know no game.

In come states and decisions (`interpreter.game`); out go options.
An agent decides by what its player may know: it searches determinizations, never the true state.
It uses everything below it, and nothing of simulation, drawing or the table.
"""
