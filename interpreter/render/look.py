"""How boards and maps are looked at: by whom, how large, and what is pointed at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Site = tuple[str, str, int]  # board, role, number
Pointed = Mapping[Site, str]  # sites with what they are pointed at by


@dataclass(frozen=True)
class Look:
    """How boards are looked at: by whom, how wide, with which signs, whether whole, and which sites
    are pointed at by what."""

    viewer: int | None = None
    width: int | None = None
    boxes: bool = False
    near: bool = False  # of a large board only what lies near something
    pointed: Pointed = field(default_factory=dict)
    height: int | None = None  # lines that a board may take before only a part of it is drawn
    recent: frozenset[tuple[str, int]] = frozenset()  # cells on which something happened last
    only: frozenset[int] | None = None  # the cells of one board and player, where no others count

    def at(self, board: str, role: str, site: int) -> str:
        """What a site is pointed at by; nothing, mostly."""
        return self.pointed.get((board, role, site), "")


PLAIN = Look()
