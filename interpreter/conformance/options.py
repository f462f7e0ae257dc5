"""Laws of choosing: what is listed is listed once, in order, and accepted; what is not listed is refused with a reason."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from interpreter.conformance.laws import Case, bare, candidates, written
from interpreter.engine.decisions import Decision, Option, Spec
from interpreter.game.game import Illegal, State

LISTED = 300  # options of one decision that are listed
TRIED = 20  # of them that are chosen; all if there are no more
REFUSED = 6  # things not listed that are tried
ACTIONS = 2  # actions not offered that are tried: to find why not takes longer
STRANGE: tuple[Any, ...] = (
    None,
    "no such thing",
    -1,
    10**9,
    True,
    False,
    0.0,
    1.0,
    1.5,
    (),
    frozenset(),
    frozenset({10**9}),
    frozenset({True}),
    (10**9,),
    (True,),
)


def listed(case: Case, state: State) -> None:
    """Every open decision: its list, its count, its samples, and that they are accepted."""
    for number, decision in enumerate(state.decisions):
        options = list(itertools.islice(decision.options(), LISTED))
        texts = [written(option.value) for option in options]
        whole = len(options) < LISTED
        twice = (
            next((text for text in texts if texts.count(text) > 1), None)
            if len(set(texts)) < len(texts)
            else None
        )
        case.note("options", f"{decision.name}: {twice} is listed twice" if twice else None)
        anew = bare(state).decisions[number]
        for again in (decision, anew):
            case.same(
                "options",
                [written(o.value) for o in itertools.islice(again.options(), LISTED)],
                texts,
                f"{decision.name}, listed again",
            )
        count = decision.count()
        if whole:
            case.note(
                "options",
                f"{decision.name}: {count} are counted, {len(options)} listed"
                if count not in (None, len(options))
                else None,
            )
            case.note("options", None if options else f"{decision.name}: nothing can be chosen")
        for option in options if len(options) <= TRIED else case.rng.sample(options, TRIED):
            case.note("options", _accepted(state, option, exact=True))
        for _ in range(3 if options else 0):
            option = decision.sample(case.rng)
            case.note("options", _accepted(state, option))
            if (
                whole and decision.spec.mode != "some"
            ):  # of equal pieces any may be drawn, one is listed
                case.note(
                    "options",
                    None
                    if written(option.value) in texts
                    else f"{decision.name}: {written(option.value)} is drawn and not listed",
                )


def _accepted(state: State, option: Option, exact: bool = False) -> str | None:
    """How it is that an option is not accepted; none if it is, and what was chosen is the option itself."""
    try:
        later = state.choose(option)
    except Illegal as error:
        return f"{option.name}: {written(option.value)} is offered and refused: {error}"
    if exact and (later.choice is None or written(later.choice.value) != written(option.value)):
        return f"{option.name}: {written(option.value)} is taken for another option"
    return None


def unlisted(case: Case, state: State) -> None:
    """Things that are not listed: members that may not be chosen, wrong numbers of them, strange values, other players and names."""
    before = state.digest()
    for decision in state.decisions:
        options = list(itertools.islice(decision.options(), LISTED))
        if len(options) == LISTED and decision.spec.mode in ("one", "action", "may"):
            continue  # not all are known, so nobody can say what is not among them
        known = {written(option.value) for option in options}
        inside = (
            [value for value in candidates(state, decision.spec) if written(value) not in known]
            if decision.spec.mode in ("one", "action")
            else []
        )
        most = ACTIONS if decision.spec.mode == "action" else REFUSED
        if len(inside) > most:
            inside = case.rng.sample(inside, most)
        for value in inside:
            case.note("refusals", _refused(state, decision, value, known, reasons=True))
        for value in itertools.chain(STRANGE, _misshapen(decision.spec)):
            if written(value) not in known:
                case.note("refusals", _refused(state, decision, value, known))
        some = decision.sample(case.rng)
        for option in (
            Option(decision.player, "no such choice", some.value),
            Option(case.game.players, decision.name, some.value),
        ):
            case.note("refusals", _refuses(state, option))
    case.note(
        "refusals", None if state.digest() == before else "a refused choice changed the state"
    )


def _misshapen(spec: Spec) -> Iterator[Any]:
    """Too many, too few, a stranger among them, one twice."""
    members = list(spec.domain)
    if spec.mode == "some":
        if spec.high < len(members):
            yield frozenset(members[: spec.high + 1])
        if spec.low > 0:
            yield frozenset(members[: spec.low - 1])
        yield frozenset([*members[: max(0, spec.low - 1)], "a stranger"])
        yield tuple(members[: spec.low])
    elif spec.mode == "order" and members:
        yield tuple(members[1:])
        yield (*members, members[0])
        yield (*members[1:], "a stranger")
        yield frozenset(members)


def _refused(
    state: State, decision: Decision, value: Any, known: set[str], reasons: bool = False
) -> str | None:
    """How it is that what is not listed is not refused; of equal pieces one that is not listed may stand for the one that is."""
    option = Option(decision.player, decision.name, value)
    try:
        later = state.choose(option)
    except Illegal as error:
        if str(error) and (error.reasons or not reasons):
            return None
        return f"{option.name}: {written(value)} is refused without a reason"
    if later.choice is not None and written(later.choice.value) in known:
        return None
    return f"{option.name}: {written(value)} is not listed, and accepted"


def _refuses(state: State, option: Option) -> str | None:
    try:
        state.choose(option)
    except Illegal as error:
        return None if str(error) else f"{option} is refused without a reason"
    return f"{option} is accepted, though nobody is asked for it"
