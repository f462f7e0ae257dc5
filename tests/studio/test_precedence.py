"""Who chooses goes ahead of what runs beside."""

from __future__ import annotations

import asyncio
import threading

import pytest

pytest.importorskip("sqlalchemy", reason="the extra `studio` is not installed")

from interpreter.studio.precedence import Precedence, Turns


def test_a_lock_goes_to_the_urgent_first_and_else_in_order() -> None:
    """Whoever waits; and nobody is left waiting."""
    turns, came = Turns(), list[str]()

    def come(name: str, urgent: bool) -> None:
        with turns.held(urgent):
            came.append(name)

    threads = []
    with turns.held():
        for number, (name, urgent) in enumerate(
            [("page", False), ("bot", False), ("choice", True), ("another", True)], 1
        ):
            threads.append(threading.Thread(target=come, args=(name, urgent)))
            threads[-1].start()
            while turns.waiting < number:
                pass
    for thread in threads:
        thread.join()
    assert came == ["choice", "another", "page", "bot"]
    assert not turns.waiting
    turns.acquire()  # it is free again


def test_a_lock_that_is_left_is_held_again() -> None:
    """Others have it meanwhile; an error does not lose it."""
    turns, came = Turns(), list[str]()

    def come() -> None:
        with turns.held():
            came.append("other")

    other = threading.Thread(target=come)
    with turns.held():
        other.start()
        while not turns.waiting:
            pass
        with pytest.raises(KeyError), turns.left(urgent=True):
            other.join()
            raise KeyError
        came.append("first")
    assert came == ["other", "first"]
    turns.acquire()


@pytest.mark.parametrize(("longest", "order"), [(3_600.0, "choice page"), (0.0, "page choice")])
def test_the_rest_waits_while_people_choose_but_not_for_ever(longest: float, order: str) -> None:
    """What is asked for meanwhile is begun after the choice, or when it has waited long enough."""
    came: list[str] = []

    async def play() -> None:
        first, may_end = Precedence(longest), threading.Event()

        def choice() -> None:
            may_end.wait(30)
            came.append("choice")

        def page() -> None:
            came.append("page")
            may_end.set()

        acting = asyncio.ensure_future(first.ahead(choice))
        await asyncio.sleep(0)
        telling = asyncio.ensure_future(first.behind(page))
        if longest:
            await asyncio.sleep(0)
            may_end.set()
        await asyncio.gather(acting, telling)
        await first.calm()

    asyncio.run(play())
    assert " ".join(came) == order


def test_a_choice_that_fails_leaves_nobody_waiting() -> None:
    """Its error is its own."""

    async def play() -> str:
        first = Precedence(3_600.0)
        with pytest.raises(ZeroDivisionError):
            await first.ahead(lambda: 1 // 0)
        return await first.behind(lambda: "told")

    assert asyncio.run(play()) == "told"
