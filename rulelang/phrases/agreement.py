"""Agreement: verbs in the form that goes with their subject, nouns in the number they are said in.

A wording is gone through from left to right with what fills its slots. The subject of a clause
waits for its verb; between them may stand what says more of it, with subjects and verbs of its own:
“each tree *that touches it* gives …”, “the ponds *you dig* cost …”.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rulelang.diagnostics.english import NUMERALS, singular
from rulelang.english.inflection import known_verbs, verb_forms


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What begins a noun phrase, and tells its number or leaves that to the noun.
_OF_ONE = _words("each every a an another one this that either neither 1 whichever")
_OF_SEVERAL = _words("all both these those many several few 2") | frozenset(NUMERALS[1:])
_OF_EITHER = _words("the no any your his its their some other most")
_ONE_PERSON = _words(
    "he she it whoever who nobody somebody someone anybody anyone everybody everyone no-one"
)
_SEVERAL_PERSONS = _words("you we they i")
_BEGINNING = {
    **dict.fromkeys(_OF_ONE | _ONE_PERSON, False),
    **dict.fromkeys(_OF_SEVERAL | _SEVERAL_PERSONS, True),
    **dict.fromkeys(_OF_EITHER),
}
_PRONOUNS = _ONE_PERSON | _SEVERAL_PERSONS
_RELATIVE = _words("that which who")
_MODAL = _words("may can must might shall should will would could cannot let lets") | _words(
    "can't can’t won't won’t"
)
_ADVERB = _words(
    "also later now already then both only never always even just immediately instead not "
    "therefore additionally again still"
)
_JOINING = _words("and or but then")
_OPENING = _words(
    "if when unless while until because whenever once where than as provided although"
)
_ENDS_CLAUSE = frozenset(",;:.()–—") | _OPENING
_PREPOSITION = _words(
    "of in on at to by for from with without within into onto over under beside between among "
    "behind before after around against about per above below near through during"
)
_NEGATED = re.compile(r"(n['’]t)$")
_BE = {"is": ("is", "are"), "are": ("is", "are"), "was": ("was", "were"), "were": ("was", "were")}
_WORD = re.compile(r"[\w’'-]+|[^\w\s]")
_TIME = re.compile(
    r"\W*(?:each|every|this|that|the|any|one|all)(?: \w+){0,2}? (?:turn|time|round|phase|game)s?\b",
    re.IGNORECASE,
)
_PAIR = re.compile(r"(?<![/\w'’])([\w'’]+)/([\w'’]+)(?![/\w'’])")
_ENDED = re.compile(r"\{[^{}]*\} (?:\(\w+\) )?(\w+)\((e?s)\)(?= \{)")  # of “{who} receive(s) …”
_MEETING = (
    (re.compile(r"\b(a)n(?:other)? other\b", re.IGNORECASE), r"\1nother"),
    (re.compile(r"\bthe (?=(?:your|his|her|its|their|this|these|those|each|every)\b)"), ""),
    (re.compile(r"\b(its|your|his|their) (?=same\b)"), "the "),
    (re.compile(r"\blater built\b([^,.;]*) later\b"), r"later built\1"),
    (re.compile(r"\b(no|not) \1\b", re.IGNORECASE), r"\1"),
    (re.compile(r" (?=[,.;](?:\s|$))"), ""),
    (re.compile(r"\.\.(?!\.)"), "."),  # after a name that ends with a period
)
_ASKING = re.compile(
    r"(?:^|\s)(an?|another|each|every|one|all|these|those|both|several|many|number of)"
    r"(?: (?:the|your|other|single|second|further|new|such|additional|extra|adjacent))* $",
    re.IGNORECASE,
)
_ASKING_PLURAL = frozenset(("all", "these", "those", "both", "several", "many", "number of"))
_NO_QUALIFIER = frozenset(_BEGINNING) | _ENDS_CLAUSE | _PREPOSITION | _MODAL | _ADVERB | _JOINING
_NO_QUALIFIER = (_NO_QUALIFIER | _words("which more fewer less number")) - {"other"}
_BOUND = re.compile(
    r"^\W*(?:at (?:least|most)|exactly|only|just|up to|(?:(?:no|not) )?(?:more|fewer|less) than) ",
    re.IGNORECASE,
)
_SEVERAL_PLAYERS = re.compile(
    r"\W*(?:(?:the|your|all|of|other|opposing|two) )*"
    r"(?:players|opponents|neighbou?rs|rivals|people)\b|\W*of (?:these|those|them)\b",
    re.IGNORECASE,
)
_SEVERAL_SORTS = re.compile(r"\w+[^s\W]s and \w+[^s\W]s")
_ONE_PLAYER = re.compile(
    r"\W*(?:the|no|any|some|your) (?:other )?(?:player|opponent|neighbou?r)\b", re.IGNORECASE
)
_SOMEBODY_DOES = re.compile(
    r"\W*(?:(?:an?|another|any|each|every|the|some|no|that|other|one) )*"
    r"(?:player|opponent|neighbou?r|(?:some|any|no|every)(?:one|body)|no one|you)(?: else)? "
    r"([\w’'-]+)",
    re.IGNORECASE,
)
_RELATED = re.compile(r"\W*(?:who|that|which) ([\w’'-]+)")
_COUNTED_ALIKE = _words("times this its always plus minus less across besides")
_BEFORE_SUBJECT = ("start", "joining", "noun", "relative")  # what may stand before a subject
_QUALIFYING = _words("more extra additional further other different adjacent bonus own")


class Piece(NamedTuple):
    """A stretch of a wording's own words, or what fills one of its slots.

    `many` is said of a noun that fills a slot: is it in the plural? `number` is what stands there
    in digits.
    """

    text: str
    fills: bool = False
    many: bool | None = None
    number: int | None = None


def agreed(pieces: Sequence[Piece], verbs: frozenset[str] = frozenset()) -> str:
    """The text of these pieces, its verbs in the forms that go with their subjects.

    `verbs` are those of the wording's own words that are told to be some.
    """
    clause = _Clause(verbs)
    return "".join(map(clause.said, pieces))


def told_verbs(wording: str) -> frozenset[str]:
    """The verbs that a wording tells to be some, by both of their forms: “lay/lays”, “lay(s)”."""
    pairs = (sorted(pair, key=len) for pair in _PAIR.findall(wording))
    found = {form for pair in pairs if verb_forms(pair[0]).singular == pair[1] for form in pair}
    ended = _ENDED.match(wording)
    return frozenset(found | ({ended[1], ended[1] + ended[2]} if ended else set()))


def tidied(text: str) -> str:
    """A text without what slots leave behind where they meet: “an other”, “all the your”."""
    for found, instead in _MEETING:
        text = found.sub(instead, text)
    return text


@dataclass
class _Clause:
    """How far a clause is said."""

    verbs: frozenset[str]
    waiting: list[bool | None] = field(default_factory=list)  # subjects without their verbs
    last: bool | None = None  # the subject of the verb before
    noun: bool | None = None  # is the noun before in the plural?
    before: str = "start"  # what sort of word stands before
    is_bare: bool = False  # behind “may” and its like
    number: int | None = None  # in digits, right before

    def said(self, piece: Piece) -> str:
        """The piece as it is said here."""
        if piece.fills:
            return self._filled(piece)
        return _WORD.sub(
            lambda found: self._word(found[0], piece.text[found.start() :]), piece.text
        )

    # -------------------------------------------------------------------------- what fills a slot
    def _filled(self, piece: Piece) -> str:
        if piece.number is not None:
            self.number, self.before = piece.number, "number"
            return piece.text
        self.number = None
        found = _WORD.search(piece.text.lstrip("["))
        first = found[0] if found else ""
        if piece.many is None and self._is_verb(first) and self._takes_verb():
            return piece.text.replace(first, self._verb(first), 1)
        relative = _RELATED.match(piece.text)
        if relative is not None and self.before == "noun" and self.noun is not None:
            verb = relative[1]
            made = in_number(verb, self.noun) if self._is_verb(verb) else verb
            return piece.text.replace(verb, made, 1)
        many = number_of(piece)
        if many is not None:
            self._noun(many)
        elif self.before != "start":
            self.before = "other"
        if piece.text.endswith(","):
            self._break(",")
        return piece.text

    def _noun(self, many: bool) -> None:
        """What stands here is a noun: perhaps the subject of what follows."""
        if self.before in _BEFORE_SUBJECT:
            if self.before == "joining" and self.waiting:
                self.waiting.pop()
                many = True
            elif self.before == "relative" and self.waiting:
                self.waiting.pop()  # “that another player builds”
            self.waiting.append(many)
        elif self.before == "open" and self.waiting and self.waiting[-1] is None:
            self.waiting[-1] = many
        self.noun, self.before = many, "noun"

    # ------------------------------------------------------------------------------ its own words
    def _word(self, word: str, rest: str) -> str:
        """One of the wording's own words, with which `rest` begins."""
        low = word.lower()
        if one := self._single(word, low):
            return one
        if low in _ENDS_CLAUSE:
            self._break(low)
        elif low in _JOINING:
            self._join()
        elif low in _RELATIVE and (self.before == "noun" or low != "that"):
            self.waiting.append(self.noun if self.before == "noun" else None)
            self.before = "relative"
        elif low in _MODAL:
            self.is_bare = True
        elif self._is_verb(low) and self._takes_verb():
            return self._verb(word)
        elif low not in _ADVERB:
            self._other(low, rest)
        return word

    def _single(self, word: str, low: str) -> str:
        """A noun behind the number 1 in its singular; nothing for other words."""
        one = ""
        if self.number == 1 and low.endswith("s") and low not in _COUNTED_ALIKE:
            one = singular(word)
            self.before = "other" if one else self.before
        if one or low not in _QUALIFYING:
            self.number = None
        return one

    def _join(self) -> None:
        """“And” and its like: what follows may be one more subject, or one more verb."""
        if self.before != "start":
            self.before = "joining" if self.waiting or self.last is not None else "other"

    def _other(self, low: str, rest: str) -> None:
        """A word that is no verb here: one that begins a noun phrase tells its number."""
        if low in _PREPOSITION:
            self.before = "preposition"
        elif low == "whose":
            self.waiting.append(None)
            self.before = "other"
        elif low in _BEGINNING:
            if self.before == "open" and low in _PRONOUNS:
                self.before = "noun"  # “one you have”
            is_subject = self.before in _BEFORE_SUBJECT and _TIME.match(rest) is None
            self._begin(_BEGINNING[low], is_subject, low in _PRONOUNS)
        elif self.before == "open":
            if low not in _QUALIFYING and not low.endswith("ed"):
                self.before = "noun"
        else:
            self.before = "other"

    def _begin(self, many: bool | None, is_subject: bool, is_pronoun: bool) -> None:
        if is_subject:
            if self.before == "relative" and self.waiting:
                self.waiting.pop()
            self.waiting.append(many)
        self.before = "noun" if is_pronoun else "open"
        self.noun = many

    def _break(self, mark: str) -> None:
        self.waiting.clear()
        self.is_bare, self.number = False, None
        if mark != ",":
            self.last = None
        self.before = "start"

    # -------------------------------------------------------------------------------------- verbs
    def _is_verb(self, word: str) -> bool:
        return word.lower() in self.verbs or is_verb(word)

    def _takes_verb(self) -> bool:
        """May a verb stand here that goes with a subject?"""
        if self.is_bare:
            return True
        if self.before == "joining":
            return self.last is not None and not self.waiting
        return bool(self.waiting) and self.before not in ("open", "preposition", "number")

    def _verb(self, word: str) -> str:
        """The verb in the form that goes with the subject that waits for it."""
        if self.is_bare:
            self.is_bare = False
            many: bool | None = True
            self.last = self.waiting.pop() if self.waiting else self.last
            made = _base_of(word.lower()) or word
            return word if word.lower() == "be" else made
        many = self.waiting.pop() if self.waiting else self.last
        self.last, self.before = many, "verb"
        return word if many is None else in_number(word, many)


def number_before(words: str) -> bool | None:
    """Does what stands before a noun ask for its plural, or its singular? None if for neither."""
    found = _ASKING.search(words)
    if found is None:
        return None
    return found[1].lower() in _ASKING_PLURAL


def only_qualifies(words: str) -> bool:
    """Do these words before a noun say something of it alone: “other”, “adjacent”?"""
    said = words.lower().split()
    return len(said) <= 2 and all(
        word.isalpha()
        and word not in _NO_QUALIFIER
        and _base_of(word) is None
        and not word.endswith(("ing", "ed"))
        for word in said
    )


def number_of(piece: Piece) -> bool | None:
    """Is what fills a slot in the plural, as the subject of a verb? None if it is no noun."""
    text = _BOUND.sub("", piece.text).lower()
    words: list[str] = re.findall(r"[\w’'-]+", text)
    if not words or _TIME.match(text):
        return None
    clause = _SOMEBODY_DOES.match(text)
    if piece.many is None and clause is not None and is_verb(clause[1]):
        return None
    if words[0].isdigit():
        return words[0] != "1"
    if _SEVERAL_PLAYERS.match(text) or _SEVERAL_SORTS.fullmatch(text):
        return True
    told = None if words[0] in _OF_EITHER else _BEGINNING.get(words[0])
    if words[:2] == ["no", "one"] or _ONE_PLAYER.match(text):
        return False
    return piece.many if told is None else told


def in_number(verb: str, many: bool) -> str:
    """A verb in the form that goes with one, or with several: “isn't” or “aren't”."""
    ending = _NEGATED.search(verb)
    plain = verb[: ending.start()] if ending else verb
    base = _base_of(plain.lower())
    if plain.lower() in _BE:
        made = _BE[plain.lower()][many]
    elif plain.lower() == "be":
        made = _BE["is"][many]
    elif base is None:
        made = plain if many else verb_forms(plain).singular
    else:
        made = base if many else verb_forms(base).singular
    if plain[:1].isupper():
        made = made[:1].upper() + made[1:]
    return made + (ending[0] if ending else "")


def is_verb(word: str) -> bool:
    """Is a word a known verb in its base form, or in the form that goes with one?"""
    return _base_of(word.lower()) is not None


def _base_of(word: str) -> str | None:
    """The base form of a verb that is in its base form or goes with one; none for other words."""
    plain = _NEGATED.sub("", word)
    return known_verbs().get(plain)
