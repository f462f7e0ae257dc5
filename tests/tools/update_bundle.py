"""Build the studio's editor from editors/studio, with npm, into interpreter/studio/static.

python tests/tools/update_bundle.py [--check]
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "editors" / "studio"
STATIC = ROOT / "interpreter" / "studio" / "static"
MADE = ("editor.min.js", "LICENSE-editor.txt")


def digest() -> str:
    """Of the sources, as a bundle made from them says it in its first line."""
    names = ["build.mjs", "package-lock.json", "package.json"]
    paths = [SOURCE / name for name in names] + sorted((SOURCE / "src").iterdir())
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()


def built(folder: Path) -> dict[str, bytes]:
    """What the sources build, in a folder of its own; raises CalledProcessError."""
    copy = folder / "source"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("node_modules"))
    subprocess.run(["npm", "ci", "--silent"], cwd=copy, check=True)
    subprocess.run(["node", "build.mjs", str(folder)], cwd=copy, check=True)
    return {name: (folder / name).read_bytes() for name in MADE}


def main() -> int:
    """Write what is built, or with --check name what is not up to date."""
    with tempfile.TemporaryDirectory() as folder:
        made = built(Path(folder))
    stale = [n for n in MADE if not (STATIC / n).is_file() or (STATIC / n).read_bytes() != made[n]]
    for name in stale:
        print((STATIC / name).relative_to(ROOT))
        if "--check" not in sys.argv:
            (STATIC / name).write_bytes(made[name])
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
