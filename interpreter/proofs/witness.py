"""A game in which a card is legally played and what it says changes something.

The search goes for what the card needs: it plays pieces that its text names, puts what it plays
where a sentence comes to count, and plays the card as soon as it may. A sentence counts as changing
something if the same choices without it come to another state, are refused, or leave other options.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from interpreter.authoring.small_positions import named_by
from interpreter.engine.decisions import Decision, Option
from interpreter.game.game import Game, Illegal, State, game_of
from interpreter.game.loading import Loaded, Unlawful
from interpreter.game.refusals import Refusal
from interpreter.model.values import Fault
from interpreter.proofs.playable import playable
from rulelang.analysis.card_lints import lint_cards
from rulelang.core.types import PieceT
from rulelang.core.values import Value, members
from rulelang.diagnostics import CODES, Diagnostic, Report
from rulelang.ruleset import OPTION, Deck, Design

MOST_GAMES = 6  # played for one card
MOST_MOVES = 260  # choices of one game
MOST_OPTIONS = 16  # of one decision that are tried
MOST_LISTED = 60  # options of one decision looked at
BEARERS, NAMED = 3, 2  # copies put into the list of a witness: of the card, of what it names
FEW_TITLES, MOST_TITLES = 12, 4  # of a noun so rare that its cards are put in, and how many of them
LAST = 3  # choices of a game whose options are compared with those without a sentence
LIST = "witness"  # the name of that list
PATIENT = 0.85  # how often the card waits until something it says would count
EAGER = 0.9  # how often a piece is played if one may be

_PROOFS = ("never-playable", "never-applies")


@dataclass(frozen=True)
class Witness:
    """A state whose game shows a sentence (or the card) at work, and what it changes."""

    sentence: int  # from 1; 0 for the card as such
    state: State
    changes: str
    deck: str = ""  # the text of the list it is played with, if it is one of its own

    @property
    def choices(self) -> list[tuple[State, Option]]:
        """All choices from the start, each with the state it was made in."""
        found = []
        at: State | None = self.state
        while at is not None and at.parent is not None and at.choice is not None:
            found.append((at.parent, at.choice))
            at = at.parent
        return found[::-1]


@dataclass(frozen=True)
class Refuted:
    """The proof that a sentence never counts, or that the card can never be played."""

    sentence: int
    why: tuple[Diagnostic, ...]


@dataclass(frozen=True)
class Undecided:
    """No witness within the bounds: how much was played, and what came nearest."""

    sentence: int
    games: int
    moves: int
    played: bool
    nearest: tuple[Refusal, ...]


Answer = Witness | Refuted | Undecided


def witnesses(loaded: Loaded, design: Design, sentences: list[int] | None = None) -> list[Answer]:
    """An answer for each sentence of a card (all unless some are named), or for a card without
    text whether it can be played.
    """
    wanted = sentences or [*range(1, len(design.text) + 1)] or [0]
    known = findings(loaded, design)
    refuted = {number: proofs(known, design, number) for number in wanted}
    search = Search(loaded, design, {n for n in wanted if not refuted[n]})
    found = search.found() if search.left else {}
    return [
        Refuted(n, tuple(refuted[n])) if refuted[n] else found.get(n) or search.undecided(n)
        for n in wanted
    ]


def findings(loaded: Loaded, design: Design) -> list[Diagnostic]:
    """The findings that prove that a card is never played, or that a sentence never counts."""
    others = frozenset(d.title for d in loaded.compiled.rules.designs) - {design.title}
    looked = replace(loaded.compiled, report=Report())
    lint_cards(looked, others)
    codes = {CODES[key].code for key in _PROOFS}
    return [found for found in looked.report.found if found.code in codes]


def proofs(found: list[Diagnostic], design: Design, sentence: int) -> list[Diagnostic]:
    """Those of the findings that are about the whole card, or about this sentence."""
    span = design.text[sentence - 1][1] if sentence else design.span
    return [d for d in found if d.span == span or d.code == CODES[_PROOFS[0]].code]


@dataclass
class Search:
    """The search for witnesses of the sentences of one card."""

    loaded: Loaded
    design: Design
    left: set[int]
    games: int = 0
    moves: int = 0
    played: bool = False
    nearest: tuple[Refusal, ...] = ()
    met: dict[int, Witness] = field(default_factory=dict)

    def found(self) -> dict[int, Witness]:
        """Witnesses of as many sentences as the bounds allow."""
        for seed in range(MOST_GAMES):
            if not self.left:
                break
            game, deck = _game(self.loaded, self.design, seed)
            self.games += 1
            try:
                _Seeker(self, game, seed, deck).play()
            except Fault:
                continue
        return self.met

    def undecided(self, sentence: int) -> Undecided:
        """What is said of a sentence without witness."""
        return Undecided(sentence, self.games, self.moves, self.played, self.nearest)


def _game(loaded: Loaded, design: Design, seed: int) -> tuple[Game, str]:
    """A game in which the card is likely to come up, and the list that makes it so."""
    rules = loaded.compiled.rules
    bare = playable(loaded)
    lists = [d for d in rules.decks.values() if d.is_for(bare.players)]
    lists = [d for d in lists if design.component in d.components]
    if not lists:
        return bare, ""
    lists.sort(key=lambda d: -sum(n for _, n in d.counts))
    base = lists[seed % len(lists)]
    counts = dict(base.counts)
    key = (design.component, design.title)
    counts[key] = max(counts.get(key, 0), BEARERS)
    for title in _named_titles(bare, design):
        same = (design.component, title)
        counts[same] = max(counts.get(same, 0), NAMED)
    deck = replace(base, name=LIST, title="A witness", counts=tuple(counts.items()), clause="")
    made = _with_list(loaded, deck)
    try:
        return game_of(made, bare.players, (), {OPTION: LIST}), _written(loaded, deck)
    except Unlawful:
        return bare, ""


def _named_titles(game: Game, design: Design) -> list[str]:
    """The titles of cards that the text names, of each noun that names few."""
    found: dict[str, None] = {}
    for noun in design.nouns:
        if noun.asked and noun.component == design.component:
            titles = dict.fromkeys(
                game.setup.pieces[p].design.title for p in sorted(named_by(game, noun))
            )
            if len(titles) <= FEW_TITLES:
                found |= dict.fromkeys(list(titles)[:MOST_TITLES])
    return list(found)


def _with_list(loaded: Loaded, deck: Deck) -> Loaded:
    rules = loaded.compiled.rules
    options = {**rules.options, OPTION: (*rules.options.get(OPTION, ()), deck.name)}
    made = replace(rules, decks={**rules.decks, deck.name: deck}, options=options)
    return replace(loaded, compiled=replace(loaded.compiled, rules=made))


def _written(loaded: Loaded, deck: Deck) -> str:
    """The list as an author would write it."""
    low, high = deck.players
    for_so_many = f"{low} players" if high == low else f"{low} to {high} players"
    head = f'deck {deck.name} "{deck.title}" of {", ".join(deck.components)}, {for_so_many}'
    rows = [f'  | {number} "{title}"' for (_, title), number in deck.counts]
    return "\n".join([f"for {loaded.id}", "", head, *rows, ""])


def _named_pieces(game: Game, design: Design) -> tuple[frozenset[int], frozenset[int]]:
    """The pieces that a text names by nouns that name few cards, and by any noun."""
    named = [named_by(game, noun) for noun in design.nouns if noun.asked]
    title = {p: game.setup.pieces[p].design.title for pieces in named for p in pieces}
    rare = [pieces for pieces in named if len({title[p] for p in pieces}) <= FEW_TITLES]
    return frozenset(p for pieces in rare for p in pieces), frozenset(title)


class _Seeker:
    """Plays one game toward what the sentences still lack."""

    def __init__(self, search: Search, game: Game, seed: int, deck: str) -> None:
        self.search, self.game, self.deck = search, game, deck
        self.rng = random.Random(seed)
        self.seed = seed
        design = search.design
        key = (design.component, design.title.lower())
        self.bearers = frozenset(game.setup.by_title.get(key, ()))
        self.component = PieceT(design.component)
        self.titled, self.named = _named_pieces(game, design)
        self.clauses = {f"{design.clause}/sentence {n}": n for n in search.left}
        self.at_once = {  # what would count as the card is played
            e.clause
            for e in game.rules_source.extensions
            if e.clause in self.clauses and e.lifetime == "played" and e.kind in ("score", "rules")
        }
        self.plays: tuple[str, str] | None = None  # an action that plays pieces, and its choice

    def play(self) -> None:
        """One game, until nothing is left to be shown."""
        state = self.game.start(self.seed)
        while not state.over and state.decisions and state.moves < MOST_MOVES and self.search.left:
            decision = state.decisions[0]
            later = self._choose(state, decision)
            if later is None:
                return
            self.search.moves += 1
            self._look(later)
            state = later
        self._tell_nearest(state)

    def _choose(self, state: State, decision: Decision) -> State | None:
        """The state after the choice that leads on best."""
        options = list(islice(decision.options(), MOST_LISTED))
        if not options:
            return None
        if decision.spec.mode == "action":
            options = self._actions(state, options)
        elif decision.spec.item == self.component and decision.spec.mode == "one":
            options.sort(key=lambda o: (self._worth(o.value), self.rng.random()))
            options = self._held_back(state, options)
        elif decision.spec.mode in ("some", "order"):
            options = [decision.sample(self.rng) for _ in range(4)]
            options.sort(key=lambda o: sum(self._worth(v) for v in members(o.value)), reverse=True)
        else:
            return self._placed(state, options)
        return next(self._taken(state, options), None)

    def _held_back(self, state: State, options: list[Option]) -> list[Option]:
        """The options, the card itself last as long as nothing new would count at its place."""
        first = options[0]
        if (
            first.value not in self.bearers
            or not self.at_once & self.wanted()
            or self.rng.random() > PATIENT
        ):
            return options
        later = next(self._taken(state, [first]), None)
        if later is None or later.over or not later.decisions:
            return options
        places = list(islice(later.decisions[0].options(), 4 * MOST_LISTED))
        self.rng.shuffle(places)
        tried = self._taken(later, places[:MOST_OPTIONS])
        if any(self._counts(after) for after in tried):
            return options
        bearing = [o for o in options if o.value in self.bearers]
        return [o for o in options if o not in bearing] + bearing

    def _counts(self, state: State) -> bool:
        """Did a sentence that is still to be shown count by the last choice?"""
        return bool(self.wanted() & self.game.rules.fired)

    def wanted(self) -> set[str]:
        """The clauses of the sentences that are still to be shown."""
        return {clause for clause, number in self.clauses.items() if number in self.search.left}

    def _worth(self, piece: Value) -> int:
        """How soon a piece is played: the card itself, what it names by title, what it names."""
        ranks = (self.bearers, self.titled, self.named)
        return next((n for n, pieces in enumerate(ranks) if piece in pieces), len(ranks))

    def _actions(self, state: State, options: list[Option]) -> list[Option]:
        """The actions, those first after which the best piece may be chosen."""
        ranked = []
        for option in options:
            worth, later = 9, next(self._taken(state, [option]), None)
            if later is not None and later.decisions:
                asked = later.decisions[0]
                if asked.spec.item == self.component and asked.spec.mode == "one":
                    pieces = islice(asked.options(), MOST_LISTED)
                    worth = min((self._worth(o.value) for o in pieces), default=8)
                    self.plays = (str(option.value), asked.name)
                elif asked.player == option.player and asked.spec.mode != "action":
                    worth = 5
            ranked.append((worth if self.rng.random() < EAGER else 9, self.rng.random(), option))
        return [option for _, _, option in sorted(ranked, key=lambda row: row[:2])]

    def _placed(self, state: State, options: list[Option]) -> State | None:
        """The state after a choice that makes a sentence count, or any."""
        self.rng.shuffle(options)
        first: State | None = None
        for option in options[:MOST_OPTIONS]:
            later = next(self._taken(state, [option]), None)
            if later is None:
                continue
            first = first or later
            if self._counts(later):
                return later
        self.game.rules.fired.clear()
        return first

    def _taken(self, state: State, options: list[Option]) -> Iterator[State]:
        for option in options:
            self.game.rules.fired.clear()
            try:
                yield state.choose(option)
            except (Illegal, Fault):
                continue

    def _look(self, state: State) -> None:
        """Keep a witness of what counted by the last choice."""
        if not self.search.played:
            self.search.played = self._was_played(state)
        if 0 in self.search.left and self.search.played:
            self._keep(0, state, "it is legally played")
        fired = self.game.rules.fired
        for clause in sorted(self.clauses.keys() & fired):
            number = self.clauses[clause]
            if number in self.search.left and self._was_played(state, True):
                said = without(self, state, clause)
                if said:
                    self._keep(number, state, said)
        fired.clear()

    def _keep(self, number: int, state: State, said: str) -> None:
        self.search.met[number] = Witness(number, state, said, self.deck)
        self.search.left.discard(number)

    def _was_played(self, state: State, ever: bool = False) -> bool:
        """Did the card take part in an event, by the last choice or ever?"""
        events = self.game.rules_source.events
        rest = state.position.log
        end = state.parent.position.log if state.parent is not None and not ever else ()
        while rest and rest is not end:
            entry, rest = rest
            params = events[entry.name].params if entry.kind == "event" else ()
            for (_, value), (_, t) in zip(entry.args, params, strict=False):
                if t == self.component and value in self.bearers:
                    return True
        return False

    def _tell_nearest(self, state: State) -> None:
        """What stands against the card in the last state, if less than was known."""
        if self.search.played or self.plays is None or not state.decisions:
            return
        action, choice = self.plays
        player = state.decisions[0].player
        try:
            why = state.why_not(player, action, **{choice: self.search.design.title})
        except (Fault, KeyError, ValueError):
            return
        if why and (not self.search.nearest or len(why) < len(self.search.nearest)):
            self.search.nearest = tuple(why)


def without(seeker: _Seeker, state: State, clause: str) -> str:
    """What the same choices come to without a clause, where that is another thing; else nothing."""
    game = seeker.game
    other = Game(game.loaded, game.players, game.options, game.variants, frozenset({clause}))
    path, number = Witness(0, state, "").choices, 0
    try:
        at = other.start(state.position.seed)
        for number, (before, option) in enumerate(path, 1):
            more = _more(before, at) if len(path) - number < LAST else ""
            if more:
                return f"without it there are {more} options at choice {number}"
            at = at.choose(option)
    except (Illegal, Fault) as error:
        return f"without it choice {number} is refused: {error}"
    if at.scores() != state.scores():
        return f"without it the scores are {at.scores()}, not {state.scores()}"
    return "without it the table lies otherwise" if at.digest() != state.digest() else ""


def _more(one: State, two: State) -> str:
    """Are there more options in the second, fewer, or others? Nothing if they are the same."""
    here, there = (
        {o.value for d in s.decisions for o in islice(d.options(), 4 * MOST_LISTED)}
        for s in (one, two)
    )
    if here == there:
        return ""
    return "more" if here < there else "fewer" if there < here else "other"
