"""Texts with words dropped, doubled, moved and swapped: what nobody would write."""

from __future__ import annotations

import re

from hypothesis import strategies as st

_TOKEN = re.compile(r'"[^"\n]*"?|\w+|[ \t]+|\n|[^\w\s]')


NOISE = [
    '"',
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "[BC-001]",
    "|",
    "#",
    ":",
    ",",
    "=",
    "'s",
    "+",
    "-",
    "*",
    "/",
    "<=",
    "\n",
    "\n  ",
    "  ",
    "\t",
    "é",
    "\u200b",
    "\x00",
    "\u2028",
    "\U0001f3d9",
    "0",
    "999999999999",
    "none",
    "p1",
    "at",
    "of",
    "for each",
    "when",
    "otherwise",
    "open",
    "by",
    "where",
    "if",
    "every",
    "some",
    "can",
    "supposing",
    "the",
    "is not",
    "until stable",
    "as played",
    "define",
    "card",
    "score",
    "x",
    "number",
    "cell",
    "after(",
    "before(",
    "groups(",
    "reach(",
    "{n}",
    "{k plural}",
    "replace",
    "remove",
]


Edit = tuple[int, int, int]


EDITS = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 1 << 16), st.integers(0, 1 << 16)),
    min_size=1,
    max_size=5,
)


def mutated(text: str, edits: list[Edit]) -> str:
    """The text after these edits: words and lines dropped, doubled, moved and swapped, noise put
    in, the end cut off.
    """
    for kind, a, b in edits:
        if kind < 5:
            words = _TOKEN.findall(text)
            i, j = a % (len(words) or 1), b % (len(words) or 1)
            if not words:
                return text
            if kind == 0:
                del words[i]
            elif kind == 1:
                words.insert(j, words[i])
            elif kind == 2:
                words[i], words[j] = words[j], words[i]
            elif kind == 3:
                words.insert(i, NOISE[b % len(NOISE)])
            else:
                words[i] = NOISE[b % len(NOISE)]
            text = "".join(words)
            continue
        lines = text.split("\n")
        i, j = a % len(lines), b % len(lines)
        if kind == 5:
            lines.insert(j, lines.pop(i))
        elif kind == 6:
            lines[i] = " " * (b % 7) + lines[i].lstrip()
        else:
            at = b % (len(lines[i]) + 1)
            lines[i] = lines[i][:at] + lines[i][at + 1 :] if a % 3 else lines[i][:at]
        text = "\n".join(lines)
    return text
