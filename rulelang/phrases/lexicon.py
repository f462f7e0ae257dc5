"""The lexicon of a ruleset: every phrase its declarations give to card texts.

Sentences come from patterns, wordings from definitions that say how they read, and words from
kinds, groups, components and titles.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from rulelang import core
from rulelang.core.types import (
    NUMBER,
    PLAYER,
    TEXT,
    KindT,
    PhraseT,
    PieceT,
    SetT,
    Type,
    element,
    non_optional,
)
from rulelang.diagnostics import Report
from rulelang.diagnostics.english import NUMERALS, plural, singular, unmarked
from rulelang.diagnostics.source import NOWHERE, Span
from rulelang.elaborate.card_language import CardLanguage
from rulelang.elaborate.nouns import all_that_are, everything
from rulelang.elaborate.symbols import Head, SymbolTable
from rulelang.english import FOLDER, PASSING
from rulelang.english.inflection import verb_forms, verbs_inflected
from rulelang.phrases.frames import lost_holes
from rulelang.phrases.grammar import Said, said_of
from rulelang.phrases.joined import DEEDS
from rulelang.phrases.on_demand import OnDemand
from rulelang.phrases.phrase import (
    OPTIONAL,
    Phrase,
    Synonyms,
    forms_of,
    slots_in,
)
from rulelang.phrases.unparse import Examples
from rulelang.phrases.wordings import Wordings, told_in, without_periods, words_in
from rulelang.ruleset import Component, Noun
from rulelang.syntax.nodes import Node, plain

if TYPE_CHECKING:  # it takes long to load, and reading sentences needs none
    from rulelang.elaborate.type_checker import TypeChecker

_IN_BOTH = "Say it in both texts, or hold an aside: `{why: idle}`."
MAX_OPTIONAL = 6  # of one wording; with each its forms double
Forms = tuple[str, str]  # singular and plural


@dataclass(frozen=True, eq=False)
class Lexicon:
    """All phrases of a ruleset, with the symbols, templates and definitions they speak of."""

    symbols: SymbolTable
    fresh_name: Callable[[str], str]
    made: CardLanguage
    phrases: Sequence[Phrase]
    synonyms: Synonyms = ()
    rephrasings: Synonyms = ()  # of each first how it is read, then how it may be said
    beside: Wordings | None = None  # its phrases that are no words, where they are known
    maker: _Words | None = None  # of its words

    @cached_property
    def by_id(self) -> Mapping[str, Phrase]:
        """Phrases by their identifiers, which are the aliases in the grammar."""
        if isinstance(self.phrases, OnDemand):
            return self.phrases.by_name
        return {phrase.id: phrase for phrase in self.phrases}

    @cached_property
    def wordings(self) -> Wordings:
        """Its phrases that are no words."""
        return self.beside or Wordings(tuple(one for one in self.phrases if one.word is None))

    @cached_property
    def words(self) -> tuple[Phrase, ...]:
        """Its phrases that are words, in their order."""
        return tuple(phrase for phrase in self.phrases if phrase.word is not None)

    @property
    def sentences(self) -> list[Phrase]:
        """The phrases that are whole sentences, and that something in the game is open to."""
        return self.wordings.sentences

    @cached_property
    def examples(self) -> Examples:
        """Texts that its phrases read."""
        first: dict[str, Phrase] = {}
        for word in self.words:
            first.setdefault(word.category, word)
        return self.wordings.examples(first)

    @cached_property
    def of_players(self) -> frozenset[str]:
        """The categories of phrases that mean a player, or players."""
        sorts = self.symbols.sorts.items()
        return frozenset(f"p_{name}" for name, t in sorts if t in (PLAYER, SetT(PLAYER)))

    @cached_property
    def open_sorts(self) -> tuple[str, ...]:
        """The sorts of openings that the game has, in order."""
        patterns = (phrase.pattern for phrase in self.sentences)
        return tuple(sorted({pattern.sort for pattern in patterns if pattern is not None} - {""}))

    @cached_property
    def nouns(self) -> tuple[Phrase, ...]:
        """The words for pieces."""
        return tuple(phrase for phrase in self.phrases if phrase.is_noun)

    @cached_property
    def names_of_things(self) -> frozenset[str]:
        """All words with a meaning of their own, singular and plural, in lower case."""
        return frozenset(form.lower() for word in self.words for form in word.word_forms)

    @cached_property
    def said(self) -> Mapping[str, Said]:
        """What the grammar has of each phrase, by their identifiers and in their order."""
        return {**self.wordings.said, **self.said_of_words}

    @cached_property
    def said_of_words(self) -> Mapping[str, Said]:
        """What the grammar has of each word, by their identifiers and in their order."""
        return {word.id: said_of(word) for word in self.words}

    @cached_property
    def filled(self) -> frozenset[str]:
        """The categories that some phrase is of."""
        return self.wordings.filled.union(word.category for word in self.words)

    @cached_property
    def dotted(self) -> tuple[str, ...]:
        """What ends with a period of its own, without it and in lower case."""
        said = (form for word in self.words for form in (word.text, *word.word_forms))
        alike = (text for texts in self.synonyms for text in texts)
        return tuple(sorted(self.wordings.dotted | without_periods((*said, *alike))))

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every single word that some phrase uses, in all its forms and in lower case."""
        return self._vocabulary_with(self.words)

    @cached_property
    def vocabulary_but_titles(self) -> frozenset[str]:
        """The words of the vocabulary that stand in more than titles, be these names of pieces or
        texts.
        """
        titles = {one.text for one in self.words if title_of(one.word)}
        return self._vocabulary_with(one for one in self.words if one.text not in titles)

    def _vocabulary_with(self, words: Iterable[Phrase]) -> frozenset[str]:
        """Every single word of its wordings, of some words, and of its synonyms."""
        said = (text for alike in self.synonyms for text in alike)
        return self.wordings.vocabulary.union(
            NUMERALS,
            *(words_in(form) for word in words for form in word.word_forms),
            *(re.findall(r"[\w'’-]+", form) for text in said for form in forms_of(text.lower())),
        )

    def says_nothing(self, text: str) -> bool:
        """Has a text no word that any wording has, but for such as stand everywhere?"""
        words = re.findall(r"[\w'’-]+", text.lower())
        if re.search(r"[^\w\s'’,-]|[\d_]", text):
            return False  # numbers and signs say something
        return all(word in SMALL or word not in self.vocabulary for word in words) and any(
            word not in self.vocabulary for word in words
        )

    def names_nothing(self, text: str) -> bool:
        """Does a text name no thing, number, place or time of the game, and set no condition?"""
        return self.telling.isdisjoint(re.findall(r"[\w'’-]+|\d", text.lower()))

    def tells_why(self, text: str) -> bool:
        """Is a clause behind “because” no more than a story: it counts and restricts nothing, and
        has words that no wording knows? It may name things: “because a tree needs sun”.
        """
        words = re.findall(r"[\w'’-]+|\d", text.lower())
        restricts = not _COUNTING.isdisjoint(words) or any(word.isdigit() for word in words)
        return not restricts and any(word not in self.vocabulary for word in words)

    def sets_scene(self, text: str) -> bool:
        """Does a clause tell why, without anything that players or cards could do?"""
        words = re.findall(r"[\w'’-]+", _SEEMS.sub("seem", text.lower()))
        is_order = _ORDER.match(text) is not None
        return self.tells_why(text) and not is_order and _DONE.isdisjoint(words)

    @cached_property
    def telling(self) -> frozenset[str]:
        """The words that a mere reason has not: names, numbers, and what says where, when or how
        many.
        """
        said = [*self.names_of_things, *map(str, range(10)), *NUMERALS]
        words = self.wordings.telling.union(*map(told_in, said))
        return (words - SMALL) | RESTRICTING


_RESTRICTING_WORDS = (
    "only unless if except each every until while when whenever where wherever after before during "
    "once long soon otherwise else then instead"
)
RESTRICTING = frozenset(_RESTRICTING_WORDS.split())
_COUNTING_WORDS = (
    "only unless if except each every per until while when whenever after before during long soon "
    "once twice otherwise instead double doubled triple tripled half halved more less fewer extra"
)
_COUNTING = frozenset(_COUNTING_WORDS.split()).union(set(NUMERALS) - {"one"})
_MORE_DEEDS = "play pick must may cannot worth return remove destroy reveal shuffle skip"
_ORDER = re.compile(
    r"[a-z]+ (?:an?|the|your|this|that|all|it|them|another|any|some|his|her|my|our)\b",
    re.IGNORECASE,
)  # “plant a tree”: a verb in front
_DONE = frozenset(form for word in (DEEDS + " " + _MORE_DEEDS).split() for form in verb_forms(word))
_SEEMS = re.compile(r"\blook(?:s|ed)?\b(?! (?:at|into|through|for)\b)")  # “it would look silly”
_SMALL_WORDS = (
    "a an the it its it's is are be of for to in at so too very there here this that these those "
    "they them their people who would they're you your we our us i my and with as by from his her "
    "he she one want wants like likes love loves need needs some all more get gets somewhere "
    "around about run have has had do does go come where what"
)
SMALL = frozenset(_SMALL_WORDS.split())  # words that say nothing of a game by themselves


def title_of(meaning: core.Expr | None) -> str:
    """The title that a word is; empty if it is none."""
    if isinstance(meaning, core.SetOp):
        meaning = meaning.left
    return meaning.title if isinstance(meaning, core.Titled) else ""


def make_lexicon(
    symbols: SymbolTable,
    checker: TypeChecker,
    made: CardLanguage,
    synonyms: Synonyms = (),
    rephrasings: Synonyms = (),
) -> Lexicon:
    """The lexicon of these declarations; slots and sorts that are unknown are reported."""
    others = [*_sentences(symbols, made), *_wordings(symbols)]
    maker = _Words(symbols, checker, Wordings(tuple(others)))
    phrases = _sayable([*others, *maker.phrases()])
    return Lexicon(symbols, checker.fresh_name, made, phrases, synonyms, rephrasings)


def with_words(lexicon: Lexicon, checker: TypeChecker) -> Lexicon:
    """The same lexicon with the words for the titles that its symbols have now."""
    wordings = lexicon.wordings
    maker = lexicon.maker or _Words(lexicon.symbols, checker, wordings)
    phrases = (*wordings.phrases, *maker.phrases())
    return replace(lexicon, phrases=phrases, beside=wordings, maker=maker)


def with_title(lexicon: Lexicon, title: str, component: str) -> Lexicon:
    """The same lexicon with the words for one more title, of pieces of a component."""
    words = [
        word
        for word in _of_title(lexicon.symbols, title, component)
        if word.forms[0].lower() not in lexicon.names_of_things
    ]
    words += _names(words, lexicon.wordings)
    more = (phrase for _, phrase in _as_phrases(words).values())
    return replace(lexicon, phrases=(*lexicon.phrases, *more))


def other_words(one: Lexicon, other: Lexicon) -> frozenset[str]:
    """The forms of all words that only one of two lexicons has, or that are of another title."""
    different = _words_of(one) ^ _words_of(other)
    return frozenset(form for _, forms, _ in different for form in forms)


def _words_of(lexicon: Lexicon) -> set[tuple[str, tuple[str, ...], str | None]]:
    """The category, the forms and the title, if any, of each word."""
    return {
        (p.category, p.word_forms, title_of(p.word) or None)
        for p in lexicon.phrases
        if p.word is not None
    }


def _sayable(phrases: Sequence[Phrase]) -> tuple[Phrase, ...]:
    """The phrases without those of the shared library that nothing in this game can fill."""
    shared = [one for one in phrases if one.slots and one.span.file.startswith(FOLDER)]
    filled_by = Counter(phrase.category for phrase in phrases) + Counter(("number",))
    gone = set[int]()
    while True:
        unsayable = [
            phrase for phrase in shared if not all(filled_by[of] for _, of in phrase.slots)
        ]
        if not unsayable:
            return tuple(phrase for phrase in phrases if id(phrase) not in gone)
        gone.update(map(id, unsayable))
        filled_by.subtract(phrase.category for phrase in unsayable)
        shared = [phrase for phrase in shared if id(phrase) not in gone]


def synonyms_of(nodes: Iterable[Node]) -> Synonyms:
    """The wordings that these declarations say may stand for each other, in all their forms."""
    return tuple(
        alike
        for node in nodes
        if node.kind == "synonyms"
        for alike in verbs_inflected([plain(said).lower() for said in node.words("STRING")])
    )


def rephrasings_of(nodes: Iterable[Node], report: Report) -> Synonyms:
    """Of each declared rephrasing first how it is read, then the other ways to say it.

    A hole that one of both has not is reported.
    """
    found: list[tuple[str, ...]] = []
    for node in nodes:
        if node.kind != "rephrase":
            continue
        first, *others = node.words("STRING")
        for other in others:
            for slot in lost_holes(plain(first), plain(other)):
                report.add("unknown-slot", other.span, slot=slot, known=plain(first), fix=_IN_BOTH)
        found.append((plain(first), *map(plain, others)))
    return tuple(found)


def category_of(t: Type) -> str:
    """The category of phrases that fill a slot of this type: a nonterminal of the grammar."""
    if isinstance(t, PhraseT):
        return f"p_{t.sort}"
    if t == NUMBER:
        return "number"
    if isinstance(t, KindT):
        return f"k_{t.name}"
    if isinstance(t, SetT) and isinstance(non_optional(t.of), PieceT):
        return f"s_{t.of}"
    return "x_" + re.sub(r"\W+", "_", str(t))


# ------------------------------------------------------------------------ sentences and definitions
def _sentences(symbols: SymbolTable, made: CardLanguage) -> Iterator[Phrase]:
    alike = Counter[str]()  # by the first text
    for pattern in made.patterns:
        name = f"sentence_{pattern.texts[0]}"
        alike[name] += 1
        name = f"{name}_{alike[name]}" if alike[name] > 1 else name
        slots = tuple((name, category_of(t)) for name, t in pattern.slots)
        for which, text in enumerate(pattern.texts):
            _check_slots(symbols, text, slots, pattern.span)
            text = _within_bounds(symbols, text, pattern.span)
            yield Phrase(
                f"{name}_{which}",
                "sentence",
                text,
                slots,
                pattern=pattern,
                span=pattern.span,
            )


def _wordings(symbols: SymbolTable) -> Iterator[Phrase]:
    """The wordings that definitions read."""
    for name, head in symbols.heads.items():
        first: dict[str, str] = {}  # the first wording of each sort
        for index, (sort, text) in enumerate(_texts_read(head)):
            category = _category_read(symbols, head, sort)
            if category is None:
                continue
            wording = text.text[1:-1]
            mentioned = slots_in(wording)
            slots = tuple((p, category_of(t)) for p, t in head.params if p in mentioned)
            if sort is None and any(other.startswith("x_") for _, other in slots):
                continue  # no card can name a player or a site
            _check_slots(symbols, wording, slots, text.span)
            wording = _within_bounds(symbols, wording, text.span)
            yield Phrase(
                f"phrase_{name}_{index}",
                category,
                wording,
                slots,
                define=name,
                span=text.span,
                first=first.setdefault(category, wording),
            )


def _texts_read(head: Head) -> Iterator[tuple[Node | None, Node]]:
    """Each text a definition reads, with the sort of phrases it stands under, if any.

    A sort is written once, before the first of its texts.
    """
    reads = head.node.parts[3]
    if reads is None:
        return
    sort: Node | None = None
    for part in reads.parts:
        if part is not None and part.kind == "STRING":
            yield sort, part
        elif part is not None:
            sort = part


def _category_read(symbols: SymbolTable, head: Head, sort: Node | None) -> str | None:
    """The category of what a definition reads; none if it reads nothing that cards can use."""
    if sort is None:
        return category_of(head.type) if isinstance(head.type, SetT | KindT) else None
    if sort.text not in symbols.sorts:
        symbols.report.add(
            "unknown-type",
            sort.span,
            name=sort.text,
            fix="Declare it: `phrase " + sort.text + " gives truth`.",
        )
        return None
    return f"p_{sort.text}"


def _check_slots(
    symbols: SymbolTable, text: str, slots: tuple[tuple[str, str], ...], span: Span
) -> None:
    known = {name for name, _ in slots}
    named = slots_in(text)
    for name in named:
        if name not in known:
            said = ", ".join(sorted(known)) or "none"
            symbols.report.add("unknown-slot", span, slot=name, known=said)
    if not len(named) == text.count("{") == text.count("}"):
        symbols.report.add("bad-pattern", span, text=text)


def _within_bounds(symbols: SymbolTable, text: str, span: Span) -> str:
    """The text if it has no more optional words than may be, for each of them doubles its forms.

    Else that is reported, and none of them can be said.
    """
    found = len(OPTIONAL.findall(text)) if "(" in text else 0
    if found <= MAX_OPTIONAL:
        return text
    symbols.report.add(
        "too-many",
        span,
        what="words in brackets, which may be left out, in one wording",
        found=found,
        limit=MAX_OPTIONAL,
        fix="Leave some out, or write several wordings.",
    )
    return OPTIONAL.sub("", text)


# ------------------------------------------------------------------------------------------- words
@dataclass(frozen=True)
class _Word:
    """A word before it is numbered."""

    category: str
    forms: Forms
    meaning: core.Expr
    noun: Noun | None = None


PhraseOf = tuple[_Word, Phrase]


def _as_phrases(
    words: Iterable[_Word], kept: Mapping[str, PhraseOf] = MappingProxyType({})
) -> dict[str, PhraseOf]:
    """These words as phrases, by names that say what they are; what was kept of the same words are
    the very same phrases.
    """
    alike = Counter[str]()  # by name
    made: dict[str, PhraseOf] = {}
    for word in words:
        name = f"word_{word.category}_{'_'.join(dict.fromkeys(word.forms))}"
        alike[name] += 1
        name = f"{name}_{alike[name]}" if alike[name] > 1 else name
        known = kept.get(name)
        is_known = known is not None and (known[0] is word or known[0] == word)
        made[name] = known if known is not None and is_known else (word, _as_phrase(name, word))
    return made


def _as_phrase(name: str, word: _Word) -> Phrase:
    return Phrase(
        name,
        word.category,
        word.forms[0],
        (),
        word=word.meaning,
        word_forms=word.forms,
        noun=word.noun,
    )


def _of_title(symbols: SymbolTable, title: str, component: str) -> Iterator[_Word]:
    """The words for the pieces of a title: itself, and its singular if it is a plural."""
    category, meaning = f"s_{component}", _called(symbols, title, component)
    noun = Noun(title, component, title)
    yield _Word(category, (title, plural(title)), meaning, noun)
    one = singular(title)
    if one:
        yield _Word(category, (one, one), meaning, noun)


def _called(symbols: SymbolTable, title: str, component: str) -> core.Expr:
    """The pieces of a title, with those that a game's own definition lets pass for them."""
    titled = core.Titled(component, title, type=SetT(PieceT(component)))
    head = symbols.heads.get(PASSING)
    if head is None or head.type != titled.type or [t for _, t in head.params] != [TEXT]:
        return titled
    passing = core.Apply(PASSING, (core.Const(title, type=TEXT),), type=titled.type)
    return core.SetOp("+", titled, passing, type=titled.type)


def _names(words: Iterable[_Word], wordings: Wordings) -> list[_Word]:
    """The titles among these words as texts, if some of these wordings has a slot for one."""
    names = category_of(TEXT)
    if names not in wordings.asked:
        return []
    return [
        _Word(names, word.forms, core.Const(title, type=TEXT), word.noun)
        for word in words
        if (title := title_of(word.meaning))
    ]


@dataclass(frozen=True, eq=False)
class _Words:
    """Makes the words for members of kinds, groups, components and titles, beside wordings.

    What titles change nothing of is made once.
    """

    symbols: SymbolTable
    checker: TypeChecker
    wordings: Wordings
    # memos of the titles there were last
    _titled: dict[tuple[str, str], tuple[_Word, ...]] = field(default_factory=dict)
    _made: dict[str, PhraseOf] = field(default_factory=dict)

    def phrases(self) -> list[Phrase]:
        """All words as phrases, in the order of the declarations.

        They go by what they are, so that those of other titles change no names.
        """
        words = [*self._of_kinds]
        words += [w for name in self._of_pieces for w in self._of_component(name)]
        made = _as_phrases([*words, *_names(words, self.wordings)], self._made)
        gone = self._titled.keys() - {
            (title, component) for title, of in self.symbols.titles.all.items() for component in of
        }
        for key in gone:
            del self._titled[key]
        self._made.clear()
        self._made.update(made)
        return [phrase for _, phrase in made.values()]

    @cached_property
    def _of_kinds(self) -> list[_Word]:
        return [word for kind in self.symbols.rules.kinds for word in self._of_kind(kind)]

    @cached_property
    def _of_pieces(self) -> Mapping[str, tuple[frozenset[str], list[_Word]]]:
        """Of each component what its titles give way to, and the words that are no titles."""
        return {
            name: (self._spoken_for(f"s_{name}"), list(self._of_sorts(component)))
            for name, component in self.symbols.rules.components.items()
        }

    def _of_kind(self, kind: str) -> Iterator[_Word]:
        """The members of a kind, each with the pieces that a text speaks of by naming it."""
        components = self.symbols.rules.components.values()
        bearer = next((c for c in components if self.symbols.kind_field(c, kind) is not None), None)
        define, component = self._set_of(kind) if bearer is None else ("", "")
        for index, forms in enumerate(self.symbols.rules.kinds[kind].words):
            noun = self._noun(bearer, kind, [index], forms[0]) if bearer is not None else None
            if define:
                noun = Noun(forms[0], component, members=frozenset([index]), define=define)
            yield _Word(f"k_{kind}", forms, core.Const(index, type=KindT(kind)), noun)

    def _of_component(self, name: str) -> Iterator[_Word]:
        """The words for pieces of a component; what is called so already keeps its word."""
        spoken_for, sorts = self._of_pieces[name]
        taken = set(spoken_for)
        for word in (*self._of_titles(name), *sorts):
            if word.forms[0].lower() not in taken:
                taken.add(word.forms[0].lower())
                yield word

    def _of_titles(self, component: str) -> Iterator[_Word]:
        """The titles of a component."""
        titles = self.symbols.titles.all.items()
        known = {t for t, of in titles if component in of and t == unmarked(t)}
        for title in sorted(known):
            if title:
                first, *others = self._of_title(title, component)
                yield first
                # "an Oak" of the title "Oaks", unless it is another title
                yield from (word for word in others if word.forms[0] not in known)

    def _of_title(self, title: str, component: str) -> tuple[_Word, ...]:
        known = self._titled.get((title, component))
        if known is None:
            known = self._titled[title, component] = tuple(
                _of_title(self.symbols, title, component)
            )
        return known

    def _of_sorts(self, component: Component) -> Iterator[_Word]:
        """The word for all pieces of a component, and those for each kind and group of them."""
        category, piece = f"s_{component.name}", PieceT(component.name)
        all_pieces = everything(piece)
        assert all_pieces is not None
        yield _Word(category, component.words, all_pieces)
        rules = self.symbols.rules
        named: list[tuple[str, Forms, str, tuple[int, ...]]] = [
            (name, kind.words[index], kind.name, (index,))
            for kind in rules.kinds.values()
            for index, name in enumerate(kind.members)
        ]
        named += [(g.name, g.words, g.kind, g.members) for g in rules.groups.values()]
        for name, forms, kind_name, members in named:
            those = all_that_are(self.checker, name, piece, NOWHERE)
            if those is not None:
                noun_of = self._noun(component, kind_name, members, forms[0])
                yield _Word(category, forms, those, noun_of)

    def _noun(
        self, component: Component, kind: str, members: Iterable[int], text: str
    ) -> Noun | None:
        """The pieces of a component whose field of this kind is one of the members."""
        found = self.symbols.kind_field(component, kind)
        if found is None:
            return None
        return Noun(text, component.name, field=found[0], members=frozenset(members))

    def _spoken_for(self, category: str) -> frozenset[str]:
        """The words of kinds that a definition reads by themselves in this category, and of groups
        of such kinds.

        They stand for what that definition gives, and for no title.
        """
        kinds = {
            dict(p.slots)[name]
            for p in self.wordings.phrases
            if p.category == category
            for name, _ in p.slots
            if p.text == f"{{{name}}}"
        }
        rules = self.symbols.rules
        words = [
            forms[0]
            for kind in rules.kinds.values()
            if f"k_{kind.name}" in kinds
            for forms in kind.words
        ]
        words += [g.words[0] for g in rules.groups.values() if f"k_{g.kind}" in kinds]
        return frozenset(map(str.lower, words))

    def _set_of(self, kind: str) -> tuple[str, str]:
        """The definition that reads a kind's word by itself and gives pieces, and their component.

        Two empty strings if there is none.
        """
        for phrase in self.wordings.of_one_slot.get(f"k_{kind}", ()):
            assert phrase.define is not None
            of = self.symbols.heads[phrase.define]
            item = element(of.type) if of.type is not None and len(of.params) == 1 else None
            if isinstance(item, PieceT):
                return phrase.define, item.name
        return "", ""
