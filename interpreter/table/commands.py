"""The commands a person may type at the table: those that ask, look, take back and keep."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from interpreter.engine.decisions import Decision
from interpreter.game import log
from interpreter.game.citations import citation
from interpreter.game.game import Illegal, State
from interpreter.render.board import draw_all
from interpreter.render.table import seen_by, standing
from interpreter.table import inspect, queries
from interpreter.table.input import closed, judge, meant, partly, unknown
from interpreter.table.menu import PAGE, Menu, Unclear, plain_value
from interpreter.table.saves import NotKept, Taken
from interpreter.table.session import Quit, Table
from rulelang.core.values import Json

MOST_CITED = 6  # lines of the rules that are shown of one citation

Command = Callable[[Table, str, Decision, Menu], None]


# ----------------------------------------------------------------------------------------- commands
def command(table: Table, line: str, decision: Decision, menu: Menu) -> bool:
    """Do what a line says if it begins with a command.

    Says whether it did. What an option is called word for word is a choice.
    """
    word, _, rest = line.partition(" ")
    known = COMMANDS.get(word.lower())
    if known is None or any(line.lower() == option.lower() for option in menu.texts):
        return False
    usage, _, act = known
    if (rest and " " not in usage) or (
        word.lower() == "why" and not rest.lower().startswith("not")
    ):
        return False
    if word.lower() == "all" and decision.spec.mode in ("some", "order"):
        return False
    act(table, rest.strip(), decision, menu)
    return True


def help_(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """What can be typed."""
    table.say("Choose by number, or type what you want: part of its name will do.")
    table.say("One line may name several choices in a row, such as a piece and its place.")
    table.say(
        "Where several are chosen: their numbers as in `1 3`, or their names, a comma between."
    )
    told = {usage: said for usage, said, _ in COMMANDS.values()}
    width = max(map(len, told))
    for usage, said in told.items():
        table.say(f"  {usage:<{width}}  {said}")


def all_(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """Every option."""
    table.lines(menu.lines(None, table.screen.width))


def more(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """The next page of options; after the last one the first again."""
    following = menu.page(PAGE, table.screen.width, table.page)[1]
    table.page = following if following < len(menu.texts) else 0
    table.lines(menu.lines(PAGE, table.screen.width, table.page))


def map_(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """The boards as a player sees them, in simultaneous play as they are on his own.

    Pointing at what can be chosen, or at one option.
    """
    if rest and not menu.has_number(rest):
        table.say(f"There is no number {rest} here.")
        return
    look = replace(
        table.look(decision.player),
        pointed=menu.sites(int(rest.removeprefix("#")) - 1 if rest else None),
    )
    table.lines(draw_all(table.game, seen_by(table.state, decision.player), look))


def scores(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """The scores and what a player may see lying about."""
    table.lines(standing(table.state, decision.player, table.screen.width))


def look(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """One thing by name."""
    table.lines(
        inspect.look(table.state, rest, decision.player, table.screen.width)
        if rest
        else standing(table.state, decision.player, table.screen.width)
    )


def show(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """What the rules work out of what lies there, on the map if it is somewhere; else what is
    called so, as one looks at it."""
    try:
        table.lines(queries.show(table.state, rest, decision.player, table.look(decision.player)))
    except Unclear as error:
        try:
            table.lines(inspect.named(table.state, rest, decision.player, table.screen.width))
        except Unclear:
            table.unclear(error)


def trial(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """The boards as they would lie after an option, or after a wish of several choices."""
    if not rest:
        table.say("Name an option, as in `try 1`, or what you would choose.")
        return
    try:
        later, chosen = _supposed(table, rest, decision, menu)
        drawn = queries.trial(
            table.state, later, chosen, decision.player, table.look(decision.player)
        )
    except Unclear as error:
        table.unclear(error)
    except Illegal as error:
        table.refused(str(error), error.reasons)
    else:
        table.lines(drawn)


def _supposed(table: Table, line: str, decision: Decision, menu: Menu) -> tuple[State, str]:
    """The state after what a line names, and how that is called; raises Unclear, Illegal."""
    try:
        option = menu.read(line)
    except Unclear:
        wish = meant(table, line, decision)
        if wish is None:
            raise
        return wish.follow(table.state), wish.text
    one = decision.spec.mode not in ("some", "order")
    return table.state.choose(option), menu.texts[menu.find(line)] if one else ""


def log_(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """The whole log."""
    for entry in log.gathered(seen_by(table.state, decision.player).entries()):
        table.say("  " + log.told(table.state, entry, decision.player))


def explain(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """The last event that counted as a tree, or the last one that is told with these words."""
    try:
        tree = inspect.explain(table.state, rest, decision.player)
    except Unclear as error:
        table.unclear(error)
    else:
        table.lines(tree.lines() if tree is not None else ["Nothing has happened yet."])


def rules(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """The statement of the rulebook behind a citation, and the lines of the rules that cite it."""
    loaded = table.game.loaded
    if not rest:
        table.say("Name a citation, as it stands in square brackets behind a refusal or a score.")
        return
    for wanted in rest.replace(",", " ").split():
        found = citation(loaded, wanted)
        if found is None:
            few = ", ".join(list(loaded.statements)[:3])
            known = f"; there are {few} and so on" if few else "; this game has no rulebook"
            table.say(f"There is no statement {wanted}{known}.")
            continue
        table.say(f"{found.id}: {found.text}", "bold")
        for cited in found.clauses[:MOST_CITED]:
            table.lines([f"  {cited.where}", *(f"    {line}" for line in cited.lines)])
        if len(found.clauses) > MOST_CITED:
            table.say(f"  … and {len(found.clauses) - MOST_CITED} other lines of the rules")


def rule(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """The play in question as a scenario, and a ruling to be filled in, in a file of their own."""
    if not rest:
        table.say("Name the play in question, as you would choose it: `rule 1`, or `rule WORDS`.")
        return
    from interpreter.table.ruling import in_question, new_file, ruling_on  # only here: slow to load

    options = in_question(table, rest, decision, menu)
    if options is None:
        table.say(f"“{rest}” is not one play that could be judged here; name all of its choices.")
        return
    with table.screen.busy("writing it down …"):
        made = ruling_on(table.state, options, rest)
    if made is None:
        table.say("Scenarios have no words for this play; `save FILE` keeps the game as it is.")
        return
    try:
        path = new_file(Path(), "ruling", made.text)
    except OSError as error:
        table.say(f"It could not be written: {error.strerror}.")
        return
    table.lines(made.text.rstrip().splitlines())
    where = "from the seed of this game" if made.whole_game else "with no more than bears on it"
    table.say(f"Written to {path}, {where}; it passes as the rules stand. Fill the ruling in.")


def undo(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """Back to where a person chose last, if nothing new was shown to anybody since."""
    state = table.state
    try:
        while True:
            taken, state = state.choice, state.undo()
            if (
                taken is not None
                and taken.player in table.people
                and Menu.of(state, _of(state, taken.player, taken.name)).forced() is None
            ):
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
    elif menu.has_number(wanted):
        named = menu.texts[int(wanted.removeprefix("#")) - 1]
        several = " with others" if decision.spec.mode in ("some", "order") else ""
        table.say(f"{wanted} is “{named}”, which can be chosen{several}.")
    elif (
        not judge(table, wanted, decision)
        and not closed(table, wanted, decision, True)
        and not partly(table, wanted, decision)
    ):
        nothing = Unclear(f"nothing that could be chosen here is called “{wanted}”")
        unknown(table, wanted, decision, nothing)


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
    choices: dict[str, Json] = {}
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals:
            table.say(f"Write {name} with its values as in `name=value`; {part} is none.")
            return
        choices[key] = (
            [plain_value(v) for v in value.split(",")] if "," in value else plain_value(value)
        )
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
    except Taken as error:
        table.say(f"Not kept: {error}. `save FILE` with another name keeps both.")
    except NotKept as error:
        table.say(f"Not kept: {error}.")
    else:
        table.say(table.keeper.told(path))


def quit_(table: Table, rest: str, decision: Decision, menu: Menu) -> None:
    """Leave."""
    raise Quit("You leave the game.")


COMMANDS: dict[str, tuple[str, str, Command]] = {
    "why": (
        "why not WORDS",
        "every line of the rules that stands against it, and what would mend it",
        why,
    ),
    "explain": (
        "explain [WORDS]",
        "the last score line by line, the last event told with these words, or with `score` or "
        "`player 2` how one stands",
        explain,
    ),
    "look": (
        "look [WORDS]",
        "how everybody stands; a place, a player, a cell such as b2, or what a piece says",
        look,
    ),
    "map": (
        "map [NUMBER]",
        "the boards, with `?` where you can choose, or with one option drawn in",
        map_,
    ),
    "scores": ("scores", "how everybody stands and what you hold", scores),
    "show": (
        "show [WORDS]",
        "what the rules make of what lies there, such as which cells count; "
        "alone, what can be shown",
        show,
    ),
    "try": (
        "try OPTION",
        "the boards as they would lie after an option or several in a row, which are not chosen",
        trial,
    ),
    "more": ("more", "the next options, where only some are listed", more),
    "rules": (
        "rules CITATION",
        "the statement behind a citation in square brackets, and the rules that rest on it",
        rules,
    ),
    "rule": (
        "rule OPTION",
        "put down a play in question, allowed or not, as a scenario, with a ruling to be filled in",
        rule,
    ),
    "all": ("all", "every option, where only some are listed", all_),
    "undo": ("undo", "take your last choice back, if it showed nobody anything new", undo),
    "save": ("save [FILE]", "keep the game; `rulelang play --resume FILE` goes on with it", save),
    "log": ("log", "everything that has happened", log_),
    "help": ("help", "these lines", help_),
    "quit": ("quit", "leave; the game is kept", quit_),
}
COMMANDS |= {"?": COMMANDS["help"], "exit": COMMANDS["quit"]}
