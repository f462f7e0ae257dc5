"""Laws of the setup: an invariant that reads nothing that changes is asked once, before play, of the players, options and pieces chosen."""
from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.evaluate import Fault
from interpreter.state import empty_position
from rulelang import core
from rulelang.describe import Describer
from rulelang.messages import Diagnostic, finding

if TYPE_CHECKING:
    from interpreter.game import Game


def broken_laws(game: Game) -> dict[str, Diagnostic]:
    """The clauses of the laws that these settings break, each with what is to be said of it."""
    found: dict[str, Diagnostic] = {}
    if not game.rules.needs.laws:
        return found
    rules, s = game.rules, empty_position(game.setup, 0)
    describer = Describer(game.rules_source)
    for law in rules.needs.laws:
        if law.need is None or rules.gone(law.clause) or (law.cond is not None and not rules.holds(s, law.cond)):
            continue
        why = []
        for part in law.need.of if isinstance(law.need, core.All) else (law.need,):
            try:
                if rules.holds(s, part):
                    continue
                why.append(describer.say(part))
                if isinstance(part, core.Compare):
                    why[-1] += f"; it is {game.presenter.text(rules.evaluator.value(part.left, s, {}), part.left.type, s)}"
            except Fault as error:
                why.append(str(error))
        if why:
            found[law.clause] = finding("broken-law", game.rules_source.clauses[law.clause].span, label=law.label, why=", and ".join(why))
    return found


def spoken_of(game: Game) -> set[str]:
    """The clauses of the laws that speak of these settings at all."""
    rules, s = game.rules, empty_position(game.setup, 0)
    return {law.clause for law in rules.needs.laws if law.cond is None or rules.holds(s, law.cond)}
