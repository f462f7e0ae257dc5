"""What surrounds every answer of the server: strict headers, known hosts, same origin, sizes."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send


def csp(nonce: str = "") -> str:
    """The content security policy of a page; style elements of this nonce are let through."""
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            f"style-src 'self' 'nonce-{nonce}'" if nonce else "style-src 'self'",
            "img-src 'self'",
            "connect-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    )


HEADERS = {
    "content-security-policy": csp(),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # links are secrets: no other site is told them, and our own forms still say where they are from
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), interest-cohort=()",
}
_LOCAL = frozenset(("localhost", "127.0.0.1", "::1"))


class Guard:
    """Lets through what comes from our own pages by a name of this server."""

    def __init__(self, app: ASGIApp, names: Iterable[str] = (), everywhere: bool = False) -> None:
        """`names` are this server's besides those of the machine itself; `everywhere`, it is bound
        to all addresses, and any of them is its name.
        """
        self.app, self.names, self.everywhere = app, _LOCAL | {*names}, everywhere

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on and add the headers."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        why = self._against(scope)
        if scope["type"] == "websocket":
            if why:
                await receive()
                await send({"type": "websocket.close", "code": 1008, "reason": why})
            else:
                await self.app(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(MutableHeaders(scope=message), str(scope["path"]))
            await send(message)

        if why:
            await PlainTextResponse(f"{why}\n", 403)(scope, receive, sent)
        else:
            await self.app(scope, receive, sent)

    def _against(self, scope: Scope) -> str:
        """Why a request is refused; nothing if it is not."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_known(urlsplit(f"//{host}").hostname or ""):
            return "This server has another name; start it with --name NAME to use this one."
        safe = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        if safe or same_origin(headers, host):
            return ""
        return "That did not come from a page of this server."

    def _is_known(self, name: str) -> bool:
        if name in self.names:
            return True
        try:
            return self.everywhere and bool(ip_address(name))
        except ValueError:
            return False


def same_origin(headers: Headers, host: str) -> bool:
    """Does a request say that it comes from a page of this host?"""
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site") == "same-origin"
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc == host


def _add_headers(headers: MutableHeaders, path: str) -> None:
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    fixed = path.startswith("/static/")
    headers["cache-control"] = "public, max-age=300" if fixed else "no-store"
