"""The types of the public surface; `__init__.py` resolves the same names when they are used."""

from interpreter.api.agents import Agent as Agent
from interpreter.api.agents import Simulation as Simulation
from interpreter.api.agents import greedy_agent as greedy_agent
from interpreter.api.agents import hasty_agent as hasty_agent
from interpreter.api.agents import play_out as play_out
from interpreter.api.agents import random_agent as random_agent
from interpreter.api.agents import search_agent as search_agent
from interpreter.api.agents import simulate as simulate
from interpreter.api.cards import Card as Card
from interpreter.api.game import Decision as Decision
from interpreter.api.game import Game as Game
from interpreter.api.game import State as State
from interpreter.api.game import load as load
from interpreter.api.moves import Choice as Choice
from interpreter.api.moves import Move as Move
from interpreter.api.position import Position as Position
from interpreter.api.texts import Reading as Reading
from interpreter.api.texts import Sentence as Sentence
from interpreter.api.texts import check as check
from interpreter.api.texts import explain as explain
from interpreter.api.view import View as View
from interpreter.game.game import Illegal as Illegal
from interpreter.game.loading import RulesError as RulesError
from interpreter.game.record_error import RecordError as RecordError
from interpreter.game.records import Record as Record
from interpreter.game.refusals import Refusal as Refusal
from interpreter.game.score_tree import ScoreTree as ScoreTree
from interpreter.model.errors import InputError as InputError
from interpreter.model.errors import RulelangError as RulelangError
from interpreter.model.values import Fault as Fault
from rulelang.diagnostics import Diagnostic as Diagnostic

__version__: str

__all__ = [
    "Agent",
    "Card",
    "Choice",
    "Decision",
    "Diagnostic",
    "Fault",
    "Game",
    "Illegal",
    "InputError",
    "Move",
    "Position",
    "Reading",
    "Record",
    "RecordError",
    "Refusal",
    "RulelangError",
    "RulesError",
    "ScoreTree",
    "Sentence",
    "Simulation",
    "State",
    "View",
    "__version__",
    "check",
    "explain",
    "greedy_agent",
    "hasty_agent",
    "load",
    "play_out",
    "random_agent",
    "search_agent",
    "simulate",
]
