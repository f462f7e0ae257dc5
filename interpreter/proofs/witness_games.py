"""The games in which a witness is looked for: under which options and variants, with which list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from interpreter.game.game import Game, game_of
from interpreter.game.loading import Loaded, Unlawful, overlay
from interpreter.proofs.kinship import Key, Kinship
from interpreter.proofs.playable import playable
from rulelang.ruleset import OPTION, Deck, Design, Ruleset

COPIES, NAMED = 4, 2  # put into the list of a long game: of a card, of what it needs
MOST_MATES = 4  # cards that say the same as one that is looked for
LIST = "witness"  # the name of a list that is made


@dataclass(frozen=True)
class Setting:
    """A variant and options that games are played under."""

    variants: tuple[str, ...]
    options: Mapping[str, str | int]


@dataclass
class Table:
    """A game in which cards may come up, and the list it is played with if it is one of its own."""

    game: Game
    deck: str
    made: dict[str, Game] = field(default_factory=dict)

    def without(self, clause: str) -> Game:
        """The game without a sentence."""
        if clause not in self.made:
            game, gone = self.game, frozenset({clause})
            known = (game.loaded, game.players, game.options, game.variants)
            self.made[clause] = Game(*known, without=gone)
        return self.made[clause]


def settings(loaded: Loaded) -> list[Setting]:
    """What games are played under: the options at their first values, all at their second, and so
    on; then each variant."""
    rules = loaded.compiled.rules
    options = {name: values for name, values in rules.options.items() if name != OPTION and values}
    most = max(map(len, options.values()), default=1)
    rounds = [{n: v[turn % len(v)] for n, v in options.items()} for turn in range(most)]
    alone = [Setting((name,), rounds[0]) for name in rules.variants]
    return [*(Setting((), chosen) for chosen in rounds), *alone]


def shared_table(
    loaded: Loaded,
    kin: Kinship,
    designs: Sequence[Design],
    setting: Setting,
    beside: Iterable[Key] = (),
    mates: bool = True,
) -> Table | None:
    """The game under a setting with the largest list in which all these cards are likely, or where
    there are no lists without; none where the rules allow none. All cards are of one sort; what is
    put into the list `beside` them and what they need is so, too."""
    held = overlay(loaded, setting.variants) if setting.variants else loaded
    try:
        bare = playable(held)
        for base in lists_for(held.compiled.rules, designs[0], bare.players)[:1]:
            deck = _shared_list(kin, designs, base, mates)
            deck = _with_some(deck, beside)
            options = {**setting.options, OPTION: LIST}
            made = with_list(held, deck)
            game = game_of(made, deck.players[0], setting.variants, options)
            return Table(game, written(loaded, deck))
        return Table(game_of(held, bare.players, setting.variants, setting.options), "")
    except Unlawful:
        return None


def lists_for(rules: Ruleset, design: Design, players: int) -> list[Deck]:
    """The lists that a card may be in, those for so many players if there are any, largest first;
    where there are none, every card of the sort as often as it is in the box."""
    lists = [d for d in rules.decks.values() if design.component in d.components]
    lists = [d for d in lists if d.is_for(players)] or lists
    if not lists and not rules.components[design.component].per_player:
        lists = [_whole_box(rules, design, players)]
    return sorted(lists, key=lambda d: -sum(n for _, n in d.counts))


def _whole_box(rules: Ruleset, design: Design, players: int) -> Deck:
    counts = tuple(
        ((d.component, d.title), d.copies)
        for d in rules.designs
        if d.component == design.component and d.title and d.copies
    )
    return Deck(LIST, "", (design.component,), counts, (players, players), "")


def _shared_list(kin: Kinship, designs: Sequence[Design], base: Deck, mates: bool) -> Deck:
    """A list with some copies of each of these cards and of what they need, beside another list."""
    counts = dict(base.counts)
    for design in designs:
        own = (design.component, design.title)
        counts[own] = max(counts.get(own, 0), COPIES)
        for key in kin.needed(design):
            if key[0] in base.components:
                counts[key] = max(counts.get(key, 0), NAMED)
        for key in kin.mates(design)[:MOST_MATES] if mates else ():
            counts[key] = max(counts.get(key, 0), COPIES)
    return named_list(base, counts)


def _with_some(deck: Deck, keys: Iterable[Key]) -> Deck:
    """A list with some copies more of these cards."""
    counts = dict(deck.counts)
    for key in keys:
        if key[0] in deck.components:
            counts[key] = counts.get(key, 0) + NAMED
    return named_list(deck, counts)


def named_list(base: Deck, counts: Mapping[tuple[str, str], int]) -> Deck:
    """A list like another, with other numbers."""
    return replace(base, name=LIST, title="A witness", counts=tuple(counts.items()), clause="")


def with_list(loaded: Loaded, deck: Deck) -> Loaded:
    """The rules with one list more."""
    rules = loaded.compiled.rules
    options = {**rules.options, OPTION: (*rules.options.get(OPTION, ()), deck.name)}
    made = replace(rules, decks={**rules.decks, deck.name: deck}, options=options)
    return replace(loaded, compiled=replace(loaded.compiled, rules=made))


def written(loaded: Loaded, deck: Deck) -> str:
    """The list as an author would write it."""
    low, high = deck.players
    for_so_many = f"{low} players" if high == low else f"{low} to {high} players"
    head = f'deck {deck.name} "{deck.title}" of {", ".join(deck.components)}, {for_so_many}'
    rows = [f'  | {number} "{title}"' for (_, title), number in deck.counts]
    return "\n".join([f"for {loaded.id}", "", head, *rows, ""])
