"""Generated functions by name: each written when its turn comes, compiled once, and known by what it was made from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from itertools import islice
from types import CodeType
from typing import Any, NoReturn

from interpreter.generated.source import Constants, Source
from interpreter.model.setup import is_whole
from interpreter.model.values import Fault
from rulelang import core
from rulelang.analysis.cost import WORTH_KEEPING, asked_in_play, cost, looks_back, work
from rulelang.analysis.reads import Reads
from rulelang.core.identity import IdentityMap
from rulelang.core.types import PLAYER, KindT, PieceT, SiteT
from rulelang.ruleset import Ruleset, State

_MISSING = object()


@lru_cache(maxsize=1024)
def _compiled(source: str) -> CodeType:
    """The code of a text: games with other deck lists, or of a variant, mostly have the same."""
    return compile(source, "<generated>", "exec")


def _hand_back() -> NoReturn:
    raise Fault("nested too deep to be written out")


class Functions:
    """Functions by name, written when first asked for; options and the number of players are data to them."""

    def __init__(self, ruleset: Ruleset) -> None:
        """One module serves every game of a compiled ruleset."""
        self.ruleset, self.constants, self.reads = ruleset, Constants(), Reads(ruleset)
        self.sources: dict[str, str] = {}
        self.names: dict[Any, str] = {}
        self.waiting: list[tuple[str, Callable[[str], None]]] = []
        self.codes: list[CodeType] = []
        self.done = 0
        self.by_object: dict[tuple[str, int], IdentityMap[object, str]] = {}
        self.given = 0  # names
        self.works: dict[tuple[str, str], int] = {}  # about how much work each definition is
        self.possible: dict[
            str, tuple[core.Expr | None, core.Expr | None]
        ] = {}  # for each relation the sets in which partners are
        self.constants.name("missing", lambda _: _MISSING)

    @cached_property
    def asked(self) -> frozenset[str]:
        """The definitions whose results may be met again in play."""
        return asked_in_play(self.ruleset)

    def dense(self, state: State) -> bool:
        """Has this variable a value for every member, so that it can be looked up without a default?"""
        return is_whole(self.ruleset, state)

    def name(self, kind: str, key: Any, write: Callable[[str], None]) -> str:
        """The name of a function, which is written when its turn comes."""
        found = self.names.get((kind, key))
        if found is None:
            found = self.names[(kind, key)] = self._given(kind, write)
        return found

    def of_object(self, kind: str, of: object, write: Callable[[str], None], place: int = 0) -> str:
        """The name of a function of this very object, or of a place in it."""
        known = self.by_object.setdefault((kind, place), IdentityMap())
        return known.get(of) or known.keep(of, self._given(kind, write))

    def _given(self, kind: str, write: Callable[[str], None]) -> str:
        """A new name for a function that is still to be written."""
        made = f"{kind.upper()}{self.given}"  # locals are in small letters
        self.given += 1
        self.waiting.append((made, write))
        return made

    def work(self, item: Any) -> int:
        """About how much work an expression is while nothing is kept: what is asked in this order stops soonest where something fails."""
        return work(self.ruleset, item, self.works)

    def is_finite(self, definition: str) -> bool:
        """Are there but few values it can be asked for?"""
        return all(
            isinstance(t, KindT | PieceT | SiteT) or t == PLAYER
            for _, t in self.ruleset.definitions[definition].params
        )

    def is_kept(self, definition: str) -> bool:
        """Is what a definition gives kept? If it is costly, and asked for again: in play, or because it never changes."""
        cases = self.ruleset.definitions[definition].cases
        if cost(self.ruleset, cases) < WORTH_KEEPING or looks_back(self.ruleset, cases):
            return False
        return (
            self.is_finite(definition) and self.reads.of("define", definition) <= self.still
        ) or definition in self.asked

    @property
    def still(self) -> frozenset[str]:
        """The sources that never change: the cells of boards, if none of them grows."""
        return (
            frozenset()
            if any(b.grown_from is not None for b in self.ruleset.boards.values())
            else frozenset(["tiles"])
        )

    def keep(
        self,
        made: str,
        inner: str,
        params: list[str],
        reads: frozenset[str],
        parts: list[str] | None = None,
        finite: bool = False,
    ) -> None:
        """A function that keeps what the inner one found: until something it reads changes, or for ever if nothing does and parts are few."""
        parts = params if parts is None else parts
        key = parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
        if finite and reads <= self.still:
            fetch = [f"kept = {self.constants.name(('kept', made), lambda _: {})}"]
        else:
            number = self.constants.name(
                ("number", made), lambda rules: rules.setup.memo_keys.own(reads)
            )
            fetch = [
                f"kept = s.memos.get({number})",
                f"if kept is None: kept = s.memos[{number}] = {{}}",
            ]
        missing = self.constants.named["missing"]
        look = [f"key = {key}", f"got = kept.get(key, {missing})"]
        lines = [
            *fetch,
            *look,
            f"if got is {missing}:",
            f"    got = kept[key] = {inner}({', '.join(['s', *params])})",
            "return got",
        ]
        self.sources[made] = (
            "\n".join(
                [f"def {made}({', '.join(['s', *params])}):", *("    " + line for line in lines)]
            )
            + "\n"
        )

    def add(self, made: str, function: Source, params: Iterable[str]) -> None:
        """Keep a function that was written."""
        self.sources[made] = function.text(f"{made}({', '.join(['s', *params])})")

    # ---------------------------------------------------------------------------------------- binding
    def compiled(self) -> list[CodeType]:
        """The code of all functions asked for so far, in the order they were asked for; what was compiled once is not compiled again."""
        while self.waiting:
            made, write = self.waiting.pop(0)
            try:
                write(made)
            except RecursionError:
                self._leave_out(made)
        if self.done < len(self.sources):
            new = list(islice(self.sources.items(), self.done, None))
            self.done = len(self.sources)
            try:
                self.codes.append(_compiled("\n".join(source for _, source in new)))
            except (SyntaxError, RecursionError, MemoryError):
                self.codes += [self._compiled_alone(made, source) for made, source in new]
        return self.codes

    def _compiled_alone(self, made: str, source: str) -> CodeType:
        """The code of one function, or of one that hands its question back."""
        try:
            return _compiled(source)
        except (SyntaxError, RecursionError, MemoryError):
            self._leave_out(made)
            return _compiled(self.sources[made])

    def _leave_out(self, made: str) -> None:
        """Let a function that Python cannot compile, nested as it is, only hand its question back."""
        back = self.constants.name("unwritten", lambda _: _hand_back)
        self.sources[made] = f"def {made}(*values): {back}()\n"
