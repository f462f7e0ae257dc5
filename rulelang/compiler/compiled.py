"""The result of a compilation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from rulelang.compiler.memos import Memos
from rulelang.diagnostics import Report
from rulelang.queries.database import Database
from rulelang.ruleset import Ruleset
from rulelang.ruleset.parts import Parts

if TYPE_CHECKING:  # the reader of sentences takes long to load
    from rulelang.phrases.readings import Glossary


@dataclass
class Compiled:
    """A ruleset with its findings and the titles of cards that were refused.

    `queries` are what analyses ask of these rules, with their answers of earlier revisions; `memos`
    hold what was found out about rules of this frame.
    """

    rules: Ruleset
    make_glossary: Callable[[], Glossary]
    report: Report
    refused: tuple[str, ...] = ()
    memos: Memos = field(default_factory=Memos)
    queries: Database = field(default_factory=Database)

    def __post_init__(self) -> None:
        """What asks for parts of rules asks for those of this result."""
        self.queries.of(Parts).rules = self.rules

    @cached_property
    def glossary(self) -> Glossary:
        """The phrases that cards may use; where the ruleset was kept, made when asked for."""
        return self.make_glossary()
