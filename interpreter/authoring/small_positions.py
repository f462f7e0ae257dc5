"""Small positions to tell readings apart: pieces that a text tells apart, laid near one site.

Pieces the readings treat alike stand for each other, so one of each class is laid out: at every
distance the text may mean, in players' places, with every value of the variables the readings read.
Positions come in one fixed order, those of few pieces on the nearest spots first, up to a fixed
number.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from interpreter.engine.clauses import Rules
from interpreter.game.game import Game
from interpreter.model.position import Position
from interpreter.model.values import Fault
from rulelang import core
from rulelang.analysis.reads import Reads
from rulelang.builtins.record import ANYTHING
from rulelang.core.types import PLAYER, TRUTH, KindT, PieceT, SiteT, element, non_optional
from rulelang.core.values import Value, numbers
from rulelang.core.visit import walk
from rulelang.phrases.lexicon import Lexicon
from rulelang.phrases.phrase import Derivation, Reading
from rulelang.phrases.substitute import Unbound, meaning
from rulelang.ruleset import Layer, Noun, State

MOST_BUILT = 2_400  # positions
MOST_CLASSES = 10  # of pieces that the readings tell apart
MOST_COUNTED = 9  # pieces of one class, where the text speaks of numbers
MOST_VALUES = 5  # tried for one variable
WIDELY, FEW, MANY = 2, 3, 4  # pieces laid: anywhere, on the nearest sites, all on the nearest


@dataclass(frozen=True)
class Built:
    """A position, the site in the middle of its board, and how it was laid out, in words."""

    position: Position
    middle: int | None
    how: str


@dataclass(frozen=True)
class Spot:
    """Where a piece can be laid: so many steps from the middle, or in a player's place."""

    steps: int | None = None
    place: tuple[str, int] | None = None


Laid = tuple[tuple[int, Spot], ...]  # the class of a piece, and where it lies
Values = tuple[tuple[str, Value], ...]  # variables


@dataclass(frozen=True)
class Subject:
    """What is told apart: readings of one text borne by a piece, and who is among the pieces."""

    game: Game
    readings: tuple[Reading, ...]
    bearer: int
    component: str
    steps: int | None  # from the middle to where the bearer lies, if it is in play already
    classes: tuple[tuple[int, ...], ...]  # pieces the readings treat alike, the bearer left out

    @property
    def titles(self) -> frozenset[str]:
        """The titles of all pieces that may lie in a small position."""
        game, s = self.game, self.game.start(0).position
        decks = {p.name for p in game.rules_source.places.values() if p.of is None}
        there = {
            piece
            for piece, where in enumerate(s.where)
            if where is not None and where[0] not in decks
        }
        among = {self.bearer, *there, *(p for pieces in self.classes for p in pieces)}
        return frozenset(game.setup.pieces[piece].design.title for piece in among)


def subject_of(
    game: Game,
    readings: tuple[Reading, ...],
    bearer: int,
    classes: tuple[tuple[int, ...], ...] | None = None,
) -> Subject:
    """Readings as they are borne by a piece, with these classes of pieces, or those they tell
    apart."""
    component = game.setup.pieces[bearer].design.component
    if classes is None:
        classes = _classes(game, readings, bearer, component)
    return Subject(game, readings, bearer, component, _steps_to_bearer(game, readings), classes)


def _steps_to_bearer(game: Game, readings: tuple[Reading, ...]) -> int | None:
    """Where the bearer lies: in the middle if it is only asked what it is or does there, beside it
    if something happens in the middle while it lies, nowhere if it is just played."""
    extensions = [e for r in readings for e in r.extensions]
    defined = [e for e in extensions if e.kind == "define"]
    if defined and len(defined) == len(extensions):
        known = (game.rules_source.definitions.get(e.target) for e in defined)
        asked_of_sites = any(
            isinstance(element(t) or t, SiteT) for d in known if d is not None for _, t in d.params
        )
        return 1 if asked_of_sites else 0
    return None if all(e.lifetime == "played" for e in extensions) else 1


def richest(game: Game, component: str) -> int | None:
    """The first piece of the component with the most printed on it; none if there is none."""
    pieces = game.setup.by_component.get(component, ())
    return max(pieces, key=lambda p: (_richness(game, p), -p), default=None)


def _richness(game: Game, piece: int) -> int:
    """How many values printed on a piece are more than nothing; of a set, its members count."""
    values = (v for _, v in game.setup.pieces[piece].design.values)
    return sum(len(v) if isinstance(v, frozenset) else v is True for v in values)


# ------------------------------------------------------------------------ classes of pieces
def _classes(
    game: Game, readings: tuple[Reading, ...], bearer: int, component: str
) -> tuple[tuple[int, ...], ...]:
    """Pieces by what the readings' own words say of them, those of fewest words first.

    Pieces that no word names come last: one class among all.
    """
    pieces = [p for p in game.setup.by_component.get(component, ()) if p != bearer]
    judged = [named_by(game, noun) for noun in _nouns(game, readings)]
    judged += _named_by_sets(game, readings, bearer, component)
    judged += _asked_of_kinds(game, readings, component)
    by_words: dict[tuple[bool, ...], list[int]] = {}
    for piece in pieces:
        by_words.setdefault(tuple(piece in found for found in judged), []).append(piece)
    named = sorted((key for key in by_words if any(key)), key=lambda key: (sum(key), by_words[key]))
    others = [key for key in by_words if not any(key)]
    chosen = [*_spread(named, MOST_CLASSES - 1), *others[:1]]
    richest_first = (
        sorted(by_words[key], key=lambda p: (-_richness(game, p), p)) for key in chosen
    )
    most = max((MANY, *_counts(readings))) + 1
    return tuple(tuple(found[:most]) for found in richest_first)


def _counts(readings: tuple[Reading, ...]) -> list[int]:
    """The numbers of a text that may count pieces, and the next after each: more than are laid out
    anyway, and not too many.
    """
    numbers = {p.number for r in readings for p in _parts(r.derivation) if p.phrase is None}
    return sorted({d for n in numbers for d in (n, n + 1) if MANY < d <= MOST_COUNTED})


def _spread(keys: Sequence[tuple[bool, ...]], most: int) -> list[tuple[bool, ...]]:
    """At most so many of the classes: for each word the first it names, then the rest in order."""
    if len(keys) <= most:
        return list(keys)
    first = [next((k for k in keys if k[i]), None) for i in range(len(keys[0]))]
    wanted = dict.fromkeys([*(k for k in first if k is not None), *keys])
    return list(wanted)[:most]


def _nouns(game: Game, readings: tuple[Reading, ...]) -> list[Noun]:
    """What the readings name, each once, in the order of the text."""
    mentions = game.loaded.compiled.glossary.mentions
    return list(
        dict.fromkeys(
            replace(noun, asked=True) for r in readings for noun in mentions.nouns(r.derivation)
        )
    )


def named_by(game: Game, noun: Noun) -> frozenset[int]:
    """The pieces that are what is named, before play."""
    if noun.title:
        return frozenset(game.setup.called.get((noun.component, noun.title.lower()), ()))
    if noun.define:
        judge, s = game.rules.definition(noun.define), game.start(0).position
        return frozenset(piece for member in noun.members for piece in numbers(judge(s, (member,))))
    printed = game.setup.fields[noun.field]
    return frozenset(
        piece
        for piece in game.setup.by_component[noun.component]
        if not _as_set(printed[piece]).isdisjoint(noun.members)
    )


def _as_set(value: Value) -> frozenset[Value]:
    """A value printed on a piece as a set: that of one, of all it holds, or of none."""
    if value is None:
        return frozenset()
    return value if isinstance(value, frozenset) else frozenset([value])


def _parts(derivation: Derivation) -> Iterator[Derivation]:
    """A derivation and all those that fill its slots."""
    yield derivation
    for _, inner in derivation.slots:
        yield from _parts(inner)


def _named_by_sets(
    game: Game, readings: tuple[Reading, ...], bearer: int, component: str
) -> list[frozenset[int]]:
    """What every part of the texts that stands for a set of pieces gives on an empty board."""
    lexicon, s = game.loaded.compiled.glossary.lexicon, game.start(0).position
    env: dict[str, Value] = {"p": 0, "you": 0, "card": bearer}
    scope: dict[str, core.Expr] = {
        "p": core.Var("p", type=PLAYER),
        "you": core.Var("you", type=PLAYER),
        "card": core.Var("card", type=PieceT(component)),
    }
    found: dict[frozenset[int], None] = {}
    for reading in readings:
        for part in _parts(reading.derivation):
            if part.phrase is not None and part.phrase.category == f"s_{component}":
                pieces = _pieces_meant(game.rules, s, env, _meaning(part, scope, lexicon))
                found.setdefault(pieces)
    return [pieces for pieces in found if pieces]


def _meaning(part: Derivation, scope: dict[str, core.Expr], lexicon: Lexicon) -> core.Expr | None:
    """What a part of a text stands for by itself; none if it speaks of something else too."""
    try:
        return meaning(part, scope, lexicon)
    except Unbound:
        return None


def _pieces_meant(
    rules: Rules, s: Position, env: dict[str, Value], expr: core.Expr | None
) -> frozenset[int]:
    """The pieces an expression gives; none where it asks for what is not there."""
    if expr is None:
        return frozenset()
    try:
        return frozenset(numbers(rules.value(expr, s, env)))
    except (Fault, KeyError, TypeError):
        return frozenset()


def _asked_of_kinds(
    game: Game, readings: tuple[Reading, ...], component: str
) -> list[frozenset[int]]:
    """The pieces of which a definition of a piece and a kind says yes of a member the text names.

    For instance those that a link leads to, where a text speaks of links.
    """
    words = {
        part.phrase.word
        for r in readings
        for part in _parts(r.derivation)
        if part.phrase is not None and isinstance(part.phrase.word, core.Const)
    }
    found = []
    for known in game.rules_source.definitions.values():
        types = [t for _, t in known.params]
        if known.type == TRUTH and len(types) == 2 and types[0] == PieceT(component):
            asked = sorted((w.value for w in words if w.type == types[1]), key=str)
            found += [_of_which(game, known.name, component, value) for value in asked]
    return found


def _of_which(game: Game, define: str, component: str, value: Value) -> frozenset[int]:
    """The pieces of which a definition says yes before play; none if it cannot be asked there."""
    judge, s = game.rules.definition(define), game.start(0).position
    try:
        return frozenset(p for p in game.setup.by_component[component] if judge(s, (p, value)))
    except (Fault, KeyError, TypeError):
        return frozenset()


# ------------------------------------------------------------------------ tables
def small_positions(subject: Subject) -> Iterator[Built]:
    """At most `MOST_BUILT` positions, those of few pieces, near spots and few changed variables
    first.
    """
    table = _table(subject)
    spots = table.spots
    if not spots:
        return
    ways = _values(subject)
    found = _layouts(len(subject.classes), spots, _counts(subject.readings))
    layouts = [(laid, values) for laid in found for values in ways]
    far = {spot: number for number, spot in enumerate(spots)}
    layouts.sort(key=lambda found: _effort(found[0], far) + len(found[1]))
    for laid, values in itertools.islice(layouts, MOST_BUILT):
        built = table.lay_out(laid, values)
        if built is not None:
            yield built


def _effort(laid: Laid, far: dict[Spot, int]) -> int:
    """How much is laid out: each piece counts, and how far from the first spot any of them lies."""
    return len(laid) + max((far[spot] for _, spot in laid), default=0)


def _layouts(classes: int, spots: Sequence[Spot], counts: Sequence[int]) -> list[Laid]:
    """What can lie where: few pieces on any spots, more on the nearest, most on the first alone,
    and of each class as many as the text counts on one spot.
    """
    found: dict[Laid, None] = {}
    for among, most in ((1, MANY), (2, FEW), (len(spots), WIDELY)):
        items = [(c, spot) for spot in spots[:among] for c in range(classes)]
        for number in range(most + 1):
            for laid in itertools.combinations_with_replacement(items, number):
                found.setdefault(laid)
    for number, spot, c in itertools.product(counts, spots, range(classes)):
        found.setdefault(((c, spot),) * number)
    return sorted(found, key=len)


@dataclass(frozen=True)
class _Table:
    """A table with nothing laid out: its layer for pieces, the site in the middle, its spots."""

    subject: Subject
    start: Position
    layer: str
    middle: int | None
    rings: tuple[tuple[int, ...], ...]  # the middle, the sites one step away, two steps away, …
    spots: tuple[Spot, ...]
    home: tuple[str, int] | None = None  # where there is no board: the place where its text holds

    def lay_out(self, laid: Laid, values: Values) -> Built | None:
        """The position with a piece of each class on its spot; none if there are too few."""
        game, s = self.subject.game, self.start.copy()
        words = [self._lay_bearer(s)]
        left = [list(pieces) for pieces in self.subject.classes]
        taken: dict[Spot, int] = {}
        for of, spot in laid:
            if not left[of]:
                return None
            piece = left[of].pop(0)
            index = taken[spot] = taken.get(spot, -1) + 1
            where = self._lay(s, piece, spot, index)
            if not where:
                return None
            words.append(f"“{game.setup.pieces[piece].design.title}” {where}")
        words += [self._assign(s, name, value) for name, value in values]
        return Built(s, self.middle, ", ".join(filter(None, words)) or "nothing laid out")

    def _lay_bearer(self, s: Position) -> str:
        """Lay the card that bears the text where it lies, if it is in play already, and say so."""
        steps = self.subject.steps
        if self.home is not None and steps is not None:
            s.move(self.subject.bearer, self.home)
            return f"the card in player {self.home[1] + 1}'s {self.home[0].replace('_', ' ')}"
        if steps is None or steps >= len(self.rings):
            return ""
        s.put(self.subject.bearer, self.layer, (self.rings[steps][-1],))
        return f"the card {_steps(steps)}" if steps else "the card in the middle"

    def _lay(self, s: Position, piece: int, spot: Spot, index: int) -> str:
        """Lay a piece on a spot where so many lie already, and say where; "" if that is full."""
        if spot.place is not None:
            s.move(piece, spot.place)
            name, player = spot.place
            return f"in player {player + 1}'s {name.replace('_', ' ')}"
        assert spot.steps is not None
        ring = self.rings[spot.steps]
        free = len(ring) - (spot.steps == self.subject.steps)
        if index >= free:
            return ""
        s.put(piece, self.layer, (ring[index],))
        return _steps(spot.steps)

    def _assign(self, s: Position, name: str, value: Value) -> str:
        """Give a variable a value, for all pieces if it is one of pieces, and say so."""
        game = self.subject.game
        state = game.rules_source.states[name]
        indices = [None] if state.of is None else game.setup.members(state.of)
        for index in indices:
            s.assign(name, index, value)
        said = game.presenter.text(value, state.type, s)
        return f"{name.replace('_', ' ')} {said}"


def _steps(n: int) -> str:
    """How far away in words."""
    return "where it is placed" if n == 0 else f"{n} step{'s' if n > 1 else ''} away"


def _table(subject: Subject) -> _Table:
    """The table to lay out: the cells that a board which takes these pieces has as the game begins,
    the first player's if each has his own, and places.
    """
    game, component = subject.game, subject.component
    start = game.start(0).position
    places = tuple(
        Spot(place=(place.name, player))
        for player in range(min(2, game.players))
        for place in game.rules_source.places.values()
        if place.of == PLAYER and place.holds == component
    )
    for board in game.rules_source.boards.values():
        layer = _layer(board.layers, component)
        present = start.present(board.name, 0)
        if layer is not None and present:
            neighbors = game.setup.boards[board.name].grid.neighbors
            middle = _middle(neighbors, present)
            rings = _rings(neighbors, present, middle, _farthest(subject.readings))
            near = tuple(Spot(steps=n) for n in _distances(subject.readings) if n < len(rings))
            return _Table(subject, start, layer.name, middle, rings, (*near, *places))
    return _Table(subject, start, "", None, (), places, _home(subject, start, places))


def _home(subject: Subject, start: Position, places: tuple[Spot, ...]) -> tuple[str, int] | None:
    """The first place of a player in which the text of the card holds that lies there."""
    rules, card = subject.game.rules, subject.bearer
    conds = [e.cond for r in subject.readings for e in r.extensions if e.cond is not None]
    for place in (spot.place for spot in places if spot.place is not None):
        s = start.copy()
        s.move(card, place)
        try:
            if any(rules.holds(s, cond, {"card": card, "you": place[1]}) for cond in conds):
                return place
        except (Fault, KeyError, TypeError):
            continue
    return None


def _layer(layers: tuple[Layer, ...], component: str) -> Layer | None:
    """The layer whose sites are cells that takes these pieces."""
    return next(
        (layer for layer in layers if layer.component == component and layer.role == "cell"), None
    )


def _distances(readings: tuple[Reading, ...]) -> list[int]:
    """The steps at which pieces are laid, the most telling first: one, then by the text's numbers.

    What lies where the card is placed comes last.
    """
    numbers = {p.number for r in readings for p in _parts(r.derivation) if p.phrase is None}
    told = [d for n in sorted(numbers) for d in (n, n + 1) if 1 <= d <= _FARTHEST]
    return list(dict.fromkeys([1, 2, *told, 0]))


_FARTHEST = 6  # steps


def _farthest(readings: tuple[Reading, ...]) -> int:
    return max(_distances(readings))


def _middle(neighbors: Sequence[Iterable[int]], present: frozenset[int]) -> int:
    """The cell in the middle of a full board; of any other, one with the most neighbors."""
    if len(present) == len(neighbors):
        return len(neighbors) // 2
    return max(sorted(present), key=lambda cell: len(present.intersection(neighbors[cell])))


def _rings(
    neighbors: Sequence[Iterable[int]], present: frozenset[int], middle: int, most: int
) -> tuple[tuple[int, ...], ...]:
    """The middle, the sites one step away, two steps away, and so on."""
    found: list[tuple[int, ...]] = [(middle,)]
    known, last = {middle}, [middle]
    for _ in range(most):
        last = sorted(({n for cell in last for n in neighbors[cell]} & present) - known)
        if not last:
            break
        known |= set(last)
        found.append(tuple(last))
    return tuple(found)


# ------------------------------------------------------------------------ variables
def _values(subject: Subject) -> list[Values]:
    """Every way to set two of the variables that the readings read, none of them set first.

    Those that the readings name come before those that they read through definitions.
    """
    game = subject.game
    reads = Reads(game.rules_source)
    read, named = set[str](), set[str]()
    for reading in subject.readings:
        for e in reading.extensions:
            reaction = e.reaction
            event = (reaction.cond, reaction.body) if reaction is not None else ()
            says = (e.lines, e.rules, e.cases, event, e.body)
            read |= reads.all(says)
            named |= {node.state for node in walk(says) if isinstance(node, core.Read)}
    ways: list[list[Values]] = []
    for state in sorted(game.rules_source.states.values(), key=lambda s: s.name not in named):
        if f"state:{state.name}" in read or ANYTHING in read:
            values = _values_of(game, state, subject.component)
            if values:
                ways.append([(), *[((state.name, value),) for value in values]])
    found = [sum(chosen, ()) for chosen in itertools.product(*ways[:2])]
    return sorted(found, key=len)


def _values_of(game: Game, state: State, component: str) -> list[Value]:
    """The values tried for a variable of the table, or of pieces of which the player is kept."""
    t = non_optional(state.type)
    if state.of == PieceT(component):
        return [0, 1] if t == PLAYER else []
    if state.of is not None:
        return []
    if t == PLAYER:
        return [*range(min(2, game.players))]
    if isinstance(t, KindT) and t.name in game.rules_source.kinds:
        return [*range(len(game.rules_source.kinds[t.name].members))][:MOST_VALUES]
    return []
