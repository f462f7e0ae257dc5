"""Several people at one keyboard, and people who type anything: nobody sees what is another's,
nothing breaks, nothing is lost.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from keyboard import CLEARED, Keyboard, seat

from interpreter.engine.decisions import Decision, Option
from interpreter.game.game import Game, State, load
from interpreter.render.screen import Listener
from interpreter.simulation.outcome import BotError
from interpreter.table import commands, saves
from interpreter.table.input import answer
from interpreter.table.menu import Menu
from interpreter.table.saves import Keeper
from interpreter.table.seats import Seats
from interpreter.table.session import Quit, Table, has_secrets

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def sims() -> Game:
    return load(str(ROOT / "tests/good/sims"), players=3)


@pytest.fixture(scope="module")
def sealed() -> Game:
    return load(str(ROOT / "tests/good/sealed"), players=2)


# ------------------------------------------------------------------------- one keyboard
def test_hands_stay_hidden_between_turns(sims: Game) -> None:
    """The screen is emptied before a person looks.

    On it then stands his hand and nobody else's, in the log as well.
    """
    screen = Keyboard(
        ["", "lay", "why not pass", "1", "1", "", "", "log", "pass", "", "", "scores"]
    )
    table = seat(sims, screen, (0, 1))
    start = table.state
    hands = {
        p: {sims.presenter.piece(c) for c in start.position.places["hand", p]} for p in range(3)
    }
    table.play()
    looks = screen.looks()
    assert all(any(f"Pass the keyboard to player {p}," in look for look in looks) for p in (1, 2))
    for look in looks:
        owners = {p for p in range(3) if f"player {p + 1} (you)" in look}
        assert len(owners) < 2
        for p in owners:
            assert "your hand" in look and any(
                title in look.partition("your hand")[2] for title in hands[p]
            )
        if owners == {1}:
            assert (
                "player 1 draws 3 blocks from the deck" in look
                and "player 3 draws 3 blocks from the deck" in look
            )
    assert looks[0].endswith("Pass the keyboard to player 1, who then presses Enter. \n")
    assert [look.strip() for look in looks if "Pass the keyboard to player 2" in look] == [
        "Pass the keyboard to player 2, who then presses Enter."
    ]


def test_the_other_is_told_what_happened_meanwhile(sims: Game) -> None:
    """From where he looked last, the bot's turn too, and nothing of it twice."""
    screen = Keyboard(["", *["pass", "", ""] * 4])
    table = seat(sims, screen, (0, 1))
    table.play()
    second = [look for look in screen.looks() if "player 1, this happened since you looked" in look]
    assert second and all(look.count("player 2 draws") <= 1 for look in second)
    assert (
        "player 2 draws 1 block from the deck" in second[0]
        and "player 3 draws 1 block from the deck" in second[0]
    )
    assert "player 2: pass" in second[0], "what he did, if nothing came of it"


# Who holds fewer than four cards can only pass.
HELD_BACK = """game wait "Wait"
  players: 2
component card
  pieces title, copies
    | "Ace" 20
place deck: card, full, ordered, hidden
place hand of player: card, private
state points of player: number = 0
event lay(p: player) reads "{p} lays a card"
  add 1 to p's points
action lay_one(p: player) "Lay a card" when count of p's hand >= 4
  choose c in p's hand by p "Which card do you lay?"
  do lay(p)
action pass(p: player) "Pass"
  do nothing
flow
  repeat
    each p in turn
      draw 1 from deck to p's hand
      take one of lay_one, pass by p
end enough when some p in players where p's points > 0
rank
  highest player's points
"""


def test_runs_of_passes_are_told_as_one(tmp_path: Path) -> None:
    """With how often it was, and with all that was drawn meanwhile; a pass alone as itself."""
    path = tmp_path / "wait.rules"
    path.write_text(HELD_BACK, "utf-8")
    screen = Keyboard(["pass"])
    seat(load(str(path)), screen, (0,), p1=lambda _, decision: next(decision.options())).play()
    told = "\n".join(screen.said)
    assert (
        "player 1: Pass 3 times (nothing else can be chosen)\n"
        "player 2: Pass 3 times\n"
        "  player 2 draws 3 cards from the deck\n"
        "  player 1 draws 3 × Ace from the deck\n"
    ) in told
    assert "player 2: Lay a card\n  player 2 lays a card" in told
    assert told.count(": Pass") == 3, "and the one that was typed"


def test_what_is_decided_unseen_is_told_once(sealed: Game) -> None:
    """In simultaneous play a person sees his own choice at once.

    When all is laid open it is told to the others, and to him only what is new.
    """
    screen = Keyboard(["", "1 2", "", "", "1 2", "", "", ""])
    table = seat(sealed, screen, (0, 1))
    table.play()
    assert has_secrets(sealed) and table.state.moves >= 2
    first, second = (
        next(look for look in screen.looks() if f"player {p} (you)" in look) for p in (1, 2)
    )
    mine = [line for line in first.splitlines() if line.startswith("your hand")]
    assert mine and mine[0] not in second


def test_without_secrets_nobody_waits() -> None:
    """Where all is open the keyboard goes round without a word."""
    game = load(str(ROOT / "tests/good/tic_tac_toe"))
    screen = Keyboard(["b2", "a1"])
    seat(game, screen, (0, 1)).play()
    assert (
        not has_secrets(game)
        and CLEARED not in screen.said
        and not any("Pass the keyboard" in line for line in screen.said)
    )


# ----------------------------------------------------------------------- bots that fail
def test_a_bot_that_fails_is_named_and_the_game_kept(sims: Game, tmp_path: Path) -> None:
    """It raises, or answers what cannot be chosen: its player is named, and the game is kept as it
    stood before.
    """

    def raises(state: State, decision: Decision) -> Option:
        raise ValueError("no idea")

    def cheats(state: State, decision: Decision) -> Option:
        return Option(decision.player, decision.name, "win")

    for number, (bot, said) in enumerate([(raises, "no idea"), (cheats, "cannot be chosen")]):
        keeper = Keeper(sims, Seats(("me", "random", "random")), tmp_path / f"{number}.save")
        screen = Keyboard(["pass"])
        with pytest.raises(BotError, match=f"bot of player 2.*{said}"):
            seat(sims, screen, (0,), keeper=keeper, p1=bot).play()
        assert (
            len(saves.read(tmp_path / f"{number}.save").choices) == 1
            and f"{number}.save" in screen.said[-1]
        )


def test_rules_that_fail_keep_the_game(
    sims: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault of the rules ends the game, and loses nothing."""
    keeper = Keeper(sims, Seats(("me", "random", "random")), tmp_path / "x.save")
    monkeypatch.setattr(sims.rules_source, "max_moves", 3)
    table = seat(sims, Keyboard(["pass"] * 9), (0,), keeper=keeper)
    table.play()
    assert table.fault is not None and "bound of 3 moves" in str(table.fault)
    kept = saves.read(tmp_path / "x.save")
    assert len(kept.choices) == 3 and kept.not_decided == str(table.fault)


# ----------------------------------------------------------------------------- anything
class Anything(Listener):
    """A person who types numbers, commands, words that are on the screen in any order, and
    rubbish.
    """

    def __init__(self, seed: int, lines: int) -> None:
        super().__init__()
        self.rng, self.left = random.Random(seed), lines
        self.table: Table | None = None

    def ask(self, prompt: str) -> str | None:
        self.left -= 1
        if self.left < 0 or self.table is None:
            return None
        rng, state = self.rng, self.table.state
        menu = Menu.of(state, state.decisions[0])
        on_screen = " ".join(menu.texts[:50]).split() or ["x"]
        some = " ".join(rng.sample(on_screen, min(len(on_screen), rng.randint(1, 3))))
        numbers = [
            str(rng.randint(1, min(len(menu.values), 60) or 1)) for _ in range(rng.randint(1, 3))
        ]
        command = rng.choice(
            [
                *commands.COMMANDS,
                "map 2",
                "look player 1",
                f"why not {some}",
                f"look {some}",
                f"explain {some}",
                "why not x y=z",
            ]
        )
        rubbish = rng.choice(
            [
                "",
                "#",
                "0",
                "-1",
                "99999999999",
                "²",
                "“",
                "' ; \x00",
                "x" * 300,
                "why",
                "none",
                "#1",
            ]
        )
        return (
            rng.choices(
                [numbers[0], " ".join(numbers), some, command, rubbish, "yes"], [6, 3, 3, 3, 1, 1]
            )[0]
            .replace("quit", "")
            .replace("exit", "")
        )


@pytest.mark.parametrize(
    ("name", "players"),
    [("tic_tac_toe", 2), ("hex", 2), ("sims", 3), ("development", 2), ("sealed", 2), ("sights", 2)],
)
def test_whatever_is_typed_the_game_goes_on(name: str, players: int, tmp_path: Path) -> None:
    """No line breaks the table, and what came of it plays again from its record."""
    game = load(str(ROOT / "tests/good" / name), players=players)
    screen = Anything(len(name), 60)
    keeper = Keeper(game, Seats(("me",) * players), tmp_path / "x.save")
    screen.table = table = seat(game, screen, (0, 1), seed=len(name), keeper=keeper)
    state = table.play()
    assert game.replay(game.record(state)) == state
    assert not any(line.startswith("Traceback") for line in screen.said)
    with pytest.raises(Quit):
        commands.command(
            table, "quit", state.decisions[0], Menu.of(state, state.decisions[0])
        ) if state.decisions else commands.quit_(table, "", None, None)  # type: ignore[arg-type]


def test_who_goes_on_is_told_what_he_has_not_read(sims: Game) -> None:
    """In a game that was kept everybody has read as far as his own last choice."""
    state = sims.start(3)
    for _ in range(2):
        state = state.choose(next(o for o in state.decisions[0].options() if o.value == "pass"))

    def first(state: State, decision: Decision) -> Option:
        return next(decision.options())

    screen = Keyboard([])
    Table(
        sims.replay(sims.record(state)),
        {0: first, 2: first},
        screen,
        None,
        commands.command,
        answer,
    ).play()
    told = [line for line in screen.said if " from the deck" in line]
    assert len(told) == 2 and "2 choices were made before." in screen.said
    assert [line.split(" draws ")[0].strip() for line in told] == ["player 1", "player 2"], (
        "all that came after his own choice and what followed at once"
    )


def test_three_hands_at_one_keyboard(sims: Game) -> None:
    """After each hand-over nothing of another hand is on the screen, nor of the deck.

    Neither in the boards, the log, what options would do, nor in answers to questions.
    """
    asks = ["log", "scores", "look hand", "map", "all", "explain", "show", "help"]
    screen = Keyboard(["", *[line for _ in range(7) for line in [*asks, "pass", "", ""]]])
    table = seat(sims, screen, (0, 1, 2))
    held: dict[int, set[str]] = {p: set() for p in range(3)}
    known = {p: set[str]() for p in range(3)}
    state = table.play()
    while state.parent is not None:  # whatever each ever held, and what lay open to all
        for p in range(3):
            held[p] |= {sims.presenter.piece(c) for c in state.position.places["hand", p]}
        lying = {
            sims.presenter.piece(c)
            for here in state.position.on.values()
            for x in here.values()
            for c in x
        }
        known = {p: known[p] | lying for p in range(3)}
        state = state.parent
    looks = [look for look in screen.looks() if " (you)" in look]
    seen = set()
    for look in looks:
        (owner,) = {p for p in range(3) if f"player {p + 1} (you)" in look}
        seen.add(owner)
        others = set().union(*(held[p] for p in range(3) if p != owner))
        secret = others - held[owner] - known[owner]
        assert secret and not [title for title in secret if title in look], owner
    assert seen == {0, 1, 2}
