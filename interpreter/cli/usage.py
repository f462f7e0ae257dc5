"""The exception of a command line that cannot be carried out, and what it may say."""

MOST_PLAYERS = 64


class Usage(Exception):
    """A command line that cannot be carried out as it stands; the message says why."""
