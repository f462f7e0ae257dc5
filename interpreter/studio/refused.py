"""What the studio does not do, said to whoever asked."""

from __future__ import annotations


class Refused(Exception):
    """What cannot be done, with the reasons clause by clause; everything is as it was."""

    def __init__(self, message: str, reasons: tuple[str, ...] = ()) -> None:
        """Both are for people."""
        super().__init__(message)
        self.reasons = reasons
