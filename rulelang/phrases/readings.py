"""The glossary of a ruleset: all readings of a card's sentence, as extensions of the rules.

Every parse is found; parses of equal meaning are one reading. A sentence of no reading or several
is reported, never guessed.
"""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import TYPE_CHECKING, TypeVar

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from rulelang.diagnostics import Diagnostic, Report
from rulelang.diagnostics.english import plural
from rulelang.diagnostics.source import Span
from rulelang.elaborate.card_language import Pattern
from rulelang.english import COUNTED, EPITHET, UNIT, WHOEVER
from rulelang.phrases.adjuncts import (
    ADJUNCTS,
    asks_for_more,
    beside,
    holds_together,
    saying_something,
    sentences,
    under,
)
from rulelang.phrases.ambiguity import (
    MAX_DERIVATIONS,
    MAX_READINGS,
    report_ambiguous,
    rewording,
)
from rulelang.phrases.antecedents import (
    other_antecedent,
    thing_of_another,
    with_several_named,
)
from rulelang.phrases.apart import MAX_PART, is_apart, joints
from rulelang.phrases.asides import without_asides
from rulelang.phrases.earley import EarleyParser
from rulelang.phrases.frames import BACKGROUND, CAUSE, IDLE, REASON
from rulelang.phrases.grammar import ADJOINED, FILLS, STRETCH, sentence_parser
from rulelang.phrases.joined import JOINED, Parse, scopes
from rulelang.phrases.lexicon import (
    RESTRICTING,
    SMALL,
    Lexicon,
    other_words,
    title_of,
    with_title,
    with_words,
)
from rulelang.phrases.mentions import Mentions
from rulelang.phrases.near_misses import NearMisses
from rulelang.phrases.offers import Offers
from rulelang.phrases.overlaps import Reader, report_overlaps
from rulelang.phrases.own_names import (
    OWN,
    as_one,
    as_subject,
    by_name,
    ends_of,
    for_this,
    in_short,
    is_plural,
    of_each_copy,
    of_one,
    of_these,
    once_built,
    when_built,
    wherever_named,
    with_it,
    with_it_for_kind,
    with_its_end,
    with_placing,
)
from rulelang.phrases.phrase import (
    SLOT,
    Derivation,
    Form,
    Phrase,
    Reading,
    SynonymIndex,
    Synonyms,
    parse_number,
    regex_of,
    wordings_of_regex,
)
from rulelang.phrases.rephrase import MAX_FORMS, Rephraser, rephraser
from rulelang.phrases.reuse import Notes, Rests, Reuse
from rulelang.phrases.substitute import Unbound, fill_extension
from rulelang.phrases.unread import Sentence, Unread
from rulelang.phrases.wordings import told_in
from rulelang.ruleset import Design, Extension, Noun
from rulelang.ruleset.inline import written_out
from rulelang.ruleset.normalize import normal_extension

if TYPE_CHECKING:  # it takes long to load, and reading sentences needs none
    from rulelang.elaborate.type_checker import TypeChecker

MAX_WORDS = 60  # of a sentence
_COMPOUND = {**JOINED, **ADJUNCTS}  # what joins sentences, or sets conditions beside them
_REASONING = (
    "because since as so due thanks for which but"  # what asides begin with or stand before
)
_REASONS = frozenset(_REASONING.split())
MOST_OF_A_PERSON = 3  # words of a phrase that ends with the word for a player
_NAMING = re.compile(  # a card by its name or a pronoun
    r"\b(?:an?|the|this|our|my|these|they|them|their|s?he|him|her|his|(?:each|every) one)\b",
    re.IGNORECASE,
)
_ENDING = re.compile(r"[\s.!;:,]*$")  # of a sentence, in place of a period
_BRACKETED = re.compile(r"\[([\w'’ -]+)\]")  # a sign that is drawn
_MARKED = re.compile(r"[\"“'‘\[]")  # what quotes and brackets begin with
_QUOTED = re.compile(r"[\"“]([^\"“”]+)[\"”]|(?<!\w)['‘]((?:[^'‘’\"]|(?<=\w)['’](?=\w))+)['’](?!\w)")


@dataclass(frozen=True)
class _Interpretation:
    """The readings of a sentence, and how it was parsed."""

    readings: tuple[Reading, ...]
    derivations: int
    rests: Rests | None = None
    unbound: tuple[str, ...] = ()  # what some parse speaks of that is not in scope, and its phrase
    closed: tuple[str, ...] = ()  # sorts of openings that some parse asks for and the game lacks
    other: str | None = None  # the words for another thing that “it” means, and no reading can

    @property
    def is_cut_off(self) -> bool:
        """Are there more derivations than are looked at?"""
        return self.derivations == MAX_DERIVATIONS


_Key = TypeVar("_Key", bound=Hashable)
_Found = _Interpretation | UnexpectedInput  # what was found, or why a text cannot be parsed


@dataclass(frozen=True)
class SentenceRead:
    """A sentence with exactly one reading on pieces of a component: what it adds and names."""

    text: str
    component: str
    extensions: tuple[Extension, ...]
    nouns: tuple[Noun, ...]


@dataclass(frozen=True)
class Following:
    """What may come next in a sentence: the words, in all ways they may be said; the phrase they
    are part of, if any; and whether it begins with them.
    """

    wordings: tuple[str, ...]
    phrase: Phrase | None
    is_first: bool


class Glossary:
    """Reads the sentences of card texts with the phrases of one lexicon."""

    def __init__(self, lexicon: Lexicon, parser: EarleyParser | None = None) -> None:
        """The parser of the lexicon is made when it is first needed, if it is not given."""
        self.lexicon, self._given = lexicon, parser
        self.mark = object()  # what it has read once, it reads so as long as it is there
        self._alone: set[str] = set()  # texts known to be parsed as one sentence at most
        self._interpretations: dict[tuple[str, str], _Interpretation] = {}  # memo
        # By sentence and component, of sentences without findings: what they add and name.
        self._extensions: dict[tuple[str, str], tuple[Extension, ...]] = {}
        self._nouns: dict[tuple[str, str], tuple[Noun, ...]] = {}
        self._rests: dict[tuple[str, str], Rests] = {}  # what these rest on, as far as it is known
        # By text: the sentences that give it its meanings, and what that rests on.
        self._answers: dict[str, tuple[tuple[str, ...], Rests | None]] = {}
        # By text, title and component: what is read of a text that names its own card.
        self._own: dict[tuple[str, str, str], str] = {}
        self._own_rests: dict[tuple[str, str, str], Rests] = {}
        self._unread: dict[Sentence, Unread] = {}  # of sentences that are not read
        self._reuse: Reuse | None = None  # of what was taken over last
        self._reuse_before: Reuse | None = None  # of what was last by the glossary before
        self._plain: dict[tuple[str, str], tuple[_Found, Rests | None]] = {}  # memo
        self._wholes: dict[tuple[str, str], tuple[_Found, Rests | None]] = {}  # memo
        self._held: dict[tuple[str, str], bool] = {}  # memo: may a stretch be of this sort?
        self._notes = Notes()  # of all that is being read

    @functools.cached_property
    def _parser(self) -> EarleyParser | None:
        """The parser of its sentences; none if there are no sentences."""
        made = self._given
        if made is None and self.lexicon.wordings.has_sentences:
            made = sentence_parser(self.lexicon.phrases, self.lexicon.synonyms)
        if made is not None:
            made.alone.update(self._alone)
        return made

    @functools.cached_property
    def _has_sentences(self) -> bool:
        """Can anything be read? Asked of the lexicon: to make its parser takes long."""
        return self._given is not None or self.lexicon.wordings.has_sentences

    # ------------------------------------------------------------------------------------- reading
    def derivations(self, text: str) -> list[Derivation]:
        """Every parse of the whole text as a sentence; its period may be left out.

        Raises Lark's UnexpectedInput if there is none.
        """
        return self._noted(self._derivations(self._forest(text)))

    def _noted(self, derivations: Iterator[Derivation]) -> list[Derivation]:
        """Each of these parses once, of not too many; their phrases are noted."""
        some = islice(derivations, MAX_DERIVATIONS)
        found = list(_each_once(some, lambda phrase: phrase.id))
        self._touch(found)
        return found

    def _touch(self, derivations: Iterable[Derivation]) -> None:
        """Note the phrases of these parses."""
        rest = list(derivations)
        while rest:
            one = rest.pop()
            if one.phrase is not None and one.phrase.id not in _COMPOUND:
                self._notes.phrases.add(one.phrase.id)
            rest += (inner for _, inner in one.slots)

    @contextlib.contextmanager
    def _noting(self) -> Iterator[Notes]:
        """Gives what is noted within; whatever is being read rests on it, too."""
        before, self._notes = self._notes, Notes()
        try:
            yield self._notes
        finally:
            before.join(self._notes)
            self._notes = before

    def _forest(self, text: str) -> Tree[Token]:
        assert self._parser is not None
        self._notes.texts.add(text)
        bare = _ENDING.sub("", text)
        if "," in text[len(bare) :]:  # what is put in may end with a comma
            with contextlib.suppress(UnexpectedInput):
                return self._parser.parse(bare + ",.")
        try:
            return self._parser.parse(bare + ".")
        except UnexpectedInput:
            if not bare.lower().endswith(self.lexicon.dotted):
                raise
            with contextlib.suppress(UnexpectedInput):
                return self._parser.parse(bare + "..")
            raise

    def _derivations(self, tree: Tree[Token]) -> Iterator[Derivation]:
        """The derivations of a forest, one after another: there may be very many."""
        if tree.data == "number":
            yield Derivation(None, number=parse_number(str(tree.children[0])))
            return
        parts = [child for child in tree.children if isinstance(child, Tree)]
        if tree.data in ("_ambig", "start", "sentence"):
            for option in parts:
                yield from self._derivations(option)
            return
        phrase = self._phrase(str(tree.data))
        if phrase.word is not None:
            yield Derivation(phrase, is_plural=_is_plural(phrase, tree))
            return
        order = [m.group(1) for m in SLOT.finditer(phrase.text)]
        for inner in self._products(parts):
            slots = dict(zip(order, inner, strict=True))
            # a slot named twice must be filled alike
            if all(slots[name] == one for name, one in zip(order, inner, strict=True)):
                yield Derivation(phrase, tuple(slots.items()), is_plural=_is_plural(phrase, tree))

    def _products(self, trees: list[Tree[Token]]) -> Iterator[tuple[Derivation, ...]]:
        """One derivation of each of several forests, in every combination."""
        if not trees:
            yield ()
            return
        for first in self._derivations(trees[0]):
            for rest in self._products(trees[1:]):
                yield (first, *rest)

    def readings(self, text: str, design: Design | None = None) -> list[Reading]:
        """All meanings of a sentence, on a card of this design if one is given.

        Derivations with equal core objects are one reading. Raises Lark's UnexpectedInput if the
        text cannot be parsed.
        """
        return list(self._interpret(self._of_this_card(text, design), design).readings)

    def _interpret(self, text: str, design: Design | None) -> _Interpretation:
        """The readings of a text, in one or taken apart.

        Raises Lark's UnexpectedInput if it cannot be parsed in any way.
        """
        key = (text, design.component if design else "")
        if key not in self._interpretations:
            with self._noting() as notes:
                found = self._in_one(*key)
                if isinstance(found, UnexpectedInput) or not found.readings:
                    found = self._taken_apart(text, design) or found
                if isinstance(found, UnexpectedInput):
                    raise found
            self._interpretations[key] = replace(found, rests=notes.rests())
        else:
            self._notes.add(self._interpretations[key].rests)
        return self._interpretations[key]

    def _in_one(self, text: str, component: str) -> _Found:
        """The readings of a text in one."""
        key = (text, component)
        if key not in self._wholes:
            found: _Found
            with self._noting() as notes:
                try:
                    found = self._of_the_card(*key)
                except UnexpectedInput as failed:
                    found = failed
            self._wholes[key] = found, notes.rests()
        known, rests = self._wholes[key]
        self._notes.add(rests)
        return known

    def _taken_apart(self, text: str, design: Design | None) -> _Interpretation | None:
        """The readings of a text whose parts are read by themselves; none if there is no such way.

        Its first joint that parts it so is taken: what is behind it may be parted again.
        """
        for joint in joints(text):
            first = self._part(joint.first, design)
            second = self._part(joint.second, design) if first else ()
            whole = [
                Derivation(joint.phrase, (("first", one), ("second", other)))
                for one, other in product(first, second)
                if is_apart(joint, one, other)
            ]
            if whole:
                component = design.component if design else ""
                found = self._interpreted_as(whole, component, apart=True)
                form = Form(text)
                made = tuple(replace(one, form=form) for one in found.readings)
                return replace(found, readings=made) if made else None
        return None

    def _part(self, text: str, design: Design | None) -> tuple[Derivation, ...]:
        """What a part of a text is read as by itself, in its own words or others."""
        if not self._may_be_read(text):
            return ()
        found: _Interpretation | None
        if len(text.split()) > MAX_PART:
            found = self._taken_apart(text, design)
        else:
            try:
                found = self._interpret(self._of_this_card(text, design), design)
            except UnexpectedInput:
                found = None
        return tuple(one.derivation for one in found.readings) if found is not None else ()

    def _of_the_card(self, text: str, component: str) -> _Interpretation:
        """The readings of a text; if “it” means another thing than the card, those of that.

        Raises Lark's UnexpectedInput if the text cannot be parsed.
        """
        several = with_several_named(text, self._is_thing)
        if several is not None:
            return self._of_several_named(several, component)
        found = self._interpreted_or_failed(text, component)
        other = other_antecedent(text, self._is_thing)
        if other is not None and other.as_relative is not None:
            said = self._interpreted_or_failed(other.as_relative, component)
            if isinstance(said, _Interpretation) and said.readings:
                form = Form(other.as_relative)
                made = tuple(replace(one, form=one.form or form) for one in said.readings)
                return replace(said, readings=made)
        if isinstance(found, UnexpectedInput):
            raise found
        if (others := thing_of_another(text)) is not None:
            return replace(found, readings=(), other=others)
        if other is None or not found.readings:
            return found
        # A text that lasts speaks of what happens then: its wordings say what “it” is.
        lasting = tuple(one for one in found.readings if _lasts(one))
        return replace(found, readings=lasting, other=other.said)

    def _of_several_named(self, text: str, component: str) -> _Interpretation:
        """The readings of a text in which “each of them” is said by what it means."""
        found = self._interpreted(text, component) if text else _Interpretation((), 0, None, (), ())
        form = Form(text)
        made = tuple(replace(one, form=one.form or form) for one in found.readings)
        return replace(found, readings=made)

    def _interpreted_or_failed(self, text: str, component: str) -> _Found:
        try:
            return self._interpreted(text, component)
        except UnexpectedInput as failed:
            return failed

    def _is_thing(self, text: str) -> bool:
        """Are words without an article some things that can be counted?"""
        return f"p_{COUNTED}" in self.fills(text)

    def _interpreted(self, text: str, component: str) -> _Interpretation:
        """The readings of a text on pieces of a component; with "", on any.

        What is not read as it stands is read without its asides. Raises Lark's UnexpectedInput if
        the text cannot be parsed.
        """
        found = self._as_it_stands(text, component)
        if isinstance(found, _Interpretation) and found.readings:
            return found
        reworded = self._reworded_with_asides(text, component)
        if reworded is not None and (reworded.readings or isinstance(found, UnexpectedInput)):
            return reworded
        if isinstance(found, UnexpectedInput):
            raise found
        return found

    def _as_it_stands(self, text: str, component: str) -> _Found:
        """The readings of a text in its own words, perhaps without its asides."""
        if (text, component) not in self._plain:
            with self._noting() as notes:
                found = self._found_plain(text, component)
            self._plain[text, component] = found, notes.rests()
        known, rests = self._plain[text, component]
        self._notes.add(rests)
        return known

    def _found_plain(self, text: str, component: str) -> _Found:
        found: _Found
        try:
            found = self._interpreted_whole(text, component)
        except UnexpectedInput as failed:
            found = failed
        else:
            if found.readings:
                return found
        bare = without_asides(text, self.fills)
        if bare is not None:
            with contextlib.suppress(UnexpectedInput):
                return self._interpreted_whole(bare, component)
        return found

    def _reworded_with_asides(self, text: str, component: str) -> _Interpretation | None:
        """The readings of all other forms of a text, or else of those without its asides."""
        found = self._reworded(text, component)
        if found is not None and found.readings:
            return found
        bare = without_asides(text, self.fills)
        return found if bare is None else self._reworded(bare, component) or found

    def _reworded(self, text: str, component: str) -> _Interpretation | None:
        """The readings of all other forms of a text; none if no form can be parsed."""
        assert self._parser is not None
        forms = self._rephraser.forms(text, self._holds)
        self._notes.texts.update(form.text for form in forms.found)
        found: list[Reading] = []
        unread: _Interpretation | None = None
        for form in forms.found:
            if not self._is_known(form.text) or not self._parser.may_be("start", f"{form.text}."):
                continue
            with contextlib.suppress(UnexpectedInput):
                one = self._interpreted_whole(form.text, component)
                unread = unread or one
                for reading in one.readings:
                    if not any(map(reading.means_as, found)):
                        found.append(replace(reading, form=form))
        if not found:
            return unread
        assert unread is not None
        return replace(unread, readings=tuple(found), derivations=len(found))

    def _is_known(self, text: str) -> bool:
        """Are all words of a text such as some wording has?"""
        words = re.findall(r"[^\W\d_][\w'’-]*", text.lower())
        return all(word in self.lexicon.vocabulary for word in words)

    def _may_be_read(self, text: str) -> bool:
        """Are all words of a text such as some wording or frame has, or may it say why?"""
        words = set(re.findall(r"[^\W\d_][\w'’-]*", text.lower()))
        unknown = words - self.lexicon.vocabulary - self._rephraser.vocabulary
        return not unknown or not _REASONS.isdisjoint(words)

    @functools.cached_property
    def _rephraser(self) -> Rephraser:
        return rephraser(self.lexicon.rephrasings)

    def _holds(self, sort: str, text: str) -> bool:
        """Is a stretch of text what a hole of this sort holds?"""
        self._notes.texts.add(text)
        if sort == IDLE:
            return self.lexicon.says_nothing(text)
        if sort == REASON:
            return self.lexicon.names_nothing(text)
        if sort == CAUSE:
            return self.lexicon.tells_why(text)
        if sort == BACKGROUND:
            return self.lexicon.sets_scene(text)
        if (sort, text) not in self._held:
            assert self._parser is not None
            self._held[sort, text] = self._parser.may_be(f"p_{sort}", text)
        return self._held[sort, text]

    def _interpreted_whole(self, text: str, component: str) -> _Interpretation:
        """The readings of a text with every word of it.

        What can be read as one sentence is not taken for several that are joined, nor for one with
        conditions beside it. Raises Lark's UnexpectedInput if the text cannot be parsed.
        """
        try:
            plain = self._interpreted_as(self.derivations(text), component)
        except UnexpectedInput:
            adjoined = self._adjoined(text)
            if not adjoined:
                raise
            return self._interpreted_beside(adjoined, component)
        if plain.readings:
            return plain
        found = self._interpreted_beside(self._adjoined(text), component)
        return found if found.readings else plain

    def _interpreted_beside(
        self, derivations: Sequence[Derivation], component: str
    ) -> _Interpretation:
        """The readings of parses with something beside a sentence.

        A condition that one sentence has a place for in its own wording is not taken for one
        beside it.
        """
        whole = [one for one in derivations if len(sentences(one)) == 1]
        least = min((beside(one) for one in whole), default=0)
        fewest = [one for one in whole if beside(one) == least]
        found = self._interpreted_as(fewest or derivations, component)
        if found.readings or len(fewest) in (0, len(derivations)):
            return found
        return self._interpreted_as(derivations, component)

    def _adjoined(self, text: str) -> list[Derivation]:
        """Every parse of a text as a sentence with conditions beside it."""
        assert self._parser is not None
        self._notes.texts.add(text)
        try:
            tree = self._parser.parse(f"{ADJOINED} {_ENDING.sub('', text)}.")
        except UnexpectedInput:
            return []
        return [one for one in self._noted(self._derivations(tree)) if holds_together(one)]

    def _interpreted_as(
        self, derivations: Sequence[Derivation], component: str, apart: bool = False
    ) -> _Interpretation:
        """The readings that these parses of a text, or of what was taken `apart`, have."""
        found: list[Reading] = []
        unbound: tuple[str, ...] = ()
        closed: dict[str, None] = {}
        whole = [one for one in derivations if len(sentences(one)) == 1]
        # Another wording of a pattern says the same of the same.
        reaching = _each_reach(whole or derivations, self._parsed, apart)
        for derivation in _each_once(reaching, lambda phrase: phrase.of_pattern):
            patterns = _patterns_borne(derivation, component)
            if patterns is None:
                continue
            lacking = [one.sort for one in patterns if not one.extensions]
            if lacking:
                closed |= dict.fromkeys(lacking)
                continue
            try:
                reading = self._reading(derivation)
            except Unbound as error:
                unbound = tuple(str(part) for part in error.args)
                continue
            if not any(map(reading.means_as, found)):
                found.append(reading)
            if len(found) == MAX_READINGS:
                break
        return _Interpretation(tuple(found), len(derivations), None, unbound, tuple(closed))

    def _parsed(self, text: str) -> list[Derivation]:
        """Every parse of a text; none if it cannot be parsed."""
        try:
            return self.derivations(text)
        except UnexpectedInput:
            return self._adjoined(text)

    def _reading(self, derivation: Derivation) -> Reading:
        """The reading of one derivation; raises Unbound."""
        made = tuple(self._filled(derivation, labels=True))
        return Reading(derivation, made, functools.partial(self._normal, derivation))

    def _filled(self, derivation: Derivation, labels: bool) -> Iterator[Extension]:
        """The extensions of the patterns of a derivation, filled; raises Unbound."""
        for part, provisos in sentences(derivation):
            if asks_for_more(part, provisos):
                raise Unbound("condition")
            told = saying_something(provisos)
            pattern = part.phrase.pattern if part.phrase is not None else None
            for extension in pattern.extensions if pattern is not None else ():
                made = fill_extension(extension, part, self.lexicon, labels=labels)
                yield under(made, pattern, told, self.lexicon, labels) if pattern else made

    def _normal(self, derivation: Derivation) -> tuple[Extension, ...]:
        return tuple(
            normal_extension(written_out(extension, self.lexicon.symbols.rules))
            for extension in self._filled(derivation, labels=False)
        )

    def unquoted(self, text: str) -> str:
        """The text with blanks in place of quotes round known names, of the same length, and of
        square brackets.

        Other quoted names get typographic quotes.
        """
        if not _MARKED.search(text):
            return text

        def plain(match: re.Match[str]) -> str:
            inner: str = match.group(1) or match.group(2)
            known = inner.strip().lower() in self.lexicon.names_of_things
            return f" {inner} " if known else f"“{inner}”"

        return _QUOTED.sub(plain, _BRACKETED.sub(r" \1 ", text))

    def _of_this_card(self, text: str, design: Design | None) -> str:
        """The text without quotes round known names, and with “it” for “the” or “this” before the
        card's own title where it can be read so; of the same length.
        """
        plain = with_placing(self.unquoted(text))
        if design is None or not self._has_sentences:
            return plain
        last = design.title.lower().rpartition(" ")[2]
        named = _NAMING.search(plain) or (last and last in plain.lower())
        if (plain + design.title).isascii() and not named:
            return plain
        key = (plain, design.title, design.component)
        if key in self._own:
            self._notes.add(self._own_rests.get(key))
        else:
            with self._noting() as notes:
                notes.texts.add(plain)
                self._own[key] = self._in_short(with_placing(self._by_title(plain, design)), design)
            rests = notes.rests()
            if rests is not None:
                self._own_rests[key] = rests
        return self._own[key]

    def _by_title(self, text: str, design: Design) -> str:
        """The text with “it” for the card's own title where that is meant and it can be read so."""
        if not design.title:
            return text
        text = with_it(text, OWN, design.title)
        text = self._read_in(with_its_end(text, design.title), text, design)
        if not self._has_other_meaning(design.title):
            text = self._read_in(by_name(text, design.title), text, design)
            text = self._read_in(of_each_copy(text, design.title), text, design)
            text = self._read_in(as_one(text, design.title), text, design)
            text = self._read_in(when_built(text, design.title), text, design)
            if is_plural(design.title):
                as_it = of_one(text, design.title, self._epithets, self._persons)
                text = self._read_in(as_it, text, design)
            text = self._read_in(once_built(text, design.title), text, design)
        return self._of_this_copy(text, design)

    def _read_in(self, said: str, text: str, design: Design) -> str:
        """What is said in place of a text if it is read, else the text."""
        return said if said != text and self._is_read(said, design) else text

    def _in_short(self, text: str, design: Design) -> str:
        """The text with “it” for all that may mean this card, if it is read so and not as it is."""
        if (text, design.component) in self._extensions:
            self._notes.add(self._rests.get((text, design.component)))
            return text
        if self._is_read_plainly(text, design):
            return text
        ways = (said for said in dict.fromkeys(self._ways_of_it(text, design)) if said != text)
        return next((said for said in ways if self._is_read(said, design)), text)

    def _ways_of_it(self, text: str, design: Design) -> Iterator[str]:
        """The text with what may mean this card as “it” or “these”, in one way after another."""
        yield from self._ways_of_its_names(text, design)
        one = of_one(text, design.title, self._epithets, self._persons)
        if one != text:
            yield one
            yield from self._ways_of_its_names(one, design)

    def _ways_of_its_names(self, text: str, design: Design) -> Iterator[str]:
        """The text with each name that may mean this card as “it” or “these”."""
        title = design.title
        if not title:
            short = in_short(text, "", self._names, self._epithets, self._descriptions_in(text))
            yield with_it_for_kind(short, design.component)
            yield for_this(short)
            return
        begun, copies = as_subject(text, title), self._names_of_copies(title)
        for said in dict.fromkeys((text, when_built(text, title), begun)):
            for name in copies:
                yield of_these(said, name, plural(name))
            short = in_short(said, title, self._names, self._epithets, self._descriptions_in(said))
            yield with_it_for_kind(short, design.component)
            yield for_this(short)
        yield begun
        yield wherever_named(text, title)

    def _unknown_in(self, text: str) -> frozenset[str]:
        """The words of a text that no wording has."""
        words = re.findall(r"[^\W\d_][\w'’-]*", text.lower())
        return frozenset(word for word in words if word not in self.lexicon.vocabulary)

    def _descriptions_in(self, text: str) -> frozenset[str]:
        """The words of a text that behind “this” can only tell what the card is: such as no wording
        has, and those for members of kinds: “this little clinic”, “this public building”.
        """
        words = set(re.findall(r"[^\W\d_][\w'’-]*", text.lower()))
        return self._unknown_in(text) | (words & self._members)

    @functools.cached_property
    def _members(self) -> frozenset[str]:
        """The single words for members of kinds that by themselves name things of a sort."""
        things = {one.category for one in self.lexicon.nouns}
        kinds = {
            one.slots[0][1]
            for one in self.lexicon.phrases
            if one.category in things and len(one.slots) == 1 and SLOT.fullmatch(one.text)
        }
        said = (one.word_forms[0] for one in self.lexicon.words if one.category in kinds)
        return frozenset(word.lower() for word in said if word.isalpha())

    def _names_of_copies(self, title: str) -> list[str]:
        """A title, and its ends that are in no wording and end no other name: “statue” of “Tall
        Statue”.
        """
        known, own = self.lexicon.vocabulary_but_titles, {title.lower(), plural(title).lower()}
        others, found = self.lexicon.names_of_things - own, [title]
        for end in ends_of(title):
            alike = (end, plural(end))
            if known.isdisjoint(end.split()) and not any(one.endswith(alike) for one in others):
                found.append(end)
        return found

    def _is_read_plainly(self, text: str, design: Design) -> bool:
        """Is a text read as it stands?"""
        found = self._as_it_stands(text, design.component)
        return isinstance(found, _Interpretation) and bool(found.readings)

    def _is_read(self, text: str, design: Design) -> bool:
        """Is a text read in one?"""
        found = self._in_one(text, design.component)
        return isinstance(found, _Interpretation) and bool(found.readings)

    @functools.cached_property
    def _names(self) -> frozenset[str]:
        """The singular words for things, and what may be said in their place."""
        nouns = {one.word_forms[0].lower() for one in self.lexicon.nouns}
        alike = [
            re.sub(r"\(\w+\)$", "", said.lower())
            for words in self.lexicon.synonyms
            if any(re.sub(r"\(\w+\)$", "", said.lower()) in nouns for said in words)
            for said in words
        ]
        return frozenset(nouns.union(alike))

    @functools.cached_property
    def _epithets(self) -> tuple[str, ...]:
        """The words that may stand before a name of the card and say nothing of it."""
        return tuple(one.text for one in self.lexicon.phrases if one.category == f"p_{EPITHET}")

    @functools.cached_property
    def _persons(self) -> frozenset[str]:
        """The words for players, by any role that they may have: “owner”, “whoever”."""
        said = [one for one in self.lexicon.phrases if one.category in self.lexicon.of_players]
        short = [one.text for one in said if len(one.text.split()) <= MOST_OF_A_PERSON]
        ends = [told.split()[-1] for told in short if "{" not in told]
        begun = [one.text.split()[0] for one in said if one.category == f"p_{WHOEVER}"]
        words = frozenset[str]().union(*map(told_in, (*ends, *begun)))
        return frozenset(word for word in words - SMALL - RESTRICTING if len(word) > 1)

    def _of_this_copy(self, text: str, design: Design) -> str:
        """The text with “it” for the card's own title after “a”, where all it does is done for
        others as long as the card is there: every copy does that by itself.
        """
        said = with_it(text, "an?", design.title)
        if said == text or self._has_other_meaning(design.title):
            return text
        meant = self._lasting(text, design)
        if meant is False:
            return text
        return said if self._lasting(said, design) else text

    def _lasting(self, text: str, design: Design) -> bool | None:
        """Does all that a text does in any reading last? None if it has no reading."""
        try:
            found = self._interpret(text, design).readings
        except UnexpectedInput:
            return None
        made = [extension for reading in found for extension in reading.extensions]
        return all(extension.lifetime != "played" for extension in made) if made else None

    def _has_other_meaning(self, title: str) -> bool:
        """Is a title also the word for other things than those that bear it?"""
        return title.lower() in self._other_names

    @functools.cached_property
    def _other_names(self) -> frozenset[str]:
        """The words for things that are no titles."""
        others = (one.word_forms for one in self.lexicon.nouns if not title_of(one.word))
        return frozenset(form.lower() for forms in others for form in forms)

    # ---------------------------------------------------------------- reading or reporting
    def read_sentence(
        self, text: str, span: Span, design: Design | None, clause: str, report: Report
    ) -> list[Extension]:
        """The extensions a sentence makes under this clause.

        A sentence of no reading, or of several, makes none and is reported with what would mend it.
        """
        text = self._of_this_card(text, design)
        if not self._has_sentences:
            report.add("no-phrases", span)
            return []
        if len(text.split()) > MAX_WORDS:
            report.add("sentence-too-long", span, limit=MAX_WORDS)
            return []
        title, component = (design.title, design.component) if design else ("", "")
        key = (text, component)
        if key not in self._extensions:
            known = self._unread.get((text, title, component))
            if known is not None:
                known.report(span, report)
                return []
            own = Report()
            with self._noting() as notes:
                self._read_or_report(text, span, design, own)
            report.merge(own)
            if own.found:
                told = tuple(own.found)
                self._unread[text, title, component] = Unread(told, span, notes.rests())
                return []
        return [replace(e, clause=clause, title=title) for e in self._extensions[key]]

    def _read_or_report(self, text: str, span: Span, design: Design | None, report: Report) -> None:
        """Keep what a sentence adds, or report why it has not one reading."""
        try:
            found = self._interpret(text, design)
        except UnexpectedInput:
            if not self._near_misses.report_unknown(text, span, design, report):
                self._near_misses.report_no_reading(text, span, design, report)
            if self._rephraser.forms(text, self._holds).is_cut_off:
                report.found[-1] = _with_note(report.found[-1], _CUT_OFF)
            return
        if self._report_unless_one(found, text, span, design, report):
            return
        key = (text, design.component if design else "")
        self._extensions[key] = found.readings[0].extensions
        if found.rests is not None:
            self._rests[key] = found.rests

    def _report_unless_one(
        self,
        found: _Interpretation,
        text: str,
        span: Span,
        design: Design | None,
        report: Report,
    ) -> bool:
        """Report a parsed sentence that has not exactly one reading; was it reported?"""
        count = len(found.readings)
        if found.derivations == 0:  # a slot named twice is filled in two ways
            notes = self._near_misses.nearest_phrases(text, design)
            report.add("no-reading", span, notes=notes, failed=text)
        elif count == 0 and found.other is not None:
            report.add("other-antecedent", span, other=found.other)
        elif count == 0 and found.closed:
            has = ", ".join(self.lexicon.open_sorts)
            notes = [f"what texts can reach in this game: {has}"] if has else []
            report.add("no-place", span, text=text, what=", ".join(found.closed), notes=notes)
        elif count == 0:
            report.add("no-subject", span, text=text, what=_missing(found.unbound))
        elif count > 1:
            report_ambiguous(found.readings, self.lexicon, self.readings, span, report)
        elif found.is_cut_off:
            report.add("ambiguous", span, count=f"{MAX_DERIVATIONS} or more")
        else:
            return False
        return True

    def rewording(self, found: list[Reading]) -> str | None:
        """Advice to say one of these readings in words that have that one meaning, if any do."""
        return rewording(found, self.lexicon, self.readings)

    def report_overlaps(self, report: Report) -> None:
        """Report phrases that never match, and sentences that read one text differently."""
        if self._has_sentences:
            reader = Reader(self._parsed, self._read_by, self._known_alone, self._answers)
            report_overlaps(self.lexicon, reader, report)

    @property
    def _known_alone(self) -> set[str]:
        """The texts that are known to be parsed as one sentence at most.

        They are those of the parser, which others have, too; it is not made where some are known.
        """
        if self._parser_if_made is None and self._alone:
            return self._alone
        return self._parser.alone if self._parser is not None else self._alone

    @property
    def _parser_if_made(self) -> EarleyParser | None:
        return self._parser if "_parser" in vars(self) else None

    def _read_by(self, text: str) -> list[Phrase]:
        """The sentences that give a text its meanings, one of each meaning; none if it has none."""
        if text not in self._answers:
            try:
                found = self._interpret(self._of_this_card(text, None), None)
            except UnexpectedInput:
                return []
            given = (reading.derivation.phrase for reading in found.readings)
            self._answers[text] = tuple(one.id for one in given if one is not None), found.rests
        return [self._phrase(name) for name in self._answers[text][0]]

    def _phrase(self, name: str) -> Phrase:
        """The phrase of this id, or what joins sentences or sets conditions beside them."""
        return _COMPOUND.get(name) or self.lexicon.by_id[name]

    def fills(self, text: str) -> frozenset[str]:
        """The categories of slots that a stretch of text fills."""
        assert self._parser is not None
        self._notes.texts.add(text)
        try:
            tree = self._parser.parse(f"{STRETCH} {text}")
        except UnexpectedInput:
            return frozenset()
        names = [str(part.data) for part in (tree, *tree.iter_subtrees())]
        return frozenset(n.removeprefix(FILLS) for n in names if n.startswith(FILLS))

    @functools.cached_property
    def offers(self) -> Offers:
        """What would be read in place of a text that is not."""
        return Offers(self)

    def phrase(self, name: str) -> Phrase:
        """The phrase of this id, or what joins sentences or sets conditions beside them."""
        return self._phrase(name)

    def read_as(self, tree: Tree[Token]) -> Derivation | None:
        """The first derivation of what was parsed, if it has one."""
        found = next(self._derivations(tree), None)
        self._touch([found] if found is not None else ())
        return found

    def meaning_of(self, derivation: Derivation, design: Design | None) -> Reading | None:
        """What a derivation means on a card; none if nothing, or more than one thing."""
        self._touch([derivation])
        found = self._interpreted_as([derivation], design.component if design else "")
        return found.readings[0] if len(found.readings) == 1 else None

    def ways_to_say(self, text: str, design: Design | None) -> tuple[str, ...]:
        """The text with “it” for the card that bears it, and this in other words."""
        own = self._with_it(text, design)
        forms = self._rephraser.forms(own, self._holds)
        return (own, *(form.text for form in forms.found))

    def _with_it(self, text: str, design: Design | None) -> str:
        """The text with “it” for all that may mean this card."""
        said = self.unquoted(text)
        if design is None:
            unknown = "|".join(map(re.escape, sorted(self._unknown_in(said))))
            own = rf"\b(?:the|this)(?: (?:{unknown})\b)+(?!['’-])"
            return re.sub(own, "it", said, flags=re.IGNORECASE) if unknown else said
        title = design.title
        if title:
            said = with_it(said, OWN, title)
            if not self._has_other_meaning(title):
                said = with_it(by_name(said, title), "an?", title)
            said = when_built(as_subject(said, title), title)
            for name in self._names_of_copies(title):
                said = of_these(said, name, plural(name))
        said = in_short(said, title, self._names, self._epithets, self._descriptions_in(said))
        return with_it_for_kind(said, design.component)

    def readings_if_any(self, text: str, design: Design | None = None) -> list[Reading]:
        """All meanings of a sentence; none if it cannot be parsed."""
        try:
            return self.readings(text, design)
        except UnexpectedInput:
            return []

    def following(self, text: str) -> list[Following]:
        """What may stand behind the first words of a sentence."""
        if self._parser is None:
            return []
        made = []
        for rule, done in self._parser.following(text):
            words = wordings_of_regex(self._parser.terminals.get(rule.parts[done], ""))
            made.append(Following(words, self.lexicon.by_id.get(rule.name), not done))
        return made

    @functools.cached_property
    def _near_misses(self) -> NearMisses:
        assert self._parser is not None
        return NearMisses(self.lexicon, self._parser, self.offers)

    # ------------------------------------------------------------------------------------- mentions
    @functools.cached_property
    def mentions(self) -> Mentions:
        """The polarity of everything the lexicon's phrases mention."""
        return Mentions(self.lexicon)

    def nouns(self, text: str, design: Design) -> tuple[Noun, ...]:
        """What a sentence that was read mentions; none if it has not one reading."""
        return self._nouns_of((self._of_this_card(text, design), design.component))

    def _nouns_of(self, key: tuple[str, str]) -> tuple[Noun, ...]:
        if key not in self._nouns:
            found = self._interpretations.get(key)
            if found is None or len(found.readings) != 1:
                return ()
            self._nouns[key] = tuple(self.mentions.nouns(found.readings[0].derivation))
        return self._nouns[key]

    def sentence_read(self, text: str, design: Design) -> SentenceRead | None:
        """A sentence of a card that was read without findings; none if it has not one reading."""
        key = (self._of_this_card(text, design), design.component)
        found = self._extensions.get(key)
        return SentenceRead(*key, found, self._nouns_of(key)) if found is not None else None

    def reads_as(self, design: Design, said: Sequence[SentenceRead]) -> bool:
        """Are the sentences of a card read as they were, by what has been taken over so far?"""
        return len(said) == len(design.text) and all(
            one.component == design.component
            and self._extensions.get((one.text, one.component)) is one.extensions
            and self._nouns.get((one.text, one.component)) is one.nouns
            and self._of_this_card(sentence, design) == one.text
            for one, sentence in zip(said, design.sentences, strict=True)
        )

    @property
    def parser(self) -> EarleyParser | None:
        """The parser of its sentences; none if there are no sentences."""
        return self._parser

    @property
    def sentences_read(self) -> tuple[SentenceRead, ...]:
        """The sentences of cards that were read without findings, as far as it is known what they
        name.
        """
        return tuple(
            SentenceRead(*key, self._extensions[key], nouns)
            for key, nouns in self._nouns.items()
            if key in self._extensions
        )

    @property
    def examples_alone(self) -> frozenset[str]:
        """The texts that are known to be parsed as one sentence at most."""
        made = self._parser_if_made
        return frozenset(self._alone.union(made.alone if made is not None else ()))

    @property
    def own_texts(self) -> tuple[tuple[str, str, str, str], ...]:
        """The texts that name their own card, its title and component, and how they are read."""
        return tuple((*key, said) for key, said in self._own.items())

    def with_words(self, checker: TypeChecker) -> Glossary:
        """A glossary with the words for the titles that its symbols have now.

        It takes over what was read of texts that no word touches which only one of the two has.
        """
        made = Glossary(with_words(self.lexicon, checker))
        made._reuse_before = self._reuse
        made.take_over(self)

        # Of what another process has read it is not known what it rests on.
        @functools.cache
        def other() -> Callable[[str], bool]:
            return _any_of(other_words(self.lexicon, made.lexicon), self.lexicon.synonyms)

        def has_other(text: str) -> bool:
            return other()(text)

        made.remember(
            (
                known
                for known in self.sentences_read
                if (known.text, known.component) not in self._rests and not has_other(known.text)
            ),
            (),
            (
                own
                for own in self.own_texts
                if own[:3] not in self._own_rests and not has_other(own[0])
            ),
        )
        return made

    def with_title(self, title: str, component: str) -> Glossary:
        """A glossary with the words for one more title, of pieces of a component."""
        return Glossary(with_title(self.lexicon, title, component))

    def take_over(self, other: Glossary) -> None:
        """Take over what another glossary has read, as far as it reads the same here."""
        reuse = self._reuse_of(other)
        served = _served(reuse, other._rests, self._extensions)
        own = _served(reuse, other._own_rests, self._own)
        self._rests |= {key: other._rests[key] for key in served}
        self._own_rests |= {key: other._own_rests[key] for key in own}
        self.remember(
            (one for one in other.sentences_read if (one.text, one.component) in served),
            (text for text in other.examples_alone if not reuse.touches(text)),
            ((*key, other._own[key]) for key in own),
        )
        self._take_over_answers(other, reuse)

    def _reuse_of(self, other: Glossary) -> Reuse:
        """What may be taken over from another glossary; worked out once for the last one."""
        reuse = self._reuse
        if reuse is None or reuse.one is not other.lexicon:
            reuse = self._reuse = Reuse(other.lexicon, self.lexicon, self._reuse_before)
        return reuse

    def _take_over_answers(self, other: Glossary, reuse: Reuse) -> None:
        """Take over by what texts are read, and why others are not."""
        answers = {text: rests for text, (_, rests) in other._answers.items()}
        for text in _served(reuse, answers, self._answers):
            self._answers[text] = other._answers[text]
        unread = {sentence: known.rests for sentence, known in other._unread.items()}
        if unread and reuse.parses_alike:
            for sentence in _served(reuse, unread, self._unread):
                self._unread[sentence] = other._unread[sentence]

    def remember(
        self,
        sentences: Iterable[SentenceRead],
        alone: Iterable[str],
        own: Iterable[tuple[str, str, str, str]],
    ) -> None:
        """Take over what a glossary with the same words for these texts has read."""
        self._alone.update(alone)
        self._own.update({(text, title, component): said for text, title, component, said in own})
        if self._parser_if_made is not None:
            self._parser_if_made.alone.update(self._alone)
        for known in sentences:
            self._extensions[known.text, known.component] = known.extensions
            self._nouns[known.text, known.component] = known.nouns


_CUT_OFF = f"not decided: of the ways to say it in other words only {MAX_FORMS} were tried"


def _served(reuse: Reuse, rests: Mapping[_Key, Rests | None], known: Container[_Key]) -> set[_Key]:
    """What is not known yet and rests on what is the same."""
    return {
        key for key, on in rests.items() if on is not None and key not in known and reuse.serves(on)
    }


def _with_note(found: Diagnostic, note: str) -> Diagnostic:
    return replace(found, notes=(*found.notes, note))


def _any_of(forms: Iterable[str], synonyms: Synonyms) -> Callable[[str], bool]:
    """Does a text have one of these words, in the way that phrases are matched?"""
    index = SynonymIndex(synonyms)
    found = [re.compile(regex_of(form, index), re.IGNORECASE) for form in forms]
    return lambda text: any(pattern.search(text) for pattern in found)


def _patterns_borne(derivation: Derivation, component: str) -> list[Pattern] | None:
    """The patterns of a derivation's sentences; None if pieces of a component bear not all."""
    patterns = [part.phrase.pattern for part, _ in sentences(derivation) if part.phrase]
    borne = [one for one in patterns if one is not None and _may_bear(one, component)]
    return borne if len(borne) == len(patterns) else None


def _is_plural(phrase: Phrase, tree: Tree[Token]) -> bool:
    """Was a word, or one of a wording that has two forms, read in its plural?"""
    if phrase.word is None and not phrase.plurals:
        return False
    words = [str(child).lower() for child in tree.children if isinstance(child, Token)]
    if phrase.word is None:
        said = {word for words_of in words for word in words_of.split()}
        if said.isdisjoint(phrase.plurals.values()):  # it is said in other words
            return not said.isdisjoint(phrase.plurals) or not phrase.category.startswith("s_")
        return False
    one, many = (form.lower() for form in phrase.word_forms)
    return " ".join(words) == many != one


def _each_once(
    derivations: Iterable[Derivation], name: Callable[[Phrase], str]
) -> Iterator[Derivation]:
    """The derivations without those that are as one before, phrases compared by this name."""
    seen: set[Hashable] = set()
    for derivation in derivations:
        spelt = _spelt(derivation, name)
        if spelt not in seen:
            seen.add(spelt)
            yield derivation


def _spelt(derivation: Derivation, name: Callable[[Phrase], str]) -> Hashable:
    """The names of the phrases of a derivation, in their places."""
    if derivation.phrase is None:
        return derivation.number
    inner = [(slot, _spelt(part, name)) for slot, part in derivation.slots]
    return (name(derivation.phrase), frozenset(inner))


def _each_reach(
    derivations: Iterable[Derivation], parse: Parse, apart: bool
) -> Iterator[Derivation]:
    """The derivations with each reach the conditions of joined sentences may have."""
    parse = functools.cache(parse)  # many derivations ask for the same text
    for derivation in derivations:
        yield from scopes(derivation, parse, apart)


def _may_bear(pattern: Pattern, component: str) -> bool:
    """May pieces of a component bear sentences of this pattern?"""
    return not component or not pattern.component or pattern.component == component


def _lasts(reading: Reading) -> bool:
    """Does all that a reading does last as long as the card is there?"""
    return all(extension.lifetime != "played" for extension in reading.extensions)


def _missing(unbound: tuple[str, ...]) -> str:
    """What a sentence lacks that has derivations, but no reading."""
    if len(unbound) > 1 and unbound[0].startswith(UNIT):
        return f"an amount like “{unbound[1]}”"
    if len(unbound) > 1:
        return f"“{unbound[1]}” asks for `{unbound[0]}`"
    return f"`{unbound[0]}`" if unbound else "its cards are other cards"
