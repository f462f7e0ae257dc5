"""Links to seats: signed, so that none can be made up, and issued anew to revoke those before."""

from __future__ import annotations

import hmac
import json
from dataclasses import dataclass

from itsdangerous import BadData, URLSafeSerializer
from itsdangerous.encoding import base64_decode

from interpreter.studio.storage.store import Store

_LONGEST = 200  # letters of a token
_MOST_READ = 5_000  # tokens that are remembered


@dataclass(frozen=True)
class ProjectLink:
    """What a link leads to: a project, to read it or also to write in it."""

    project: str
    writes: bool
    token: str


@dataclass(frozen=True)
class Link:
    """What a link leads to: a seat of a game, or its WATCHER or HOST."""

    game: str
    seat: int
    token: str

    @property
    def viewer(self) -> int | None:
        """The player who looks; none, an onlooker."""
        return self.seat if self.seat >= 0 else None


def game_of(token: str) -> str:
    """The game that a token claims to lead to, whether it was made up or not; nothing if none."""
    if len(token) > _LONGEST:
        return ""
    try:
        data: object = json.loads(base64_decode(token.partition(".")[0]))
    except (BadData, ValueError, RecursionError):
        return ""
    match data:
        case [str(game), int(), int()]:
            return game
    return ""


class Links:
    """Makes and reads the links of one server."""

    def __init__(self, store: Store) -> None:
        """Signed with the secret of the store, so that every process on it takes them."""
        self.store = store
        secret = store.secret()
        self._signer = URLSafeSerializer(secret, salt="rulelang seat")
        self._projects = URLSafeSerializer(secret, salt="rulelang project")
        self._read: dict[str, tuple[str, int, int]] = {}  # tokens whose signatures are good
        self._marks = hmac.digest(secret.encode(), b"rulelang mark", "sha256")

    def of(self, game: str, seat: int) -> Link:
        """The link of a seat that is good now; raises KeyError if there is no such seat."""
        issue = self.store.issue(game, seat)
        if issue is None:
            raise KeyError(seat)
        token = self._signer.dumps([game, seat, issue])
        return Link(game, seat, token if isinstance(token, str) else token.decode())

    def read(self, token: str) -> Link | None:
        """What a token leads to; none if it was made up or is revoked."""
        signed = self._signed(token)
        if signed is None:
            return None
        game, seat, issue = signed
        return Link(game, seat, token) if self.store.issue(game, seat) == issue else None

    def _signed(self, token: str) -> tuple[str, int, int] | None:
        """The game, seat and issue that a token was signed for; none if it was made up."""
        if (known := self._read.get(token)) is not None:
            return known
        if len(token) > _LONGEST:
            return None
        try:
            data: object = self._signer.loads(token)
        except BadData:
            return None
        match data:
            case [str(game), int(seat), int(issue)]:
                if len(self._read) >= _MOST_READ:
                    self._read.clear()
                self._read[token] = (game, seat, issue)
                return game, seat, issue
        return None

    def mark(self, link: Link, *numbers: int) -> str:
        """By which a page of this link says how far the table had come when it was written; the
        numbers cannot be read from it.
        """
        said = repr((link.game, link.seat, numbers)).encode()
        return hmac.digest(self._marks, said, "sha256").hex()[:24]

    # --------------------------------------------------------------------------------- projects
    def of_project(self, project: str, writes: bool) -> ProjectLink:
        """The link of a project that is good now."""
        issue = self.store.issues(project)[writes]
        token = self._projects.dumps([project, int(writes), issue])
        return ProjectLink(project, writes, token if isinstance(token, str) else token.decode())

    def project(self, token: str) -> ProjectLink | None:
        """What a token leads to; none if it was made up or is revoked."""
        if len(token) > _LONGEST:
            return None
        try:
            data: object = self._projects.loads(token)
        except BadData:
            return None
        match data:
            case [str(project), (0 | 1) as writes, int(issue)]:
                if self.store.issues(project)[writes] == issue:
                    return ProjectLink(project, bool(writes), token)
        return None
