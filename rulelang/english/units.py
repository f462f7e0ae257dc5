"""The amounts that openings ask for, as definitions that read them as phrases.

Each opening whose amounts have a unit, and each that is about a quantity, has a role of its own:
what reads its amounts asks for that role, so that amounts in one unit are read at openings of that
unit alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rulelang.diagnostics.english import NUMERALS
from rulelang.diagnostics.source import Span
from rulelang.english.opening import Amounts, Opening
from rulelang.syntax.nodes import Node, plain

_ABOUT = "quantity"  # the sort of openings that are about a number of the game
_QUANTITY = "quantity"  # the sort of phrases that say a number with its unit
_OUTRIGHT = "outright"  # and a number that is not said to come on top of another
ON_TOP = frozenset(("more", "extra", "additional", "bonus", "further", "less", "fewer"))
"""Words of an amount that comes on top of another, or is taken off it."""
_UNIT_NAME = "unit"  # and of those that name a unit alone
_SINGLE = "single"  # in the singular
_ENDING = re.compile(r"(?<=\w)\(\w+\)")  # of a plural: “(s)”
_ONE_OF = "one_of"  # begins the names of definitions that read one of a unit with its article
_NONE_OF = "none_of"  # and of those that read none
_NUMBERED = re.compile(r"\{n\} (?:\([^)]*\) )?([^{}]*)")  # an amount: the number, perhaps “more”

_MEASURE = "quantity_name"  # the sort of phrases that name a quantity
_USUAL = "usual_number"  # and the number it is without any text
_LEVEL = "done_so"  # the sort of phrases that tell it as what is done
_IN_PLACE = "done_instead"  # and as what is done in place of what is done in any case
_OCCASION = "occasion_of_it"  # the sort of clauses that say when an amount is asked for
_THEN = "_then"  # ends the names of the sorts of amounts that are for an occasion
_COUNTED = re.compile(r"(?P<head>.*?)\{n\}(?P<noun>(?: \S+)?)(?P<tail>.*)")
_PRINTED = "printed"  # the role that is the number without any text
_INSTEAD = (
    "{n} {noun}{tail} instead of {usual}",
    "{n} {noun} instead of {usual}",
    "only/just {n} {noun} instead of {usual}",
    "(only/just) {n} instead of {usual} {noun}",
    "(only/just) {n} instead of {usual}",
)
_NUMBER, _TOLD = "n", "true"  # what phrases give: the number in them, or that something is told
# How an amount is said as it is, as nothing, and higher and lower with the sort of phrases.
_AS_IT_IS = ("{n} {noun}",)
_ALONE = ("{n}",)  # if the occasion tells what of
_ONLY = ("only/just {n} {noun}", "only/just {n}")
_NO = ("no {noun}", "not any {noun}")
_CHANGED: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("done_more", ("{n} more/additional/extra/further {noun}", "{n} {noun} more", "+{n} {noun}")),
    ("done_fewer", ("{n} fewer/less {noun}", "{n} {noun} fewer/less")),
)
_BY_ONE: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "done_more",
        (
            "a/an/one {one} more",
            "one more {one}",
            "a/an/one additional/extra {one}",
            "another {one}",
        ),
    ),
    ("done_fewer", ("one fewer/less {one}", "a/an/one {one} fewer/less")),
)


def definitions_of_units(openings: Iterable[Opening]) -> Iterator[Node]:
    """For each unit of the openings the definitions that read amounts of it, and its name alone.

    The value is the number, or 1; each asks for a role that only openings of this unit have.
    """
    done: set[str] = set()
    for opening in openings:
        if not opening.unit or opening.unit in done:
            continue
        done.add(opening.unit)
        yield from _levels(opening) if opening.sort == _ABOUT else _units(opening)


def _units(opening: Opening) -> Iterator[Node]:
    """What reads the amounts of an opening, one of them with its article, and its unit alone."""
    texts = opening.texts
    yield _reading(opening, _QUANTITY, texts, _NUMBER)
    outright = [text for text in texts if ON_TOP.isdisjoint(re.findall(r"\w+", plain(text)))]
    if outright:
        yield _reading(opening, _OUTRIGHT, outright, _NUMBER)
    singular = [said for text in texts for said in _single(text)]
    if singular:
        yield _reading(opening, _QUANTITY, singular, "1", _ONE_OF)
    alone = [replace(text, text=f'"{unit}"') for text in texts if (unit := _alone(text))]
    if alone:
        yield _reading(opening, _UNIT_NAME, alone, "1")
        singles = [replace(text, text=_ENDING.sub("", text.text)) for text in alone]
        yield _reading(opening, _SINGLE, singles, "1")


def _alone(text: Node) -> str:
    """The words of a unit without its number: “points” of “{n} point(s)”; empty if it has none."""
    words = _NUMBERED.fullmatch(plain(text))
    return words.group(1) if words else ""


def _single(text: Node) -> Iterator[Node]:
    """An amount of one with an article: “draw a card” of “draw {n} card(s)”."""
    said = plain(text)
    if re.search(r"\{n\} [\w(]", said):
        yield replace(text, text='"' + said.replace("{n}", "a/an").replace("(s)", "") + '"')


# ------------------------------------------------------------------------------------- quantities
def _levels(opening: Opening) -> Iterator[Node]:
    """What reads the names of a quantity, its levels, and the occasions they are for."""
    usual = _usual(opening)
    if opening.called:
        yield _reading(opening, _MEASURE, opening.called, _TOLD)
        if usual is not None:
            yield _reading(opening, _USUAL, (usual,), _TOLD)
    for ending, of_such in _by_occasion(opening.amounts):
        yield from _said_so(opening, of_such, ending)
        if usual is not None:
            forms = [form.replace("{usual}", plain(usual)) for form in _INSTEAD]
            yield from _in_all_forms(opening, of_such, forms, _IN_PLACE + ending, _NUMBER)
    occasions = [text for one in opening.amounts for text in one.occasions]
    if occasions:
        yield _reading(opening, _OCCASION, occasions, _TOLD)


def _usual(opening: Opening) -> Node | None:
    """The number without any text, in digits or as a word; none if it is not a number as such."""
    printed = opening.roles.get(_PRINTED)
    if printed is None or printed.kind != "number":
        return None
    number = printed.part(0).text
    words = "/".join((number, *NUMERALS[int(number) - 1 : int(number)]))
    return replace(printed.part(0), kind="STRING", text=f'"{words}"')


def _by_occasion(amounts: Sequence[Amounts]) -> Iterator[tuple[str, list[Node]]]:
    """The wordings that stand alone, and those that are for an occasion."""
    yield "", [text for one in amounts if not one.occasions for text in one.texts]
    yield _THEN, [text for one in amounts if one.occasions for text in one.texts]


def _said_so(opening: Opening, texts: Sequence[Node], ending: str) -> Iterator[Node]:
    """What reads amounts as they are, higher and lower.

    An amount without a verb says how much more or less alone: “3 cards if …” could mean either.
    """
    done = [text for text in texts if not plain(text).startswith("{n}")]
    as_it_is = (*_AS_IT_IS, *_ALONE) if ending else _AS_IT_IS
    yield from _in_all_forms(opening, done, as_it_is, _LEVEL + ending, _NUMBER)
    only = _ONLY if ending else _ONLY[:1]
    yield from _in_all_forms(opening, done, only, _IN_PLACE + ending, _NUMBER, "only")
    yield from _in_all_forms(opening, done, _NO, _LEVEL + ending, "0", _NONE_OF)
    for sort, forms in _CHANGED:
        yield from _in_all_forms(opening, texts, forms, sort + ending, _NUMBER)
    for sort, forms in _BY_ONE:
        yield from _in_all_forms(opening, texts, forms, sort + ending, "1", _ONE_OF)


def _in_all_forms(
    opening: Opening,
    texts: Sequence[Node],
    forms: Sequence[str],
    sort: str,
    value: str,
    prefix: str = "",
) -> Iterator[Node]:
    """What reads these amounts in these forms as phrases of a sort."""
    found = [said for text in texts for said in _in_forms(text, forms)]
    if found:
        yield _reading(opening, sort, found, value, f"{prefix}_{sort}" if prefix else "")


def _in_forms(text: Node, forms: Iterable[str]) -> Iterator[Node]:
    """A wording with its amount in other forms: “draw {n} more card(s)” of “draw {n} card(s)”."""
    found = _COUNTED.fullmatch(plain(text))
    if found is None:
        return
    noun = found["noun"].strip()
    for form in forms:
        if "{tail}" in form and not found["tail"]:
            continue
        if noun or ("{noun}" not in form and "{one}" not in form):
            amount = form.replace("{noun}", noun).replace("{one}", _ENDING.sub("", noun))
            tail = "" if "{tail}" in form else found["tail"]
            amount = amount.replace("{tail}", found["tail"])
            yield replace(text, text=f'"{found["head"]}{amount}{tail}"')


# ------------------------------------------------------------------------------------- definitions
def _reading(
    opening: Opening, sort: str, texts: Sequence[Node], value: str, prefix: str = ""
) -> Node:
    """The definition that reads these texts as phrases of a sort, in the unit of an opening.

    Its value is the number in them, `true`, or a number of its own.
    """
    span = opening.span
    name = _word(f"{prefix or sort}_{opening.unit}", span)
    number = Node("type_name", (_word("number", span),), span)
    given = Node("type_name", (_word("truth", span),), span) if value == _TOLD else number
    params = (value, opening.unit) if value == _NUMBER else (opening.unit,)
    typed = tuple(Node("param", (_word(one, span), number), span) for one in params)
    said: list[Node | None] = [_word(sort, span)]
    for text in texts:
        said += [text, None]
    kind, leaf = ("number", "NUMBER") if value.isdigit() else ("name", "NAME")
    meant = Node(kind, (Node(leaf, (), span, value),), span)
    return Node(
        "define_one",
        (
            name,
            Node("params", typed, span),
            given,
            Node("reads", tuple(said[:-1]), span),
            Node("conds", (meant,), span),
            None,
        ),
        span,
    )


def _word(text: str, span: Span) -> Node:
    return Node("NAME", (), span, text)
