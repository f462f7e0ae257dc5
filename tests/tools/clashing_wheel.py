"""Write a made-up wheel that owns a top-level package `interpreter`, as another project's does.

    python tests/tools/clashing_wheel.py FOLDER

Prints the path of the wheel.
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

NAME, VERSION = "made_up_interpreter", "1.0"
INFO = f"{NAME}-{VERSION}.dist-info"
FILES = {
    "interpreter/__init__.py": 'raise ImportError("this is another interpreter")\n',
    f"{INFO}/METADATA": f"Metadata-Version: 2.1\nName: made-up-interpreter\nVersion: {VERSION}\n",
    f"{INFO}/WHEEL": "Wheel-Version: 1.0\nGenerator: by-hand\nRoot-Is-Purelib: true\n"
    "Tag: py3-none-any\n",
}


def write(folder: Path) -> Path:
    """The wheel, made in this folder."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{NAME}-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for name, text in FILES.items():
            wheel.writestr(name, text)
        wheel.writestr(f"{INFO}/RECORD", "".join(f"{n},,\n" for n in [*FILES, f"{INFO}/RECORD"]))
    return path


if __name__ == "__main__":
    print(write(Path(sys.argv[1])))
