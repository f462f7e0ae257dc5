"""Write what editors colour by from the language's own words: the grammar of the VS Code extension.

python tests/tools/update_editors.py [--check]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from rulelang.syntax.grammar import HEADS  # noqa: E402
from rulelang.syntax.lexemes import everywhere, patterns  # noqa: E402

FOLDER = ROOT / "editors" / "vscode"
SCOPES = {
    "row": "string.unquoted.row",
    "comment": "comment.line.number-sign",
    "string": "string.quoted.double",
    "cite": "entity.other.citation",
    "head": "keyword.other.declaration",
    "keyword": "keyword.control",
    "number": "constant.numeric",
    "name": "variable.other",
    "operator": "keyword.operator",
}


def grammar() -> dict[str, object]:
    """The TextMate grammar: the patterns of a line, in the order in which they are tried."""
    rules = [
        {"match": pattern, "name": f"{SCOPES[kind]}.rulelang"}
        for kind, pattern in patterns()
        if kind in SCOPES
    ]
    return {"name": "Rulelang", "scopeName": "source.rulelang", "patterns": rules}


def language() -> dict[str, object]:
    """What the editor knows of comments, brackets and indentation."""
    return {
        "comments": {"lineComment": "#"},
        "brackets": [["(", ")"], ["{", "}"], ["[", "]"]],
        "autoClosingPairs": [
            {"open": "(", "close": ")"},
            {"open": "{", "close": "}"},
            {"open": '"', "close": '"', "notIn": ["string", "comment"]},
        ],
        "onEnterRules": [
            {
                "beforeText": r"^\s*\|.*\S.*$",
                "action": {"indent": "none", "appendText": "| "},
            }
        ],
        "indentationRules": {
            "increaseIndentPattern": rf"^\s*(?:{'|'.join(sorted(HEADS))})\b.*\S.*$",
            "decreaseIndentPattern": "^\\s*otherwise\\b.*$",
        },
        "wordPattern": "[a-zA-Z_][\\w]*",
    }


def files() -> dict[Path, str]:
    """Each generated file with its text."""
    made: dict[str, object] = {
        "syntaxes/rulelang.tmLanguage.json": grammar(),
        "language-configuration.json": language(),
        "keywords.json": {"heads": sorted(HEADS), "everywhere": list(everywhere())},
    }
    return {
        FOLDER / name: json.dumps(data, indent=2, ensure_ascii=False) + "\n"
        for name, data in made.items()
    }


def main() -> int:
    """Write the files, or with --check name those that are not up to date."""
    stale = [
        path
        for path, text in files().items()
        if not path.is_file() or path.read_text("utf-8") != text
    ]
    for path in stale:
        print(path.relative_to(ROOT))
        if "--check" not in sys.argv:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(files()[path], "utf-8")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
