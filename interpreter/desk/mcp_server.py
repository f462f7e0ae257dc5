"""The tools of the Model Context Protocol: each passes a question on to an `Assistant`.

Needs mcp, of the extra `desk`.
"""

from __future__ import annotations

from pathlib import Path

from mcp.server.fastmcp import FastMCP

from interpreter.desk.assistants import Answer, Assistant, answered

_HOW = """\
Rulelang reads card texts of board games by the phrases of a game. To write a card: look at
`phrases` of the game, write the sentences, `explain` them until each has one reading that says what
was asked, then `check` the whole file as text before it is written; `witness` shows that a sentence
counts in play, `diff` whether two wordings mean the same. `diagnostics` name what is wrong and what
would be right. Files that add cards to a game begin with `for GAME`."""


def make_server(folders: tuple[Path, ...]) -> FastMCP[None]:
    """A server whose tools see these folders and the games that come along."""
    desk = Assistant(folders)
    server: FastMCP[None] = FastMCP("rulelang", _HOW)

    @server.tool()
    def phrases(game: str, word: str = "", first: int = 0) -> Answer:
        """What can be written on a card of a game: sentences with slots, an example of each, words.

        With a word, only what it occurs in. At most 100 at once; `first` goes on from there.
        """
        return answered(lambda: desk.phrases(game, word, first))

    @server.tool()
    def explain(game: str, text: str, title: str = "") -> Answer:
        """How the sentences of a card text (or of the card of a title) read, and what they do.

        With `title`, the text is read as on a card that is called so.
        """
        return answered(lambda: desk.explain(game, text, title))

    @server.tool()
    def check(path: str, text: str | None = None) -> Answer:
        """All that is wrong with a file or folder; with `text`, as if the file said that."""
        return answered(lambda: desk.check(path, text))

    @server.tool()
    def test(path: str) -> Answer:
        """Run the scenarios of a file or folder."""
        return answered(lambda: desk.test(path))

    @server.tool()
    def why_not(
        game: str,
        action: str,
        values: dict[str, object],
        position: dict[str, object] | None = None,
        player: int | None = None,
    ) -> Answer:
        """Every rule that stands against a play in a position (the start, if none is given)."""
        return answered(lambda: desk.why_not(game, action, values, position, player))

    @server.tool(name="simulate")
    def simulate_(
        game: str, cards: str = "", players: int | None = None, games: int = 20
    ) -> Answer:
        """Let bots play a game at random, with cards of a text added; at most 200 games."""
        return answered(lambda: desk.simulate(game, cards, players, games))

    @server.tool()
    def witness(
        game: str, card: str, cards: str = "", sentence: str | None = None, record: bool = False
    ) -> Answer:
        """Look for a game in which each sentence of a card changes something; `cards` is the text
        of a file that adds the card. A sentence is `witness`, `refuted` or `undecided`: at most
        6 games of 260 choices are played.
        """
        return answered(lambda: desk.witness(game, card, cards, sentence, record))

    @server.tool()
    def diff(game: str, one: str, two: str, cards: str = "") -> Answer:
        """Do two texts, cards (by title), files of cards or variants mean the same? If not, where
        they differ.
        """
        return answered(lambda: desk.diff(game, one, two, cards))

    return server


def serve(folders: tuple[Path, ...]) -> None:
    """Serve an assistant at standard input and output until it closes them."""
    make_server(folders).run("stdio")
