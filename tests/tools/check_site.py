"""See that every listing of the site is coloured: `python tests/tools/check_site.py SITE`.

A listing says its language, and unless that is `text` its words bear their kinds. Prints what does
not, and how many listings there are of each language; the exit status is 1 if one is not coloured.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

PLAIN = "text"  # what stands on a screen


class Listings(HTMLParser):
    """The listings of a page: the language of each, and how many of its words have a kind."""

    def __init__(self) -> None:
        """None is found yet."""
        super().__init__()
        self.found: list[tuple[str, int]] = []
        self._language = ""
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a listing that begins, and words of the one that is open."""
        names = (dict(attrs).get("class") or "").split()
        if tag == "div" and "highlight" in names:
            said = (n.removeprefix("language-") for n in names if n.startswith("language-"))
            self._language = next(said, "")
        elif tag == "pre":
            self.found.append((self._language, 0))
            self._inside, self._language = True, ""
        elif tag == "span" and self._inside and names and names != ["w"]:
            language, words = self.found[-1]
            self.found[-1] = language, words + 1

    def handle_endtag(self, tag: str) -> None:
        """Close a listing."""
        if tag == "pre":
            self._inside = False


def uncoloured(found: list[tuple[str, int]]) -> Iterator[str]:
    """What is wrong with the listings of a page."""
    for number, (language, words) in enumerate(found, 1):
        if not language:
            yield f"listing {number} says no language"
        elif language != PLAIN and not words:
            yield f"listing {number}, in {language}, is not coloured"


def main() -> int:
    """Look at every page of a site."""
    languages: Counter[str] = Counter()
    wrong: list[str] = []
    for path in sorted(Path(sys.argv[1]).rglob("*.html")):
        page = Listings()
        page.feed(path.read_text("utf-8"))
        languages.update(language for language, _ in page.found)
        wrong += [f"{path.parent.name}: {line}" for line in uncoloured(page.found)]
    for line in wrong:
        print(line)
    print(", ".join(f"{number} in {name}" for name, number in languages.most_common()))
    return 1 if wrong or not languages["rules"] else 0


if __name__ == "__main__":
    sys.exit(main())
