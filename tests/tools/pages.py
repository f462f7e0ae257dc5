"""Pages of a PDF as small grey pictures, and how far one is from a picture that was kept."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

DOTS = 40  # an inch


def picture_of_page(pdf: bytes, page: int) -> tuple[int, int, bytes]:
    """A page of a PDF: how wide and high it is in dots, and the grey of each, row by row."""
    import pypdfium2

    bitmap = pypdfium2.PdfDocument(pdf)[page].render(scale=DOTS / 72, grayscale=True)
    wide, high, stride = bitmap.width, bitmap.height, bitmap.stride
    raw = bytes(bitmap.buffer)
    step = stride // wide
    rows = (raw[y * stride : y * stride + wide * step : step] for y in range(high))
    return wide, high, b"".join(rows)


def different(made: tuple[int, int, bytes], kept: Path) -> int:
    """How many dots differ by more than a quarter of the way from black to white from the picture
    that was kept; a picture that was not kept yet is, so that it can be looked at."""
    wide, high, dots = made
    if not kept.exists():
        kept.write_bytes(png(wide, high, dots))
    raw = kept.read_bytes()
    size = struct.unpack(">II", raw[16:24])
    assert size == (wide, high)
    start = raw.index(b"IDAT") + 4
    (length,) = struct.unpack(">I", raw[start - 8 : start - 4])
    rows = zlib.decompress(raw[start : start + length])
    was = b"".join(rows[y * (wide + 1) + 1 : (y + 1) * (wide + 1)] for y in range(high))
    return sum(abs(a - b) > 64 for a, b in zip(dots, was, strict=True))


def png(wide: int, high: int, dots: bytes) -> bytes:
    """A grey picture as PNG."""
    rows = b"".join(b"\0" + dots[y * wide : (y + 1) * wide] for y in range(high))
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows, 9)),
        (b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )
