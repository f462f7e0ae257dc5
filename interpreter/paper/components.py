"""The chapters about what lies on the table: the box, and the pieces with what is on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from interpreter.paper.document import Grid, Line, Section
from interpreter.paper.overview import players
from rulelang import core
from rulelang.core.types import (
    PLAYER,
    SHAPE,
    TEXT,
    TRUTH,
    OptionalT,
    PairT,
    Type,
    element,
)
from rulelang.core.values import Value, ordered
from rulelang.diagnostics.english import article, plural, spoken
from rulelang.phrases.prose import Prose, capital
from rulelang.ruleset import Board, Component, Design, Place, Ruleset, State
from rulelang.syntax.nodes import CITE

_SEEN = {
    "public": "everybody sees what lies there",
    "private": "only its player sees what lies there",
    "hidden": "nobody sees what lies there",
}
_TITLED_ROWS = 3  # so many designs without text stand in a table


class PieceChapters:
    """Writes of what a ruleset puts on the table."""

    def __init__(self, rules: Ruleset, comments: Callable[[str], tuple[str, ...]]) -> None:
        """Speak of these rules; `comments` gives what the authors wrote above a clause."""
        self.rules, self.comments, self.prose = rules, comments, Prose(rules)

    # ------------------------------------------------------------------------------ the box
    def box(self) -> Section:
        """Players, pieces, names, boards, places, and what is noted."""
        return Section(
            "What is in the box",
            "box",
            lines=(
                self._players(),
                *(self._component(c) for c in self.rules.components.values()),
                *self._laws(),
            ),
            sections=tuple(s for s in self._sections() if s.lines),
        )

    def _sections(self) -> list[Section]:
        r = self.rules
        return [
            Section("Names", "names", lines=self._names()),
            Section("Boards", "boards", lines=tuple(self._board(b) for b in r.boards.values())),
            Section(
                "Where pieces lie", "places", lines=tuple(self._place(p) for p in r.places.values())
            ),
            Section(
                "What is noted during play",
                "states",
                ("On paper, with counters, or as you like.",),
                lines=tuple(self._state(s) for s in r.states.values()),
            ),
            Section("Options", "options", lines=tuple(self._options())),
        ]

    def _line(self, text: str, clause: str, label: str = "") -> Line:
        parts = [c for c in self.rules.clauses.values() if clause in (c.id, c.owner)]
        cites = dict.fromkeys(cite for c in parts for cite in c.cites)
        return Line(text, clause, tuple(cites), label=label)

    def _players(self) -> Line:
        return self._line(players(self.rules), "game/players")

    def _component(self, c: Component) -> Line:
        number = sum(d.copies for d in self.rules.designs if d.component == c.name)
        each = " for each player" if c.per_player else ""
        fields = [
            spoken(name) if (kind := self._kind(t)) == spoken(name) else f"{spoken(name)} ({kind})"
            for name, t in c.fields
        ]
        said = f" Printed on each: {', '.join(fields)}." if fields else ""
        return self._line(f"{number} {c.words[0 if number == 1 else 1]}{each}.{said}", c.clause)

    def _kind(self, t: Type) -> str:
        inner = element(t)
        if inner is not None:
            return f"any number of {plural(self._kind(inner))}"
        if isinstance(t, OptionalT):
            return f"{self._kind(t.of)}, or none"
        known: dict[Type, str] = {TRUTH: "yes or no", SHAPE: "a shape", TEXT: "words"}
        return known.get(t, self.prose.type_noun(t))

    def _laws(self) -> Iterator[Line]:
        """What must hold of the pieces and options before a game begins."""
        for law in self.rules.invariants:
            if law.need is not None:
                cond = f", if {self.prose.say(law.cond)}" if law.cond is not None else ""
                text = f"It must be so that {self.prose.say(law.need)}{cond}."
                yield self._line(text, law.clause, capital(law.label))

    def _names(self) -> tuple[Line, ...]:
        lines = []
        for kind in self.rules.kinds.values():
            if not kind.members:
                continue
            order = ", in this order" if kind.ordered else ""
            said = ", ".join(one for one, _ in kind.words)
            lines.append(
                self._line(f"{said}{order}.", kind.clause, capital(plural(spoken(kind.name))))
            )
        for group in self.rules.groups.values():
            words = [self.rules.kinds[group.kind].words[m][0] for m in group.members]
            lines.append(
                self._line(f"{' or '.join(words)}.", group.clause, capital(group.words[0]))
            )
        return tuple(lines)

    def _board(self, b: Board) -> Line:
        cells = dict(b.roles).get("cell", "cell")
        size = f"{_size(b.width)} columns and {_size(b.height)} rows"
        if b.grown_from is not None:
            words = self.rules.components[b.grown_from].words
            said = f"It grows from the {words[1]} that are laid, each of several {plural(cells)}."
        else:
            said = (
                f"A board of {size}; each place is {'a hexagon' if b.grid == 'hex' else 'a square'}"
            )
            said += f", called {spoken(cells)}."
        own = " Every player has one." if b.per_player else ""
        layers = [
            f"{self.rules.components[layer.component].words[1]} on each "
            f"{spoken(dict(b.roles).get(layer.role, layer.role))}"
            + (" (several may lie on one another)" if layer.stacked else "")
            for layer in b.layers
        ]
        lies = f" There may lie: {'; '.join(layers)}." if layers else ""
        others = " ".join(
            f"For {ground.players[0]} to {ground.players[1]} players: "
            f"{_size(ground.width)} by {_size(ground.height)}."
            for ground in b.others
        )
        return self._line(f"{said}{own}{lies} {others}".strip(), b.clause, capital(spoken(b.name)))

    def _place(self, p: Place) -> Line:
        words = self.rules.components[p.holds].words[1]
        whose = ""
        if p.of == PLAYER:
            whose = " of each player"
        elif p.of is not None:
            whose = f" of each {self.prose.type_noun(p.of)}"
        how = "a pile, in order" if p.ordered else "in no order"
        shows = f"; {', '.join(map(spoken, p.shows))} can be seen of each" if p.shows else ""
        full = "" if not (p.full or p.full_by) else " All of them begin there."
        said = f"{capital(words)}{whose}, {how}; {_SEEN[p.visibility]}{shows}.{full}"
        return self._line(said, p.clause, capital(p.called))

    def _state(self, s: State) -> Line:
        whose = f"for each {self.prose.type_noun(s.of)} " if s.of is not None else ""
        seen = "" if s.visibility == "public" else f"; {_SEEN[s.visibility].split(' what')[0]} it"
        first, kind = self.prose.say(s.initial), self._kind(s.type)
        said = kind if kind[:3] in ("any", "yes") else article(kind)
        text = capital(f"{whose}{said}; at the start {first}{seen}.")
        return self._line(text, s.clause, capital(spoken(s.name)))

    def _options(self) -> list[Line]:
        return [
            self._line(
                f"Choose before the game: {', '.join(spoken(str(v)) for v in values)}.",
                f"option {name}",
                capital(spoken(name)),
            )
            for name, values in self.rules.options.items()
            if name not in self.rules.decks and name != "deck"
        ]

    def decks(self) -> Section:
        """The deck lists beside each other, with how many of each piece they hold."""
        decks = list(self.rules.decks.values())
        signs = [chr(ord("A") + n) if n < 26 else str(n) for n in range(len(decks))]
        lines = [
            self._line(f"{sum(n for _, n in d.counts)} pieces.", d.clause, f"{sign}: {d.title}")
            for sign, d in zip(signs, decks, strict=True)
        ]
        counts = [dict(deck.counts) for deck in decks]
        titles = dict.fromkeys(key for count in counts for key, n in count.items() if n)
        rows = [
            (key[1], *(str(count[key]) if count.get(key) else "" for count in counts))
            for key in sorted(titles, key=lambda key: key[1].lower())
        ]
        grid = Grid(("piece", *signs), tuple(rows)) if rows else None
        return Section("Decks", "decks", lines=tuple(lines), grid=grid)

    # ------------------------------------------------------------------------------ the pieces
    def cards(self) -> Section:
        """Every design: those with words one by one, plain ones in a table for each component."""
        return Section(
            "The pieces, and what their words say",
            "pieces",
            sections=tuple(
                section
                for c in self.rules.components.values()
                if (section := self._designs(c)) is not None
            ),
        )

    def _designs(self, c: Component) -> Section | None:
        known = [d for d in self.rules.designs if d.component == c.name]
        worded = [d for d in known if d.text]
        plain = [d for d in known if not d.text and (d.title or d.values)]
        if not worded and len(plain) < _TITLED_ROWS:
            return None
        alike, grid = shorter(self._grid(c, plain))
        said = (f"On all of them: {alike}.",) if alike else ()
        return Section(
            capital(c.words[1]),
            f"pieces-{c.name}",
            (*self.comments(c.clause), *said),
            lines=tuple(self._card(c, d, n) for n, d in enumerate(worded, 1)),
            grid=grid,
        )

    def _grid(self, c: Component, designs: list[Design]) -> Grid | None:
        if not designs:
            return None
        names = [name for name, _ in c.fields]
        titled = any(d.title for d in designs)
        head = (*(["name"] if titled else []), *map(spoken, names), "copies")
        rows = []
        for d in designs:
            values = dict(d.values)
            cells = [self.value(c, name, values.get(name)) for name in names]
            rows.append((*([d.title] if titled else []), *cells, str(d.copies)))
        return Grid(tuple(head), tuple(rows))

    def _card(self, c: Component, d: Design, number: int) -> Line:
        """A piece with what is printed on it, and each sentence of its text below."""
        values = dict(d.values)
        facts = [
            f"{spoken(name)} {said}"
            for name, _ in c.fields
            if (said := self.value(c, name, values.get(name))) not in ("–", "0", "no", "")
        ]
        copies = f"{d.copies} {'copy' if d.copies == 1 else 'copies'}"
        told = f"{copies}; {', '.join(facts)}." if facts else f"{copies}."
        head = self._line(told, d.clause, d.title)
        lines = tuple(
            Line(CITE.sub("", text).strip(), d.clause, _cites(text)) for text, _ in d.text
        )
        return replace(head, inner=lines, anchor=f"piece-{c.name}-{number}")

    def value(self, c: Component, name: str, value: Value) -> str:
        """What a field of a piece says; a dash for nothing."""
        t = c.field(name)
        if t is None or value is None or value in (frozenset(), (), ""):
            return "–"
        inner = element(t)
        if inner is not None and isinstance(value, frozenset | tuple) and not isinstance(t, PairT):
            items = ordered(value) if isinstance(value, frozenset) else value
            return ", ".join(self.prose.say(core.Const(v, type=inner)) for v in items)
        bare = t.of if isinstance(t, OptionalT) else t
        if bare == SHAPE:
            return str(value)
        return self.prose.say(core.Const(value, type=bare)).strip("“”")


def shorter(grid: Grid | None) -> tuple[str, Grid | None]:
    """What stands in every row of a table, and the table without it; rows that differ by a number
    that counts up are one, as “11–19”."""
    if grid is None or len(grid.rows) < _TITLED_ROWS:
        return "", grid
    same = [n for n in range(len(grid.head)) if len({row[n] for row in grid.rows}) == 1]
    left = [n for n in range(len(grid.head)) if n not in same]
    if not left:
        return "", grid
    alike = [f"{grid.head[n]} {said}" for n in same if (said := grid.rows[0][n]) not in ("", "–")]
    rows = [tuple(row[n] for n in left) for row in grid.rows]
    return ", ".join(alike), Grid(tuple(grid.head[n] for n in left), tuple(_ranges(rows)))


def _ranges(rows: list[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Rows in their order, runs of them that differ by a number that counts up as one."""
    run: list[tuple[str, ...]] = []
    column = -1
    for row in rows:
        next_column = _counts_up(run[-1], row) if run else -1
        if run and next_column >= 0 and column in (-1, next_column):
            column = next_column
            run.append(row)
            continue
        yield from _as_one(run, column)
        run, column = [row], -1
    yield from _as_one(run, column)


def _counts_up(row: tuple[str, ...], then: tuple[str, ...]) -> int:
    """The one column in which two rows differ, by 1; -1 if there is none."""
    differ = [n for n, (a, b) in enumerate(zip(row, then, strict=True)) if a != b]
    if len(differ) != 1:
        return -1
    a, b = row[differ[0]], then[differ[0]]
    return differ[0] if a.isdecimal() and b.isdecimal() and int(b) == int(a) + 1 else -1


def _as_one(run: list[tuple[str, ...]], column: int) -> list[tuple[str, ...]]:
    """A run of rows as one, if it is long enough to be worth it."""
    if len(run) < _TITLED_ROWS:
        return run
    first, last = run[0], run[-1]
    return [(*first[:column], f"{first[column]}–{last[column]}", *first[column + 1 :])]


def _size(size: int | str) -> str:
    return str(size) if isinstance(size, int) else f"as many as “{spoken(size)}” says"


def _cites(text: str) -> tuple[str, ...]:
    """The statements that a sentence of a card cites."""
    found = CITE.search(text)
    if found is None:
        return ()
    return tuple(part.strip() for part in found.group(0).strip(" []").split(","))
