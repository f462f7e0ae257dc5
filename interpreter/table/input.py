"""A line taken for a choice: a number, the words of an option, a wish that names several in a row.

And what is said of a line that is none.
"""

from __future__ import annotations

import re

from interpreter.engine.decisions import Decision
from interpreter.game import prompts
from interpreter.game.game import Illegal
from interpreter.game.refusals import asking
from interpreter.table import inspect
from interpreter.table.fuzzy import words
from interpreter.table.intents import Search, Searched, Wish, against
from interpreter.table.menu import Menu, OutOfRange, Unclear, match
from interpreter.table.session import Table
from interpreter.table.suggest import instead
from rulelang.core.types import NUMBER
from rulelang.diagnostics.english import spoken

MOST_OFFERED = 12  # ways to take ambiguous words that are listed


def answer(table: Table, line: str, decision: Decision, menu: Menu) -> None:
    """Take a line for a choice: a number, the words of an option, or a wish of several choices."""
    if table.offers and line.isdecimal():
        _offered(table, line)
        return
    table.offers = []
    try:
        option = menu.read(line, part=False)
    except Unclear as error:
        if _is_amount(line, decision) and not menu.has_number(line):
            table.choose(menu.option(int(line)))
        elif isinstance(error, OutOfRange):
            called_so = inspect.is_cell(table.state, line, decision.player)
            if not (called_so and _wish(table, line, decision)):
                table.unclear(error)
        elif menu.has_number(line) or _are_numbers(line, decision, menu):
            table.unclear(error)
        elif not _wish(table, line, decision):
            _partial(table, line, decision, menu)
    else:
        table.choose(option)


def _is_amount(line: str, decision: Decision) -> bool:
    """Is it a number where a number is decided?"""
    of_number = decision.spec.item == NUMBER and decision.spec.mode == "one"
    return of_number and line.isdecimal() and len(line) < 10


def _are_numbers(line: str, decision: Decision, menu: Menu) -> bool:
    """Are they numbers of options where several are chosen?"""
    several = menu.numbered and decision.spec.mode in ("some", "order")
    return several and re.fullmatch(r"[\d\s,]+", line) is not None


def _partial(table: Table, line: str, decision: Decision, menu: Menu) -> None:
    """Take a line for part of an option's words, or say why it is none."""
    try:
        option = menu.read(line)
    except Unclear as error:
        if not closed(table, line, decision, False) and not partly(table, line, decision):
            unknown(table, line, decision, error)
    else:
        table.choose(option)


def unknown(table: Table, line: str, decision: Decision, error: Unclear) -> None:
    """Say that a line is no answer: it names an action of another time, something that can be
    looked at, or nothing."""
    begun = " ".join(line.split()[:1])
    if begun != line and closed(table, begun, decision, False):
        return
    if _is_known(table, line, decision):
        said = f"“{line}” is no answer to what is asked; `look {line}` tells of it"
    else:
        said = f"{str(error)[:1].upper()}{str(error)[1:]}"
    table.say(_sentence(f"{said}{asked(table, decision)}"))


def _sentence(text: str) -> str:
    """A line with a stop at its end, unless it ends by a question."""
    return text if text.endswith("?") else f"{text}."


def _is_known(table: Table, line: str, decision: Decision) -> bool:
    """Is something called so that can be looked at?"""
    try:
        inspect.named(table.state, line, decision.player)
    except Unclear:
        return False
    return True


def asked(table: Table, decision: Decision) -> str:
    """What is decided, to remind of it, and by which clause; nothing where an action is."""
    if decision.spec.mode == "action" or not decision.prompt:
        return ""
    known = table.game.rules_source.clauses.get(asking(table.state, decision.spec))
    cites = f" [{', '.join(known.cites)}]" if known is not None and known.cites else ""
    said = prompts.asked(table.state, decision.spec, decision.player)
    return f"; player {decision.player + 1} is asked: {said}{cites}"


def closed(table: Table, line: str, decision: Decision, part: bool) -> bool:
    """Say why an action that is called so cannot be chosen now; false if none is."""
    actions = {
        name: p.title or spoken(name)
        for name, p in table.game.rules_source.procedures.items()
        if p.is_action
    }
    try:
        name = list(actions)[match(" ".join(line.lower().split()), list(actions.values()), part)]
    except Unclear:
        return False
    reasons = table.state.why_not(decision.player, name)
    if reasons:
        table.refused(f"you cannot choose “{actions[name]}” now", reasons)
    return bool(reasons)


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
    """Take a line for a wish: done if it is clear, listed if it is not, refused with every reason
    if it may not be; false if nothing is called so."""
    typed = words(line)
    found = Search(table.state, decision.spec, typed, True).run()
    if (
        found
        and found[0].cost
        and any(wish.cost == 0 for wish in _searched(table, decision, typed, False)[1])
    ):
        return judge(
            table, line, decision
        )  # what is named in full and may not be is no slip for something else
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
    return judge(table, line, decision)


def meant(table: Table, line: str, decision: Decision) -> Wish | None:
    """The one wish that a line names in full; none if it names none, several, or part of one."""
    found = Search(table.state, decision.spec, words(line), True).run()
    named = [wish for wish in found if wish.cost == 0]
    return named[0] if len(named) == 1 else None


def nearest_wish(table: Table, line: str, decision: Decision) -> Wish | None:
    """The one nearest way to take a line, allowed or not; none if nothing is called so, or if
    several are as near."""
    for wide in (False, True):
        found = _searched(table, decision, words(line), wide)[1]
        if found:
            best = _best(table, found)
            return best[0] if len(best) == 1 else None
    return None


def judge(table: Table, line: str, decision: Decision) -> bool:
    """Say why what is meant is not legal (or that it is); false if nothing is called so."""
    for wide in (False, True):
        found = _searched(table, decision, words(line), wide)[1]
        if found:
            _tell_judged(table, _best(table, found))
            return True
    return False


def _searched(
    table: Table, decision: Decision, typed: tuple[str, ...], wide: bool
) -> tuple[Search, list[Wish]]:
    """A search among all that is named, and what it found; that of the last line is remembered."""
    last = table.searched
    if last is None or last.state is not table.state or last.typed != typed:
        last = table.searched = Searched(table.state, typed)
    if wide not in last.found:
        search = Search(table.state, decision.spec, typed, False, wide)
        last.found[wide] = (search, search.run())
    return last.found[wide]


def _best(table: Table, found: list[Wish]) -> list[Wish]:
    """The nearest wishes; of them those of open decisions, and on the board of who decides, if
    there are any."""
    best = [wish for wish in found if wish.cost == found[0].cost]
    best = [wish for wish in best if not wish.closed(table.state)] or best
    return [wish for wish in best if not wish.elsewhere(table.state)] or best


def _tell_judged(table: Table, wishes: list[Wish]) -> None:
    """Of the first few wishes say why each is not legal, or that it is; name some others."""
    judged = [(wish, against(table.state, wish)) for wish in wishes[:MOST_OFFERED]]
    told = [(wish, reasons) for wish, reasons in judged if reasons] or judged
    for wish, reasons in told[:3]:
        if reasons:
            table.refused(f"you cannot choose {wish.text}", reasons, instead(table.state, wish))
        else:
            table.say(f"{wish.text} can be chosen.")
    others = [wish.text for wish, _ in told[3:]] + [wish.text for wish in wishes[MOST_OFFERED:]]
    if others:
        table.say(f"It could also be {'; '.join(others[:6])}{' …' if len(others) > 6 else ''}.")


def partly(table: Table, line: str, decision: Decision) -> bool:
    """Say which words mean nothing beside those that do; false if none means anything."""
    typed = words(line)
    search = _searched(table, decision, typed, True)[0]
    explained = search.furthest[1]
    if search.broken_off:
        table.say(f"“{line}” could be too many things to look at; name more of it.")
        return True
    if explained and typed:
        known = frozenset[int]().union(*(step.fits.explained for step in explained))
        strange = " ".join(
            word
            for place, word in enumerate(typed)
            if place in search.needed - known and word not in words(decision.prompt)
        )
        taken = ", ".join(f"“{step.text}”" for step in explained if step.fits.explained)
        if not taken or not strange or _is_known(table, line, decision):
            return False
        what = asked(table, decision)
        table.say(_sentence(f"Nothing is called “{strange}” together with {taken}{what}"))
        return True
    return False
