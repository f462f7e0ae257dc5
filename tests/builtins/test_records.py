"""One record for each built-in word: complete, honest about what it reads, and sufficient."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from interpreter.game.game import State, game_of
from interpreter.game.loading import load_rules
from interpreter.model.position import Position
from rulelang import core
from rulelang.analysis.cost import cost
from rulelang.analysis.reads import Reads
from rulelang.builtins.boards import all_sites, board_at
from rulelang.builtins.record import ANYTHING, STEP, TILES, WHOLE, Builtin, Function
from rulelang.builtins.registry import BUILTINS, authors_words, implementation
from rulelang.builtins.type_rules import cell_of
from rulelang.builtins.world import Declarations, Game
from rulelang.core.types import BoardT, SetT, Type
from rulelang.diagnostics import CODES
from rulelang.phrases.describe import Describer
from rulelang.ruleset import Ruleset

ROOT = Path(__file__).resolve().parents[2]


# ---------------------------------------------------------------------------------- completeness
@pytest.mark.parametrize("name", BUILTINS)
def test_a_record_is_complete(name: str) -> None:
    """Each record says how its word is written, meant and read aloud, and what it costs."""
    word = BUILTINS[name]
    assert word.name == name and word.arity >= 1
    assert STEP <= word.cost <= WHOLE
    assert word.meaning and not word.meaning.endswith(".")
    assert name in word.written if not word.internal else not word.written
    assert len(word.wanted) <= word.arity
    assert not word.relation or (word.arity == 2 and word.written == f"x {name} y")
    assert all(other in BUILTINS for other in (word.partners, word.inverse) if other)


@pytest.mark.parametrize("name", BUILTINS)
def test_a_word_is_read_aloud_with_its_first_argument(name: str) -> None:
    """The wordings of a word speak of what it is said of; its contrary says `not`."""
    word = BUILTINS[name]
    said = [f"argument{i}" for i in range(word.arity)]
    node = core.Builtin(name, tuple(core.Var(text) for text in said))
    text = word.worded(node, said, Ruleset())
    assert said[-1 if name == "board_of" else 0] in text
    told = word.told.format(*said)
    assert not told or said[0] in told
    assert "not" in (word.negated or "not").split()


def named_in_code() -> Iterator[tuple[str, str]]:
    """The built-in words that the packages make expressions of, or ask for, by name."""
    for path in [*(ROOT / "rulelang").rglob("*.py"), *(ROOT / "interpreter").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            made = isinstance(node.func, ast.Attribute) and node.func.attr == "Builtin"
            first = node.args[0]
            if made and isinstance(first, ast.Constant):
                yield str(first.value), path.name


def test_every_word_that_is_made_has_a_record() -> None:
    """No expression is made of a word without a record; internal words are made somewhere."""
    made = {name for name, _ in named_in_code()}
    assert made <= BUILTINS.keys()
    assert {word.name for word in BUILTINS.values() if word.internal} - made <= {"sites", "site"}


def test_an_unknown_word_reads_anything_and_costs_the_most() -> None:
    """A word without a record is never taken for one that reads or costs nothing."""
    node = core.Builtin("no_such_word", ())
    assert Reads(Ruleset()).all(node) == {ANYTHING}
    assert cost(Ruleset(), node) == WHOLE >= max(word.cost for word in BUILTINS.values())
    with pytest.raises(ValueError, match="no_such_word"):
        implementation(node, game_of(load_rules("tests/good/hex", (), []), None, (), {}).setup)


# ---------------------------------------------------------------------------------------- read sets
class Watched:
    """A position that gives only what a read set names."""

    def __init__(self, s: Position, sources: frozenset[str], word: str) -> None:
        self.s, self.sources, self.word = s, sources, word

    def __getattr__(self, name: str) -> object:
        layers = {source[6:] for source in self.sources if source.startswith("layer:")}
        allowed = {
            "setup": True,
            "on": bool(layers),
            "where": bool(layers or self.sources & {"where", "tiles"}),
            "tiles": "tiles" in self.sources,
            "present": "tiles" in self.sources,
            "geometry": "tiles" in self.sources,
        }
        assert ANYTHING in self.sources or allowed.get(name), f"{self.word} reads {name} unsaid"
        found = getattr(self.s, name)
        return {layer: found[layer] for layer in layers} if name == "on" else found


def watching(word: Builtin) -> Builtin:
    """The same word, held against the read set of its record."""

    def implement(node: core.Builtin, game: Game) -> Function:
        evaluate, sources = word.implement(node, game), word.sources(node, game.rules)
        return lambda s, *values: evaluate(Watched(s, sources, word.name), *values)

    return replace(word, implement=implement)


GAMES = ("lakes", "development", "rafts", "buried", "sights", "tic_tac_toe", "bricks", "pool")


@pytest.mark.parametrize("name", GAMES)
def test_a_word_reads_no_more_than_its_record_says(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Played by the reference evaluator, each word keeps to the read set of its record."""
    for word in list(BUILTINS.values()):
        monkeypatch.setitem(BUILTINS, word.name, watching(word))
    game = game_of(load_rules(f"tests/good/{name}", (), []), None, (), {})
    play(game.start(1), 25)


def play(state: State, moves: int) -> None:
    """Make a few random moves."""
    rng = random.Random(1)
    for _ in range(moves):
        if state.over:
            return
        state = state.choose(state.decisions[0].sample(rng))


# ----------------------------------------------------------------- the worked example: add a word
def _rim_type(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    return SetT(cell_of(rules, args[0])) if isinstance(args[0], BoardT) else None


def _rim(node: core.Builtin, game: Game) -> Function:
    board = board_at(node, game)
    neighbors, most = board.grid.neighbors, len(board.grid.directions)

    def rim(s: Position, copy: int) -> frozenset[int]:
        cells = all_sites(s, board, "cell", copy)
        return frozenset(c for c in cells if len(neighbors[c % board.cells]) < most)

    return rim


RIM = Builtin(
    name="rim",
    arity=1,
    result=_rim_type,
    implement=_rim,
    reads=TILES,
    cost=STEP,
    written="x's rim",
    meaning="the cells on the edge of a board",
    wording="the rim of {0}",
)
RULES = """
game rim_walk "Rim walk"
  players: 2

board land
  grid: square, 3 by 3
  cells: cell

state mark of cell: player or none = none

define free_rim reads "the free rim"
  {c in land's rim where c's mark is none}

event claim(p: player, at: cell)
  set at's mark to p

rules of claim(p, at)
  "on the rim"  at in land's rim

flow
  repeat
    each p in turn
      choose at in cells where at's mark is none by p "cell"
      do claim(p, at)

end full when free_rim is empty

rank
  highest count of {c in cells where c's mark = player}
"""


@pytest.fixture
def rules_with_rim(tmp_path: Path) -> Path:
    """A small ruleset that uses a word the language does not have."""
    path = tmp_path / "rim_walk.rules"
    path.write_text(RULES.lstrip(), "utf-8")
    return path


@pytest.mark.parametrize("keeps", [False, True])
def test_a_word_is_added_in_one_place(
    rules_with_rim: Path, monkeypatch: pytest.MonkeyPatch, keeps: bool
) -> None:
    """A record is all it takes: rules that use the word are checked, described and played."""
    monkeypatch.setitem(BUILTINS, RIM.name, RIM)
    assert RIM in authors_words()
    loaded = load_rules(str(rules_with_rim), (), [])
    assert loaded.compiled.report.found == []
    rules = loaded.compiled.rules
    need = rules.events["claim"].rules[0].need
    assert Describer(rules).say(need) == "at is one of the rim of the land"
    assert Reads(rules).all(need) == TILES
    state, claimed = game_of(loaded, None, (), {}, keeps=keeps).start(1), set[int]()
    while not state.over:
        options = {option.value: option for option in state.decisions[0].options()}
        assert options.keys() == {0, 1, 2, 3, 5, 6, 7, 8} - claimed
        claimed.add(min(options))
        state = state.choose(options[min(options)])
    assert len(claimed) == 8


def test_a_word_that_was_taken_away_is_unknown(rules_with_rim: Path) -> None:
    """Without its record, the rules that use a word are refused."""
    assert "rim" not in BUILTINS
    found = load_rules(str(rules_with_rim), (), []).compiled.report.found
    assert {item.code for item in found} == {CODES["unknown-field"].code}
    assert all("rim" in item.message for item in found)


def test_the_workings_show_the_word_as_it_is_here() -> None:
    """The listing in docs/workings.md is the code of this module, comments aside."""
    text = (ROOT / "docs" / "workings.md").read_text("utf-8")
    listing = text.split("* **Add a built-in word**")[1].split("```python")[1].split("```")[0]
    shown = [line.split("  #")[0].strip() for line in listing.splitlines()]
    here = [line.strip() for line in Path(__file__).read_text("utf-8").splitlines()]
    assert len(shown) > 20 and set(shown) <= set(here)
