"""What a text calls the card that bears it, beside “it”: its title, the end of that, or its sort.

“The”, “this” or “our” stands before it, and perhaps an epithet: “the little clinic” on a “Day
Clinic”, “this block” on any. Of a card with a plural title it says “they”, of a person “she”.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from rulelang.diagnostics.english import NUMERALS, plural

_NAMED_AFTER = (  # no thing is counted behind these words without an article: it is a name
    "to by with from at near beside next around touching than placed played place play plays build "
    "builds built lay lays laid construct constructs constructed covering cover after before while "
    "when whenever if where that of for under over on in scoring building placing constructing"
)
OWN = "the|this|our|my"
"""What stands before a name of the card that bears a text."""
_PRONOUNS = {"he": "it", "she": "it", "him": "it", "her": "it", "his": "its"}
_OF_PERSONS = re.compile(rf"\b(?:{'|'.join(_PRONOUNS)})\b", re.IGNORECASE)
_ADVERB = r"(?:also|each|all|both|only|still|always|never|just|then|together) "
_MODAL = r"(?:may|must|can|cannot|could|should|will|can['’]t|won['’]t|mustn['’]t|might)\b"
_SINGULAR = {"are": "is", "have": "has", "do": "does", "aren't": "isn't", "don't": "doesn't"}
_POSSESSIVE = r"(?P<possessive>['’]s)?(?!['’-])(?!\w)"


def with_it(text: str, articles: str, title: str) -> str:
    """The text, of the same length, with “it” for a title after one of these articles."""
    if not _said_in(text, (title,)):
        return text
    own = rf"\b(?:{articles}) {re.escape(title)}\b(?!['’-])"
    return re.sub(own, lambda m: "it".ljust(len(m.group(0))), text, flags=re.IGNORECASE)


def with_placing(text: str) -> str:
    """The text, of the same length, with “placing” for “building” where that is what is done with
    this card, and no thing: “Building it gives you 3”.
    """
    return re.sub(r"^(\s*)Building(?= (?:it|this)\b)", lambda m: f"{m.group(1)}Placing ", text)


def by_name(text: str, title: str) -> str:
    """The text, of the same length, with “it” for a title that stands in it as a proper name: with
    its capital, without an article.
    """
    if title not in text or not title[:1].isupper():
        return text
    before = "|".join(_NAMED_AFTER.split())
    own = rf"(?<=\s){re.escape(title)}{_POSSESSIVE}"
    behind = re.compile(rf"\b(?:{before}) $", re.IGNORECASE)

    def said(match: re.Match[str]) -> str:
        named = behind.search(text[: match.start()])
        return _pronoun(match) if named else match.group(0)

    return re.sub(own, said, text)


def in_short(
    text: str,
    title: str,
    names: Collection[str],
    epithets: Sequence[str],
    unknown: Collection[str] = (),
) -> str:
    """The text, of the same length, with “it” or “its” for whatever may mean this card.

    After “this” that is the title or the end of it, each of these names of things, perhaps with
    words before it that are unknown to the game, and each such word; after “the” or “our” a name
    that other things have, too, is theirs.
    """
    ends = _ends_of(title)
    after_the = {*ends[:1], *(end for end in ends[1:] if end not in names)}
    after_this = {*ends, *names, *unknown, "card", "thing", "place"}
    for article, called, epithet in (
        ("this", after_this, (*epithets, *sorted(unknown))),
        *((article, after_the, epithets) for article in ("the", "our", "my")),
    ):
        before = "(?:(?:" + "|".join(map(re.escape, epithet)) + r"),? )*" if epithet else ""
        known = _said_in(text, called) if article in text.lower() else set()
        if not known:
            continue
        said = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
        own = rf"\b{article} {before}(?:{said}){_POSSESSIVE}"
        text = re.sub(own, _pronoun, text, flags=re.IGNORECASE)
    return text


def with_its_end(text: str, title: str) -> str:
    """The text, of the same length, with “it” for the end of a title after “the” or “our”, though
    other things may be called so, too: “the oak” on a “Big Oak”.
    """
    ends = "|".join(map(re.escape, _ends_of(title)))
    return re.sub(rf"\b(?:the|our|my) (?:{ends}){_POSSESSIVE}", _pronoun, text, flags=re.IGNORECASE)


def as_subject(text: str, title: str) -> str:
    """The text, of the same length, with “it” for a title that it begins with, and with blanks for
    one that only stands above it: “Oak: 3 points”, “An oak is worth 3”.
    """
    if not _said_in(text, (title,)):
        return text
    name = re.escape(title)
    above = re.compile(rf"^\s*(?:the |this )?{name}\s*(?:[:=–—]|- )\s*(?=\S)", re.IGNORECASE)
    bare = above.sub(lambda m: " " * len(m.group(0)), text)
    if bare != text:
        return bare
    bare = re.escape(_without_article(title))
    own = rf"^(?:(?:an? |each |every )?{name}|(?:an?|each|every) {bare}){_POSSESSIVE}(?=\s)"
    return re.sub(own, _pronoun, text, count=1, flags=re.IGNORECASE)


def as_one(text: str, title: str) -> str:
    """The text, of the same length, with “it” for a title that it begins with, before a verb that
    says something of one: “Oak scores 3”, “An oak may not be built …”, “Your oak gives 2 more”.
    """
    name = re.escape(_without_article(title))
    verb = r"(?= (?:is|has|may|must|\w+(?<!s)s)\b)(?! of\b)"
    own = rf"^\s*(?:your |an? )?{name}{verb}"
    return re.sub(own, lambda m: "it".ljust(len(m.group(0))), text, count=1, flags=re.IGNORECASE)


def of_each_copy(text: str, title: str) -> str:
    """The text, of the same length, with “it” for “each” and a title, or “one”, that it begins
    with: every copy says that of itself.
    """
    called = rf"(?:{re.escape(title)}|one(?: of (?:them|these))?)(?!['’-])"
    own = rf"^\s*(?:each|every) {called}(?=\s)(?! of\b)"
    return re.sub(own, lambda m: "it".ljust(len(m.group(0))), text, count=1, flags=re.IGNORECASE)


def when_built(text: str, title: str) -> str:
    """The text, of the same length, with “it” for “a” and a title that may or must be built."""
    before = (
        r"\b(?:to|before|must|may|can|can't|can’t|cannot|not|never) (?:you (?:may|can) )?"
        r"(?:only |also |just |ever )?"
    )
    return _with_it_built(text, before, title)


def once_built(text: str, title: str) -> str:
    """The text, of the same length, with “it” for “a” and a title of what is built, where that is
    what a text waits for: every copy says that of itself.
    """
    before = (
        r"\b(?:when|if|once|after|as soon as) you(?: have|['’]ve)? |"
        r"\b(?:whoever|any(?:one|body) who|the player who) |(?:^|\bfor )(?=\w+ing )"
    )
    return _with_it_built(text, before, title)


def _with_it_built(text: str, before: str, title: str) -> str:
    name = _without_article(title)
    if not _said_in(text, (name,)):
        return text
    verbs = (
        r"(?:build|construct|lay|put)(?:s|ing)?(?: up| down)?|(?:plac|play)(?:e?s?|ing|ed)|built"
    )
    own = (
        rf"((?:{before})(?:{verbs})) an? {re.escape(name)}\b(?!['’-])"
        r"(?!(?: right| directly)? (?:next to|beside|adjacent to|touching) (?:it|this|here|one)\b)"
    )
    return re.sub(
        own, lambda m: f"{m.group(1)} it".ljust(len(m.group(0))), text, flags=re.IGNORECASE
    )


def wherever_named(text: str, title: str) -> str:
    """The text, of the same length, with “it” for a title that stands in it with its capital and
    without an article, whatever stands before it.
    """
    if title not in text or not title[:1].isupper():
        return text
    return re.sub(rf"(?<=\s){re.escape(title)}{_POSSESSIVE}", _pronoun, text)


def of_one(text: str, title: str, epithets: Sequence[str], persons: Collection[str]) -> str:
    """The text, of the same length, with “it” for what is said of the card as of several, if its
    title is plural, or as of a person, if none of these words for persons is there: “They score 3”,
    “she counts as …”.
    """
    if not any(word in persons for word in re.findall(r"[\w'’-]+", text.lower())):
        text = _OF_PERSONS.sub(_pronoun_for_person, text)
    if not is_plural(title):
        return text
    before = "(?:(?:" + "|".join(map(re.escape, epithets)) + ") )*" if epithets else ""
    ends = before + "(?:" + "|".join(map(re.escape, _ends_of(title))) + ")"
    named = rf"they|it(?=\s)|these(?= {_MODAL}| are\b| have\b)|(?:(?:the|these|our|my) )?{ends}"
    subject = rf"(?:^\s*|(?<=\bif )|(?<=\bwhen )|(?<=\bas )|(?<=, ))(?:{named})"
    verb = rf"(?P<adverb> +{_ADVERB}| +)(?P<verb>{_MODAL}|[a-z]+(?:['’]t)?)\b"
    text = re.sub(subject + verb, _one_does, text, flags=re.IGNORECASE)
    other = rf"\b(?:(?:the|these|our|my) {ends}(?!['’-])\b|them\b)"
    text = re.sub(other, lambda m: "it".ljust(len(m.group(0))), text, flags=re.IGNORECASE)
    return re.sub(r"\btheir\b", "its  ", text, flags=re.IGNORECASE)


def is_plural(title: str) -> bool:
    """Is a title a word for several things: “Twin Towers”, “Row of Cottages”?"""
    return len(title) > 3 and title.endswith("s") and not title.endswith(("ss", "us", "'s", "’s"))


def _without_article(title: str) -> str:
    """A title without an article of its own: “Old Oak” for “The Old Oak”."""
    return re.sub(r"^(?:The|An?|Our|My) (?=\S)", "", title)


def _ends_of(title: str) -> list[str]:
    return [title.lower(), *ends_of(title)]


def ends_of(title: str) -> list[str]:
    """What is left of a title, in lower case, without its first word, without two, and so on."""
    words = title.lower().split()
    return [" ".join(words[at:]) for at in range(1, len(words))]


def _one_does(match: re.Match[str]) -> str:
    """“It” and the form of the verb that stands with it, as long as what was said of several."""
    verb, space = match["verb"].lower(), match["adverb"]
    if not re.fullmatch(_MODAL, verb):
        verb = _SINGULAR.get(verb.replace("’", "'"), plural(verb))
    lead = match.group(0)[: len(match.group(0)) - len(match.group(0).lstrip())]
    said = " ".join(("it", *space.split(), verb))
    return f"{lead}{said}".ljust(len(match.group(0)))


def with_it_for_kind(text: str, kind: str) -> str:
    """The text, of the same length, with “it” for “the” and the word for all such things, if it
    speaks of no other of them.
    """
    said = rf"\bthe {re.escape(kind)}{_POSSESSIVE}"
    if len(re.findall(rf"\b{re.escape(kind)}", text, re.IGNORECASE)) != len(
        re.findall(said, text, re.IGNORECASE)
    ):
        return text
    return re.sub(said, _pronoun, text, flags=re.IGNORECASE)


def for_this(text: str) -> str:
    """The text, of the same length, with “it” for each “this”, as if no noun stood behind it. The
    “one” of “this one” would be left as a number.
    """
    return re.sub(r"\bthis\b(?!\s+one\b)", _pronoun_for_this, text, flags=re.IGNORECASE)


def of_these(text: str, title: str, many: str) -> str:
    """The text with “of these” for a title, or its plural, behind a number or for their number."""
    if not _said_in(text, (title, many)):
        return text
    numbers = "|".join((*NUMERALS, "[0-9]+", "a second", "as many", "so many", "more", "fewer"))
    names = f"{re.escape(title)}|{re.escape(many)}"
    own = rf"\b({numbers}|no second|no other|another) (?:{names})\b(?!['’-])"
    text = re.sub(own, lambda m: f"{m.group(1)} of these", text, flags=re.IGNORECASE)
    number = rf"\b(the number of) (?:your )?(?:{names})\b(?!['’-])"
    return re.sub(number, lambda m: f"{m.group(1)} these", text, flags=re.IGNORECASE)


def _said_in(text: str, names: Collection[str]) -> set[str]:
    """Those of the names that may stand in a text: a pattern of all others is made in vain."""
    if not all(char.isascii() or not char.isalnum() for char in text):  # “ſ” matches “s”, too
        return set(names)
    low = text.lower()
    return {name for name in names if name.lower() in low or not name.isascii()}


def _pronoun_for_person(match: re.Match[str]) -> str:
    said = match.group(0)
    return _PRONOUNS[said.lower()].ljust(len(said))


def _pronoun_for_this(match: re.Match[str]) -> str:
    return "it".ljust(len(match.group(0)))


def _pronoun(match: re.Match[str]) -> str:
    return ("its" if match.group("possessive") else "it").ljust(len(match.group(0)))
