"""A card tried on a board: a position put together by hand, what a play in it scores or why it is
refused, and the scenario that says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from interpreter.game import log
from interpreter.game.game import Game, State
from interpreter.game.loading import Loaded, RulesError, load_rules
from interpreter.game.position_checks import impossible
from interpreter.model.errors import RulelangError
from interpreter.model.position import Log
from interpreter.model.tally import Counted
from interpreter.model.values import Fault
from interpreter.render.look import Site
from interpreter.render.svg import Drawing, draw_targets
from interpreter.render.svg_elements import Target
from interpreter.scenarios.fixture import Failed
from interpreter.scenarios.runner import Trial
from interpreter.scenarios.scenario import Runner
from interpreter.studio.author.drafts import TRIED, Draft, Put, Written, scenario
from interpreter.studio.author.questions import Choices, Tried, Try
from interpreter.studio.author.sites import Sites, ground_of
from interpreter.studio.author.stock import Stock
from rulelang import core
from rulelang.compiler.driver import CompileCache
from rulelang.diagnostics.english import spoken
from rulelang.ruleset import Answer, Scenario, Step

MOST_WEIGHED = 150  # sites that a play is tried on, to say what it would bring there
_WRONG = (Failed, RulelangError, ValueError, KeyError)


@dataclass(frozen=True)
class _Played:
    """One play: why it is refused (nothing, if it is not), or what it scored."""

    refused: tuple[str, ...]
    total: int | None = None


class Trials:
    """Tries the cards of one file, with what was compiled before."""

    def __init__(self, rules: str, file: str) -> None:
        """Nothing is compiled yet."""
        self.rules, self.file = rules, Path(file).name
        self._kept = CompileCache()
        self._ground: dict[int, tuple[str, ...]] = {}

    def tried(self, asked: Try) -> Tried:
        """What comes of a draft."""
        try:
            return self._tried(asked)
        except RulesError as error:
            told = dict.fromkeys(item.message for item in error.found)
            return Tried(asked.draft, failed="; ".join(told))
        except Fault as error:
            return Tried(asked.draft, failed=f"That is not decided: {error}.")

    def _tried(self, asked: Try) -> Tried:
        stock = Stock(self._load(asked.text).compiled.rules, self.file)
        if not stock.own:
            return Tried(asked.draft, failed="There is no card here yet that could be tried.")
        draft = stock.completed(asked.draft)
        try:
            return self._on_board(asked, stock, draft)
        except RulesError as error:  # these players or options are not what the rules are for
            told = dict.fromkeys(item.message for item in error.found)
            return Tried(draft, _choices(stock, draft), failed="; ".join(told))

    def _on_board(self, asked: Try, stock: Stock, draft: Draft) -> Tried:
        written = Written(self._ground_for(draft.players), *stock.takes(draft.event))
        words = scenario(draft, written)
        loaded = self._load(f"{asked.text}\n\n{words}")
        choices = _choices(stock, draft)
        found = next((s for s in loaded.compiled.rules.scenarios if s.name == TRIED), None)
        if found is None:
            return Tried(draft, choices, words=words, failed=self._why(loaded, asked.text))
        game, found = Runner(loaded).prepare(found)
        bench = _Bench(game, found, stock, draft)
        wider = bench.widened()
        if wider != draft:
            return self._tried(replace(asked, draft=wider))
        told = bench.told(choices)
        told = replace(told, words=words)
        return self._made(asked, told, written, bench) if asked.makes else told

    def _load(self, text: str) -> Loaded:
        return load_rules(self.rules, (), [(self.file, text)], tests=False, kept=self._kept)

    def _ground_for(self, players: int) -> tuple[str, ...]:
        """The pictures of boards that grow, as they are when the game as it comes begins."""
        if players not in self._ground:
            self._ground[players] = ground_of(load_rules(self.rules, tests=False), players)
        return self._ground[players]

    def _why(self, loaded: Loaded, text: str) -> str:
        """Why the lines of a draft cannot be read."""
        last = text.count("\n") + 1
        report = loaded.compiled.report
        found = [i for i in report.errors if i.span.file == self.file and i.span.line > last]
        told = dict.fromkeys(item.message for item in found)
        return "; ".join(told) or "That cannot be read."

    def _made(self, asked: Try, told: Tried, written: Written, bench: _Bench) -> Tried:
        """With the scenario that says what came of it, if that passes."""
        name = told.draft.name.strip() or bench.called
        why = told.failed or "There is nothing to expect yet: play the card."
        for expected in bench.expected():
            text = scenario(told.draft, replace(written, expected=expected), name)
            loaded = self._load(f"{asked.text}\n\n{text}")
            title = " ".join(name.replace('"', "'").split())
            named = [s for s in loaded.compiled.rules.scenarios if s.name == title]
            if len(named) != 1:
                why = self._why(loaded, asked.text)
                continue
            outcome = Runner(loaded).run(named[0])
            if outcome.passed:
                return replace(told, made=text)
            why = outcome.message
        return replace(told, failed=f"No scenario was made: {why}")


class _Bench:
    """One draft on its board."""

    def __init__(self, game: Game, found: Scenario, stock: Stock, draft: Draft) -> None:
        """The position as it is before the play."""
        self.game, self.stock, self.draft = game, stock, draft
        self.trial, self.wrong = Trial(game), ""
        self.play: Step | None = None
        self.played: _Played | None = None
        for step in found.steps:
            if step.kind == "play":
                self.play = step
            elif not self.wrong:
                self.wrong = self._done(step)
        against = impossible(game, self.trial.s, forms=False) if not self.wrong else []
        self.wrong = self.wrong or "; ".join(against)
        self.sites = Sites(game, self.trial.s)

    def _done(self, step: Step) -> str:
        """Why a step cannot be done; nothing if it is."""
        try:
            self.trial.step(step)
        except _WRONG as error:
            return str(error)
        self.trial.unchecked = None
        return ""

    @property
    def called(self) -> str:
        """What a scenario of it is called where nobody says."""
        piece = next(iter(self.draft.values.values()), "").strip('"') or "a card"
        return f"{piece} is tried"

    def widened(self) -> Draft:
        """The draft with pieces of several cells on all of them, from the one that was clicked."""
        put = tuple(self._wide(item) for item in self.draft.put)
        at = self.draft.at
        if self.draft.fresh and len(at) == 1:
            at = self.sites.from_first(at[0], self.stock.played_shape(self.draft))
        return replace(self.draft, put=put, at=at, fresh=False)

    def _wide(self, item: Put) -> Put:
        if len(item.sites) > 1:
            return item
        return replace(
            item, sites=self.sites.from_first(item.sites[0], self.stock.shape(item.piece))
        )

    def told(self, choices: Choices) -> Tried:
        """What the page shows."""
        choices = replace(choices, sites=tuple((s, label) for s, label, _ in self.sites.all))
        if self.wrong:
            drawing = self._drawing({})
            return _with(Tried(self.draft, choices, failed=f"{self.wrong}."), drawing)
        weighed = self._weighed()
        if self.play is None or (choices.asks_site and not self.draft.at):
            said = "Choose where the card is played: click a place of the board."
            return _with(Tried(self.draft, choices, said=said), self._drawing(weighed))
        mark = self.trial.s.log
        self.played = self._outcome(self.play)
        happened = tuple(self._happened(mark)) if self.trial.refused is None else ()
        made = Tried(self.draft, choices, happened=happened)
        return _with(self._said(made), self._drawing(weighed))

    def _said(self, made: Tried) -> Tried:
        played = self.played
        assert played is not None
        if played.refused:
            return replace(made, verdict="refused", said="It is refused.", lines=played.refused)
        if played.total is None:
            return replace(made, verdict="scored", said="It can be played.")
        lines = tuple(_told(line.op, line.amount, line.label) for line in self._lines())
        return replace(made, verdict="scored", said=f"It scores {played.total}.", lines=lines)

    def _lines(self) -> list[Counted]:
        return [line for tally in self.trial.tallies for line in tally.lines]

    def _happened(self, mark: Log) -> Iterator[str]:
        state = State(self.game, self.trial.s)
        for entry in log.gathered(log.since(self.trial.s.log, mark) or []):
            yield log.told(state, entry, None)

    def _outcome(self, step: Step) -> _Played:
        """Play; the trial stands at what came of it."""
        try:
            self.trial.play(step)
        except _WRONG as error:
            return _Played((str(error),))
        if self.trial.refused is not None:
            return _Played(tuple(map(str, self.trial.refused)) or ("no reason is known",))
        return _Played((), self.trial.tallies[0].total if self.trial.tallies else None)

    # ------------------------------------------------------------------------------ on the board
    def _weighed(self) -> dict[Site, _Played]:
        """What the play would come to on each site, as far as it takes one."""
        site, several = self.stock.takes(self.draft.event)
        if self.play is None or not site or len(self.stock.played_shape(self.draft)) > 1:
            return {}
        before, found = self.trial.s, dict[Site, _Played]()
        others = tuple(answer for answer in self.play.args if answer.name != site)
        cells = [where for _, _, where in self.sites.all if where[1] == "cell"]
        for where in cells[:MOST_WEIGHED]:
            board, _, cell = where
            if board != self.stock.board(self.draft.event):
                continue
            value = core.Const(
                frozenset({cell}) if several else cell, type=self.stock.type(self.draft.event)
            )
            found[where] = self._outcome(replace(self.play, args=(*others, Answer(site, value))))
            self.trial.s, self.trial.refused, self.trial.tallies = before, None, ()
            self.trial.unexpected = None
        return found

    def _drawing(self, weighed: dict[Site, _Played]) -> Drawing | None:
        targets = {}
        for expr, label, where in self.sites.all:
            played = weighed.get(where)
            kind = "place" if played is None else "closed" if played.refused else "open"
            kind += " chosen" if expr in self.draft.at else ""
            words = label if played is None else f"{label}: {_in_short(played)}"
            targets[where] = Target(kind, (("site", expr),), words)
        return draw_targets(State(self.game, self.trial.s), None, targets)

    # --------------------------------------------------------------------------------- expected
    def expected(self) -> Iterator[tuple[str, ...]]:
        """What came of it as lines of a scenario, most told first."""
        played = self.played
        if played is None:
            return
        if played.refused:
            labels = [r.label for r in self.trial.refused or () if r.label]
            said = ", ".join(f'"{label}"' for label in dict.fromkeys(labels) if '"' not in label)
            if said:
                yield (f"  expect refused by {said}",)
            yield ("  expect refused",)
            return
        if played.total is None:
            yield ("  expect not refused",)
            return
        head = f"  expect scored = {played.total}"
        for named in (True, False):
            yield (head, *(f"    {line}" for line in self._as_lines(named)))
        yield (head,)

    def _as_lines(self, named: bool) -> Iterator[str]:
        for line in self._lines():
            label = f' "{line.label}"' if named and '"' not in line.label else ""
            yield f"{line.op} {line.amount}{label}"


def _choices(stock: Stock, draft: Draft) -> Choices:
    """What a page offers for a draft, but the sites."""
    site, several = stock.takes(draft.event)
    return Choices(
        stock.players,
        tuple((name, spoken(name)) for name in stock.events),
        stock.parameters(draft),
        stock.pieces(draft.players),
        stock.places(draft.players),
        owners=stock.owners(draft.players),
        asks_site=bool(site),
        several=several,
    )


def _told(op: str, amount: int, label: str) -> str:
    sign = {
        "start": "begins with",
        "exactly": "is exactly",
        "floor": "is at least",
        "cap": "is at most",
    }
    return f"{sign.get(op, op)} {amount}: {label}" if label else f"{sign.get(op, op)} {amount}"


def _in_short(played: _Played) -> str:
    if played.refused:
        return "; ".join(played.refused[:3])
    return "it can be played" if played.total is None else f"it scores {played.total}"


def _with(told: Tried, drawing: Drawing | None) -> Tried:
    if drawing is None:
        return told
    return replace(told, pictures=drawing.pictures, legend=drawing.legend)
