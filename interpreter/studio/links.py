"""Links to seats: signed, so that none can be made up, and issued anew to revoke those before."""

from __future__ import annotations

from dataclasses import dataclass

from itsdangerous import BadData, URLSafeSerializer

from interpreter.studio.storage.store import Store

_LONGEST = 200  # letters of a token


@dataclass(frozen=True)
class Link:
    """What a link leads to: a seat of a game, or its WATCHER or HOST."""

    game: str
    seat: int
    token: str


class Links:
    """Makes and reads the links of one server."""

    def __init__(self, store: Store) -> None:
        """Signed with the secret of the store, so that every process on it takes them."""
        self.store = store
        self._signer = URLSafeSerializer(store.secret(), salt="rulelang seat")

    def of(self, game: str, seat: int) -> Link:
        """The link of a seat that is good now; raises KeyError if there is no such seat."""
        issue = self.store.issue(game, seat)
        if issue is None:
            raise KeyError(seat)
        token = self._signer.dumps([game, seat, issue])
        return Link(game, seat, token if isinstance(token, str) else token.decode())

    def read(self, token: str) -> Link | None:
        """What a token leads to; none if it was made up or is revoked."""
        if len(token) > _LONGEST:
            return None
        try:
            data: object = self._signer.loads(token)
        except BadData:
            return None
        match data:
            case [str(game), int(seat), int(issue)] if self.store.issue(game, seat) == issue:
                return Link(game, seat, token)
            case _:
                return None
