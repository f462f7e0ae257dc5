"""What can be written at a place: the next words of a card's sentence, names that fit, words of the
language, statements to cite.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from interpreter.desk.answers import Completion
from interpreter.desk.documents import Document
from interpreter.desk.names import FIELD, GLOBAL, Names
from interpreter.desk.positions import Place, Range, place_of
from interpreter.desk.sentences import row_before
from interpreter.desk.workspace import Workspace
from interpreter.game.loading import Loaded
from rulelang.builtins.registry import authors_words
from rulelang.core.types import KindT, Type, element
from rulelang.diagnostics.english import plural
from rulelang.phrases.phrase import SLOT, Phrase, canonical_wording
from rulelang.phrases.readings import Following, Glossary
from rulelang.syntax.grammar import HEADS, reserved

MOST = 200
_PARTIAL_WORDS = 3  # of a name of several words that are taken for its beginning
_LAST_WORD = re.compile(r"[\w'’-]*$")
_SENTENCE_BEFORE = re.compile(r"^.*[.!](?=\s)")
_BASIC = ("number", "player", "truth", "text", "piece", "site", "direction", "shape")


def complete(workspace: Workspace, document: Document, place: Place) -> list[Completion]:
    """What can be written at a place, in the order of use; no more than `MOST`."""
    line, column = document.line(place.line), document.column(place)
    loaded = workspace.loaded(document.path)
    row = row_before(document, place)
    before = line[:column]
    cite = re.search(r"\[[^\]]*$", before)
    if cite is not None and not (row is None and before.count('"') % 2):
        return list(islice(_citations(workspace, document, place, before), MOST))
    if row is not None:
        glossary = loaded.compiled.glossary if loaded is not None else None
        return _of_sentence(glossary, document, place, row) if glossary is not None else []
    if before.count('"') % 2 or re.search(r"(?:^|\s)#", before):
        return []
    made = _of_rules(workspace, document, place, before, loaded)
    word = _word(before)
    fitting = [one for one in made if one.label.lower().startswith(word.lower())]
    unique = {(one.label, one.kind): one for one in reversed(fitting)}
    return sorted(unique.values(), key=lambda one: (one.rank, one.label))[:MOST]


def _word(before: str) -> str:
    found = _LAST_WORD.search(before)
    return found.group(0) if found is not None else ""


def _stretch(document: Document, place: Place, length: int) -> Range:
    """The stretch of so many letters before a place."""
    column = document.column(place) + 1
    return Range(place_of(document.lines, place.line + 1, column - length), place)


# ------------------------------------------------------------------------------------ card texts
def _of_sentence(
    glossary: Glossary, document: Document, place: Place, row: str
) -> list[Completion]:
    """What can follow in the sentence that a row of a card's text ends with."""
    said = _SENTENCE_BEFORE.sub("", row).lstrip()
    words = said.split(" ")
    found: dict[str, Completion] = {}
    for count in range(1, min(_PARTIAL_WORDS, len(words)) + 1):
        partial = " ".join(words[-count:])
        start = said[: len(said) - len(partial)]
        stretch = _stretch(document, place, len(partial))
        low = partial.lower()
        for one in glossary.following(start):
            for made in _following(glossary, one, low, not start, stretch):
                if len(made.label) > len(partial):
                    found.setdefault(made.label, made)
        if not partial or (found and not _is_capital(words, count)):
            break  # only a word with a capital letter may begin a name of several
    return sorted(found.values(), key=lambda one: (one.rank, one.label))[:MOST]


def _is_capital(words: list[str], count: int) -> bool:
    """Does the word before the last so many begin with a capital letter?"""
    return len(words) > count and words[-count - 1][:1].isupper()


def _following(
    glossary: Glossary, one: Following, low: str, first: bool, stretch: Range
) -> Iterator[Completion]:
    """What may come next and begins with these letters, as it is written there."""
    phrase = one.phrase
    fitting = [text for text in one.wordings if text.lower().startswith(low)]
    if fitting == ["a number"]:
        yield Completion("1", "value", "1", stretch, "a number", rank=2)
    if phrase is None or not fitting or not fitting[0][:1].isalnum():
        return
    sentence = _sentence(glossary, phrase, stretch) if one.is_first else None
    if sentence is not None and sentence.label.lower().startswith(low):
        yield sentence
        return
    own = next((text for text in fitting if text in phrase.text), fitting[0])
    for text in fitting if low else [own]:
        yield _part(phrase, _as_first(text) if first else text, stretch)


def _part(phrase: Phrase, text: str, stretch: Range) -> Completion:
    """Words that are part of a sentence."""
    if phrase.word is None:
        return Completion(text, "wording", text, stretch, phrase.text, rank=1)
    return Completion(text, "noun", text, stretch, phrase.category.partition("_")[2], rank=1)


def _as_first(text: str) -> str:
    """The text with a capital letter, as a sentence begins."""
    return text[:1].upper() + text[1:]


def _sentence(glossary: Glossary, phrase: Phrase, stretch: Range) -> Completion | None:
    """A whole sentence with places to fill; none for what is only part of one."""
    if phrase.pattern is None:
        return None
    wording, example = canonical_wording(phrase.text), glossary.lexicon.examples.of(phrase)
    said = f"as in “{example}”"
    return Completion(wording, "sentence", _snippet(wording), stretch, "sentence", said, True)


def _snippet(wording: str) -> str:
    """A wording with its slots as places to fill."""
    escaped = wording.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")
    slots = re.compile(SLOT.pattern.replace(r"\}", r"\\\}"))
    numbers = iter(range(1, 100))
    return slots.sub(lambda match: f"${{{next(numbers)}:{match.group(1)}}}", escaped)


# ----------------------------------------------------------------------------------------- rules
def _of_rules(
    workspace: Workspace, document: Document, place: Place, before: str, loaded: Loaded | None
) -> Iterator[Completion]:
    """What can be written where rules stand."""
    word = _word(before)
    stretch = _stretch(document, place, len(word))
    head = before[: len(before) - len(word)]
    if not head.strip():
        yield from _heads(document, place, head, stretch, loaded)
    names = workspace.names(document.path)
    if head.rstrip().endswith("'s"):
        yield from _named(names, FIELD, stretch)
        return
    if re.match(r'card "[^"]*" of $', head):
        yield from _named(names, GLOBAL, stretch, ("component",))
        return
    datum = re.match(r"\s+(\w+)\s*:", head)
    if datum is not None and _card_line(document, place.line) is not None:
        yield from _values(document, place, datum.group(1), stretch, loaded)
        return
    if re.search(r"\w\s*:\s*(?:set of |list of )?$", head) and "(" in head:
        yield from (Completion(t, "type", t, stretch, "type") for t in _BASIC)
        yield from _named(names, GLOBAL, stretch, ("kind", "group", "component", "kind of pairs"))
        return
    if head.strip():
        yield from _locals(document, place, names, stretch)
        yield from _named(names, GLOBAL, stretch)
        for record in authors_words():
            yield Completion(
                record.name, "builtin", record.name, stretch, record.written, record.meaning, rank=2
            )
        yield from (Completion(w, "keyword", w, stretch, rank=3) for w in sorted(reserved()))


def _heads(
    document: Document, place: Place, head: str, stretch: Range, loaded: Loaded | None
) -> Iterator[Completion]:
    """What a line may begin with."""
    if not head:
        words: Iterable[str] = (
            HEADS | {"define", "rules", "score", "when", "once", "for"}
        ) - _INNER
    elif (of := _card_line(document, place.line)) is not None:
        component = loaded.compiled.rules.components.get(of) if loaded is not None else None
        for name, t in component.fields if component is not None else ():
            yield Completion(name, "field", f"{name}: ", stretch, _type_name(t))
        return
    else:
        words = (*_INNER, "let", "set", "do", "if", "otherwise", "for", "repeat", "each", "when")
    yield from (Completion(word, "keyword", word, stretch) for word in sorted(words))


_INNER = frozenset(("may", "choose", "attempt", "take", "amounts", "named"))


def _type_name(t: Type) -> str:
    return t.name if isinstance(t, KindT) else str(t)


def _card_line(document: Document, number: int) -> str | None:
    """The component of the card that a line is under; none if it is under no card."""
    while number >= 0:
        line = document.line(number)
        if line[:1].strip() and not line.startswith("#"):
            found = re.match(r'card "[^"]*"(?: of (\w+))?', line)
            return (found.group(1) or "") if found is not None else None
        number -= 1
    return None


def _values(
    document: Document, place: Place, name: str, stretch: Range, loaded: Loaded | None
) -> Iterator[Completion]:
    """The values of a card's field, where they are members of a kind."""
    rules = loaded.compiled.rules if loaded is not None else None
    component = rules.components.get(_card_line(document, place.line) or "") if rules else None
    t = component.field(name) if component is not None else None
    of = (element(t) or t) if t is not None else None
    if rules is not None and isinstance(of, KindT) and of.name in rules.kinds:
        kind = rules.kinds[of.name]
        for member, (said, _) in zip(kind.members, kind.words, strict=True):
            yield Completion(member, "member", member, stretch, said)


def _named(
    names: Names, sort: str, stretch: Range, kinds: tuple[str, ...] = ()
) -> Iterator[Completion]:
    """The names of a sort that are declared; of some kinds only, if any are given."""
    for one in names.all:
        if not one.declares or one.sort != sort or one.within is not None:
            continue
        if not kinds or one.kind in kinds:
            yield Completion(one.name, one.kind, one.name, stretch, one.kind, rank=1)
        if not kinds and one.kind in ("component", "board", "place"):
            many = plural(one.name)
            yield Completion(many, one.kind, many, stretch, f"all of {one.name}", rank=2)


def _locals(document: Document, place: Place, names: Names, stretch: Range) -> Iterator[Completion]:
    """The values that the declaration at a place binds."""
    node = document.node_at(place)
    if node is None:
        return
    within = (node.span.file, node.span.line)
    for one in names.all:
        if one.within == within and one.declares:
            yield Completion(one.name, "value", one.name, stretch, "of this declaration")


def _citations(
    workspace: Workspace, document: Document, place: Place, before: str
) -> Iterator[Completion]:
    """The statements that may be cited, those with the letters written so far."""
    found = re.search(r"[\w-]*$", before)
    word = found.group(0) if found is not None else ""
    stretch = _stretch(document, place, len(word))
    for cite, statement in workspace.statements(document.path).items():
        if cite.lower().startswith(word.lower()):
            yield Completion(cite, "statement", cite, stretch, statement.text[:80], statement.text)
