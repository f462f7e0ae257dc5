"""An open decision as a numbered list, and what a person types taken for one of its options."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from interpreter.engine.decisions import Decision, Option, Spec
from interpreter.game.formatting import FIRST_AT
from interpreter.game.game import State
from interpreter.game.prompts import asked
from interpreter.model.position import Position
from interpreter.render.hand import NumberedPiece, numbered_table
from interpreter.render.points import ROLE as POINT
from interpreter.table import alike
from interpreter.table.fuzzy import words
from interpreter.table.outlook import Gain, gains
from rulelang.core.types import NUMBER, KindT, PieceT, SiteT, element
from rulelang.core.values import Value, number, ordered
from rulelang.diagnostics.english import spoken

MOST = 1000  # options that are looked at; more than anybody reads
PAGE = 24  # options that are listed at once
ROWS = 12  # lines of a page of options that are grouped
_CHUNK = 40  # options of one group that are listed under its head
_MOST_DRAWN = 100  # places that are drawn by their numbers
_MANY = 9  # numbers that no example spells out
_MARK = 5  # letters of the numbers on one cell
_FEW = 8  # places that are listed in the order of the rules
_NEGATIVE = re.compile(r"-\d+")
_NOTHING = ("none", "nothing", "-", "0")


class Unclear(Exception):
    """What was typed stands for no option, or for more than one; says which."""


class OutOfRange(Unclear):
    """A number alone that is the number of no option; it never begins a name."""


@dataclass
class Menu:
    """The options of one decision with their texts.

    Where several or an order are chosen, what they are chosen from.
    """

    state: State
    decision: Decision
    values: list[Value] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    more: bool = False
    gains: dict[Value, Gain] = field(default_factory=dict)  # what options bring, where it is told

    @classmethod
    def of(cls, state: State, decision: Decision) -> Menu:
        """The menu of an open decision."""
        spec = decision.spec
        if spec.mode in ("some", "order"):
            values: list[Value] = list(spec.domain)
        else:
            values = [option.value for option in itertools.islice(decision.options(), MOST + 1)]
        if spec.mode == "one":
            values = from_the_middle(state, spec, values)
        made = cls(state, decision, values[:MOST], more=len(values) > MOST)
        made.texts = texts(state, spec, made.values)
        made._gather()
        return made

    def _gather(self) -> None:
        """Put options that share something side by side, where they are listed so."""
        order = [place for group in alike.grouped(self.texts) for place, _ in group.members]
        if order and self.decision.spec.mode == "one":
            self.values = [self.values[place] for place in order]
            self.texts = [self.texts[place] for place in order]

    def weigh(self) -> None:
        """Say what options bring, and list those first that pay most; actions stay as they are."""
        self.gains = gains(self.state, self.decision, self.values)
        if self.gains and self.decision.spec.mode == "one":
            told = dict(zip(self.values, self.texts, strict=True))
            self.values.sort(key=lambda value: -self._paid(value))
            self.texts = [told[value] for value in self.values]
            self._gather()

    def _paid(self, value: Value) -> int:
        gain = self.gains.get(value)
        return gain.points if gain is not None else 0

    def told(self, place: int) -> str:
        """An option as it is listed: its text, and what it brings."""
        brings = self._brings(place)
        return f"{self.texts[place]}  {brings}" if brings else self.texts[place]

    def _brings(self, place: int) -> str:
        gain = self.gains.get(self.values[place]) if self.gains else None
        return gain.text if gain is not None else ""

    @property
    def numbered(self) -> bool:
        """Do the options need numbers?

        Not if they are numbers themselves, or yes and no: then these are typed.
        """
        return self.decision.spec.mode != "may" and not all(
            text.lstrip("-").isdecimal() for text in self.texts
        )

    def forced(self) -> Option | None:
        """The only option there is, if there is only one.

        So many of several that nothing tells apart are one.
        """
        if self.decision.spec.mode in ("some", "order"):
            return only_several(self.state, self.decision)
        return self.option(self.values[0]) if len(self.values) == 1 else None

    def option(self, value: Value) -> Option:
        """The option of this value."""
        return Option(self.decision.player, self.decision.name, value)

    # ---------------------------------------------------------------------------- as it is listed
    def lines(self, most: int | None = PAGE, width: int | None = None, start: int = 0) -> list[str]:
        """A page of the options as they are listed, so many letters wide."""
        return self.page(most, width, start)[0]

    def page(
        self, most: int | None = PAGE, width: int | None = None, start: int = 0
    ) -> tuple[list[str], int]:
        """The same, and the first option of the next page."""
        wide = min(width or 96, 120)
        start = start if most is not None else 0
        if tabled := self.tabled(width):
            return tabled, len(self.texts)
        if groups := self._groups():
            found, end = self._grouped(groups, most, wide, start)
        else:
            end = len(self.texts) if most is None else min(start + most, len(self.texts))
            found = self._listed(range(start, end), wide)
        left = len(self.texts) - end
        more = " or more" if self.more else ""
        rest = (
            [f"   … and {left}{more} others: `more` lists the next, `all` all of them"]
            if left > 0
            else []
        )
        return [*found, *rest], end

    def _listed(self, shown: range, wide: int) -> list[str]:
        """Some options one by one."""
        digits = len(str(len(self.texts)))
        told = [self.told(place) for place in shown]
        if not self.numbered:
            return _in_a_row([" ".join(text.split()) for text in told], wide)
        entries = [f"{n + 1:>{digits}}  {text}" for n, text in zip(shown, told, strict=True)]
        return _columns(entries, wide)

    def _groups(self) -> list[alike.Group]:
        """The options by what they share, or a long list of places by what they bring."""
        if self.decision.spec.mode != "one" or not self.numbered:
            return []
        found = list(alike.grouped(self.texts))
        if not found and self.gains and len(self.texts) > PAGE:
            by_gain: dict[str, list[tuple[int, str]]] = {}
            for place, text in enumerate(self.texts):
                by_gain.setdefault(self._brings(place) or "+0", []).append((place, text))
            found = [alike.Group(gain, tuple(members)) for gain, members in by_gain.items()]
        return [part for group in found for part in group.parts(_CHUNK)]

    def _grouped(
        self, groups: list[alike.Group], most: int | None, wide: int, start: int
    ) -> tuple[list[str], int]:
        """As many groups as go on a page, from an option on, and the option after them."""
        by_gain = bool(self.gains) and groups[0].shared in (self._brings(0), "+0")
        brings = ["" if by_gain else self._brings(place) for place in range(len(self.texts))]
        left = [group for group in groups if group.members[0][0] >= start]
        taken = len(left)
        found = alike.listed(left, brings, wide)
        while most is not None and taken > 1 and len(found) > ROWS:
            taken -= 1 if taken < ROWS else taken // ROWS
            found = alike.listed(left[:taken], brings, wide)
        return found, left[taken - 1].members[-1][0] + 1

    def tabled(self, width: int | None) -> list[str]:
        """Pieces with several numbers on them as a table, by their numbers; no lines for others."""
        spec = self.decision.spec
        if not isinstance(spec.item, PieceT) or spec.mode not in ("one", "some"):
            return []
        options = [
            NumberedPiece(piece, place + 1, self.texts[place], self._brings(place))
            for place, piece in enumerate(self.values)
            if isinstance(piece, int)
        ]
        return numbered_table(self.state, options, spec.item.name, width)

    def listed_pieces(self) -> frozenset[int]:
        """The pieces that are listed as a table."""
        return (
            frozenset(v for v in self.values if isinstance(v, int))
            if self.tabled(None)
            else frozenset()
        )

    @property
    def prompt(self) -> str:
        """What is decided, in the rules' words."""
        if self.decision.spec.mode == "action":
            return "what do you do?"
        said = asked(self.state, self.decision.spec, self.decision.player)
        return said[:1].lower() + said[1:] if said.endswith(("?", ")")) else said

    def answered(self, said: str) -> str:
        """The prompt with its answer."""
        return f"{self.prompt}{' ' if self.prompt.endswith(('?', ')')) else ': '}{said}"

    def ask(self) -> str:
        """What is asked, in one line."""
        spec, prompt = self.decision.spec, self.prompt
        if spec.mode == "may":
            return f"{prompt.removesuffix('?')}? (yes or no)"
        if spec.mode == "some":
            none = "; `none` for none" if not spec.low else ""
            return _with_hint(prompt, self._several_asked() + none)
        if spec.mode == "order":
            return _with_hint(prompt, f"put in order, as in `{self._in_order()}`")
        return prompt

    def _in_order(self) -> str:
        """An example of an order of the options."""
        few = ["2", "1", "3"][: len(self.values)]
        return " ".join([*few, *map(str, range(4, len(self.values) + 1))][:_MANY])

    def _several_asked(self) -> str:
        """How many are to be chosen, with an example."""
        low, high = self.decision.spec.low, self.decision.spec.high
        number = f"{low}" if low == high else f"{low} to {high}"
        if not high:
            return "none can be chosen"
        if low == high and high < _MANY:
            shown = " ".join(map(str, range(1, high + 1)))
        else:
            several = high > 1 and len(self.values) > 1
            shown = ("1 3" if len(self.values) > 2 else "1 2") if several else "1"
        return f"choose {number}, as in `{shown}`"

    def _range(self) -> str:
        """What may be typed instead of a number that is none of these."""
        if self.decision.spec.mode == "may":
            return "answer yes or no"
        if not self.numbered and self.decision.spec.item != NUMBER:
            return f"choose {', '.join(self.texts[:6])}{' …' if len(self.texts) > 6 else ''}"
        if not self.numbered:
            low, high = min(self.values, key=number), max(self.values, key=number)
            return f"choose {low} to {high}" if low != high else f"only {low} can be chosen"
        return f"the numbers go to {len(self.values)}"

    # ------------------------------------------------------------------------- taking what is typed
    def read(self, line: str, part: bool = True) -> Option:
        """The option that a line stands for.

        Without `part`, of one only its beginning may stand for it. Raises Unclear.
        """
        mode = self.decision.spec.mode
        if mode in ("some", "order"):
            return self.option(self._several(line, mode))
        return self.option(self.values[self.find(line, part=part)])

    def find(self, line: str, among: Iterable[int] | None = None, part: bool = True) -> int:
        """The place of what was typed: its number, its whole text, the beginning or (a `part`) the
        middle of one text only; raises Unclear."""
        wanted = " ".join(line.lower().split())
        places = list(range(len(self.values)) if among is None else among)
        typed = wanted.removeprefix("#")
        if _NEGATIVE.fullmatch(wanted) and wanted not in self.texts:
            raise OutOfRange(f"there is no {wanted} here; {self._range()}")
        if not typed.isdecimal():
            return places[match(wanted, [self.texts[i] for i in places], part)]
        if self.has_number(typed):
            return self._numbered_so(typed, places, wanted == typed)
        named = [i for i in places if wanted == typed and self._is_called(i, typed)]
        if len(named) == 1:
            return named[0]
        raise OutOfRange(f"there is no {typed} here; {self._range()}")

    def _is_called(self, place: int, number: str) -> bool:
        """Is a number that is the number of no option part of an option's name, as a whole word?"""
        if not self.numbered:
            return self.texts[place] == number
        return number in words(self.texts[place])

    def _numbered_so(self, typed: str, places: list[int], bare: bool) -> int:
        """The place of an option's number; raises Unclear where another is called by it."""
        place = int(typed) - 1
        others = (i for i in places if i != place and typed in _numbers(self.texts[i]))
        also = next(others, None)
        if bare and also is not None and self.decision.spec.mode == "one":
            raise Unclear(
                f"{typed} is the number of “{self.texts[place]}” and part of "
                f"“{self.texts[also]}”; type #{typed} for the number, or more words"
            )
        return place

    def sites(self, number: int | None = None) -> dict[tuple[str, str, int], str]:
        """The sites an option lies on, counted where their order matters.

        Without a number those of all options, with their numbers or a question mark; of several
        cells in order the number stands on the first.
        """
        item = self.decision.spec.item
        t = element(item) or item
        if isinstance(t, KindT) and t.name in self.state.game.rules_source.maps:
            return self._points(t.name, number)
        if not isinstance(t, SiteT) or self.decision.spec.mode not in ("one", "some"):
            return {}
        found: dict[tuple[str, str, int], str] = {}
        options = range(len(self.values)) if number is None else range(number, number + 1)
        for option in options:
            value = self.values[option]
            several = value if isinstance(value, frozenset | tuple) else (value,)
            for place, site in enumerate(several, 1):
                if isinstance(site, int):
                    key = (t.board, t.role, site)
                    if number is not None:
                        found[key] = str(place) if isinstance(value, tuple) else "?"
                    elif mark := self._mark(option, place, t):
                        found[key] = _joined(found.get(key, ""), mark)
        return found

    def _points(self, kind: str, number: int | None) -> dict[tuple[str, str, int], str]:
        """The points of a map that can be chosen, by their numbers."""
        chosen = range(len(self.values)) if number is None else range(number, number + 1)
        return {
            (kind, POINT, value): str(place + 1) if number is None else "?"
            for place in chosen
            if isinstance(value := self.values[place], int)
        }

    def _mark(self, option: int, place: int, t: SiteT) -> str:
        """What a cell of an option is drawn by among others: its number, on the first of several
        in order; nothing on the others.  Of very many the first ones have numbers."""
        value = self.values[option]
        few = len(self.values) < _MOST_DRAWN or option < PAGE
        told = t.role == "cell" and self.numbered and few
        if not told or (isinstance(value, frozenset) and len(value) > 1):
            return "?"
        return str(option + 1) if place == 1 else ""

    def has_number(self, line: str) -> bool:
        """Is there an option of this number?"""
        number = line.strip().removeprefix("#")
        return (
            self.numbered
            and number.isdecimal()
            and len(number) < 10
            and 0 < int(number) <= len(self.values)
        )

    def _several(self, line: str, mode: str) -> Value:
        words = line.strip().lower()
        if words in _NOTHING and self.decision.spec.low == 0:
            values: list[Value] = []
        elif words == "all":
            values = list(self.values)
        else:
            values = [self.values[place] for place in self._places(words)]
        self._check_number(len(values), mode)
        return frozenset(values) if mode == "some" else tuple(values)

    def _check_number(self, named: int, mode: str) -> None:
        """Raise Unclear if too few or too many are named."""
        spec = self.decision.spec
        if mode == "order" and named != len(self.values):
            all_of = f"put all {len(self.values)} in order"
            raise Unclear(f"{all_of}, as in `{self._in_order()}`; {named} named")
        if mode == "some" and not spec.low <= named <= spec.high:
            raise Unclear(f"{self._several_asked()}; {named} named")

    def _places(self, words: str) -> list[int]:
        """The places of the options named, between commas or, of numbers, blanks; each once."""
        numbers = re.fullmatch(r"[\d\s,]+", words) is not None
        found: list[int] = []
        for part in re.split(r"[\s,]+", words) if numbers else words.split(","):
            if not part.strip():
                continue
            place = self.find(part, [i for i in range(len(self.values)) if i not in found])
            if place in found:
                raise Unclear(f"{part} is named twice")
            found.append(place)
        return found


def only_several(state: State, decision: Decision) -> Option | None:
    """The only option of a decision on several or an order; none if there are others."""
    spec = decision.spec
    value: Value = None
    if spec.mode == "order":
        value = tuple(spec.domain) if len(spec.domain) < 2 else None
    elif spec.low == spec.high:
        lookahead, whole = decision.decider.lookahead, spec.high == len(spec.domain)
        alike = lookahead.distinct(state.seat(spec), spec.domain, spec.item)
        if whole or len(list(itertools.islice(alike, 2))) == 1:
            value = frozenset(spec.domain[: spec.high])
    return Option(spec.player, decision.name, value) if value is not None else None


def match(wanted: str, among: list[str], part: bool = True) -> int:
    """The only text that is, or begins with, or (a `part`) has a word that begins with what is
    wanted; raises Unclear if there are others."""
    lower = [text.lower() for text in among]
    tests = (
        lambda t: t == wanted,
        lambda t: t.startswith(wanted),
        lambda t: re.search(rf"(?<!\w){re.escape(wanted)}", t) is not None,
    )
    for test in tests if part else tests[:2]:
        found = [i for i, text in enumerate(lower) if wanted and test(text)]
        if found and len({lower[i] for i in found}) == 1:
            return found[0]
        if found:
            several = list(dict.fromkeys(among[i] for i in found))
            raise Unclear(
                f"“{wanted}” could be {', '.join(several[:6])}{' …' if len(several) > 6 else ''}"
            )
    raise Unclear(f"nothing offered is called “{wanted}”")


def _joined(known: str, mark: str) -> str:
    """Two marks of one cell: numbers beside each other as far as there is room, before others."""
    if not known or not known[0].isdecimal() or mark == known:
        return known if known[:1].isdecimal() else mark
    both = f"{known}/{mark}"
    return both if mark.isdecimal() and len(both) <= _MARK else known


def _with_hint(prompt: str, how: str) -> str:
    """A prompt with how it is answered: after a sentence in brackets, else behind a colon."""
    return f"{prompt} ({how})" if prompt.endswith(("?", ")")) else f"{prompt}: {how}"


def plain_value(word: str) -> int | str:
    """A word as plain data: a number if it is one."""
    return int(word) if re.fullmatch(r"-?[0-9]{1,9}", word) else word.strip()


def _numbers(text: str) -> tuple[str, ...]:
    """The words of a text that is made of numbers and such alone; none of any other."""
    found = words(text)
    return found if all(any(c.isdecimal() for c in word) for word in found) else ()


def _columns(entries: list[str], width: int = 96) -> list[str]:
    """Short entries side by side, read downwards, when there are many."""
    longest = max(map(len, entries), default=0) + 3
    columns = min(4, width // longest) if len(entries) > 8 and longest < width else 1
    if columns < 2:
        return ["  " + entry for entry in entries]
    height = -(-len(entries) // columns)
    return [
        ("  " + "".join(f"{entry:<{longest}}" for entry in entries[row::height])).rstrip()
        for row in range(height)
    ]


def _in_a_row(texts: list[str], width: int) -> list[str]:
    """Texts that need no numbers one after another, on as many lines as they take."""
    lines: list[str] = []
    for text in texts:
        if lines and len(lines[-1]) + len(text) + 3 <= width:
            lines[-1] += f" · {text}"
        else:
            lines.append(f"  {text}")
    return lines


# -------------------------------------------------------------------------------------------- order
def from_the_middle(state: State, spec: Spec, values: list[Value]) -> list[Value]:
    """Places in the order of their distance from the middle of what lies on their board.

    Of an empty board from its own middle; other options, and a few, stay as they are.
    """
    item = element(spec.item) or spec.item
    if not isinstance(item, SiteT) or item.role != "cell" or len(values) <= _FEW:
        return values
    info, s = state.game.setup.boards[item.board], state.seat(spec)
    taken = [
        site
        for layer in info.board.layers
        if layer.role == "cell"
        for site, here in s.on[layer.name].items()
        if here
    ] or [*s.tiles.get(item.board, ())]
    spots = [info.grid.position(site % info.cells) for site in taken] or [
        info.grid.position(cell) for cell in range(info.cells)
    ]
    middle = [sum(spot[i] for spot in spots) / len(spots) for i in (0, 1)]

    def far(value: Value) -> float:
        sites = value if isinstance(value, frozenset | tuple) else (value,)
        places = [info.grid.position(x % info.cells) for x in sites if isinstance(x, int)]
        if not places:
            return 0.0
        return sum((x - middle[0]) ** 2 + (y - middle[1]) ** 2 for x, y in places) / len(places)

    return sorted(values, key=far)


# -------------------------------------------------------------------------------------------- texts
def texts(state: State, spec: Spec, values: list[Value]) -> list[str]:
    """The texts of options; of pieces with the same words also where they are."""
    made = _one_way(_without_owner([text(state, spec, value) for value in values], spec), spec)
    if isinstance(spec.item, PieceT) and len(made) < 500:
        s = state.seat(spec)
        places = [_where(state, s, value) if isinstance(value, int) else "" for value in values]
        for words in {t for t in made if made.count(t) > 1}:
            same = [i for i, t in enumerate(made) if t == words]
            if len({places[i] for i in same}) > 1:
                for i in same:
                    made[i] = f"{words} {places[i]}".strip()
    return made


def _one_way(made: list[str], spec: Spec) -> list[str]:
    """Texts of rectangles without which cell comes first, where each is offered one way round."""
    bare = [text.partition(FIRST_AT)[0] for text in made]
    return bare if isinstance(element(spec.item), SiteT) and len(set(bare)) == len(bare) else made


def _without_owner(made: list[str], spec: Spec) -> list[str]:
    """Texts without whose board it is, where all are places on the board of who decides."""
    whose = f" of player {spec.player + 1}"
    item = element(spec.item) or spec.item
    if isinstance(item, SiteT) and made and all(whose in text for text in made):
        return [text.replace(whose, "") for text in made]
    return made


def text(state: State, spec: Spec, value: Value) -> str:
    """One option in words."""
    game = state.game
    if spec.mode == "action":
        name = str(value)
        known = game.rules_source.procedures.get(name)
        return (known.title or spoken(name)) if known is not None else name
    if spec.mode == "may":
        return "yes" if value else "no"
    if spec.mode in ("some", "order") and isinstance(value, frozenset | tuple):
        items = ordered(value) if isinstance(value, frozenset) else value
        return (", " if spec.mode == "some" else ", then ").join(
            game.presenter.text(v, spec.item, state.seat(spec)) for v in items
        ) or "none"
    return game.presenter.text(value, spec.item, state.seat(spec))


def _where(state: State, s: Position, piece: int) -> str:
    place = s.where[piece]
    if place is None or place[0] == "tile":
        return ""
    if len(place) == 2:
        return f"(in the {spoken(place[0])})"
    board = state.game.setup.layer_board[place[1]]
    layer = state.game.rules_source.boards[board].layer(place[1])
    role = layer.role if layer is not None else "cell"
    t = SiteT(board, role, dict(state.game.rules_source.boards[board].roles).get(role, role))
    return "(at " + ", ".join(state.game.presenter.label(site, t, s) for site in place[2]) + ")"
