"""What assistants may ask, and how it is answered: plain data, from opened folders alone.

A game is named by its id, or by a path within the folders; texts of cards are given in the question
and never written. Reading is confined to the folders and to what comes along with the program.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import rulesets
from interpreter.api.game import Game
from interpreter.authoring import explain_card
from interpreter.authoring.check import Unit, texts_of, unit_of, units, weighed
from interpreter.game.files import confined, unsaved
from interpreter.game.game import game_of
from interpreter.game.loading import Loaded, RulesError, fatal, load_rules
from interpreter.model.errors import InputError, RulelangError
from interpreter.proofs import differences, sides, variants, witness, witness_report
from interpreter.proofs.playable import playable
from interpreter.scenarios.runner import Failure
from interpreter.scenarios.scenario import Outcome, Runner
from interpreter.simulation.simulate import simulate
from rulelang.compiler.driver import CompileCache
from rulelang.core.values import Json
from rulelang.diagnostics import Diagnostic

MOST_PHRASES = 100
MOST_GAMES = 200
MOST_PAIRS = 20
Answer = dict[str, object]


@dataclass
class Assistant:
    """Answers questions about games in these folders and about those that come along."""

    folders: tuple[Path, ...]
    _kept: dict[Unit, CompileCache] = field(default_factory=dict)
    _games: dict[str, CompileCache] = field(default_factory=dict)

    # ------------------------------------------------------------------------------- questions
    def phrases(self, game: str, word: str = "", first: int = 0) -> Answer:
        """What can be written on a card of a game, from the one with number `first` on."""
        with self._told():
            found = explain_card.phrases(self._loaded(game), word)
            shown_now = found[first : first + MOST_PHRASES]
            return {
                "phrases": [entry.as_json() for entry in shown_now],
                "first": first,
                "count": len(found),
            }

    def explain(self, game: str, text: str, title: str = "") -> Answer:
        """How each sentence of a text, or of the card of a title, reads and what it does.

        With a title besides a text, that is read as on a card that is called so.
        """
        with self._told():
            said, _ = explain_card.explain(self._loaded(game), text, title=title)
            return {
                "sentences": [one.as_json() for one in said],
                "understood": bool(said) and not any(one.diagnostics for one in said),
            }

    def check(self, path: str, text: str | None = None) -> Answer:
        """All findings about a file or folder; with `text`, as if it stood in that file."""
        with self._told():
            where = self._path(path)
            held = {where: text.encode("utf-8", "surrogatepass")} if text is not None else {}
            with unsaved(held):
                found, wrong = units([str(where)]) if text is None else _units_of(where)
                for unit in found:
                    if _is_within(_folder(unit), self._roots):
                        kept = self._kept.setdefault(unit, CompileCache())
                        wrong += weighed(unit, texts_of(unit), kept)[1]
            told = [item.as_json() for item in dict.fromkeys(wrong)]
            errors = sum(item.severity == "error" for item in wrong)
            return {"diagnostics": told, "errors": errors, "clean": not told}

    def test(self, path: str) -> Answer:
        """What the scenarios of a file or folder came to."""
        with self._told():
            found, wrong = units([str(self._path(path))])
            rows: list[dict[str, Json]] = []
            for unit in found:
                rows += [_row(one) for one in _tested(unit)]
            failed = sum(row["status"] == "failed" for row in rows)
            told = [item.as_json() for item in wrong]
            return {
                "passed": len(rows) - failed,
                "failed": failed,
                "scenarios": rows,
                "diagnostics": told,
            }

    def why_not(
        self,
        game: str,
        action: str,
        values: dict[str, object],
        position: dict[str, object] | None = None,
        player: int | None = None,
    ) -> Answer:
        """Every line that stands against a play in a position; without one, at the start."""
        with self._told():
            made = Game(game_of(self._loaded(game), None, (), {}))
            given: dict[str, Json] | None = json.loads(json.dumps(position))
            state = made.position(given) if given is not None else made.start(0)
            refusals = state.why_not(action, by=player, **values)
            told = [
                {"clause": one.clause, "cites": list(one.cites), "reason": str(one)}
                for one in refusals
            ]
            return {"allowed": not told, "refusals": told}

    def simulate(
        self, game: str, cards: str = "", players: int | None = None, games: int = 20
    ) -> Answer:
        """What comes of games between bots that choose at random, with cards added to the game."""
        with self._told():
            if not 0 < games <= MOST_GAMES:
                raise InputError(f"games is a number from 1 to {MOST_GAMES}, not {games}")
            loaded = self._loaded(game, cards)
            wrong = fatal(loaded)
            if wrong:
                return {"diagnostics": [item.as_json() for item in wrong]}
            found = simulate([game_of(loaded, players, (), {})], games, 0)
            return {"results": found.as_json()}

    def witness(
        self,
        game: str,
        card: str,
        cards: str = "",
        sentence: str | None = None,
        record: bool = False,
    ) -> Answer:
        """A game in which each sentence of a card (or the one named) changes something, the proof
        that there is none, or how far was looked; the game itself only if its `record` is wanted.
        """
        with self._told():
            loaded = self._sound(game, cards)
            design = witness_report.card_of(loaded, card)
            wanted = witness_report.sentence_numbers(design, sentence)
            rows = []
            for one in witness.witnesses(loaded, design, wanted):
                kept = witness_report.record_of(self._name(game), loaded, one) if record else None
                rows.append(witness_report.as_json(design, one, kept))
            return {"card": design.title, "sentences": rows, "proven": not _unproven(rows)}

    def diff(self, game: str, one: str, two: str, cards: str = "") -> Answer:
        """Whether two texts, cards, files of cards or variants mean the same, with a position in
        which they do not.
        """
        with self._told():
            loaded = self._sound(game, cards)
            of = sides.Game(self._name(game), loaded)
            a, b = (of.side(self._side(said)) for said in (one, two))
            if isinstance(a, sides.Under) and isinstance(b, sides.Under):
                return {**variants.compare_variants(loaded, a, b).as_json()}
            pairs = differences.pairs(a, b)
            if len(pairs) > MOST_PAIRS:
                raise InputError(f"at most {MOST_PAIRS} cards are compared at once")
            board = playable(loaded)
            compared = tuple(differences.compare(board, *pair) for pair in pairs)
            return {**differences.Together(compared, differences.alone(a, b)).as_json()}

    # ------------------------------------------------------------------------------- the bounds
    @property
    def _roots(self) -> tuple[Path, ...]:
        return (*self.folders, rulesets.root())

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Nothing is read outside the folders and what comes along."""
        with confined(self._roots):
            yield

    def _path(self, path: str) -> Path:
        """A file or folder within the folders, named from the first of them; raises InputError."""
        base = self.folders[0] if self.folders else Path.cwd()
        where = base / path
        if not self.folders or not _is_within(where, self.folders):
            raise InputError(f"{path} does not lie in an opened folder")
        return where

    def _name(self, game: str) -> str:
        """A game by its id or the path of its rules; raises InputError."""
        return game if game in rulesets.ids() else str(self._path(game))

    def _side(self, said: str) -> str:
        """What is to be compared; a file by its path within the folders. Raises InputError."""
        return str(self._path(said.strip())) if said.strip().endswith(".rules") else said

    def _sound(self, game: str, cards: str) -> Loaded:
        """The rules of a game with these cards; raises RulesError for any mistake in them."""
        loaded = self._loaded(game, cards)
        if wrong := loaded.compiled.report.errors:
            raise RulesError(wrong, loaded.sources)
        return loaded

    def _loaded(self, game: str, cards: str = "") -> Loaded:
        """The rules of a game with these cards; raises RulesError, InputError."""
        name = self._name(game)
        added = [("cards", cards)] if cards else []
        kept = self._games.setdefault(name, CompileCache())
        return load_rules(name, (), added, tests=False, kept=kept)


def _unproven(rows: Sequence[Mapping[str, Json]]) -> bool:
    return any(row["verdict"] != "witness" for row in rows)


def _is_within(path: Path, roots: Sequence[Path]) -> bool:
    whole = path.resolve()
    return any(whole.is_relative_to(root.resolve()) for root in roots)


def _folder(unit: Unit) -> Path:
    """Where the game of a unit lies."""
    return rulesets.root() / unit.rules if unit.rules in rulesets.ids() else Path(unit.rules)


def _units_of(path: Path) -> tuple[list[Unit], list[Diagnostic]]:
    unit, wrong = unit_of(path)
    return ([unit] if unit is not None else []), wrong


def _tested(unit: Unit) -> Iterator[Outcome]:
    loaded = unit.load()
    scenarios = [s for s in loaded.compiled.rules.scenarios if unit.wants(s.span.file)]
    if fatal(loaded):
        why = "not run, for there are mistakes in the rules"
        for one in scenarios:
            yield Outcome(one.name, (Failure(why, one.span),), one.span, cites=one.cites)
        return
    runner = Runner(loaded)
    yield from (runner.run(one) for one in scenarios)


def _row(result: Outcome) -> dict[str, Json]:
    return {
        "name": result.name,
        "status": "passed" if result.passed else "failed",
        "file": result.span.file,
        "line": result.span.line,
        "message": result.message,
    }


def answered(question: Callable[[], Answer]) -> Answer:
    """The answer to a question; what was wrong with it is an answer too."""
    try:
        return question()
    except RulesError as error:
        return {"diagnostics": [item.as_json() for item in error.found], "error": str(error)}
    except RulelangError as error:
        return {"error": str(error)}
    except OSError as error:
        return {"error": error.strerror or "it cannot be read"}
