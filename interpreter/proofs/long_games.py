"""Long games that several cards share, in which it is looked what each sentence changes.

A list holds some copies of each card that is looked for, of what these name and of who names them,
beside all cards of a list of the game's own and what has brought on later phases of other games
(`experience`). Whoever is to decide plays what is looked for if he may, and puts it where something
it says counts. What has come to nothing until the end of the game is looked for by playing all of
it again without the sentence.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from interpreter.engine.decisions import Decision, Option
from interpreter.game.game import Illegal, State
from interpreter.game.loading import Loaded
from interpreter.model.position import empty_position
from interpreter.model.values import Fault
from interpreter.proofs.answers import Witness
from interpreter.proofs.experience import Experience, Waiting
from interpreter.proofs.kinship import Key, Kinship
from interpreter.proofs.playable import playable
from interpreter.proofs.witness_games import Setting, Table, settings, shared_table
from interpreter.proofs.witness_replay import (
    apart,
    chosen_lately,
    differs_again,
    parting,
    state_without,
    took_part,
)
from rulelang.core.types import PieceT
from rulelang.ruleset import Design

MOST_MOVES = 2400  # choices of one game
MOST_PLACES = 14  # of one piece that are tried
MOST_NEAR = 6  # of one piece by which another sentence may count
MOST_ONWARD = 3  # of a piece that others wait for
MOST_AGAIN = 24  # sentences without which one game is played again from its start
MOST_LISTED = 60  # options of one decision looked at
MOST_TRIES = 16  # comparisons for one sentence in one game, of each sort
ALWAYS = 3  # sightings of a sentence that are all looked into; then only some
EAGER = 0.9  # how often a piece is played if one may be
FITTING = 0.85  # how often it is one that is looked for
ASKED = 1000  # more than any place pays: a sentence that asks for a card counts there
PATIENT = 0.75  # how often it waits until something it says would count

UNTRIED = 0.6  # what is hoped of a setting that a card was not looked for under

Clause = str


@dataclass
class Looked:
    """The sentences that are looked for, by their clauses, each with its card and number; and what
    was found. All cards are of one sort; a card without text stands for itself with the number 0.
    """

    left: dict[Clause, tuple[Design, int]]
    met: dict[Clause, Witness] = field(default_factory=dict)
    played: set[str] = field(default_factory=set)  # the clauses of the cards that were played
    games: int = 0
    moves: int = 0

    @property
    def designs(self) -> list[Design]:
        """The cards of what is left."""
        return list({design.clause: design for design, _ in self.left.values()}.values())


def looked_for(sentences: Iterable[tuple[Design, int]]) -> Looked:
    """These sentences as what is looked for."""
    return Looked({clause_of(design, number): (design, number) for design, number in sentences})


def clause_of(design: Design, number: int) -> Clause:
    """The clause of a sentence, or of the card as such."""
    return f"{design.clause}/sentence {number}" if number else design.clause


@dataclass
class LongGames:
    """Long games of one ruleset, under settings of which those are preferred that let most cards
    be played."""

    loaded: Loaded
    number: int = 0  # of games so far
    tries: Counter[tuple[Clause, int]] = field(default_factory=Counter)
    """How often a card was looked for under a setting."""
    playing: set[tuple[Clause, int]] = field(default_factory=set)
    """The cards that were played under a setting."""
    known: Experience = field(default_factory=Experience)

    @cached_property
    def settings(self) -> list[Setting]:
        """What is played under, the first values of options after the second."""
        found = settings(self.loaded)
        return [*found[1:], found[0]]

    @cached_property
    def kin(self) -> Kinship:
        """What the cards have to do with each other."""
        return Kinship(playable(self.loaded))

    def play(self, looked: Looked, mates: bool = True) -> None:
        """One game more for what is left, with cards that say the same as these or without."""
        designs = looked.designs
        number = self._next_setting(designs)
        self.number += 1
        self.tries.update((design.clause, number) for design in designs)
        setting, beside = self.settings[number], self.known.helpers()
        table = shared_table(self.loaded, self.kin, designs, setting, beside, mates)
        if table is None:
            return
        game = LongGame(looked, table, self.kin, self.number, self.known)
        with suppress(Fault):  # the rules break off: what was found until then stands
            game.play()
        self.playing |= {(clause, number) for clause in game.played}

    def _next_setting(self, designs: list[Design]) -> int:
        """Where most of these cards were played or were not looked for yet, by turns."""

        def value(number: int) -> tuple[float, int]:
            keys = [(design.clause, number) for design in designs]
            hopes = (
                1.0 if k in self.playing else UNTRIED if not self.tries[k] else 0 for k in keys
            )
            return sum(hopes), -sum(self.tries[k] for k in keys)

        return max(range(len(self.settings)), key=value)


class LongGame:
    """One game at one table."""

    def __init__(
        self,
        looked: Looked,
        table: Table,
        kin: Kinship,
        seed: int,
        known: Experience | None = None,
    ) -> None:
        self.looked, self.table, self.game, self.seed = looked, table, table.game, seed
        self.rng = random.Random(seed)
        self.waiting = Waiting(self.game, known or Experience())
        self.seen, self.tries = Counter[tuple[str, Clause]](), Counter[tuple[str, Clause]]()
        self.designs = {d.clause: d for d, _ in looked.left.values()}
        self.sorts = {PieceT(d.component) for d in self.designs.values()}
        self.played = set[str]()  # the clauses of cards that were
        self.played_in: dict[Clause, State] = {}  # by cards, when they were first
        self.fired = set[Clause]()  # in this game, of what is left
        self.shown: dict[Clause, str] = {}  # of cards that are still to be played
        self.start = empty_position(self.game.setup, 0).where
        self.of_design: dict[Key, list[Clause]] = {}
        for clause, (design, _) in looked.left.items():
            self.of_design.setdefault((design.component, design.title), []).append(clause)
        self.key = [(p.design.component, p.design.title) for p in self.game.setup.pieces]
        self.kinds = {
            c: {e.kind for e in self.game.rules_source.extensions if e.clause == c}
            for c in looked.left
        }
        self.kin = kin
        self.telling = self._told_by_askers()
        self.namers = self._by_key((d, kin.named(d)) for d in self.designs.values())
        self.namers_at_all = self._by_key((d, kin.named(d, False)) for d in self.designs.values())
        self.related = self._by_key((d, self._relatives(d)) for d in self.designs.values())

    def _told_by_askers(self) -> frozenset[Clause]:
        """The sentences that make something of the cards that are looked for."""
        asking = {
            self.kin.designs[key].clause
            for design in self.designs.values()
            for key in self.kin.askers.get((design.component, design.title), ())
        }
        return frozenset(
            e.clause
            for e in self.game.rules_source.extensions
            if e.kind == "score" and e.clause.partition("/")[0] in asking
        )

    def _by_key(self, named: Iterable[tuple[Design, set[Key]]]) -> dict[Key, list[Clause]]:
        found: dict[Key, list[Clause]] = {}
        for design, keys in named:
            for key in keys:
                own = self.of_design[design.component, design.title]
                found.setdefault(key, []).extend(own)
        return found

    def _relatives(self, design: Design) -> set[Key]:
        own = (design.component, design.title)
        return {*self.kin.askers.get(own, ()), *self.kin.mates(design), own}

    def play(self) -> None:
        """The game, until it ends or nothing is left to be shown."""
        looked = self.looked
        looked.games += 1
        state = self.game.start(self.seed)
        while not state.over and state.decisions and state.moves < MOST_MOVES and looked.left:
            decision = state.decisions[0]
            self._look_at_options(state, decision)
            later = self._choose(state, decision)
            if later is None:
                break
            looked.moves += 1
            self._look(state, later)
            state = later
        self._play_again(state)
        self.waiting.over()
        looked.played |= self.played

    def _play_again(self, last: State) -> None:
        """Keep what shows when the whole game is played again without a sentence."""
        asked = [
            clause
            for clause, (design, number) in self.looked.left.items()
            if number and design.clause in self.played and clause in self.fired
        ]
        for clause in asked[:MOST_AGAIN]:
            with suppress(Fault, KeyError, ValueError):
                found = parting(self.table.without(clause), last)
                if found is not None:
                    self._keep(clause, *found)

    # ------------------------------------------------------------------------------- looking
    def _look_at_options(self, state: State, decision: Decision) -> None:
        """Does a sentence change what is offered for a piece that was chosen, or whether it is?"""
        if decision.spec.mode not in ("action", "one"):
            return
        for clause in [c for c in self.looked.left if self.kinds[c] - {"score"}]:
            sort = self._seen_as(state, decision, clause)
            if sort and self._worth_a_try(sort, clause):
                self._compare(clause, state, None)

    def _seen_as(self, state: State, decision: Decision, clause: Clause) -> str:
        """In what way a card may have to do with what is offered; nothing if in none."""
        design, _ = self.looked.left[clause]
        key = (design.component, design.title)
        if decision.spec.mode == "action" or decision.spec.item in self.sorts:
            if self._is_held(state, key, decision.player):
                return "held"
            if decision.spec.mode == "action" or "rules" not in self.kinds[clause]:
                return ""
        lately = chosen_lately(state)[:1]
        if decision.spec.item not in self.sorts and any(self.key[p] == key for p in lately):
            return "own"
        return "options" if lately and self._is_out(state, key) else ""

    def _is_held(self, state: State, key: Key, player: int) -> bool:
        """Does a player have the card, so that it may be offered to him?"""
        pieces = self.game.setup.by_title.get((key[0], key[1].lower()), ())
        where = (state.position.where[p] for p in pieces)
        return any(at is not None and len(at) == 2 and at[1] == player for at in where)

    def _is_out(self, state: State, key: Key) -> bool:
        pieces = self.game.setup.by_title.get((key[0], key[1].lower()), ())
        where = state.position.where
        return any(where[p] != self.start[p] for p in pieces)

    def _look(self, before: State, state: State) -> None:
        """Keep what the last choice shows of the sentences that are left."""
        fired = set(self.game.rules.fired)
        self.fired |= fired
        self._note_played(state)
        took = took_part(state)
        piece = next((p for p in chosen_lately(state) if p in took), None)
        if piece is not None:
            self.waiting.note(before.position, state.position, self.key[piece])
        for sort, clause in self._concerned(state, fired):
            if clause in self.looked.left and self._worth_a_try(sort, clause):
                self._compare(clause, before, state)

    def _worth_a_try(self, sort: str, clause: Clause) -> bool:
        if clause in self.shown:
            return False
        self.seen[sort, clause] += 1
        seen = self.seen[sort, clause]
        often = seen <= ALWAYS or not seen & (seen - 1) or sort in ("event", "counted")
        if not often or self.tries[sort, clause] >= MOST_TRIES:
            return False
        self.tries[sort, clause] += 1
        return True

    def _note_played(self, state: State) -> None:
        """The cards that took part in an event were played; keep what was shown of them before."""
        for piece in took_part(state):
            card = self.game.setup.pieces[piece].design.clause
            self.played.add(card)
            self.played_in.setdefault(card, state)
            for clause in self.of_design.get(self.key[piece], ()):
                if clause in self.looked.left:
                    if not self.looked.left[clause][1]:
                        self.shown[clause] = "it is legally played"
                    if clause in self.shown:
                        self._keep_if_played(clause, state)

    def _concerned(self, state: State, fired: set[str]) -> list[tuple[str, Clause]]:
        found: dict[Clause, str] = {}
        for clause in self.looked.left.keys() & fired:
            if self.kinds[clause] - {"define", "rules"}:
                found[clause] = "counted"
        for piece in took_part(state):
            for clause in self.of_design.get(self.key[piece], ()):
                found.setdefault(clause, "event")
        return [(sort, clause) for clause, sort in found.items()]

    def _compare(self, clause: Clause, before: State, state: State | None) -> None:
        without = self.table.without(clause)
        try:
            said = apart(before, state, state_without(before, without))
            if said and differs_again(without, before, state):
                self.shown[clause] = said
                self._keep_if_played(clause, state or before)
        except (Fault, KeyError, ValueError):
            return

    def _keep_if_played(self, clause: Clause, state: State) -> None:
        """A witness is a game in which the card is played, too."""
        design, _ = self.looked.left[clause]
        if design.clause in self.played:
            self._keep(clause, state, self.shown[clause])

    def _keep(self, clause: Clause, state: State, said: str) -> None:
        """A game to a state, and on until the card is played if it was not."""
        design, number = self.looked.left.pop(clause)
        played = self.played_in.get(design.clause, state)
        last = max(state, played, key=lambda at: at.moves)
        self.looked.met[clause] = Witness(number, last, said, self.table.deck)

    # ------------------------------------------------------------------------------- choosing
    def _choose(self, state: State, decision: Decision) -> State | None:
        if decision.spec.mode == "action":
            return self._act(state, decision)
        if decision.spec.mode == "one" and decision.spec.item in self.sorts:
            return self._piece(state, decision)
        lately = chosen_lately(state)[:1]
        if any(self._wanted(p) for p in lately):
            return self._place(state, decision, MOST_PLACES)
        if any(self._concerns(p) for p in lately):
            return self._place(state, decision, MOST_NEAR)
        return self._onward(state, decision)

    def _onward(self, state: State, decision: Decision) -> State | None:
        """The state after a choice by which least is lacking for what is waited for, or any."""
        if decision.spec.mode != "one" or not self.waiting.lacking(state.position):
            return self._any(state, decision)
        tried = (self._after(state, decision.sample(self.rng)) for _ in range(MOST_ONWARD))
        made = [later for later in tried if later is not None]
        made.sort(key=lambda later: self.waiting.lacking(later.position))
        return self._anew(state, made[0]) if made else None

    def _any(self, state: State, decision: Decision) -> State | None:
        tried = (self._after(state, decision.sample(self.rng)) for _ in range(4))
        return next((later for later in tried if later is not None), None)

    def _act(self, state: State, decision: Decision) -> State | None:
        """The state after an action that asks for a piece, if there is one, or after any."""
        options = list(decision.options())
        self.rng.shuffle(options)
        laters = (self._after(state, o) for o in options)
        made = [later for later in laters if later is not None]
        if self.rng.random() < EAGER:
            made.sort(key=lambda later: not self._asks_for_piece(later, decision.player))
        return self._anew(state, made[0]) if made else None

    def _anew(self, state: State, later: State) -> State | None:
        """The state after the choice that is taken, so that what counts is noted for it."""
        assert later.choice is not None
        return self._after(state, later.choice)

    def _asks_for_piece(self, state: State, player: int) -> bool:
        if not state.decisions:
            return False
        spec = state.decisions[0].spec
        return spec.player == player and spec.mode == "one" and spec.item in self.sorts

    def _piece(self, state: State, decision: Decision) -> State | None:
        """The state after the choice of a piece that is looked for, or that such a one names."""
        options = list(islice(decision.options(), MOST_LISTED))
        self.rng.shuffle(options)
        if self.rng.random() < FITTING:
            ahead = self.waiting.lacking(state.position) > 0
            options.sort(key=lambda o: self._rank(o.value, ahead))
            options = self._held_back(state, options)
        tried = (self._after(state, o) for o in options)
        return next((later for later in tried if later is not None), None)

    def _held_back(self, state: State, options: list[Option]) -> list[Option]:
        """The options, those last that are looked for and would not count as played."""
        late: list[Option] = []
        for number, option in enumerate(options):
            if not self._waits(option.value):
                return options[number:] + late
            later = self._after(state, option)
            if later is not None and later.decisions and self._counts_somewhere(later):
                return options[number:] + late
            late.append(option)
        return late

    def _counts_somewhere(self, state: State) -> bool:
        """Is there a place at which a sentence counts that is left?"""
        options = self._some_options(state.decisions[0], MOST_PLACES)
        return any(self._after(state, o) is not None and self._counts() for o in options)

    def _counts(self) -> bool:
        """Did a sentence count by the last choice that is left?"""
        fired = self.looked.left.keys() & self.game.rules.fired
        return any("score" in self.kinds[c] for c in fired)

    def _some_options(self, decision: Decision, most: int) -> list[Option]:
        options = list(islice(decision.options(), 4 * MOST_LISTED))
        return self.rng.sample(options, min(most, len(options)))

    def _waits(self, value: object) -> bool:
        if not isinstance(value, int):
            return False
        clauses = [c for c in self.of_design.get(self.key[value], ()) if c in self.looked.left]
        counting = [c for c in clauses if self.kinds[c] == {"score"}]
        return bool(clauses) and len(counting) == len(clauses) and self.rng.random() < PATIENT

    def _rank(self, value: object, ahead: bool) -> float:
        if not isinstance(value, int):
            return 3
        if self._wanted(value):
            return 0
        if self.waiting.opens(self.key[value]):
            return 0.5
        if ahead and (gain := self.waiting.known.gain(self.key[value])) >= 1:
            return 1 - gain / (gain + 2) / 2
        if any(c in self.looked.left for c in self.namers.get(self.key[value], ())):
            return 1
        return 2 if self._concerns(value) else 3

    def _wanted(self, piece: int) -> bool:
        return any(c in self.looked.left for c in self.of_design.get(self.key[piece], ()))

    def _concerns(self, piece: int) -> bool:
        key = self.key[piece]
        both = (*self.namers_at_all.get(key, ()), *self.related.get(key, ()))
        return any(c in self.looked.left for c in both)

    def _place(self, state: State, decision: Decision, most: int) -> State | None:
        """The state after a choice by which a sentence counts that is left, or after any."""
        found = self._fitting(state, most)
        return found if found is not None else self._onward(state, decision)

    def _fitting(self, state: State, most: int) -> State | None:
        """The state after a choice by which a sentence counts that is left, or one that asks for
        the card; none if none does.
        """
        decision = state.decisions[0]
        if decision.spec.mode != "one":
            return None
        best: tuple[int, State | None] = 0, None
        for option in self._some_options(decision, most):
            later = self._after(state, option)
            if later is None:
                continue
            if self._counts():
                return later
            gain = later.scores()[option.player] - state.scores()[option.player]
            worth = gain + (ASKED if self.telling & self.game.rules.fired else 0)
            if worth > best[0]:
                best = worth, later
        return best[1] and self._anew(state, best[1])

    def _after(self, state: State, option: Option) -> State | None:
        self._note_fired()
        try:
            return state.choose(option)
        except (Illegal, Fault):
            return None

    def _note_fired(self) -> None:
        fired = self.game.rules.fired
        self.fired |= fired  # what is worked out once is not again where it counts
        fired.clear()
