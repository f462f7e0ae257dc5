"""Write what is said about every program in tests/bad anew: read the difference before it is
committed.
"""

from __future__ import annotations

if __name__ == "__main__":
    from compiling import BAD, drawn, findings_of

    for path in sorted(BAD.glob("*.rules")):
        path.with_suffix(".txt").write_text(drawn(*findings_of(path)), "utf-8")
    for path in BAD.glob("*.txt"):
        if not path.with_suffix(".rules").exists():
            path.unlink()
