"""What a person types: a choice by number or in words, or one of the commands that ask, look, take back and keep."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from interpreter import logbook, looking, overview, showing
from interpreter.choices import Menu, Unclear, match, plain_value
from interpreter.decisions import Decision
from interpreter.game import Illegal, State
from interpreter.instead import instead
from interpreter.maps import draw_all
from interpreter.reasons import asking
from interpreter.saves import NotKept
from interpreter.terminal import Quit, Table
from interpreter.wishes import Search, Wish, against
from interpreter.words import words
from rulelang.names import spoken
from rulelang.types import NUMBER

Command = Callable[[Table, str, Decision, Menu], None]
MOST_OFFERED = 12  # ways to take ambiguous words that are listed


# ------------------------------------------------------------------------------------------------ choices
def answer(table: Table, line: str, decision: Decision, menu: Menu) -> None:
    """Take a line for a choice: a number, the words of an option, or a wish that names several choices in a row."""
    if table.offers and line.isdecimal():
        _offered(table, line)
        return
    table.offers = []
    try:
        option = menu.read(line, part=False)
    except Unclear as error:
        if menu.has_number(line):
            table.unclear(error)
            return
        if decision.spec.item == NUMBER and decision.spec.mode == "one" and line.isdecimal() and len(line) < 10:
            table.choose(menu.option(int(line)))
            return
        if re.fullmatch(r"[\d\s,]+", line) and menu.numbered and decision.spec.mode in ("some", "order"):
            table.unclear(error)
            return
        if _wish(table, line, decision):
            return
        try:
            option = menu.read(line)
        except Unclear as last:
            if not _closed(table, line, decision, False) and not _partly(table, line, decision):
                table.unclear(last)
                _asked(table, decision)
            return
    table.choose(option)


def _asked(table: Table, decision: Decision) -> None:
    """Remind of what is decided, and by which clause."""
    known = table.game.rules_source.clauses.get(asking(table.state, decision.spec))
    cites = f" [{', '.join(known.cites)}]" if known is not None and known.cites else ""
    if decision.spec.mode != "action" and decision.prompt:
        table.say(f"player {decision.player + 1} is asked: {decision.prompt}{cites}")


def _closed(table: Table, line: str, decision: Decision, part: bool) -> bool:
    """Say why an action that is called so cannot be chosen now; false if none is."""
    actions = {name: p.title or spoken(name) for name, p in table.game.rules_source.procedures.items() if p.is_action}
    try:
        name = list(actions)[match(" ".join(line.lower().split()), list(actions.values()), part)]
    except Unclear:
        return False
    table.refused(f"you cannot choose “{actions[name]}” now", table.state.why_not(decision.player, name))
    return True


def _offered(table: Table, line: str) -> None:
    if not 0 < int(line) <= len(table.offers):
        table.say(f"The numbers go to {len(table.offers)} here.")
        return
    wish, table.offers = table.offers[int(line) - 1], []
    _follow(table, wish)


def _follow(table: Table, wish: Wish) -> None:
    try:
        later = wish.follow(table.state)
    except Illegal:
        table.refused(wish.text, against(table.state, wish), instead(table.state, wish))
    else:
        table.reach(later)


def _wish(table: Table, line: str, decision: Decision) -> bool:
    """Take a line for a wish: done if it is clear, listed if it is not, refused with every reason if it may not be; false if nothing is called so."""
    typed = words(line)
    found = Search(table.state, decision.spec, typed, True).run()
    if found and found[0].cost and any(wish.cost == 0 for wish in Search(table.state, decision.spec, typed, False).run()):
        return _judge(table, line, decision)  # what is named in full and may not be is no slip for something else
    if found and (len(found) == 1 or (found[0].cost == 0 and found[1].cost > 0)):
        _follow(table, found[0])
        return True
    if found:
        table.offers = found[:MOST_OFFERED]
        table.say(f"“{line}” could be one of these; type its number, or more words:")
        table.lines([f"{n:>3}  {wish.text}" for n, wish in enumerate(table.offers, 1)])
        if len(found) > MOST_OFFERED:
            table.say(f"     … and {len(found) - MOST_OFFERED} others")
        return True
    return _judge(table, line, decision)


def _judge(table: Table, line: str, decision: Decision) -> bool:
    """Say why what is meant cannot be chosen (or that it can); false if nothing is called so."""
    typed = words(line)
    for wide in (False, True):
        search = Search(table.state, decision.spec, typed, False, wide)
        found = search.run()
        best = [wish for wish in found if wish.cost == found[0].cost]
        best = [wish for wish in best if not wish.closed(table.state)] or best
        judged = [(wish, against(table.state, wish)) for wish in best[:MOST_OFFERED]]
        refused = [(wish, reasons) for wish, reasons in judged if reasons]
        for wish, reasons in (refused or judged)[:3]:
            if reasons:
                table.refused(f"you cannot choose {wish.text}", reasons, instead(table.state, wish))
            else:
                table.say(f"{wish.text} can be chosen.")
        others = [wish.text for wish, _ in (refused or judged)[3:]] + [wish.text for wish in best[MOST_OFFERED:]]
        if others:
            table.say(f"It could also be {'; '.join(others[:6])}{' …' if len(others) > 6 else ''}.")
        if found:
            return True
    return False


def _partly(table: Table, line: str, decision: Decision) -> bool:
    """Say which words mean nothing beside those that do; false if none means anything."""
    typed = words(line)
    search = Search(table.state, decision.spec, typed, False, True)
    search.run()
    explained = search.furthest[1]
    if explained and typed:
        known = frozenset[int]().union(*(step.fits.explained for step in explained))
        unknown = " ".join(word for place, word in enumerate(typed) if place in search.needed - known and word not in words(decision.prompt))
        taken = ", ".join(f"“{step.text}”" for step in explained if step.fits.explained)
        table.say(f"Nothing is called “{unknown}” together with {taken}.")
        _asked(table, decision)
        return True
    return False


# ------------------------------------------------------------------------------------------------ commands
def command(table: Table, line: str, decision: Decision, menu: Menu) -> bool:
    """Do what a line says if it begins with a command; says whether it did. What an option is called word for word is a choice."""
    word, _, rest = line.partition(" ")
    known = COMMANDS.get(word.lower())
    if known is None or any(line.lower() == option.lower() for option in menu.texts):
        return False
    usage, _, act = known
    if (rest and " " not in usage) or (word.lower() == "why" and not rest.lower().startswith("not")):
        return False
    if word.lower() == "all" and decision.spec.mode in ("some", "order"):
        return False
    act(table, rest.strip(), decision, menu)
    return True


def help_(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """What can be typed."""
    table.say("Choose by number, or type what you want: part of its name will do.")
    table.say("One line may name several choices in a row, such as a piece and its place.")
    table.say("Where several are chosen: their numbers as in `1 3`, or their names, a comma between.")
    told = {usage: said for usage, said, _ in COMMANDS.values()}
    width = max(map(len, told))
    for usage, said in told.items():
        table.say(f"  {usage:<{width}}  {said}")


def all_(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """Every option."""
    table.lines(menu.lines(None, table.screen.width))


def map_(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """The boards as a player sees them, in simultaneous play as they are on his own; pointing at what can be chosen, or at one option."""
    if rest and not menu.has_number(rest):
        table.say(f"There is no number {rest} here.")
        return
    look = replace(table.look(decision.player), pointed=menu.sites(int(rest.removeprefix("#")) - 1 if rest else None))
    table.lines(draw_all(table.game, overview.seen_by(table.state, decision.player), look))


def scores(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """The scores and what a player may see lying about."""
    table.lines(overview.standing(table.state, decision.player))


def look(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """One thing by name."""
    table.lines(looking.look(table.state, rest, decision.player) if rest else overview.standing(table.state, decision.player))


def show(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """What the rules work out of what lies there, on the map if it is somewhere."""
    try:
        table.lines(showing.show(table.state, rest, decision.player, table.look(decision.player)))
    except Unclear as error:
        table.unclear(error)


def trial(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """The boards as they would lie after an option."""
    try:
        table.lines(showing.trial(table.state, menu, rest, decision.player, table.look(decision.player)))
    except Unclear as error:
        table.unclear(error)
    except Illegal as error:
        table.refused(str(error), error.reasons)


def log(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """The whole log."""
    for entry in logbook.gathered(overview.seen_by(table.state, decision.player).entries()):
        table.say("  " + logbook.told(table.state, entry, decision.player))


def explain(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """The last event that counted as a tree, or the last one that is told with these words."""
    try:
        tree = looking.explain(table.state, rest, decision.player)
    except Unclear as error:
        table.unclear(error)
    else:
        table.lines(tree.lines() if tree is not None else ["Nothing has happened yet."])


def undo(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """Back to where a person chose last, if nothing new was shown to anybody since."""
    state = table.state
    try:
        while True:
            taken, state = state.choice, state.undo()
            if taken is not None and taken.player in table.people and Menu.of(state, _of(state, taken.player, taken.name)).forced() is None:
                break
    except Illegal as error:
        table.say(f"{str(error)[:1].upper()}{str(error)[1:]}.")
        return
    table.state, table.shown = state, None
    table.teller.rest(state)
    table.say("Taken back.")


def _of(state: State, player: int, name: str) -> Decision:
    return next(d for d in state.decisions if d.player == player and d.name == name)


def why(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """Why something cannot be chosen now."""
    wanted = rest[3:].strip()
    if "=" in wanted:
        _why_named(table, wanted, decision)
    elif not wanted:
        table.say("Name what you would choose, as in `why not NAME`.")
    elif not _judge(table, wanted, decision) and not _closed(table, wanted, decision, True) and not _partly(table, wanted, decision):
        table.say(f"Nothing that could be chosen here is called “{wanted}”.")
        _asked(table, decision)


def _why_named(table: Table, wanted: str, decision: Decision) -> None:
    """Why an event or action cannot be, given its values: `NAME value=a1,a2`."""
    try:
        name, *parts = shlex.split(wanted)
    except ValueError:
        table.say("A quotation mark is not closed.")
        return
    if "=" in name:
        table.say("Write the name of an event or action first, as in `why not NAME value=a1`.")
        return
    choices: dict[str, Any] = {}
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals:
            table.say(f"Write {name} with its values as in `name=value`; {part} is none.")
            return
        choices[key] = [plain_value(v) for v in value.split(",")] if "," in value else plain_value(value)
    reasons = table.state.why_not(decision.player, name, **choices)
    if reasons:
        table.refused(f"{name} cannot be", reasons)
    else:
        table.say("Nothing stands against it.")


def save(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """Keep the game in a file."""
    if table.keeper is None:
        table.say("There is nowhere to keep it.")
        return
    try:
        path = table.keeper.keep(table.state, rest)
    except NotKept as error:
        table.say(f"Not kept: {error}.")
    else:
        table.say(table.keeper.told(path))


def quit_(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """Leave."""
    raise Quit("You leave the game.")


COMMANDS: dict[str, tuple[str, str, Command]] = {
    "why": ("why not WORDS", "every line of the rules that stands against it, and what would mend it", why),
    "explain": ("explain [WORDS]", "the last score line by line, or the last event told with these words", explain),
    "look": ("look [WORDS]", "how everybody stands; a place, a player, or what a piece says", look),
    "map": ("map [NUMBER]", "the boards, with `?` where you can choose, or with one option drawn in", map_),
    "scores": ("scores", "how everybody stands and what you hold", scores),
    "show": ("show [WORDS]", "what the rules make of what lies there, such as which cells count; alone, what can be shown", show),
    "try": ("try OPTION", "the boards as they would lie after an option, which is not chosen", trial),
    "all": ("all", "every option, where only some are listed", all_),
    "undo": ("undo", "take your last choice back, if it showed nobody anything new", undo),
    "save": ("save [FILE]", "keep the game; `rulelang play --resume FILE` goes on with it", save),
    "log": ("log", "everything that has happened", log),
    "help": ("help", "these lines", help_),
    "quit": ("quit", "leave; the game is kept", quit_),
}
COMMANDS |= {"?": COMMANDS["help"], "exit": COMMANDS["quit"]}
