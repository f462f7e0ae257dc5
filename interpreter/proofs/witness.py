"""A game in which a card is legally played and what it says changes something.

What the first short games leave is looked for in long ones that are made to come far
(`long_games`), and then in short ones again.

The search goes for what the card needs: it plays pieces that its text names, and what those name,
puts what it plays where a sentence comes to count, and plays the card as soon as it may. Each
decision and choice that the card is part of is held against the same without the sentence: it
changes something if other options are offered, or if the choice comes to another state. A witness
is played again from its start without the sentence before it is told.

What is left then is gone for by plan: of some turns by chance the one is played after which least
is lacking for the sentence.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby, islice

from interpreter.authoring.small_positions import named_by
from interpreter.engine.decisions import Decision, Option
from interpreter.game.game import Game, Illegal, State, game_of
from interpreter.game.loading import Loaded, Unlawful
from interpreter.game.refusals import Refusal
from interpreter.model.position import empty_position
from interpreter.model.values import Fault
from interpreter.proofs.answers import Answer, Refuted, Undecided, Witness
from interpreter.proofs.long_games import LongGames, clause_of, looked_for
from interpreter.proofs.playable import playable
from interpreter.proofs.restated import restated
from interpreter.proofs.shortfall import aims, short_of
from interpreter.proofs.witness_games import LIST, lists_for, named_list, with_list, written
from interpreter.proofs.witness_replay import apart, differs_again, fresh, state_without
from rulelang.analysis.card_lints import lint_cards
from rulelang.core.types import PieceT
from rulelang.core.values import Value, members
from rulelang.diagnostics import CODES, Diagnostic, Report
from rulelang.ruleset import OPTION, Deck, Design

MOST_LONG = 16  # long games played for one card
SHARED, ROUNDS = 8, 4  # cards that share a long game, and how often they do
MOST_GAMES = 18  # short ones
FIRST = 3  # of them, played before the long ones: what they show is short
MOST_PLANNED = 10  # played then toward what one of its sentences lacks
MOST_ROLLOUTS, MOST_STEPS = 10, 8  # that a planned turn is chosen from, and choices of one
PLANNED = 0.7  # how often a turn of such a game is planned
MOST_MOVES = 260  # choices of one game
MOST_OPTIONS = 16  # of one decision that are tried
MOST_LISTED = 60  # options of one decision looked at
BEARERS, NAMED = 4, 4  # copies put into the list of a witness: of the card, of what it names
RARE = 3  # of other cards a list holds one in so many
FEW_TITLES, MOST_TITLES = 12, 4  # of a noun so rare that its cards are put in, and how many of them
PATIENT = 0.85  # how often the card waits until something it says would count
EAGER = 0.9  # how often a piece is played if one may be
SPARING = 2  # in one game of so many, nothing is played but what the card needs

_MORE = "without it there are more options at choice {}"
_NEVER = 9  # how soon something is played that is rather not
_PROOFS = ("never-playable", "never-applies")


def witnesses(loaded: Loaded, design: Design, sentences: list[int] | None = None) -> list[Answer]:
    """An answer for each sentence of a card (all unless some are named), or for a card without
    text whether it can be played.
    """
    wanted = sentences or [*range(1, len(design.text) + 1)] or [0]
    refuted = refutations(loaded, design, wanted)
    search = Search(loaded, design, {n for n in wanted if not refuted[n]})
    found = search.found() if search.left else {}
    return [
        Refuted(n, tuple(refuted[n])) if refuted[n] else found.get(n) or search.undecided(n)
        for n in wanted
    ]


def shared_witnesses(
    loaded: Loaded, sentences: Iterable[tuple[Design, int]], rounds: int = ROUNDS
) -> Iterator[tuple[list[Design], list[tuple[Design, Witness]]]]:
    """Witnesses of sentences of many cards from games that some cards at a time share: for each
    game its cards, and what it shows of them.
    """
    games = LongGames(loaded)
    left = list(sentences)
    for turn in range(rounds):
        together = turn % 2 == 0
        groups = [*_groups(left, together)]
        left = []
        for group in groups:
            looked = looked_for(group)
            games.play(looked, together)
            met = [(d, w) for d, n in group if (w := looked.met.get(clause_of(d, n)))]
            yield list({d.clause: d for d, _ in group}.values()), met
            left += looked.left.values()


def _groups(
    sentences: list[tuple[Design, int]], together: bool
) -> Iterator[list[tuple[Design, int]]]:
    """The sentences of so many cards of one sort at a time: those that say the same together, or
    as far apart as can be."""
    by_card: dict[str, list[tuple[Design, int]]] = {}
    for design, number in sorted(sentences, key=_sort_and_words):
        by_card.setdefault(design.clause, []).append((design, number))
    cards = list(by_card.values())
    for _, of_sort in groupby(cards, key=lambda card: card[0][0].component):
        alike = list(of_sort)
        number = -(-len(alike) // SHARED)
        for first in range(number):
            chosen = (
                alike[first * SHARED : (first + 1) * SHARED] if together else alike[first::number]
            )
            yield [sentence for card in chosen for sentence in card]


def _sort_and_words(sentence: tuple[Design, int]) -> tuple[str, str]:
    design, number = sentence
    said = design.sentences[number - 1] if number else ""
    return design.component, "".join(c for c in said if not c.isdigit())


def refutations(
    loaded: Loaded, design: Design, sentences: list[int]
) -> dict[int, list[Diagnostic]]:
    """The findings that prove of each sentence that it changes nothing, if there are any."""
    known, rules = findings(loaded, design), loaded.compiled.rules
    return {
        n: proofs(known, design, n) or (restated(rules, design, n) if n else []) for n in sentences
    }


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
        tables = [*_tables(self.loaded, self.design)]
        self._play_short_games(tables, range(FIRST))
        if self.left:
            self._play_long_games()
        self._play_short_games(tables, range(FIRST, MOST_GAMES + MOST_PLANNED))
        return self.met

    def _play_short_games(self, tables: list[_Table], seeds: range) -> None:
        """Go for what the card needs."""
        for seed in seeds:
            if not self.left:
                break
            self.games += 1
            turn, number = divmod(seed, len(tables))
            seeker = _Seeker(self, tables[number], seed, turn)
            if seed >= MOST_GAMES:
                left = sorted(self.left)
                seeker.plan_for(left[(seed - MOST_GAMES) // len(tables) % len(left)])
            try:
                seeker.play()
            except Fault:
                continue

    def _play_long_games(self) -> None:
        """Keep what long games show, each played again from its start without the sentence."""
        looked = looked_for((self.design, n) for n in sorted(self.left))
        games = LongGames(self.loaded)
        while looked.left and looked.games < MOST_LONG and games.number < 2 * MOST_LONG:
            games.play(looked, mates=games.number % 2 == 0)
        self.games += looked.games
        self.moves += looked.moves
        self.played = self.played or self.design.clause in looked.played
        for witness in looked.met.values():
            self.met[witness.sentence] = witness
            self.left.discard(witness.sentence)

    def undecided(self, sentence: int) -> Undecided:
        """What is said of a sentence without witness."""
        return Undecided(sentence, self.games, self.moves, self.played, self.nearest)


# ------------------------------------------------------------------------------------------ tables
@dataclass(frozen=True)
class _Table:
    """A game in which the card may come up, the list it is played with, and what lacks a
    sentence."""

    game: Game
    deck: str
    design: Design

    @cached_property
    def without(self) -> dict[int, Game]:
        """The game without a sentence, for each."""
        game, made = self.game, {}
        for number in range(1, len(self.design.text) + 1):
            gone = frozenset({f"{self.design.clause}/sentence {number}"})
            made[number] = Game(game.loaded, game.players, game.options, game.variants, gone)
        return made

    @cached_property
    def wanted(self) -> tuple[frozenset[int], ...]:
        """The pieces of the card, of what it names by title or by a rare noun, of what those name,
        and of what it names at all."""
        game, design = self.game, self.design
        key = (design.component, design.title.lower())
        titled, named = _named_pieces(game, design)
        further = frozenset(
            piece
            for other in {game.setup.pieces[p].design for p in titled}
            for piece in _named_pieces(game, other)[0]
        )
        bearers = frozenset(game.setup.by_title.get(key, ()))
        return bearers, titled | _speaking_of(game, bearers | titled), further, named

    @cached_property
    def named_in(self) -> dict[int, frozenset[int]]:
        """The pieces that each sentence names."""
        found: dict[int, frozenset[int]] = {}
        for number, sentence in enumerate(self.design.sentences, 1):
            nouns = [n for n in self.design.nouns if n.asked and n.text.lower() in sentence.lower()]
            found[number] = frozenset(p for noun in nouns for p in named_by(self.game, noun))
        return found


def _tables(loaded: Loaded, design: Design) -> Iterator[_Table]:
    """The games in which a card is looked for: with lists that make it likely, where the rules
    have lists or let one be made, for the fewest players and for one more, and as they stand."""
    rules = loaded.compiled.rules
    bare = playable(loaded)
    made = 0
    for base in lists_for(rules, design, bare.players)[:2]:
        deck = _likely(bare, design, base)
        try:
            game = game_of(with_list(loaded, deck), deck.players[0], (), {OPTION: LIST})
        except Unlawful:
            continue
        made += 1
        yield _Table(game, written(loaded, deck), design)
    yield _Table(bare, "", design)


def _likely(bare: Game, design: Design, base: Deck) -> Deck:
    """A list as large as another in which the card, and what it needs, is likely."""
    size = sum(n for _, n in base.counts)
    key = (design.component, design.title)
    needed = {key: BEARERS, **{(design.component, t): NAMED for t in _needed_titles(bare, design)}}
    counts = {key: (n + RARE - 1) // RARE for key, n in base.counts if n}
    counts |= {key: max(counts.get(key, 0), n) for key, n in needed.items()}
    lacking = size - sum(counts.values())
    order = [key for key, _ in base.counts if key not in needed] or list(counts)
    for key in (order * (lacking // max(1, len(order)) + 1))[: max(0, lacking)]:
        counts[key] = counts.get(key, 0) + 1
    return named_list(base, counts)


def _needed_titles(game: Game, design: Design) -> list[str]:
    """The titles of cards that a text names, and of what those name in turn, of each noun that
    names few."""
    found: dict[str, None] = {}
    fresh = [design]
    for _ in range(2):
        titles = [t for d in fresh for t in _named_titles(game, d) if t not in found]
        found |= dict.fromkeys(titles)
        known = {d.title: d for d in game.rules_source.designs}
        fresh = [known[t] for t in titles if t in known]
    return list(found)


def _named_titles(game: Game, design: Design) -> list[str]:
    found: dict[str, None] = {}
    for noun in design.nouns:
        if noun.asked and noun.component == design.component:
            titles = dict.fromkeys(
                game.setup.pieces[p].design.title for p in sorted(named_by(game, noun))
            )
            if len(titles) <= FEW_TITLES:
                found |= dict.fromkeys(list(titles)[:MOST_TITLES])
    return list(found)


def _named_pieces(game: Game, design: Design) -> tuple[frozenset[int], frozenset[int]]:
    """The pieces that a text names by nouns that name few cards, and by any noun."""
    named = [named_by(game, noun) for noun in design.nouns if noun.asked]
    title = {p: game.setup.pieces[p].design.title for pieces in named for p in pieces}
    rare = [pieces for pieces in named if len({title[p] for p in pieces}) <= FEW_TITLES]
    return frozenset(p for pieces in rare for p in pieces), frozenset(title)


def _speaking_of(game: Game, pieces: frozenset[int]) -> frozenset[int]:
    """The pieces of other sorts on which the title of one of these is printed."""
    setup = game.setup
    titles = {setup.pieces[p].design.title for p in pieces} - {""}
    sorts = {setup.pieces[p].design.component for p in pieces}
    return frozenset(
        number
        for number, piece in enumerate(setup.pieces)
        if piece.design.component not in sorts
        and any(isinstance(value, str) and value in titles for _, value in piece.design.values)
    )


class _Seeker:
    """Plays one game toward what the sentences still lack.

    Half the games of a card with requirements, two by two, go for a position in which one of them
    is not met and all others are: what no other requirement names is left alone until it was found.
    """

    def __init__(self, search: Search, table: _Table, seed: int, turn: int) -> None:
        self.search, self.table, self.game = search, table, table.game
        self.rng = random.Random(seed)
        self.seed = seed
        self.sparing = seed // 3 % SPARING == 1
        design = search.design
        self.bearers = table.wanted[0]
        self.start = empty_position(self.game.setup, 0).where
        self.component = PieceT(design.component)
        self.clauses = {f"{design.clause}/sentence {n}": n for n in search.left}
        own = [e for e in self.game.rules_source.extensions if e.clause in self.clauses]
        self.at_once = {  # what would count as the card is played
            e.clause for e in own if e.lifetime == "played" and e.kind in ("score", "rules")
        }
        self.asking = {self.clauses[e.clause] for e in own if e.kind == "rules"}
        open_ = sorted(self.asking)
        self.planned = 0  # the sentence that turns are planned for
        self.path: list[Option] = []  # what is left of the turn that was planned
        self.left_alone = frozenset[int]()
        if open_ and turn // 2 % 2:
            target = open_[(turn // 4 * 2 + turn % 2) % len(open_)]
            named = table.named_in
            others = (named[n] for n in self.clauses.values() if n in self.asking - {target})
            self.left_alone = named[target].difference(*others)
        self.plays: tuple[str, str] | None = None  # an action that plays pieces, and its choice
        self.pending: dict[int, str] = {}  # sentences that changed something, the card not played
        self.was_played = False

    def play(self) -> None:
        """One game, until nothing is left to be shown."""
        state = self.game.start(self.seed)
        while not state.over and state.decisions and state.moves < MOST_MOVES and self.search.left:
            decision = state.decisions[0]
            self._compare(state, decision)
            later = self._choose(state, decision)
            if later is None:
                return
            self.search.moves += 1
            self._look(state, later)
            state = later
        self._tell_nearest(state)

    # ------------------------------------------------------------------------------- planning
    def plan_for(self, number: int) -> None:
        """Choose turns by what a sentence lacks after them, from now on."""
        self.planned, self.left_alone = number, frozenset()

    def _by_plan(self, state: State, decision: Decision) -> State | None:
        """The state after the next choice of a turn that leaves the least lacking; none where
        nothing is planned."""
        is_open = self.planned in self.search.left - self.pending.keys()
        is_turn = not self.path and decision.spec.mode == "action"
        if is_open and is_turn and self.rng.random() < PLANNED:
            self.path = self._least_lacking(state, decision)
        if not self.path:
            return None
        option = self.path.pop(0)
        later = next(self._taken(state, [option]), None)
        if later is None:
            self.path = []
        return later

    def _least_lacking(self, state: State, decision: Decision) -> list[Option]:
        """Of some turns the one after which least is lacking."""
        clause = f"{self.search.design.clause}/sentence {self.planned}"
        best: tuple[tuple[int, int], list[Option]] = ((sys.maxsize, 0), [])
        for _ in range(MOST_ROLLOUTS):
            path, after, counted = self._rollout(state, decision.player, clause)
            lacks = -1 if counted else self._lacking(after, decision.player, clause)
            if path and (lacks, -len(path)) < best[0]:
                best = (lacks, -len(path)), path
        return best[1]

    def _rollout(self, state: State, player: int, clause: str) -> tuple[list[Option], State, bool]:
        """A turn by chance, the state after it, and whether the sentence counted in it."""
        path: list[Option] = []
        counted = False
        while state.decisions and not state.over and len(path) < MOST_STEPS:
            asked = state.decisions[0]
            if path and (asked.player != player or asked.spec.mode == "action"):
                break
            bearing = [Option(asked.player, asked.name, p) for p in sorted(self.bearers)]
            bearing = [o for o in bearing if asked.spec.item == self.component and asked.takes(o)]
            option = bearing[0] if bearing else asked.sample(self.rng)
            later = next(self._taken(state, [option]), None)
            if later is None:
                return [], state, False
            fired = clause in self.game.rules.fired
            counted = counted or (fired and self._is_of_card(later))
            path.append(option)
            state = later
        return path, state, counted

    def _lacking(self, state: State, player: int, clause: str) -> int:
        """The least that is lacking for the card anywhere, but for a requirement itself."""
        extensions = [e for e in self.game.rules_source.extensions if e.clause == clause]
        also = [e for e in extensions if e.kind == "score"]
        s = state.position
        piece = next((p for p in sorted(self.bearers) if s.where[p] == self.start[p]), None)
        if piece is None or state.over:
            return sys.maxsize
        found = aims(self.game, s, player, piece, self.component)
        return min((short_of(self.game, s, aim, clause, also) for aim in found), default=MOST_MOVES)

    # ------------------------------------------------------------------------------- choosing
    def _choose(self, state: State, decision: Decision) -> State | None:
        """The state after the choice that leads on best."""
        planned = self._by_plan(state, decision) if self.planned else None
        if planned is not None:
            return planned
        options = list(islice(decision.options(), MOST_LISTED))
        if not options:
            return None
        if decision.spec.mode == "action":
            options = self._actions(state, options)
        elif decision.spec.item == self.component and decision.spec.mode == "one":
            options.sort(key=lambda o: (self._worth(o.value), self.rng.random()))
            options = self._held_back(state, options)
        elif decision.spec.mode in ("some", "order"):
            options = self._several(decision)
        else:
            return self._placed(state, options)
        return next(self._taken(state, options), None)

    def _several(self, decision: Decision) -> list[Option]:
        """Some ways to choose several, those first that give least of what is wanted away."""
        options = [decision.sample(self.rng) for _ in range(6)]
        return sorted(
            options, key=lambda o: sum(self._worth(v) for v in members(o.value)), reverse=True
        )

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
        """How soon a piece is played: the card itself, what it names by title, what that names,
        what it names at all."""
        ranks = self.table.wanted
        if piece in self.left_alone:
            return _NEVER
        return next((n for n, pieces in enumerate(ranks) if piece in pieces), len(ranks))

    def _actions(self, state: State, options: list[Option]) -> list[Option]:
        """The actions, those first after which the best piece may be chosen."""
        ranked = []
        for option in options:
            worth, later = _NEVER, next(self._taken(state, [option]), None)
            if later is not None and later.decisions:
                asked = later.decisions[0]
                if asked.spec.item == self.component and asked.spec.mode == "one":
                    self._compare(later, asked)
                    pieces = islice(asked.options(), MOST_LISTED)
                    worth = min((self._worth(o.value) for o in pieces), default=8)
                    if self.sparing and worth == len(self.table.wanted):
                        worth = _NEVER  # what the card has no use for
                    self.plays = (str(option.value), asked.name)
                elif asked.player == option.player and asked.spec.mode != "action":
                    worth = 5
            bold = self.sparing or self.rng.random() < EAGER
            ranked.append((worth if bold else _NEVER, self.rng.random(), option))
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

    # ------------------------------------------------------------------------------ comparing
    def _compare(self, state: State, decision: Decision) -> None:
        """Is the card offered without a sentence, and not with it, or other options where it was
        chosen?"""
        if self._is_of_card(state):
            for number in sorted(self.search.left - self.pending.keys()):
                self._without(state, None, number)
        elif decision.spec.item == self.component and decision.spec.mode == "one":
            open_ = self.search.left & self.asking - self.pending.keys()
            if open_ and self.bearers and not self._offered(decision):
                for number in sorted(open_):
                    other = state_without(state, self.table.without[number])
                    if any(self._offered(d) for d in other.decisions[:1]):
                        self._note(state, None, number, _MORE.format(state.moves + 1))

    def _offered(self, decision: Decision) -> bool:
        """May the card be chosen here?"""
        make = Option(decision.player, decision.name, None)
        return any(decision.takes(replace(make, value=p)) for p in sorted(self.bearers))

    def _is_of_card(self, state: State) -> bool:
        """Was the card chosen by one of the last choices?"""
        at: State | None = state
        for _ in range(3):
            if at is None or at.choice is None:
                return False
            value = at.choice.value
            chosen = members(value) if isinstance(value, frozenset | tuple) else (value,)
            if not self.bearers.isdisjoint(chosen):
                return True
            at = at.parent
        return False

    def _look(self, before: State, state: State) -> None:
        """Keep witnesses of what was played, or counted, by the last choice."""
        fired = set(self.game.rules.fired)
        self.was_played = self.was_played or self._was_played(state)
        self.search.played = self.search.played or self.was_played
        if 0 in self.search.left and self.was_played:
            self._keep(0, state, "it is legally played")
        counted = {self.clauses[clause] for clause in self.clauses.keys() & fired}
        if self.was_played or counted or self._is_of_card(state):
            for number in sorted(self.search.left - self.pending.keys()):
                self._without(before, state, number)
        if self.was_played:
            for number, said in sorted(self.pending.items()):
                if number in self.search.left:
                    self._keep(number, state, said)
        self.game.rules.fired.clear()

    def _without(self, before: State, state: State | None, number: int) -> None:
        """Note what a decision, or the last choice, comes to without a sentence, if that is
        another thing and the whole game played again says so, too."""
        try:
            without = state_without(before, self.table.without[number])
            said = apart(before, state, without)
        except (Fault, KeyError, ValueError):
            return
        if said:
            self._note(before, state, number, said)

    def _note(self, before: State, state: State | None, number: int, said: str) -> None:
        if differs_again(self.table.without[number], before, state, self.bearers):
            self.pending[number] = said
            self.left_alone = frozenset()  # now the card is to be played

    def _keep(self, number: int, state: State, said: str) -> None:
        self.search.met[number] = Witness(number, state, said, self.table.deck)
        self.search.left.discard(number)

    def _was_played(self, state: State) -> bool:
        """Did the card take part in an event by the last choice?"""
        events = self.game.rules_source.events
        for entry in fresh(state):
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
