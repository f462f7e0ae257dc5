"""The grammar of card sentences: a lexicon's phrases as rules of Lark's Earley parser."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rulelang.english import BEHIND, FRONT, SUBJECT
from rulelang.phrases.earley import MAX_PARSERS, EarleyParser, parser_of
from rulelang.phrases.joined import BOTH, BUT
from rulelang.phrases.phrase import (
    NUMBER_PATTERN,
    SLOT,
    Phrase,
    SynonymIndex,
    Synonyms,
    expand_optional,
    needed_words,
    regex_of,
)
from rulelang.syntax.lark_adapter import EarleyGrammar, EarleyRule

MAX_STRETCHES = 1 << 15  # of words, of which it is kept what they match
Said = tuple[str, str, str, tuple[tuple[str, str], ...], bool, tuple[str, str]]


class _Matching:
    """What stretches of words match, where synonyms may stand for some of them."""

    def __init__(self, synonyms: Synonyms) -> None:
        """It is worked out once for each stretch: lexicons have mostly the same."""
        self.synonyms = SynonymIndex(synonyms)
        self.of = functools.lru_cache(maxsize=MAX_STRETCHES)(self._of)

    def _of(self, words: str) -> str:
        return regex_of(words, self.synonyms)


_matching = functools.lru_cache(maxsize=MAX_PARSERS)(_Matching)


@dataclass
class _Terminals:
    """The terminals so far: regular expression -> name."""

    matching: _Matching
    names: dict[str, str] = field(default_factory=dict)
    _known: dict[str, str] = field(default_factory=dict)  # memo: words -> terminal

    def of(self, words: str) -> str:
        """The terminal that matches these words."""
        if words not in self._known:
            pattern = self.matching.of(words)
            self._known[words] = self.names.setdefault(pattern, f"T{len(self.names)}")
        return self._known[words]

    def expansion(self, text: str, slots: dict[str, str]) -> tuple[str, ...]:
        """A phrase's text as the symbols of one expansion."""
        symbols: list[str] = []
        at = 0
        for match in SLOT.finditer(text):
            if text[at : match.start()].strip():
                symbols.append(self.of(text[at : match.start()]))
            symbols.append(slots.get(match.group(1), "number"))
            at = match.end()
        if text[at:].strip():
            symbols.append(self.of(text[at:]))
        return tuple(symbols) or ("NOTHING",)

    def expansions(self, phrase: Phrase) -> Sequence[tuple[str, ...]]:
        """All expansions of a phrase: of a word its forms, else with and without optional words."""
        if phrase.word is not None:
            return [(self.of(form),) for form in phrase.word_forms]
        text = phrase.text.removesuffix(".") if phrase.category == "sentence" else phrase.text
        return [self.expansion(t, dict(phrase.slots)) for t in expand_optional(text)]


_BETWEEN = (  # terminals that stand between sentences, and what they make of them
    ("TOGETHER", "joined_sentences"),
    ("CONTRASTED", "sentences_contrasted"),
    ("LISTED", "sentences_listed"),
    ("APART", "sentences_apart"),
)
JOINING = frozenset(("END", *(terminal for terminal, _ in _BETWEEN)))
ADJOINED = "⟪"  # before a sentence that is read with conditions beside it
_BEFORE, _AFTER = f"p_{FRONT}", f"p_{BEHIND}"
STRETCH, FILLS = "⟦", "fills_"  # before a stretch of text; the nodes of what slots it fills
_STARTS = (
    EarleyRule("start", ("sentence", "END")),
    EarleyRule("start", ("joined", "END")),
    *(
        EarleyRule("joined", ("sentence", between, rest), name)
        for between, name in _BETWEEN
        for rest in ("sentence", "joined")
    ),
    EarleyRule("sentence", ("predicate",)),
    EarleyRule("number", ("NUMBER",)),
)
_SUBJECTS = ("this card", "this one", "this", "it")
_CLAUSES = ("sentence", "subjected")
_ADJOINED = (
    *(
        EarleyRule("start", ("ADJOINED", part, "END"))
        for part in ("subjected", "behind", "series", "behind_all", "fronted")
    ),
    EarleyRule("subjected", ("SUBJECT", "predicate"), "said_of_it"),
    EarleyRule("subjected", (f"p_{SUBJECT}", "predicate"), "said_of_its_player"),
    # Behind several that are joined it holds for the last or for all, in front of them for all.
    *(
        EarleyRule(symbol, (part, *comma, _AFTER), "said_with_after")
        for symbol, parts in (("behind", (*_CLAUSES, "behind")), ("behind_all", ("series",)))
        for part in parts
        for comma in ((), ("COMMA",))
    ),
    *(
        EarleyRule("series", (first, between, rest), name)
        for between, name in _BETWEEN
        for first in (*_CLAUSES, "behind")
        for rest in (*_CLAUSES, "behind", "fronted", "series")
    ),
    *(
        EarleyRule("fronted", (_BEFORE, *pause, part), "said_with_before")
        for part in (*_CLAUSES, "behind", "series", "behind_all", "fronted")
        for pause in ((), ("PAUSE",))
    ),
)
_TERMINALS = (
    ("NUMBER", NUMBER_PATTERN),
    ("END", r"\."),
    ("APART", r";(?:\s*(?:and|but)\b)?"),
    ("TOGETHER", rf",?\s*{BOTH},?"),
    ("CONTRASTED", rf",?\s*{BUT},?"),
    ("LISTED", r",(?!\s*(?:and|but|yet|then|plus)\b)"),
    ("NOTHING", r"(?!)x"),
    ("ADJOINED", ADJOINED),
    ("COMMA", r"[,:;]"),
    ("PAUSE", r"[,:]"),  # what a semicolon keeps apart is a sentence of its own
    ("STRETCH", STRETCH),
    ("WS", r"[ \t\f\r\n]+"),
)


def sentence_grammar(phrases: Sequence[Phrase], synonyms: Synonyms = ()) -> EarleyGrammar:
    """The grammar of all phrases: categories are symbols, each phrase names the nodes it makes.

    Phrases of one category with equal expansions get symbols of their own, so that both are read.
    """
    rules: list[EarleyRule] = list(_STARTS)
    if {_BEFORE, _AFTER} <= {phrase.category for phrase in phrases}:
        rules += _ADJOINED
    terminals = _Terminals(_matching(synonyms))
    taken: set[tuple[str, tuple[str, ...]]] = set()
    for phrase in phrases:
        expansions = dict.fromkeys(terminals.expansions(phrase))
        symbol, name = phrase.category, phrase.id
        if symbol == "sentence" and not phrase.text.startswith("{"):
            symbol = "predicate"
        if any((phrase.category, expansion) in taken for expansion in expansions):
            own = f"_same_{len(taken)}_{phrase.id}"
            rules.append(EarleyRule(symbol, (own,), name))
            symbol, name = own, ""
        rules += [EarleyRule(symbol, expansion, name) for expansion in expansions]
        taken |= {(phrase.category, expansion) for expansion in expansions}
    terminals.names.setdefault(_subject(terminals.matching), "SUBJECT")
    filled = dict.fromkeys(phrase.category for phrase in phrases if phrase.category != "sentence")
    rules += [EarleyRule("start", ("STRETCH", c), f"{FILLS}{c}") for c in (*filled, "number")]
    return EarleyGrammar(tuple(rules), (*_TERMINALS, *((n, p) for p, n in terminals.names.items())))


def sentence_parser(phrases: Sequence[Phrase], synonyms: Synonyms = ()) -> EarleyParser:
    """The parser of all phrases, made once for what their grammar is made of."""
    return _parser_made(_Given((tuple(map(said_of, phrases)), synonyms), phrases))


def said_of(phrase: Phrase) -> Said:
    """All of a phrase that the grammar has."""
    is_word = phrase.word is not None
    return phrase.id, phrase.category, phrase.text, phrase.slots, is_word, phrase.word_forms


def needed_by(
    phrases: Iterable[Phrase], synonyms: Synonyms = ()
) -> list[tuple[frozenset[str], ...]]:
    """For each way to say a phrase sets of words of each of which one is in what it matches."""
    terminals, ways = _Terminals(_matching(synonyms)), list[tuple[str, ...]]()
    for phrase in phrases:
        ways += terminals.expansions(phrase)
    patterns = {name: pattern for pattern, name in terminals.names.items()}
    needed = {name: needed_words(pattern) for name, pattern in patterns.items()}
    return [
        tuple(words for part in way for words in needed.get(part, ()))
        for way in dict.fromkeys(ways)
    ]


@dataclass(frozen=True)
class _Given:
    """Phrases, which are one to a grammar if what is said of them is."""

    said: tuple[tuple[Said, ...], Synonyms]
    phrases: Sequence[Phrase] = field(compare=False)


@functools.lru_cache(maxsize=MAX_PARSERS)
def _parser_made(given: _Given) -> EarleyParser:
    return parser_of(sentence_grammar(given.phrases, given.said[1]))


def _subject(matching: _Matching) -> str:
    """A regular expression for what names the card that bears a text."""
    return "(?:" + "|".join(map(matching.of, _SUBJECTS)) + ")"
