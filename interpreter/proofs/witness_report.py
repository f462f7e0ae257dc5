"""What is asked of a search for witnesses, by titles and words; what came of it, as plain data."""

from __future__ import annotations

from typing import cast

from interpreter.game.game import game_of
from interpreter.game.loading import Loaded, load_rules
from interpreter.proofs.answers import Answer, Refuted, Witness
from interpreter.proofs.sides import Unaskable
from rulelang.core.values import Json
from rulelang.diagnostics import nearest
from rulelang.ruleset import Design


def card_of(loaded: Loaded, title: str) -> Design:
    """The card of this title; raises Unaskable with the nearest if there is none."""
    designs = {d.title.lower(): d for d in loaded.compiled.rules.designs if d.title}
    found = designs.get(title.strip().lower())
    if found is None:
        near = nearest(title.strip().lower(), list(designs), 1)
        hint = f"; did you mean “{designs[near[0]].title}”?" if near else ""
        raise Unaskable(f"no card is called “{title}”{hint}")
    return found


def sentence_numbers(design: Design, said: str | None) -> list[int] | None:
    """The number of a sentence that is given by number or by its words."""
    if said is None:
        return None
    count = len(design.text)
    if said.isdecimal():
        if not 1 <= int(said[:6]) <= count:
            raise Unaskable(f"“{design.title}” has {count} sentences; there is no sentence {said}")
        return [int(said)]
    low = said.strip().lower().rstrip(".")
    found = [n for n, text in enumerate(design.sentences, 1) if low in text.lower()]
    if not found:
        raise Unaskable(f"no sentence of “{design.title}” says so: {' '.join(design.sentences)}")
    return found[:1]


def record_of(game: str, loaded: Loaded, answer: Answer) -> dict[str, Json] | None:
    """The game of a witness as a record that comes along with its list."""
    if not isinstance(answer, Witness):
        return None
    state = answer.state
    if answer.deck:
        added = [(name, loaded.sources[name].text) for name in loaded.added]
        variants = state.game.variants
        made = load_rules(game, variants, [*added, ("witness.rules", answer.deck)], tests=False)
        again = game_of(made, state.game.players, variants, state.game.options)
        later = again.start(state.position.seed)
        for _, option in answer.choices:
            later = later.choose(option)
        return again.record(later)
    return state.game.record(state)


def as_json(design: Design, answer: Answer, record: dict[str, Json] | None) -> dict[str, Json]:
    """An answer with its sentence and verdict: witness, refuted or undecided."""
    number = answer.sentence
    row: dict[str, Json] = {
        "sentence": number,
        "text": design.sentences[number - 1] if number else "",
        "verdict": type(answer).__name__.lower(),
    }
    if isinstance(answer, Witness):
        choices = answer.state.moves
        row |= {"choices": choices, "changes": answer.changes, "record": record}
    elif isinstance(answer, Refuted):
        found: list[Json] = [cast("Json", item.as_json()) for item in answer.why]
        row["diagnostics"] = found
    else:
        row |= {
            "games": answer.games,
            "choices": answer.moves,
            "played": answer.played,
            "nearest": [reason.as_json() for reason in answer.nearest],
        }
    return row
