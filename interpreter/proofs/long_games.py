"""Long games that many cards share, in which it is looked what each sentence changes.

A list holds some copies of each card that is looked for, and of what these name, beside all cards
of a list of the game's own. Whoever is to decide plays what is looked for if he may, and puts it
where something it says counts. What is found with one card costs the others nothing.
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
from interpreter.proofs.kinship import Key, Kinship
from interpreter.proofs.playable import playable
from interpreter.proofs.witness_games import Setting, Table, settings, shared_table
from interpreter.proofs.witness_replay import (
    apart,
    chosen_lately,
    differs_again,
    state_without,
    took_part,
)
from rulelang.core.types import PieceT
from rulelang.ruleset import Design

MOST_MOVES = 2400  # choices of one game
MOST_PLACES = 60  # of one piece that are tried
MOST_NEAR = 12  # of one piece by which another sentence may count
MOST_LISTED = 60  # options of one decision looked at
MOST_TRIES = 16  # comparisons for one sentence in one game, of each sort
ALWAYS = 3  # sightings of a sentence that are all looked into; then only some
EAGER = 0.9  # how often a piece is played if one may be
FITTING = 0.85  # how often it is one that is looked for
PATIENT = 0.75  # how often it waits until something it says would count

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
    sure: bool = False  # is each witness played again from its start?
    number: int = 0  # of games so far
    most: dict[int, int] = field(default_factory=dict)  # cards played under each setting

    @cached_property
    def settings(self) -> list[Setting]:
        """What is played under, the first values of options after the second."""
        found = settings(self.loaded)
        return [*found[1:], found[0]]

    @cached_property
    def kin(self) -> Kinship:
        """What the cards have to do with each other."""
        return Kinship(playable(self.loaded))

    def play(self, looked: Looked) -> None:
        """One game more for what is left."""
        number = self._next_setting()
        self.number += 1
        self.most.setdefault(number, 0)
        table = shared_table(self.loaded, self.kin, looked.designs, self.settings[number])
        if table is None:
            return
        game = LongGame(looked, table, self.kin, self.number, self.sure)
        with suppress(Fault):  # the rules break off: what was found until then stands
            game.play()
        self.most[number] = max(self.most[number], len(game.played))

    def _next_setting(self) -> int:
        """By turns the best that was tried, and one that was not."""
        fresh = [n for n in range(len(self.settings)) if n not in self.most]
        if fresh and (self.number % 2 or not self.most):
            return fresh[0]
        return max(self.most, key=lambda n: (self.most[n], -n))


class LongGame:
    """One game at one table."""

    def __init__(
        self, looked: Looked, table: Table, kin: Kinship, seed: int, sure: bool = False
    ) -> None:
        self.looked, self.table, self.game, self.seed = looked, table, table.game, seed
        self.rng, self.sure = random.Random(seed), sure
        self.seen, self.tries = Counter[tuple[str, Clause]](), Counter[tuple[str, Clause]]()
        self.designs = {d.clause: d for d, _ in looked.left.values()}
        self.sorts = {PieceT(d.component) for d in self.designs.values()}
        self.first: dict[Clause, int] = {}  # choices before a sentence was first come to
        self.played = set[str]()  # the clauses of cards that were
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
        self.namers = self._by_key((d, kin.named(d)) for d in self.designs.values())
        self.namers_at_all = self._by_key((d, kin.named(d, False)) for d in self.designs.values())
        self.related = self._by_key((d, self._relatives(d)) for d in self.designs.values())

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
        looked.played |= self.played

    # ------------------------------------------------------------------------------- looking
    def _look_at_options(self, state: State, decision: Decision) -> None:
        """Does a sentence change what is offered for a piece that was chosen, or whether it is?"""
        if decision.spec.mode != "one":
            return
        left = self.looked.left
        open_ = [c for c in left if self.kinds[c] - {"score"}]
        lately = chosen_lately(state)[:1]
        for clause in open_:
            design, _ = left[clause]
            key = (design.component, design.title)
            own = any(self.key[p] == key for p in lately)
            if decision.spec.item in self.sorts:
                concerned = self._is_out(state, key) and "rules" in self.kinds[clause]
            else:
                concerned = own or (bool(lately) and self._is_out(state, key))
            if concerned and self._worth_a_try("own" if own else "options", clause):
                self._compare(clause, state, None)

    def _is_out(self, state: State, key: Key) -> bool:
        pieces = self.game.setup.by_title.get((key[0], key[1].lower()), ())
        where = state.position.where
        return any(where[p] != self.start[p] for p in pieces)

    def _look(self, before: State, state: State) -> None:
        """Keep what the last choice shows of the sentences that are left."""
        fired = set(self.game.rules.fired)
        self._note_played(state)
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
            self.played.add(self.game.setup.pieces[piece].design.clause)
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
        events = took_part(state)
        for piece in events:
            for clause in self.of_design.get(self.key[piece], ()):
                found.setdefault(clause, "event")
        if events:
            for piece in events:
                for clause in self.related.get(self.key[piece], ()):
                    found.setdefault(clause, "related")
            for clause in self.looked.left:
                if "define" in self.kinds[clause] and clause in fired:
                    found.setdefault(clause, "defined")
        return [(sort, clause) for clause, sort in found.items()]

    def _compare(self, clause: Clause, before: State, state: State | None) -> None:
        without = self.table.without(clause)
        try:
            said = apart(before, state, state_without(before, without))
            since = 0 if self.sure else self.first.get(clause, before.moves)
            if said and differs_again(without, before, state, since=since):
                self.shown[clause] = said
                self._keep_if_played(clause, state or before)
        except (Fault, KeyError, ValueError):
            return

    def _keep_if_played(self, clause: Clause, state: State) -> None:
        """A witness is a game in which the card is played, too."""
        design, number = self.looked.left[clause]
        if design.clause in self.played:
            del self.looked.left[clause]
            self.looked.met[clause] = Witness(number, state, self.shown[clause], self.table.deck)

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
        return self._any(state, decision)

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
            options.sort(key=lambda o: self._rank(o.value))
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
            if later is not None and later.decisions and self._fitting(later, MOST_PLACES // 2):
                return options[number:] + late
            late.append(option)
        return late

    def _waits(self, value: object) -> bool:
        if not isinstance(value, int):
            return False
        clauses = [c for c in self.of_design.get(self.key[value], ()) if c in self.looked.left]
        counting = [c for c in clauses if self.kinds[c] == {"score"}]
        return bool(clauses) and len(counting) == len(clauses) and self.rng.random() < PATIENT

    def _rank(self, value: object) -> int:
        if not isinstance(value, int):
            return 3
        if self._wanted(value):
            return 0
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
        return found if found is not None else self._any(state, decision)

    def _fitting(self, state: State, most: int) -> State | None:
        """The state after a choice by which a sentence that is left counts; none if none does."""
        decision = state.decisions[0]
        if decision.spec.mode != "one":
            return None
        options = list(islice(decision.options(), 4 * MOST_LISTED))
        self.rng.shuffle(options)
        for option in options[:most]:
            later = self._after(state, option)
            if later is None:
                continue
            fired = self.looked.left.keys() & self.game.rules.fired
            if any("score" in self.kinds[c] for c in fired):
                return later
        return None

    def _after(self, state: State, option: Option) -> State | None:
        self._note_fired(state)
        try:
            return state.choose(option)
        except (Illegal, Fault):
            return None

    def _note_fired(self, state: State) -> None:
        fired = self.game.rules.fired
        for clause in self.looked.left.keys() & fired - self.first.keys():
            self.first[clause] = max(0, state.moves - 1)
        fired.clear()
