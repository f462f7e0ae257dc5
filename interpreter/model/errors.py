"""The exceptions of games: each says what is wrong, and where one is raised nothing has changed."""

from __future__ import annotations


class RulelangError(Exception):
    """The common base of the exceptions of games."""


class InputError(RulelangError, ValueError):
    """A wrong name, player, option or position: what is wrong and, if known, what is right."""
