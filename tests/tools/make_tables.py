"""Write the parse tables anew after a change of the grammar: `python
tests/tools/make_tables.py`.
"""

from pathlib import Path

from rulelang.syntax.grammar import grammar_text, parser
from rulelang.syntax.lark_adapter import dump_tables

if __name__ == "__main__":
    target = Path(__file__).resolve().parents[2] / "rulelang" / "syntax" / "rules.tables.json"
    target.unlink(missing_ok=True)
    target.write_text(dump_tables(parser(), grammar_text()) + "\n", "utf-8")
