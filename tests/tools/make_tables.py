"""Write the parse tables anew after the grammar was changed: `python tests/tools/make_tables.py`."""

from pathlib import Path

from rulelang.syntax import tables
from rulelang.syntax.grammar import grammar_text, parser

if __name__ == "__main__":
    target = Path(__file__).resolve().parents[2] / "rulelang" / "syntax" / "rules.tables.json"
    target.unlink(missing_ok=True)
    target.write_text(tables.dump(parser(), grammar_text()) + "\n", "utf-8")
