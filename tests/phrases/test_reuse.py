"""What a variant reads as its game does is not read again, and that changes no answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.game.loading import Loaded, load_rules, overlay
from rulelang import core
from rulelang.compiler.driver import CompileCache
from rulelang.core.renaming import but_fresh_names, same_but_fresh_names
from rulelang.core.types import NUMBER, TRUTH
from rulelang.phrases.near_misses import NearMisses
from rulelang.phrases.readings import Glossary
from rulelang.ruleset import Design
from rulelang.ruleset.normalize import normal_extension

MARKET = """\
game market "The market"
  players: 2

kind sort in order: cloth, glass, wood
group brittle "brittle thing" / "brittle things": glass

component ware
  sort: sort
  cost: number

place stall: ware, ordered, full
place table: ware

define enough = 3
define busy = count of table > enough
define crowded = busy
phrase manner gives truth
define gladly gives truth reads manner "gladly" = busy
define often(many: number) gives truth reads manner "{many} times over" = count of table > many
define hushed(how: manner) gives truth = how and busy
define slowly(how: manner) gives truth reads manner "slowly {how}" = hushed(how)

score value(w: ware)
  start w's cost "cost"
  open "texts"

pattern "Gain {n} today."
  n: number
  as played
    score value at "texts"
      + n "today"  when count of table > 3

pattern "Gain {n} (today)."
  n: number
  as played
    score value at "texts"
      + n "today"  when crowded

pattern "Pay {n} {m}."
  n: number
  m: manner
  as played
    score value at "texts"
      - n "paid"  when m

pattern "Earn {n} with a/an {k}."
  n: number
  k: set of ware
  as played
    score value at "texts"
      + n "{k}"  when some x in table where x in k

card "Lamp" of ware
  sort: glass
  cost: 1
  text
    | Gain 2 today.

card "Rug" of ware
  sort: cloth
  cost: 3
  text
    | Pay 1 gladly. Pay 2 slowly 4 times over.
    | Earn 3 with a brittle thing. Earn 1 with a Lamp.

event show(p: player, w: ware) reads "{p} shows {w}"
  move w to table

flow
  each p in turn
    choose w in stall by p
    do show(p, w)

rank
  highest count of table

variant plain "Nothing that a text reads"
  replace event show(p: player, w: ware) reads "{p} shows {w}"
    move w to table
    shuffle stall

variant quiet "A definition that another calls"
  replace define enough = 4

variant loud "A definition that a wording is"
  replace define gladly gives truth reads manner "gladly" = not busy

variant slow "What a wording calls that takes another"
  replace define hushed(how: manner) gives truth = busy or how

variant hasty "A wording that takes another"
  replace define slowly(how: manner) gives truth reads manner "slowly {how}" = busy or how

variant soft "A word"
  replace group brittle "brittle thing" / "brittle things": glass, cloth

variant wide "Another title"
  card "Vase" of ware
    sort: glass
    cost: 2
    text
      | Gain 2 today. Earn 1 with a Vase.
"""
VARIANTS = ("plain", "quiet", "loud", "slow", "hasty", "soft", "wide")


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rules of the market, in a file."""
    path = tmp_path_factory.mktemp("market") / "market.rules"
    path.write_text(MARKET)
    return path


@pytest.fixture(scope="module")
def shared(market: Path) -> Loaded:
    """The game, compiled with what its variants may take over."""
    return load_rules(str(market), kept=CompileCache())


def _said(loaded: Loaded) -> list[object]:
    """All that was found, and what each text adds and names, whatever its fresh names are."""
    rules = loaded.compiled.rules
    return [
        [item.as_json() for item in loaded.findings()],
        [(e.title, normal_extension(e)) for e in rules.extensions],
        [(design.title, design.nouns) for design in rules.designs],
    ]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_variant_after_its_game_is_as_the_variant_alone(
    market: Path, shared: Loaded, variant: str
) -> None:
    alone = load_rules(str(market), [variant], checks=False)
    assert _said(overlay(shared, [variant])) == _said(alone)


def test_variants_differ_from_the_game_where_texts_read_what_they_replace(shared: Loaded) -> None:
    same = [name for name in VARIANTS if _said(overlay(shared, [name])) == _said(shared)]
    assert same == ["plain", "loud", "slow"]  # texts call `gladly` and `hushed` by their names


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The first words of all that is read."""
    found, known = list[str](), Glossary._interpreted

    def interpreted(glossary: Glossary, text: str, component: str) -> object:
        found.append(text.split()[0])
        return known(glossary, text, component)

    monkeypatch.setattr(Glossary, "_interpreted", interpreted)
    return found


def test_what_reads_alike_is_not_read_again(market: Path, read: list[str]) -> None:
    game = load_rules(str(market), kept=CompileCache())
    read.clear()
    overlay(game, ["plain"])
    assert read == []
    overlay(game, ["quiet"])
    assert set(read) == {"Gain", "Pay"}
    read.clear()
    overlay(game, ["soft"])
    assert set(read) == {"Earn"}


@pytest.mark.parametrize(
    ("before", "after", "again"),
    [
        ("crowded\n", "busy\n", {"Gain"}),
        ('"Pay {n} {m}."', '"Pay {n} {m}.", "Owe {n} {m}."', {"Pay"}),
        ('"{many} times over"', '"{many} times over", "{many} times"', {"Pay"}),
        ('"gladly"', '"gladly", "with a lamp"', {"Pay", "Earn"}),
        ('"brittle things": glass', '"brittle things": glass, wood', {"Earn"}),
        ('"Lamp"', '"Light"', {"Earn"}),
        ('"Lamp"', '"Pay"', {"Earn", "Pay"}),
        ('"Rug"', '"Wool"', set()),
        ('"Rug"', '"Co-op"', set()),
        ('"Lamp"', '"Light-box"', {"Earn"}),
        ('"Rug"', '"Weavers\' Co."', set()),
        ('"Rug"', '"Lamp."', {"Earn"}),
        ("rank\n", 'synonyms "gain", "win"\n\nrank\n', {"Gain", "Pay", "Earn"}),
    ],
)
def test_only_what_an_edit_may_let_be_read_otherwise_is_read_again(
    market: Path, tmp_path: Path, read: list[str], before: str, after: str, again: set[str]
) -> None:
    """A text is read again where it has the words of a wording, or of a title, that came or went,
    or where what it was read by stands for something else.
    """
    path, kept = tmp_path / "market.rules", CompileCache()
    path.write_text(MARKET)
    load_rules(str(path), kept=kept, checks=False)
    path.write_text(MARKET.replace(before, after))
    read.clear()
    edited = load_rules(str(path), kept=kept, checks=False)
    assert set(read) == again
    assert _said(edited) == _said(load_rules(str(path), checks=False))


def _some(name: str, other: str) -> core.Expr:
    """A condition that binds one name and asks of another."""
    return core.Exists(
        name, core.Titled("ware", "Lamp"), core.Not(core.Var(other, type=TRUTH)), type=TRUTH
    )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (_some("x~1", "x~1"), _some("x~7", "x~7"), True),
        (_some("x~1", "y~2"), _some("x~2", "y~1"), True),
        (_some("x~1", "x~1"), _some("x~7", "x~8"), False),
        (_some("x~1", "x~2"), _some("x~7", "x~7"), False),
        (_some("x~1", "x~1"), _some("y~1", "y~1"), False),
        (core.Const("a~1"), core.Const("a~2"), False),
        (core.Const(1, type=NUMBER), core.Const(1, type=TRUTH), False),
        (core.Const(1), core.Const(True), False),
        ((core.Const(1), "x~1"), (core.Const(1), "x~2"), False),
        ((core.Var("x~1"), core.Var("x~1")), (core.Var("x~2"), core.Var("x~3")), False),
    ],
)
def test_only_the_numbers_of_fresh_names_may_differ(one: object, other: object, same: bool) -> None:
    assert same_but_fresh_names(one, other) is same
    assert (but_fresh_names(one) == but_fresh_names(other)) is same


@pytest.fixture
def explained(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sentences for which it is looked for what keeps them from being read."""
    found, known = list[str](), NearMisses.nearest_phrases

    def nearest(misses: NearMisses, text: str, design: Design | None) -> list[str]:
        found.append(text)
        return known(misses, text, design)

    monkeypatch.setattr(NearMisses, "nearest_phrases", nearest)
    return found


UNREAD = MARKET.replace("| Gain 2 today.\n\n", "| Gain 2 tomorrow.\n\n", 1)


@pytest.mark.parametrize(
    ("after", "again"),
    [
        (UNREAD, 0),
        (UNREAD.replace('card "Lamp"', '# A lamp.\n\n  \ncard "Lamp"'), 0),
        (UNREAD.replace("| Gain 2 tomorrow.", "|    Gain 2 tomorrow."), 0),
        (UNREAD.replace('"Pay {n} {m}."', '"Pay {n} {m}.", "Gain {n} some day."'), 1),
        (UNREAD.replace("when count of table > 3", "when count of table > 5"), 0),
        (UNREAD.replace("when crowded", "when busy"), 1),
        (UNREAD.replace('card "Rug"', 'card "Tomorrow"'), 1),
    ],
)
def test_why_a_sentence_is_not_read_is_told_from_what_is_known_while_it_is_the_same(
    tmp_path: Path, explained: list[str], after: str, again: int
) -> None:
    """Wherever the sentence stands by now, the finding does. It is looked for once more where any
    wording or title came or went, or where what would be read in its place means something else.
    """
    path, kept = tmp_path / "market.rules", CompileCache()
    path.write_text(UNREAD)
    load_rules(str(path), kept=kept, checks=False)
    assert explained == ["Gain 2 tomorrow."]
    path.write_text(after)
    explained.clear()
    edited = load_rules(str(path), kept=kept, checks=False)
    assert len(explained) == again
    assert _said(edited) == _said(load_rules(str(path), checks=False))


def test_a_variant_tells_of_a_sentence_what_its_game_does(
    tmp_path: Path, explained: list[str]
) -> None:
    path = tmp_path / "market.rules"
    path.write_text(UNREAD)
    game = load_rules(str(path), kept=CompileCache())
    for variant, again in (("plain", 0), ("loud", 0), ("quiet", 1), ("soft", 0), ("wide", 1)):
        explained.clear()
        found = overlay(game, [variant])
        assert (variant, explained.count("Gain 2 tomorrow.")) == (variant, again)
        assert _said(found) == _said(load_rules(str(path), [variant], checks=False))
