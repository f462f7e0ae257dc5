"""The sentences of a card's text, each with its place and the citations behind it."""

from __future__ import annotations

import re

from rulelang.diagnostics.english import NUMERALS
from rulelang.diagnostics.source import Span
from rulelang.syntax.nodes import CITE, Node, split_cites

_SHORT = "|".join(rf"(?<=\b[A-Z][a-z]{{{n}}})" for n in (1, 2, 3))  # abbreviations: "Ave.", "Dr."
_MEASURES = ("max", "min", "incl", "excl", "approx", "adj", "vs")
_ABBREVIATED = "|".join(rf"(?<=\b{word})" for word in _MEASURES)
_WORDS_CUT = ["req", "prereq", "res", "ind", "comm", "bldg", "nbhd", "constr", "avail", "pt", "pts"]
_CUT_SHORT = "|".join(rf"(?<=\b{word})" for word in _WORDS_CUT)  # no end before small letters
_CALLED_OUT = r"[A-Z][\w'’-]*!(?=\s+[a-z])"  # a name that ends so: "when Thunder! is heard"
_ELSE = r"(?:[Oo]therwise|[Ee]lse)(?=,?\s)|If not(?=,\s)"  # what holds where the condition does not
_COUNT = rf"(?:\$?\d+|(?i:{'|'.join(NUMERALS)}))"
_ADDED = r"(?:more|extra|further|additional)"
_ASKED = r"(?:if|when|with|for|per|next|beside)\b"
# An amount without its unit is in that of the sentence before it: “2 points. 1 more for each Tree.”
_MORE = (
    rf"{_COUNT}\s+{_ADDED}(?=\s+{_ASKED})|{_COUNT}(?=\s+(?:if|when|with|next|beside)\b)"
    rf"|(?i:plus|and|another|a\s+further|an\s+extra)\s+{_COUNT}(?=(?:\s+{_ADDED})?\s+{_ASKED})"
)
# “2 points. If another player has a Tree, only 1.”
_LESS = rf"If\s[^.!;:]*,\s(?:only|just)\s{_COUNT}(?=[.!]?\s*$|[.!]\s)"
_GOES_ON = rf"\.(?=\s+(?:{_ELSE}|{_MORE}|{_LESS}))"
_SENTENCE = re.compile(
    rf"(?:{_CALLED_OUT}|[^.!]|{_GOES_ON}|[.!](?=\S)|(?:{_SHORT})\.(?=\s+[a-z])"
    rf"|(?i:{_ABBREVIATED})\.(?=\s)|(?i:{_CUT_SHORT})\.(?=\s+[a-z0-9@(+]))+(?:[.!]|$)"
)

# What only exclaims or tells how people feel is said beside a rule: “Phew! Draw 3 cards.”
_CLOSED = (
    "Phew|Wow|Ouch|Ugh|Yay|Hurray|Hooray|Yum|Yuck|Oops|Lovely|Enjoy|Cheers|Thanks|Thank you|Sorry"
    "|Easy|Lucky you|Good luck|Have fun|No kidding|No joke|Promise|Simple as that|Nothing fancy"
    r"|That(?:['’]s| is) (?:it|all)(?: (?:it does|there is(?: to it)?))?"
)
_FELT = (
    r"(?:Nobody|No one|Everybody|Everyone|People|Who\s+(?:doesn['’]t|does not))\s+(?:really\s+)?"
    r"(?:likes?|loves?|hates?|enjoys?|minds?|misse?s?)\s[^.!;:]*|Sorry (?:about|for)\s[^.!;:]*"
    r"|What an?\s[^.!;:]*"
)
_TALK = rf"(?:{_CLOSED}|{_FELT})"
_TALK_IN_FRONT = re.compile(rf"(?:^|(?<=[.!;]))(\s*{_TALK})[.!](?=\s+\w)")
_TALK_BEHIND = re.compile(rf"[.!](\s+)({_TALK})(?=[.!]?\s*$|[.!]\s)")
# What was looked at or drawn, and who was chosen, is what the next sentence speaks of: “Look at the
# top three cards. Keep one.”, “Choose another player when you build it. You both draw a card.”
_SEEN = re.compile(r"\b(?:look|draw|reveal|search|turn over)\b(?!.*\bdiscard\b)", re.IGNORECASE)
_CARDS = r"(?:one|two|them|these|the\s+(?:others?|other\s+\w+|rest)|any\s+of\s+them|either)"
_OF_THEM = re.compile(
    rf"(?:Then\s+)?(?:Keep|Put|Take|Return|Discard|Shuffle|Choose|Pick)\s+{_CARDS}\b|The\s+(?:others?|rest)\b"
)
_NAMED = re.compile(
    r"\b(?:choose|pick|name)\b.*\b(?:player|opponent)\b|\b(?:player|opponent|of your choice)[.!]$",
    re.IGNORECASE,
)
_OF_BOTH = re.compile(
    r"(?:You\s+(?:both|two|each)|Both(?:\s+of\s+you)?|The\s+two\s+of\s+you|Each\s+of\s+you"
    r"|You\s+and\s+(?:he|she|they))\b"
)
_OF_WHO = re.compile(r"(?:He|She|They|That\s+(?:player|opponent))(?=\s)")
# What comes in place of an amount goes on with it: “Worth 5. By a Tree it is 9 instead.”
_IN_PLACE = re.compile(r"(?!Instead\b)[^.!]*\binstead[.!]")
_NEEDLESS = re.compile(r"No\s+\w+(?:\s+\w+)?\s+(?:is\s+|are\s+)?(?:needed|required|necessary)\b")
_PERMITTED = re.compile(r"\b(?:may|can)\b", re.IGNORECASE)
_AMOUNT = re.compile(rf"(?<!\w){_COUNT}(?!\w)", re.IGNORECASE)

_NEXT = re.compile(rf"\.(\s+)({_ELSE}|{_MORE}|{_LESS})")


def sentences_of(words: Node) -> list[tuple[str, Span]]:
    """The sentences of a text, each with its span and, at its end, what its row cites.

    A row may hold several sentences; no sentence goes on in the next row.
    """
    found: list[tuple[str, Span]] = []
    for bar in words.words("bar"):
        leaf = bar.part(0)
        cite = CITE.search(leaf.text)
        body = _held_together(leaf.text[: cite.start()] if cite else leaf.text)
        cited = f" {cite.group(0).strip()}" if cite else ""
        start, line = leaf.span.column + 1, leaf.span.line
        for at, said in _joined(body):
            sentence = _NEXT.sub(_going_on, said)
            span = Span(leaf.span.file, line, start + at, line, start + at + len(sentence))
            found.append((sentence + cited, span))
    return found


def _held_together(text: str) -> str:
    """The text, of the same length, where talk goes with the sentence beside it."""
    text = _TALK_BEHIND.sub(lambda m: f";{m[1]}{m[2][0].lower()}{m[2][1:]}", text)
    return _TALK_IN_FRONT.sub(r"\1;", text)


def _joined(body: str) -> list[tuple[int, str]]:
    """The sentences of a row and where each begins; one that goes on with what the sentence before
    it speaks of is joined to it by a semicolon, with as many letters as there were.
    """
    found: list[tuple[int, str]] = []
    for match in _SENTENCE.finditer(body):
        sentence = match.group(0).strip()
        if not sentence:
            continue
        at = match.start() + len(match.group(0)) - len(match.group(0).lstrip())
        if found and _speaks_of(sentence, found[-1][1]):
            began, before = found[-1]
            between = " " * (at - began - len(before))
            goes_on = sentence[0].lower() + sentence[1:]
            found[-1] = began, f"{before[:-1]};{between}{goes_on}"
        else:
            found.append((at, sentence))
    return found


def _speaks_of(sentence: str, before: str) -> bool:
    """Does a sentence speak of what was seen, chosen, permitted or said to be so much in the one
    before it?
    """
    return bool(
        (_OF_THEM.match(sentence) and _SEEN.search(before))
        or ((_OF_BOTH.match(sentence) or _OF_WHO.match(sentence)) and _NAMED.search(before))
        or (_NEEDLESS.match(sentence) and _PERMITTED.search(before))
        or (_IN_PLACE.match(sentence) and _AMOUNT.search(before))
    )


def _going_on(match: re.Match[str]) -> str:
    """What goes on with the sentence before it, of the same length, as the end of that one."""
    return f";{match.group(1)}{match.group(2).lower()}"


def uncited_sentence(text: str) -> str:
    """A sentence without its citations."""
    return CITE.sub("", text).strip()


def cites_in(text: str) -> tuple[str, ...]:
    """The citations at the end of a sentence or row."""
    match = CITE.search(text)
    return split_cites(match.group(1)) if match else ()
