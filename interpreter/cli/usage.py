"""The exception of a command line that cannot be carried out."""


class Usage(Exception):
    """A command line that cannot be carried out as it stands; the message says why."""
