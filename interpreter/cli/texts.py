"""The commands about card texts: what can be written on a card, and what a text means."""

from __future__ import annotations

import argparse

from interpreter.authoring import explain_card
from interpreter.cli.output import give, progress, say, show
from interpreter.cli.rules import loaded_with
from interpreter.cli.usage import Usage
from interpreter.game.loading import Loaded, RulesError
from rulelang.diagnostics import Diagnostic, finding, nearest
from rulelang.diagnostics.source import NOWHERE
from rulelang.phrases.phrase import Reading

_MOST_WORDINGS = 2  # told beside the first of one meaning


def phrases(args: argparse.Namespace) -> int:
    """List what can be written on a card."""
    loaded = loaded_with(args)
    found = explain_card.phrases(loaded, args.word or "")
    if not found:
        raise RulesError([_nothing_found(loaded, args.word)], {})
    if args.json:
        give({"phrases": [entry.as_json() for entry in found]})
        return 0
    alike = explain_card.synonyms(loaded, args.word or "")
    if alike:
        say(f"“{args.word}” may stand for: {', '.join(f'“{said}”' for said in alike)}")
    for sort in dict.fromkeys(entry.sort for entry in found):
        _show_sort(sort, [entry for entry in found if entry.sort == sort])
    return 0


def _nothing_found(loaded: Loaded, word: str | None) -> Diagnostic:
    """Why no phrase was found: none has the word, or there are none."""
    if not word:
        return finding("no-phrases", NOWHERE)
    near = nearest(word.lower(), loaded.compiled.glossary.lexicon.vocabulary)
    fix = "Did you mean " + " or ".join(f"“{w}”" for w in near) + "?" if near else None
    return finding("unknown-word", NOWHERE, word=word, fix=fix)


def _show_sort(sort: str, entries: list[explain_card.Entry]) -> None:
    """The phrases of one sort: each meaning in its first wording with examples, then all words."""
    say(sort, "bold")
    wordings = [entry for entry in entries if not entry.forms]
    for meaning in dict.fromkeys(entry.meaning for entry in wordings):
        first, *others = [entry for entry in wordings if entry.meaning == meaning]
        say(f"  {first.text}" + (f"  [{', '.join(first.cites)}]" if first.cites else ""))
        said = [f"“{entry.example}”" for entry in others[:_MOST_WORDINGS]]
        more = f" and {len(others) - len(said)} more" if len(others) > len(said) else ""
        either = f", or {', '.join(said)}{more}" if said else ""
        say(f"    as in “{first.example}”{either}", "dim")
    words = [" / ".join(dict.fromkeys(entry.forms)) for entry in entries if entry.forms]
    if words:
        say("  words: " + ", ".join(words))


def explain(args: argparse.Namespace) -> int:
    """Say how a text reads and what it does."""
    if not args.text.strip():
        raise Usage("the text is empty")
    loaded = loaded_with(args)

    def tell(one: Reading, two: Reading) -> str:
        return _difference(loaded, one, two)

    title = args.title.strip()
    said, sources = explain_card.explain(loaded, args.text, tell, title)
    card = explain_card.printed(loaded, args.text) if not title else None
    if args.json:
        printed = card.as_json() if card is not None else None
        give({"card": printed, "sentences": [sentence.as_json() for sentence in said]})
    else:
        if card is not None:
            say(str(card))
        for sentence in said:
            _show_sentence(sentence)
            show(sentence.diagnostics, sources)
        if not said:
            say("It has no text.")
    return 1 if any(sentence.diagnostics for sentence in said) else 0


def _difference(loaded: Loaded, one: Reading, two: Reading) -> str:
    """In which position two readings differ, in words."""
    from interpreter.authoring.distinguish import tell_apart
    from interpreter.proofs.playable import playable

    try:
        with progress("looking for a position in which the readings differ"):
            return str(tell_apart(playable(loaded), one, two))
    except RulesError as error:
        return f"a position where they differ: not decided, as the game cannot be set up: {error}"


def _show_sentence(sentence: explain_card.Said) -> None:
    """A sentence with each of its readings and what that does."""
    say(f"“{sentence.text}”", "bold")
    if sentence.title:
        say(f"  as on a card titled “{sentence.title}”")
    for words in sentence.other_words:
        say(f"  in other words: {words}")
    for aside in sentence.left_out:
        say(f"  left out of the rules: “{aside}”")
    several = len(sentence.readings) > 1
    for number, (words, does) in enumerate(
        zip(sentence.readings, sentence.effects, strict=True), 1
    ):
        say(f"  {f'reading {number}' if several else 'reads as'}: {words}")
        for line in does:
            say(f"    {line}")
