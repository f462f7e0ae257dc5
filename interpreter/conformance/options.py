"""Laws of legal moves: what is listed is accepted, all else is refused with a reason."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

from interpreter.conformance.laws import Case, bare, candidates, written
from interpreter.engine.decisions import Decision, Option, Spec
from interpreter.game.game import Illegal, State
from rulelang.core.values import Value

LISTED = 300  # options of one decision that are listed
TRIED = 20  # of them that are chosen; all if there are no more
REFUSED = 6  # things not listed that are tried
ACTIONS = 2  # actions not offered that are tried: to find why not takes longer
# Values that are no option of anything.
STRANGE: tuple[object, ...] = (
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
    """Check every open decision: its options, their count and samples, and that they are legal."""
    for number, decision in enumerate(state.decisions):
        options = list(itertools.islice(decision.options(), LISTED))
        texts = [written(option.value) for option in options]
        _check_list(case, decision, texts, bare(state).decisions[number])
        whole = len(options) < LISTED
        if whole:
            count = decision.count()
            agree = count in (None, len(options))
            told = f"{decision.name}: {count} are counted, {len(options)} listed"
            case.check("options", agree, told)
            case.check("options", bool(options), f"{decision.name}: nothing can be chosen")
        for option in options if len(options) <= TRIED else case.rng.sample(options, TRIED):
            case.note("options", _accepted(state, option, exact=True))
        for _ in range(3 if options else 0):
            option = decision.sample(case.rng)
            case.note("options", _accepted(state, option))
            # Of equal pieces any may be sampled, and one is listed.
            if whole and decision.spec.mode != "some":
                drawn = written(option.value)
                told = f"{decision.name}: {drawn} is drawn and not listed"
                case.check("options", drawn in texts, told)


def _check_list(case: Case, decision: Decision, texts: list[str], anew: Decision) -> None:
    """Check that nothing is listed twice, and that the list is the same when made again."""
    twice = [text for text, times in Counter(texts).items() if times > 1]
    case.note("options", f"{decision.name}: {twice[0]} is listed twice" if twice else None)
    for again in (decision, anew):
        listed_again = [written(o.value) for o in itertools.islice(again.options(), LISTED)]
        case.same("options", listed_again, texts, f"{decision.name}, listed again")


def _accepted(state: State, option: Option, exact: bool = False) -> str | None:
    """How an option is not accepted, or another is taken for it; none if it is accepted."""
    try:
        later = state.choose(option)
    except Illegal as error:
        return f"{option.name}: {written(option.value)} is offered and refused: {error}"
    if exact and (later.choice is None or written(later.choice.value) != written(option.value)):
        return f"{option.name}: {written(option.value)} is taken for another option"
    return None


def unlisted(case: Case, state: State) -> None:
    """Check that what is no option is refused with a reason, and that nothing changes."""
    before = state.digest()
    for decision in state.decisions:
        options = list(itertools.islice(decision.options(), LISTED))
        if len(options) == LISTED and decision.spec.mode in ("one", "action", "may"):
            continue  # not all are known, so nobody can say what is not among them
        known = {written(option.value) for option in options}
        for value in _illegal_members(case, state, decision, known):
            case.note("refusals", _refused(state, decision, value, known, reasons=True))
        for strange in itertools.chain(STRANGE, _misshapen(decision.spec)):
            if written(strange) not in known:
                case.note("refusals", _refused(state, decision, strange, known))
        some = decision.sample(case.rng)
        for option in (
            Option(decision.player, "no such choice", some.value),
            Option(case.game.players, decision.name, some.value),
        ):
            case.note("refusals", _refuses(state, option))
    case.check("refusals", state.digest() == before, "a refused choice changed the state")


def _illegal_members(case: Case, state: State, decision: Decision, known: set[str]) -> list[Value]:
    """A sample of the members of a choice's domain that may not be chosen."""
    if decision.spec.mode not in ("one", "action"):
        return []
    found = [v for v in candidates(state, decision.spec) if written(v) not in known]
    most = ACTIONS if decision.spec.mode == "action" else REFUSED
    return case.rng.sample(found, most) if len(found) > most else found


def _misshapen(spec: Spec) -> Iterator[object]:
    """Choices of several with too many or too few members, a foreign one, or one twice."""
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
    state: State, decision: Decision, value: object, known: set[str], reasons: bool = False
) -> str | None:
    """How a value that is not listed is not refused; none if it is.

    Of equal pieces one that is not listed may stand for the one that is.
    """
    # What is no value at all is tried, too.
    option = Option(decision.player, decision.name, value)  # type: ignore[arg-type]
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
