"""Edits a game at random and holds each check against one from nothing.

    python tests/tools/random_edits.py [RULES…] [--seed N] [--edits N]

Cards get other texts, fields and titles, come and go; wordings and rules change; what was written
breaks and is mended; files are added and taken away. The check that goes on from the one before
must find the same, finding for finding, as one with nothing kept, and compile the same rules.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from interpreter.authoring.check import Unit, texts_of, units, weighed  # noqa: E402
from interpreter.game.loading import RulesError  # noqa: E402
from rulelang.compiler.driver import CompileCache  # noqa: E402
from rulelang.core.renaming import same_but_fresh_names  # noqa: E402
from rulelang.diagnostics import Diagnostic  # noqa: E402
from rulelang.diagnostics.source import Source  # noqa: E402
from rulelang.ruleset import Ruleset  # noqa: E402

_CARD = re.compile(r'(?ms)^card "([^"\n]+)".*?(?=^\S|\Z)')
_ROW = re.compile(r"(?m)^ +\| .*$")
_FIELD = re.compile(r"(?m)^  (\w+): (.+)$")
_PATTERN = re.compile(r'(?m)^(?:pattern|  reads) "')
_SAID = re.compile(r'(?m)^(?:pattern|.* reads(?: \w+)?) "([^"\n]*)"')  # what a wording says
_SLOT = re.compile(r"\{(\w+)[^}]*\}")
_OPERATOR = re.compile(r"(?m)(?<=[^\n|] )(?:>=|<=|<|>|and|or)(?= [^\n|]*$)")
_OTHER = {">=": "<", "<": ">=", "<=": ">", ">": "<=", "and": "or", "or": "and"}
_NUMBER = re.compile(r"(?m)(?<=[ (])\d+\b")
_NOVELTIES = ("Novelty", "Wonder", "Marvel")
Text = str
Edit = Callable[["Edited"], None]


class Edited:
    """A copy of a game's files that is edited, and what is kept of its checks."""

    def __init__(
        self, rules: Path, folder: Path, rng: random.Random, edits: Sequence[Edit] | None = None
    ) -> None:
        """The game is copied to the folder, and checked once; without `edits` all may be made."""
        self.rng, self.folder, self.did = rng, folder, ""
        self.edits = EDITS if edits is None else edits
        if rules.is_dir():
            shutil.copytree(rules, folder)
        else:
            folder.mkdir()
            shutil.copy(rules, folder)
        self.kept = CompileCache()
        self.right: dict[Path, Text] = {}  # the files as they last were without errors
        self.is_right = True
        self.look(self._judged(self.kept)[1])

    def step(self) -> list[Diagnostic]:
        """Make an edit; what is found then, which is held against a check from nothing."""
        self.edit()
        return self.hold()

    def hold(self) -> list[Diagnostic]:
        """What is found now, which is held against a check from nothing."""
        now = self._judged(self.kept)
        fresh = self._judged(CompileCache())
        told = f"after “{self.did}”: {now[1]}\n\nfrom nothing: {fresh[1]}"
        assert now[:2] == fresh[:2], told
        assert not (other := _otherwise(now[2], fresh[2])), f"after “{self.did}” other {other}"
        self.look(now[1])
        return now[1]

    def edit(self) -> None:
        """Make an edit."""
        work = self.rng.choice(
            [*self.edits, *([] if self.is_right else [mended] * len(self.edits))]
        )
        self.did = work.__name__.strip("_").replace("_", " ")
        work(self)

    def look(self, found: list[Diagnostic]) -> None:
        """Remember the files if they have no errors but those of single cards."""
        wrong = (item for item in found if item.severity == "error")
        self.is_right = all(item.code.startswith("C") for item in wrong)
        if self.is_right or not self.right:
            self.right = {path: path.read_text("utf-8") for path in self.files()}

    def _judged(
        self, kept: CompileCache
    ) -> tuple[dict[str, Source], list[Diagnostic], Ruleset | None]:
        """The texts, the findings and the rules; of what is no game, why it is none."""
        unit = next(iter(units([str(self.folder)])[0]), Unit(str(self.folder)))
        try:
            loaded, found = weighed(unit, texts_of(unit), kept)
        except RulesError as error:
            return error.sources, error.found, None
        return loaded.sources, found, loaded.compiled.rules

    # ------------------------------------------------------------------------------- texts
    def files(self) -> list[Path]:
        """The files there are."""
        return sorted(self.folder.rglob("*.rules"))

    def put(self, path: Path, start: int, end: int, said: Text) -> None:
        """Write this in place of a stretch of a file."""
        text = path.read_text("utf-8")
        path.write_text(text[:start] + said + text[end:], "utf-8")

    def one(self, pattern: re.Pattern[str]) -> tuple[Path, re.Match[str]] | None:
        """A place in some file where a pattern matches."""
        found = [
            (path, match)
            for path in self.files()
            for match in pattern.finditer(path.read_text("utf-8"))
        ]
        return self.rng.choice(found) if found else None

    def replace(self, pattern: re.Pattern[str], group: int, said: Callable[[Text], Text]) -> None:
        """Write something else where a pattern matches."""
        found = self.one(pattern)
        if found is not None:
            path, match = found
            self.put(path, *match.span(group), said(match.group(group)))

    def exchange(self, one: Text, other: Text) -> None:
        """Write each of two texts wherever the other stands."""
        instead = {one: other, other: one}
        either = re.compile("|".join(map(re.escape, instead)))
        for path in self.files():
            text = path.read_text("utf-8")
            path.write_text(either.sub(lambda said: instead[said.group()], text), "utf-8")

    def all_of(self, pattern: re.Pattern[str], group: int) -> list[Text]:
        """What a pattern matches, in all files."""
        texts = [path.read_text("utf-8") for path in self.files()]
        return [match.group(group) for text in texts for match in pattern.finditer(text)]


def _otherwise(one: Ruleset | None, other: Ruleset | None) -> list[str]:
    """What two rulesets have otherwise, if both are there: fields, and names in them."""
    if one is None or other is None:
        return [] if one is other else ["rules"]
    found = []
    for field, held in vars(one).items():
        there = vars(other)[field]
        if isinstance(held, dict):
            found += [field] if list(held) != list(there) else []
            found += [
                f"{field} {name}"
                for name, part in held.items()
                if name in there and not same_but_fresh_names(part, there[name])
            ]
        elif isinstance(held, list):
            pairs = zip(held, there, strict=False)
            is_same = len(held) == len(there) and all(same_but_fresh_names(a, b) for a, b in pairs)
            found += [] if is_same else [field]
        else:
            found += [] if same_but_fresh_names(held, there) else [field]
    return found


def _row_more(edited: Edited) -> None:
    rows = edited.all_of(_ROW, 0)
    edited.replace(_ROW, 0, lambda row: f"{row}\n{edited.rng.choice(rows)}")


def _row_other(edited: Edited) -> None:
    rows = edited.all_of(_ROW, 0)
    edited.replace(_ROW, 0, lambda _: edited.rng.choice(rows))


def _row_unread(edited: Edited) -> None:
    edited.replace(_ROW, 0, lambda row: f"{row} Sprinkle with sugar.")


def _field(edited: Edited) -> None:
    found = edited.one(_FIELD)
    if found is not None:
        path, match = found
        same = re.compile(rf"(?m)^  {match.group(1)}: (.+)$")
        edited.put(path, *match.span(2), edited.rng.choice(edited.all_of(same, 1)))


def _title(edited: Edited) -> None:
    edited.replace(_CARD, 1, lambda _: edited.rng.choice(_NOVELTIES))


def _title_in_a_text(edited: Edited) -> None:
    titles = [*edited.all_of(_CARD, 1), *_NOVELTIES]
    old = edited.rng.choice(titles)
    edited.replace(re.compile(re.escape(old)), 0, lambda _: edited.rng.choice(titles))


def _card_more(edited: Edited) -> None:
    edited.replace(_CARD, 0, lambda card: f"{card.rstrip()}\n\n{_retitled(edited, card)}")


def _card_at_the_end(edited: Edited) -> None:
    cards = edited.all_of(_CARD, 0)
    if cards:
        path = edited.rng.choice(edited.files())
        text = path.read_text("utf-8").rstrip("\n")
        path.write_text(f"{text}\n\n{_retitled(edited, edited.rng.choice(cards))}", "utf-8")


def _retitled(edited: Edited, card: Text) -> Text:
    title = f"{edited.rng.choice(_NOVELTIES)} {edited.rng.randrange(9)}"
    return re.sub(r'"[^"]*"', f'"{title}"', card, count=1)


def _card_less(edited: Edited) -> None:
    edited.replace(_CARD, 0, lambda _: "")


def _wording(edited: Edited) -> None:
    edited.replace(_PATTERN, 0, lambda start: f"{start}{edited.rng.choice(_NOVELTIES)} ")


def _number(edited: Edited) -> None:
    edited.replace(_NUMBER, 0, lambda number: str((int(number) + edited.rng.randrange(3)) % 12))


def _lines_down(edited: Edited) -> None:
    path = edited.rng.choice(edited.files())
    edited.put(path, 0, 0, "# More\n# to read.\n\n")


def _broken(edited: Edited) -> None:
    path = edited.rng.choice(edited.files())
    text = path.read_text("utf-8")
    at = edited.rng.randrange(len(text) + 1)
    edited.put(path, at, at, edited.rng.choice(('"', "(", "\n  )", "\nset set", " of", "}")))


def mended(edited: Edited) -> None:
    """The files as they last were without errors."""
    for path in edited.files():
        if path not in edited.right:
            path.unlink()
    for path, text in edited.right.items():
        path.write_text(text, "utf-8")


def _file_more(edited: Edited) -> None:
    cards = edited.all_of(_CARD, 0)
    if cards:
        text = _retitled(edited, edited.rng.choice(cards))
        (edited.folder / f"more_{edited.rng.randrange(3)}.rules").write_text(text, "utf-8")


def _file_less(edited: Edited) -> None:
    more = [path for path in edited.files() if path.name.startswith("more_")]
    if more:
        edited.rng.choice(more).unlink()


def _title_asked_for(edited: Edited) -> None:
    """A card is called otherwise whose title stands elsewhere, or takes such a title."""
    whole = "\n".join(path.read_text("utf-8") for path in edited.files())
    known = dict.fromkeys(edited.all_of(_CARD, 1))
    asked = [one for one in known if len(re.findall(rf"(?i)\b{re.escape(one)}\b", whole)) > 1]
    if not asked:
        return
    old, other = edited.rng.choice(asked), edited.rng.choice([*known, *_NOVELTIES])
    edited.exchange(f'card "{old}"', f'card "{other}"')


def _wordings_exchanged(edited: Edited) -> None:
    """Two wordings with the same slots say what the other said."""
    by_slots: dict[tuple[Text, ...], list[Text]] = {}
    for said in dict.fromkeys(edited.all_of(_SAID, 1)):
        by_slots.setdefault(tuple(sorted(set(_SLOT.findall(said)))), []).append(said)
    alike = [texts for texts in by_slots.values() if len(texts) > 1]
    if not alike:
        return
    one, other = edited.rng.sample(edited.rng.choice(alike), 2)
    edited.exchange(f'"{one}"', f'"{other}"')


def _operator(edited: Edited) -> None:
    """A condition of the rules asks for something else."""
    edited.replace(_OPERATOR, 0, lambda said: _OTHER[said])


# Edits after which others find something else: of what texts and rules ask for.
AIMED: tuple[Edit, ...] = (
    _title_asked_for,
    _wordings_exchanged,
    _operator,
    _field,
    _number,
    _row_other,
    _card_less,
)
EDITS: tuple[Edit, ...] = (
    _title_asked_for,
    _wordings_exchanged,
    _operator,
    _row_more,
    _row_other,
    _row_unread,
    _field,
    _title,
    _title_in_a_text,
    _card_more,
    _card_at_the_end,
    _card_less,
    _wording,
    _number,
    _lines_down,
    _broken,
    mended,
    _file_more,
    _file_less,
)


def main() -> None:
    """Edit each game that is named."""
    told = argparse.ArgumentParser(description=__doc__)
    told.add_argument("rules", nargs="*", type=Path, default=[ROOT / "tests/good/kitchen"])
    told.add_argument("--seed", type=int, default=1)
    told.add_argument("--edits", type=int, default=50)
    args = told.parse_args()
    for rules in args.rules:
        with tempfile.TemporaryDirectory() as folder:
            edited = Edited(rules.resolve(), Path(folder) / "rules", random.Random(args.seed))
            done: dict[str, int] = {}
            for _ in range(args.edits):
                edited.step()
                done[edited.did] = done.get(edited.did, 0) + 1
        counts = ", ".join(f"{name} {count}" for name, count in sorted(done.items()))
        print(f"{rules}: {args.edits} edits, each found as from nothing ({counts})")


if __name__ == "__main__":
    main()
