"""The commands that go through the settings of a game: the conformity battery, and simulation of
all of them."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from interpreter.cli.interrupts import STOPPED, interruptible, stopped_early
from interpreter.cli.output import complain, deliver, give, progress, say, show
from interpreter.cli.rules import options_of
from interpreter.conformance.battery import PLAYERS, THIRD
from interpreter.conformance.laws import LAWS, Failure, Ledger
from interpreter.conformance.survey import surveyed
from interpreter.game.loading import load_rules, shown
from interpreter.simulation.processes import WorkerLost, cores
from interpreter.simulation.settings import Level, Setting, Settings
from interpreter.simulation.survey import Survey, survey
from rulelang.core.values import Json
from rulelang.diagnostics.english import counted
from rulelang.ruleset import Ruleset

FEW = 8  # settings that one process checks as soon as several would
LAST = 12  # choices before a failure that are told; all are in the plain data


def settings_of(args: argparse.Namespace) -> Settings:
    """The settings of the game a command line names.

    Cards that are left out are told on standard error.
    """
    made = _made(args.game, tuple(args.added), args.players, tuple(args.variant), options_of(args))
    loaded = made.loaded
    if loaded.compiled.report.errors:
        show(loaded.compiled.report.errors, loaded.sources, error=True)
        complain(f"left out: {', '.join(loaded.compiled.refused)}")
    return made


def _made(
    game: str,
    added: tuple[str, ...],
    players: int | None,
    variants: tuple[str, ...],
    options: Mapping[str, Level],
) -> Settings:
    """The settings of a game with added files, of those asked for."""
    loaded = load_rules(game, (), [(shown(Path(path)), Path(path)) for path in added], tests=False)
    return Settings(loaded, players, variants, options)


def _exact(settings: Settings) -> Setting:
    """The one setting that is asked for, with what is usual for the rest."""
    rules = settings.loaded.compiled.rules
    options = tuple(
        (name, settings.options.get(name, values[0])) for name, values in rules.options.items()
    )
    return Setting(
        settings.players if settings.players is not None else rules.players[0],
        settings.variants,
        options,
    )


def _refused(settings: Settings) -> list[Json]:
    return [{"variants": list(variants), "why": why} for variants, why in settings.refused.items()]


def _say_refused(settings: Settings) -> None:
    for variants, why in settings.refused.items():
        say(f"  not together: {', '.join(variants)}: {why}")


# ------------------------------------------------------------------------------------------ conform
def conform(args: argparse.Namespace) -> int:
    """The battery: under one setting if one is asked for, under all, or under so many that every
    two values meet."""
    settings = settings_of(args)
    if args.all_options:
        chosen = list(settings.all())
    elif args.players is not None or args.variant or args.option:
        chosen = [_exact(settings)]
    else:
        chosen = settings.sample()
    ledger, done = Ledger(), 0
    processes = args.processes or (cores() if len(chosen) > FEW else 1)
    make = partial(_made, args.game, tuple(args.added), args.players, tuple(args.variant))
    ledgers = surveyed(
        settings,
        chosen,
        args.games,
        args.seed or 0,
        processes,
        partial(make, options=options_of(args)),
    )
    try:
        with progress("checking", len(chosen)) as advance:
            for settled, found in ledgers:
                ledger.add(found)
                done += settled
                advance(done, len(chosen))
    except WorkerLost as error:
        complain(stopped_early(str(error), done, len(chosen), "setting"))
        return STOPPED
    deliver(lambda: (_give if args.json else _report)(args, settings, chosen, ledger))
    return 1 if ledger.failures else 0


def _give(
    args: argparse.Namespace, settings: Settings, chosen: list[Setting], ledger: Ledger
) -> None:
    """The laws and the failures as plain data."""
    laws = {
        law: {"says": says, "checked": ledger.checked[law], "broken": ledger.broken[law]}
        for law, says in LAWS.items()
    }
    failures = [failure.as_json() for failure in ledger.failures.values()]
    given = {
        "settings": [setting.as_json() for setting in chosen],
        "games": args.games,
        "refused": _refused(settings),
        "pairs_of_states": ledger.pairs,
        "not_compared": dict(ledger.not_compared),
    }
    give({"game": settings.loaded.id, **given, "laws": laws, "failures": failures})


def _report(
    args: argparse.Namespace, settings: Settings, chosen: list[Setting], ledger: Ledger
) -> None:
    """The laws with how often each was checked; then what is broken."""
    rules = settings.loaded.compiled.rules
    which = (
        "all there are"
        if args.all_options
        else "in which every two values meet"
        if len(chosen) > 1
        else "as asked for"
    )
    say(
        f"{rules.title}: {counted(len(chosen), 'setting')}, {which}; "
        f"{counted(args.games, 'game')} each, by {_bots(args.games)} players",
        "bold",
    )
    _say_refused(settings)
    width = max(map(len, LAWS))
    for law, says in LAWS.items():
        checked, broken = ledger.checked[law], ledger.broken[law]
        verdict = (
            f"broken {broken} times"
            if broken > 1
            else "broken once"
            if broken
            else "holds"
            if checked
            else "never came up"
        )
        say(f"  {law:<{width}}  {checked:>7}  {verdict:<13}  {says}", "bold red" if broken else "")
    say(f"  {_secrecy(ledger)}")
    for why, games in ledger.not_compared.most_common():
        say(f"  not compared in {counted(games, 'game')}: {why}")
    for failure in ledger.failures.values():
        for line in _told(args, rules, failure):
            say(line)
    said = (
        "every law holds"
        if not ledger.failures
        else f"{counted(len(ledger.failures), 'law is', 'laws are')} broken"
    )
    say(
        f"{sum(ledger.checked.values())} checks: {said}",
        "bold red" if ledger.failures else "bold green",
    )


def _bots(games: int) -> str:
    """Who plays so many games under one setting."""
    return "random and hasty" if games <= len(PLAYERS) else f"random, hasty and {THIRD}"


def _secrecy(ledger: Ledger) -> str:
    """In how many pairs of states it was looked whether a secret shows."""
    if not ledger.pairs:
        return "no two states were found that a player cannot tell apart: nothing was kept secret"
    pairs = counted(ledger.pairs, "pair")
    return f"secrets: {pairs} of states that somebody cannot tell apart were compared"


def _told(args: argparse.Namespace, rules: Ruleset, failure: Failure) -> list[str]:
    """A failure: the fact, how to see it again, and the choices that led there."""
    found = [
        "",
        f"{failure.law}: {failure.fact}",
        f"  seed {failure.seed}, {failure.bots} players; again by:",
    ]
    added = "".join(f" --with {path}" for path in args.added)
    found.append(
        f"  rulelang conform {args.game}{added} {failure.setting.words()} "
        f"--seed {args.seed or 0} --games {args.games}"
    )
    before = len(failure.choices) - LAST
    found.append(
        f"  after {counted(len(failure.choices), 'choice')}"
        + (f", of which the last {LAST} are:" if before > 0 else ":" if failure.choices else "")
    )
    return [
        *found,
        *(
            f"    p{choice.player + 1} {choice.name}: {choice.value}"
            for choice in failure.choices[-LAST:]
        ),
    ]


# --------------------------------------------------------------------------- simulate --all-options
def simulate_all(args: argparse.Namespace) -> int:
    """Games by bots under every setting the rules allow."""
    settings = settings_of(args)
    chosen = list(settings.all())
    with interruptible(), progress("playing", len(chosen)) as advance:
        found = survey(
            chosen,
            settings.game,
            args.games or 1,
            args.seed or 0,
            args.bot,
            lambda done: advance(done, len(chosen)),
        )
    told: dict[str, Json] = {
        "game": settings.loaded.id,
        "settings": [result.as_json() for result in found.results],
        "games": found.games,
        "finished": found.finished,
        "refused": _refused(settings),
        "hash": found.hash,
    }
    if found.stopped:
        told["stopped"] = found.stopped
    deliver(lambda: give(told) if args.json else _summary(settings, found, args.bot))
    if found.stopped:
        complain(stopped_early(found.stopped, len(found.results), len(chosen), "setting"))
        return STOPPED
    return 1 if found.unfinished else 0


def _summary(settings: Settings, found: Survey, bot: str) -> None:
    rules = settings.loaded.compiled.rules
    say(
        f"{rules.title}: {counted(len(found.results), 'setting')}, "
        f"{counted(found.games, 'game')} by {bot} bots",
        "bold",
    )
    for players in sorted({result.setting.players for result in found.results}):
        own = found.of(players)
        games, finished, moves = (
            sum(getattr(result, name) for result in own) for name in ("games", "finished", "moves")
        )
        say(
            f"  {counted(players, 'player')}: {counted(len(own), 'setting')}, "
            f"{finished} of {counted(games, 'game')} finished, {counted(moves, 'choice')}"
        )
    _say_refused(settings)
    for result in found.unfinished:
        say(
            f"  {result.setting.words()}: "
            f"{result.finished} of {counted(result.games, 'game')} finished",
            "bold red",
        )
        for fault in result.faults:
            say(f"    {fault}")
    say(f"  hash {found.hash}")
    say(
        "all finish"
        if not found.unfinished
        else f"{counted(found.games - found.finished, 'game')} did not finish",
        "bold red" if found.unfinished else "bold green",
    )
