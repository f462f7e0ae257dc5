"""What the shared library and a game ask of each other, in one place.

`ROLES` are the things that wordings speak of without naming them, `DEFINITIONS` what the library
calls by name. The documents show both tables; a declaration of the library that needs what a game
has not is left out there.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Role:
    """A role: the type it has in every game, or empty if a game that has it says which."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True)
class Definition:
    """A definition, place or procedure that a game may have, and what it gives."""

    written: str
    gives: str
    meaning: str

    @property
    def name(self) -> str:
        """The name alone."""
        return self.written.partition("(")[0]


FOLDER = "rulelang/english/library/"  # before the names of the library's files in findings
BEARER = "thing"  # the role whose type is the component that bears texts
ADDED = "added"  # the role that openings have whose amounts are added to others
ALWAYS = "applies"  # the role of a condition that holds where an opening does not bind it
LASTS = "lasts"  # the role that says whether a text is in force

ROLES = (
    Role(BEARER, "", "what bears texts; at an opening, what is placed or judged there"),
    Role("card", BEARER, "who bears the text"),
    Role("you", "player", "the player of the text: who places the card, or has it"),
    Role("among", f"set of {BEARER}", "the things that a company is looked for in"),
    Role("holder", "player", "the player whose things are compared"),
    Role(LASTS, "truth", "is what the text says in force now? For openings of what lasts"),
    Role(ALWAYS, "truth", "does the text concern this case? It does where an opening is silent"),
    Role("printed", "number", "the price before any text, for what is halved"),
    Role(ADDED, "number", "1 where amounts come on top of others; openings of `worth` have none"),
    Role("here", "", "where the thing is to lie"),
    Role("mark", "", "a kind of symbols that things bear"),
    Role("asked", "", "the player for whom a table is worked out, where a text speaks of several"),
    Role("actor", "", "who does what a text waits for"),
    Role("receiver", "", "who gets something when an actor does something"),
    Role("in_the_end", "", "bound to true where amounts are for the end of the game"),
    Role("each_time", "", "bound to true where amounts are brought again and again"),
    Role("at_once", "", "bound to true where amounts are brought when the card is built"),
    Role("called", "", "a kind of what things can count as"),
    Role("asker", "", "the thing for which another counts as something"),
    Role("neighbor", "", "what lies where a thing may be put although it does"),
)

DEFINITIONS = (
    Definition("standing(x: thing)", "truth", "is it in play?"),
    Definition("in_play", "set of thing", "what counts where a text names no region"),
    Definition("own_things(p: player)", "set of thing", "the things of a player in play"),
    Definition("all_things", "set of thing", "the things there are, in play or not"),
    Definition("lies_round(x: thing)", "here", "where a thing lies"),
    Definition("marks_on(x: thing, m: mark)", "number", "how many of these marks it bears"),
    Definition("sort_of(x: asker)", "called", "what it is called by itself"),
    Definition("title_of(x: asker)", "text", "its title"),
    Definition("came_after(x: thing, y: thing)", "truth", "was it built later than the other?"),
    Definition("age(x: thing)", "number", "the turns since it was built, in that turn 0"),
    Definition("hand", "place of player", "the cards that a player holds"),
    Definition("deck", "place", "what is drawn from, in order"),
    Definition("discard", "place", "where cards go that are given up"),
    Definition("discarded", "set of thing", "what lies on the discard pile, for all to see"),
    Definition("pay_out(p: player, n: number)", "procedure", "the player gets so much at once"),
    Definition("hand_on(p: player, q: player, n: number)", "procedure", "one pays another so much"),
    Definition("draw_up(p: player, n: number)", "procedure", "the player draws so many cards"),
    Definition(
        "let_draw(p: player, n: number)", "procedure", "somebody chosen draws so many cards"
    ),
    Definition("miss_turns(p: player, n: number)", "procedure", "the player misses so many turns"),
)

# Sorts of conditions that may stand before or behind any sentence of the library, whatever it says.
FRONT, BEHIND = "foreword", "proviso"
ASIDE = "put_in_between"  # the sort of phrases that change nothing where they are put in between
OWN_MOMENT = (
    "own_moment"  # the sort of phrases for when the card is built, which is no case of what lasts
)
SUBJECT = "subject"  # the sort of phrases for the player of a card that a sentence may begin with
EPITHET = "epithet"  # the sort of words before a name of the card that say nothing of it
WHOEVER = "whoever"  # the sort of phrases for those who do something
SUMMED = "summed"  # amounts that are added up: a condition behind them may be the last one's alone
COUNTED = "so_counted"  # the sort of phrases for things that are counted
PASSING = "passing_for"  # a game's definition of what passes for the things of a title
UNIT = "in_unit_"  # in the names of definitions that are made for the units of openings
PROVIDED = "provided"  # stands for such a condition in a pattern

IMPLIED = tuple(role for role in ROLES if role.type)  # every game that takes part has these
TYPES = frozenset(("mark", "called"))  # roles that the library uses as types
