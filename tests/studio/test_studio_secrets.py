"""What a player may not know never leaves the server: whatever is shown to a seat is the same in
all states that it cannot tell apart.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from html import unescape

import pytest

pytest.importorskip("sqlalchemy", reason="the extra `studio` is not installed")

from interpreter.conformance.pairs import exchanged, seat, unknown
from interpreter.studio.live import CHOSEN, Live, begun, compiled, row_of
from interpreter.studio.pages import Pages, Seen
from interpreter.studio.scene import letters_at, scene, standing_at, weighed
from interpreter.studio.storage.store import PERSON, Kept, Row, Settings

GAMES = [
    ("examples/classics/three_cards", 2, 30),
    ("examples/classics/crazy_eights", 3, 40),
    ("tests/good/sealed", 2, 30),
    ("big_city", 3, 12),
    ("the_city", 2, 14),
]
PAGES = Pages()


def walked(rules: str, players: int, choices: int) -> Iterator[tuple[Kept, Live]]:
    """A game at random, choice by choice."""
    settings = Settings(rules, players)
    game, rng = compiled(settings), random.Random(rules)
    kept = Kept("id", settings, game.loaded.rules_hash, 3, (PERSON,) * players)
    live = begun(game, kept)
    for _ in range(choices):
        yield kept, live
        if live.state.over:
            return
        decision = rng.choice(live.state.decisions)
        option = decision.sample(rng)
        made = row_of(live.state, decision, option.value)
        row = Row(live.applied + 1, made.seat, CHOSEN, made.name, made.value)
        live.take(row, live.state.choose(option))


def sent(kept: Kept, live: Live, viewer: int | None) -> str:
    """All that is sent to a viewer of a table, who also looks back a step, asks what options bring
    and how scores come about, and is told what changed since that step.
    """
    now = scene(kept, live, viewer, weighed=True)
    back = scene(kept, live, viewer, max(now.steps - 1, 0))
    pages = [Seen(shown, (), "token") for shown in (now, back)]
    letters = [letters_at(live, viewer, at) for at in (None, max(now.steps - 1, 0))]
    steps = None, max(now.steps - 1, 0)
    scores = [
        repr(standing_at(live, viewer, s, at)) for s in range(len(kept.kinds)) for at in steps
    ]
    brings = [] if viewer is None else [repr(weighed(live, viewer))]
    before, after = (PAGES.regions(seen) for seen in reversed(pages))
    news = PAGES.news(pages[0], after, before)
    return "".join([*map(PAGES.table, pages), *letters, *scores, *brings, news])


@pytest.mark.parametrize(("rules", "players", "choices"), GAMES)
def test_pages_are_the_same_where_a_viewer_cannot_tell(
    rules: str, players: int, choices: int
) -> None:
    """Exchange what a viewer cannot know: not a letter of his page changes."""
    rng, compared = random.Random(1), 0
    for kept, live in walked(rules, players, choices):
        for viewer in (*range(players), None):
            other = exchanged(live.state, viewer, rng)
            if other is None:
                continue
            compared += 1
            changed = Live(other, live.course, live.applied, live.rows, live.undone)
            assert sent(kept, live, viewer) == sent(kept, changed, viewer)
    assert compared > 3


@pytest.mark.parametrize(("rules", "players", "choices"), GAMES)
def test_no_page_names_what_is_hidden(rules: str, players: int, choices: int) -> None:
    """A piece that a viewer does not know, and that no piece he knows is called like, is not named
    on his page.
    """
    looked = 0
    for kept, live in walked(rules, players, choices):
        called = live.state.game.presenter.exact
        for viewer in (*range(players), None):
            s = seat(live.state.position, viewer)
            hidden = unknown(s, viewer)
            known = {called(p) for p in range(len(s.where)) if p not in hidden}
            past = {called(p) for p in _told(live, viewer)}
            page = unescape(sent(kept, live, viewer))
            for title in {called(p) for p in hidden} - known - past:
                if len(title) > 3 and not live.state.over:
                    looked += 1
                    assert title not in page or not re.search(
                        rf"(?<!\w){re.escape(title)}(?!\w)", page
                    ), title
    assert looked


def test_who_decide_at_once_look_back_at_their_own_choices() -> None:
    """Each choice of one's own is a step more; that of another is none until all are done."""
    before, looked = 0, Counter[bool]()
    for kept, live in walked("cities", 2, 24):
        now = scene(kept, live, 0)
        last = live.course[-1] if live.course else None
        if last is not None and now.together:
            looked[last.seat == 0] += 1
            assert now.steps == before + (last.seat == 0)
        before = now.steps
    assert looked[True] > 2 and looked[False] > 2


def _told(live: Live, viewer: int | None) -> set[int]:
    """The pieces that were shown to a viewer before, and lie hidden by now."""
    found: set[int] = set()
    state = live.state
    while state is not None:
        s = seat(state.position, viewer)
        found |= set(range(len(s.where))) - unknown(s, viewer)
        state = state.parent
    return found
