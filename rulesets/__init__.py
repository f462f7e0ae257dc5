"""The rulesets that come with Rulelang: data, and the two functions that find it."""

from pathlib import Path


def root() -> Path:
    """The folder that holds one folder per ruleset."""
    return Path(__file__).parent


def ids() -> list[str]:
    """The names of the folders that hold `.rules` files, in alphabetical order."""
    return sorted(
        folder.name
        for folder in root().iterdir()
        if folder.is_dir() and any(folder.glob("*.rules"))
    )
