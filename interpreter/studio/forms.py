"""What is posted, read within bounds: forms of our own pages, and files sent by them."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from interpreter.studio.limits import Limits, Rate

Form = dict[str, list[str]]

_FORM = "application/x-www-form-urlencoded"
_FILES = "multipart/form-data"


def caller_of(request: Request) -> str:
    """Who asks, as far as bounds go."""
    return request.client.host if request.client is not None else ""


def one(form: Form, name: str, usual: str = "") -> str:
    """The first value of a field."""
    return form.get(name, [usual])[0]


class Posts:
    """Reads what is posted; each caller may post so much and so often."""

    def __init__(self, limits: Limits) -> None:
        """Nobody has posted yet."""
        self.limits = limits
        self.rate = Rate(limits.posts, limits.burst)

    async def form(self, request: Request, most: int | None = None) -> Form:
        """The fields of a form of so many bytes at most; raises HTTPException."""
        self._admit(request, _FORM)
        body = await _body(request, self.limits.body if most is None else most)
        try:
            return parse_qs(
                body.decode("utf-8"), keep_blank_values=True, max_num_fields=self.limits.fields
            )
        except ValueError as error:
            raise HTTPException(400) from error

    async def files(self, request: Request) -> tuple[Form, list[tuple[str, bytes]]]:
        """The fields of a form, and the names and contents of the files sent with it; raises
        HTTPException.
        """
        self._admit(request, _FILES)
        body = await _body(request, self.limits.upload)
        try:
            found = await MultiPartParser(
                request.headers, _once(body), max_files=2, max_fields=10
            ).parse()
        except (MultiPartException, KeyError, ValueError) as error:
            raise HTTPException(400) from error
        form: Form = {}
        sent: list[tuple[str, bytes]] = []
        try:
            for name, value in found.multi_items():
                if isinstance(value, str):
                    form.setdefault(name, []).append(value)
                elif value.filename:
                    sent.append((value.filename, await value.read()))
        finally:
            await found.close()
        return form, sent

    def _admit(self, request: Request, kind: str) -> None:
        if not self.rate.admits(caller_of(request)):
            raise HTTPException(429)
        if request.headers.get("content-type", "").partition(";")[0] != kind:
            raise HTTPException(415)


async def _body(request: Request, most: int) -> bytes:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise HTTPException(413)
    return body


async def _once(body: bytes) -> AsyncGenerator[bytes, None]:
    yield body
