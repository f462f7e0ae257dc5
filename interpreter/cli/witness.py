"""The command that finds a game in which a card is played and what it says changes something."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from interpreter.cli.output import complain, give, progress, say, show
from interpreter.cli.proofs import NOT_DECIDED, asked, drawn
from interpreter.cli.usage import Usage
from interpreter.engine.decisions import Option
from interpreter.game.game import State
from interpreter.game.loading import Loaded, RulesError, load_rules
from interpreter.proofs import answers
from interpreter.proofs.witness import witnesses
from interpreter.proofs.witness_report import as_json, card_of, record_of, sentence_numbers
from rulelang.core.values import Json, members
from rulelang.ruleset import Design

_TOLD = 8  # choices told, the last ones


def witness(args: argparse.Namespace) -> int:
    """Find a witness for each sentence; 0 if all have one, 1 if one is refuted, 4 if undecided."""
    return asked(args, lambda: _witness(args))


def _witness(args: argparse.Namespace) -> int:
    added = [(path, Path(path)) for path in args.added]
    loaded = load_rules(args.game, (), added, tests=False)
    if loaded.compiled.report.errors:
        raise RulesError(loaded.compiled.report.errors, loaded.sources)
    design = card_of(loaded, args.card)
    wanted = sentence_numbers(design, args.sentence)
    with progress("looking for a game"):
        found = witnesses(loaded, design, wanted)
    records = [record_of(args.game, loaded, a) for a in found]
    if args.out is not None:
        _write(args.out, [record for record in records if record is not None])
    if args.json:
        rows = [as_json(design, a, r) for a, r in zip(found, records, strict=True)]
        give({"card": design.title, "sentences": rows})
    else:
        for answer in found:
            _tell(loaded, design, answer)
    if any(isinstance(answer, answers.Refuted) for answer in found):
        return 1
    return NOT_DECIDED if any(isinstance(a, answers.Undecided) for a in found) else 0


def _write(out: str, records: list[dict[str, Json]]) -> None:
    if len(records) != 1:
        raise Usage(f"--out writes one game, and {len(records)} were found: name one sentence")
    try:
        Path(out).write_text(json.dumps(records[0], ensure_ascii=False), encoding="utf-8")
    except OSError as error:
        raise Usage(f"{out} cannot be written: {error.strerror}") from error
    complain(f"Wrote {out}. Next: rulelang replay {out}")


def _tell(loaded: Loaded, design: Design, answer: answers.Answer) -> None:
    number = answer.sentence
    say(f"“{design.sentences[number - 1] if number else design.title}”", "bold")
    if isinstance(answer, answers.Refuted):
        show(answer.why, loaded.sources)
    elif isinstance(answer, answers.Undecided):
        say(f"not decided: {answer.games} games, {answer.moves} choices were played", "bold yellow")
        if answer.played:
            say("  the card was played, and this changed nothing")
        for reason in answer.nearest:
            say(f"  nearest: {reason}")
    else:
        state = answer.state
        seed = state.position.seed
        say(f"after {state.moves} choices of a game with seed {seed}: {answer.changes}", "green")
        path = answer.choices
        if len(path) > _TOLD:
            say(f"  … {len(path) - _TOLD} choices, and then:")
        for before, option in path[-_TOLD:]:
            say(f"  player {option.player + 1}: {option.name} {_said(before, option)}")
        for line in drawn(state.game, state.position):
            say(line)


def _said(before: State, option: Option) -> str:
    spec = before.spec_of(option.player, option.name)
    if spec is None:
        return ""
    game, seat = before.game, before.seat(spec)
    if spec.mode in ("some", "order"):
        return ", ".join(
            str(game.presenter.text(v, spec.item, seat)) for v in members(option.value)
        )
    return str(game.presenter.text(option.value, spec.item, seat)).replace("_", " ")
