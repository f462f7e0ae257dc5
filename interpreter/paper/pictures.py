"""Pictures on pieces: read from beside the rules, bounded, and of SVG only what draws.

Nothing of a picture is fetched or run: one that would is not printed, and it is said why.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from xml.etree import ElementTree

MOST_BYTES = 4_000_000
MOST_ELEMENTS = 5_000
MOST_DOTS = 40_000_000
_SVG = "{http://www.w3.org/2000/svg}"
_DRAWING = frozenset(
    [
        *("svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon"),
        *("text", "tspan", "defs", "linearGradient", "radialGradient", "stop", "clipPath"),
        *("title", "desc"),
    ]
)
_SIGNATURES = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg"}


@dataclass(frozen=True)
class Picture:
    """A picture as an address that holds it whole, or why it is not printed."""

    data: str
    why: str = ""


def picture_of(name: str, raw: bytes | None) -> Picture:
    """The picture in these bytes; none means that there is no such file."""
    if raw is None:
        return Picture("", f"there is no picture “{name}”")
    if len(raw) > MOST_BYTES:
        return Picture("", f"the picture “{name}” has more than {MOST_BYTES:,} bytes")
    for signature, kind in _SIGNATURES.items():
        if raw.startswith(signature):
            wide, high = _size(raw, kind)
            if not 0 < wide * high <= MOST_DOTS:
                return Picture("", f"the picture “{name}” is {wide} by {high} dots: too large")
            return _encoded(raw, kind)
    if name.lower().endswith(".svg"):
        wrong = _wrong_in_svg(raw)
        return Picture("", f"the picture “{name}” {wrong}") if wrong else _encoded(raw, "svg+xml")
    return Picture("", f"the picture “{name}” is neither PNG nor JPEG nor SVG")


def _size(raw: bytes, kind: str) -> tuple[int, int]:
    """How many dots a PNG or JPEG is wide and high, as its head says; 0 where it says nothing."""
    if kind == "png":
        return int.from_bytes(raw[16:20]), int.from_bytes(raw[20:24])
    place = 2
    while place + 9 < len(raw) and raw[place] == 0xFF:
        marker, length = raw[place + 1], int.from_bytes(raw[place + 2 : place + 4])
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            high, wide = raw[place + 5 : place + 7], raw[place + 7 : place + 9]
            return int.from_bytes(wide), int.from_bytes(high)
        place += 2 + length
    return 0, 0


def _encoded(raw: bytes, kind: str) -> Picture:
    return Picture(f"data:image/{kind};base64,{base64.b64encode(raw).decode('ascii')}")


def _wrong_in_svg(raw: bytes) -> str:
    """What an SVG does beside drawing; the empty string if nothing."""
    if b"<!DOCTYPE" in raw or b"<!ENTITY" in raw or b"<?xml-stylesheet" in raw or b"\0" in raw:
        return "declares what is not drawn"
    try:
        root = ElementTree.fromstring(raw)
    except ElementTree.ParseError:
        return "is no SVG"
    elements = list(root.iter())
    if len(elements) > MOST_ELEMENTS:
        return f"has more than {MOST_ELEMENTS:,} elements"
    for element in elements:
        name = str(element.tag)
        if not name.startswith(_SVG) or name.removeprefix(_SVG) not in _DRAWING:
            return f"holds <{name.rpartition('}')[2]}>, which is not drawn"
        for key, value in element.attrib.items():
            bare, said = key.rpartition("}")[2].lower(), value.replace(" ", "").lower()
            if bare.startswith("on"):
                return "would run something"
            if (bare == "href" and not said.startswith("#")) or _fetches(said):
                return "would fetch something"
    return ""


def _fetches(value: str) -> bool:
    """Does a value of a style or attribute point out of the picture?"""
    parts = value.split("url(")[1:]
    return "@import" in value or any(not p.lstrip("'\"").startswith("#") for p in parts)
