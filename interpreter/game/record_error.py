"""The exception of records that cannot be used, apart from the models that check them."""

from __future__ import annotations

from interpreter.model.errors import RulelangError


class RecordError(RulelangError):
    """A record that cannot be used; says why."""
