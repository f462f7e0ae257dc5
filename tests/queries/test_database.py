"""Queries: what is worked out again, and what is not."""

from __future__ import annotations

import pytest

from rulelang.queries.database import GIVEN, MAX_AGE, Circular, Database, Query


class Lines(Query[str, str]):
    """The text of a file: a source."""

    texts: dict[str, str]

    def work(self, key: str) -> str:
        """As it is now."""
        self.made.append(key)
        return self.texts.get(key, "")

    made: list[str]


class Length(Query[str, int]):
    """How long a file is, and all that it includes by a line such as `> other`."""

    made: list[str]

    def work(self, key: str) -> int:
        """The sum of the lengths of all words."""
        self.made.append(key)
        found = 0
        for line in self.database.of(Lines)(key).splitlines():
            included = line.removeprefix("> ")
            found += self(included) if included != line else len(line)
        return found


class Parity(Query[str, bool]):
    """Is that length even?"""

    made: list[str]

    def work(self, key: str) -> bool:
        """Asked of the length."""
        self.made.append(key)
        return self.database.of(Length)(key) % 2 == 0


def texts(**given: str) -> Database:
    """A database of these files."""
    made = Database()
    made.of(Lines).texts = given
    for kind in (Lines, Length, Parity):
        made.of(kind).made = []
    return made


def revised(database: Database, **given: str) -> list[str]:
    """Other texts in a new revision: whose length and parity are then worked out again."""
    database.revise()
    database.of(Lines).texts |= given
    for kind in (Lines, Length, Parity):
        database.of(kind).made.clear()
    return [*database.of(Length).made]


def test_an_answer_is_worked_out_again_where_what_it_rests_on_changed() -> None:
    """Of two files only the one that includes the changed one is measured again."""
    database = texts(a="xx\n> b", b="yyy", c="zz")
    length = database.of(Length)
    assert (length("a"), length("c")) == (5, 2)
    revised(database, b="yyyy")
    assert (length("a"), length("c")) == (6, 2)
    assert length.made == ["b", "a"]


def test_an_equal_answer_cuts_off_what_rests_on_it() -> None:
    """A length that grew by two is no other parity: nothing that asks for that is asked again."""
    database = texts(a="xx\n> b", b="yy")
    parity = database.of(Parity)
    assert parity("a") is True
    revised(database, b="zz")
    assert parity("a") is True
    assert (database.of(Length).made, parity.made) == (["b"], [])
    revised(database, b="zzzz")
    assert parity("a") is True
    assert (database.of(Length).made, parity.made) == (["b", "a"], ["a"])


def test_a_source_is_read_once_in_each_revision() -> None:
    """However many ask for it."""
    database = texts(a="> c", b="> c", c="z")
    length = database.of(Length)
    assert (length("a"), length("b")) == (1, 1)
    assert database.of(Lines).made.count("c") == 1
    revised(database)
    assert (length("a"), length("b"), length.made) == (1, 1, [])
    assert database.of(Lines).made.count("c") == 1


def test_what_is_asked_first_is_looked_at_first() -> None:
    """A file that is no longer included is not measured, whatever became of it."""
    database = texts(a="> b", b="yy")
    length = database.of(Length)
    length("a")
    revised(database, a="x", b="> b")
    assert length("a") == 1


def test_a_query_that_asks_for_itself_is_found_out() -> None:
    """At first, and after an edit; then all is as before."""
    database = texts(a="> a", b="> c", c="z")
    length = database.of(Length)
    with pytest.raises(Circular):
        length("a")
    assert length("b") == 1
    revised(database, c="> b")
    with pytest.raises(Circular):
        length("b")
    revised(database, c="zz")
    assert length("b") == 2


def test_what_was_asked_before_something_went_wrong_is_recorded() -> None:
    """Who catches the failure of what he asks rests on what that read."""
    database = texts(a="", b="yy")

    class Careful(Query[str, int]):
        def work(self, key: str) -> int:
            try:
                return int(self.database.recorded(lambda: _none(self.database, "b")).answer)
            except KeyError:
                return self.database.of(Length)("a")

    careful = database.of(Careful)
    assert careful("x") == 0
    revised(database, b="x", a="")
    assert [question.of[1] for question, _ in next(iter(careful.known()), ("", 0, ()))[2]] == []
    assert careful("x") == 0
    asked = next(iter(careful.known()))[2]
    assert [question.of for question, _ in asked] == [(Lines, "b"), (Length, "a")]


def test_who_is_given_a_recorded_answer_rests_on_what_it_rests_on() -> None:
    """Each of two who are given an answer that was worked out once is asked anew with its text."""
    database = texts(a="xx")
    shared = database.recorded(lambda: database.of(Length)("a"))

    class Doubled(Query[str, int]):
        def work(self, key: str) -> int:
            return 2 * self.database.rest_on(shared) + self.database.rest_on(shared)

    doubled = database.of(Doubled)
    assert doubled("one") == doubled("two") == 6
    resting = [[question.of for question, _ in asked] for _, _, asked in doubled.known()]
    assert resting == [[(Length, "a")], [(Length, "a")]]


def _none(database: Database, key: str) -> int:
    database.of(Lines)(key)
    raise KeyError(key)


def test_what_nobody_asks_for_is_forgotten() -> None:
    """After so many revisions, and not before."""
    database = texts(a="x", b="y")
    length = database.of(Length)
    length("a")
    length("b")
    for _ in range(MAX_AGE + 1):
        revised(database)
        length("a")
    assert length.made == []
    length("b")
    assert length.made == ["b"]


def test_answers_from_elsewhere_stand_if_what_they_rest_on_does() -> None:
    """An answer that was written down is held against the sources; what was not written beside it
    is whatever is there first.
    """
    database = texts(a="xx", b="yy", c="zz")
    lines, length = database.of(Lines), database.of(Length)
    length.learn("a", 2, [(lines.learn("a", "xx"), "xx")])
    length.learn("b", 7, [(lines.learn("b", "other"), "other")])
    length.learn("c", 9, [(lines.learn("c", GIVEN), GIVEN)])
    database.revise()
    assert (length("a"), length("b"), length("c"), length.made) == (2, 2, 9, ["b"])
    revised(database, c="zzz")
    assert (length("c"), length.made) == (3, ["c"])
