"""What the tests in a browser share: the browser, and what goes wrong on its pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The system's Chromium, for the tests of a module."""
    import browsers

    with browsers.chromium() as made:
        yield made


@pytest.fixture
def wrong() -> Iterator[list[str]]:
    """What went wrong on any page of a test: nothing may, nor may a policy be broken."""
    found: list[str] = []
    yield found
    assert found == []
