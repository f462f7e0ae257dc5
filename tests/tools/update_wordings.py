"""Write the meanings of a game's kept wordings anew, as its rules in a folder read them.

    python tests/tools/update_wordings.py GAME [FOLDER]

FOLDER holds the rules that decide what the sentences mean, such as those of an older revision;
without it they are the game's own. What changes is printed; wordings with a reason in `differs`
keep the meaning they have.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))
from interpreter.game.loading import load_rules
from tests.tools.wordings import FOLDER, meaning_of, wordings_of


def main(game: str, rules: str) -> None:
    glossary = load_rules(rules, checks=False, tests=False).compiled.glossary
    path = FOLDER / f"{game}.toml"
    head = path.read_text("utf-8").split("[[wording]]")[0].rstrip()
    blocks = [head]
    for wording in wordings_of(game):
        meaning = wording.meaning if wording.differs else meaning_of(wording.sentence, glossary)
        if meaning != wording.meaning:
            print(f"{wording.meaning or 'new'} -> {meaning}: {wording.sentence}")
        lines = [
            "[[wording]]",
            f"text = {json.dumps(wording.text, ensure_ascii=False)}",
            f"sentence = {json.dumps(wording.sentence, ensure_ascii=False)}",
            f'meaning = "{meaning}"',
        ]
        if wording.differs:
            lines.append(f"differs = {json.dumps(wording.differs, ensure_ascii=False)}")
        blocks.append("\n".join(lines))
    path.write_text("\n\n".join(blocks) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else sys.argv[1])
