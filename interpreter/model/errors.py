"""The exceptions of games; each says in words what is wrong, and where one is raised nothing has changed."""

from __future__ import annotations


class RulelangError(Exception):
    """The common base of the exceptions of games."""


class InputError(RulelangError, ValueError):
    """A wrong name, player, option or position: says what is wrong and, if known, what would be right."""
