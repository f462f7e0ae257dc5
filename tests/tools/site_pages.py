"""What the pages need to be a site, named in mkdocs.yml: the words behind the language of a
listing, which only the tests read, go, and links out of docs/ become the names of the files.
"""

from __future__ import annotations

import re

_FENCE = re.compile(r"^(\s*```)(\w+)[^\n]*$", re.MULTILINE)
_OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./[^)]*\)")


def on_page_markdown(markdown: str, **_: object) -> str:
    """The text of a page as the site takes it."""
    return _OUTSIDE.sub(r"`\1`", _FENCE.sub(r"\1\2", markdown))
