"""Build the extension of VS Code from editors/vscode, with npm, and try the package.

python tests/tools/build_vsix.py [FILE]

It is built in a folder of its own by the versions of the lock file. The package must hold exactly
the files below, and start: its bundle, in a stub of the editor, against the program of this Python.
With a FILE, the package is written there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "editors" / "vscode"
MOST_BYTES = 200_000
HELD = {
    "[Content_Types].xml",
    "extension.vsixmanifest",
    "extension/LICENSE.txt",
    "extension/dist/LICENSES.txt",
    "extension/dist/extension.js",
    "extension/language-configuration.json",
    "extension/media/preview.css",
    "extension/media/preview.js",
    "extension/package.json",
    "extension/readme.md",
    "extension/syntaxes/rulelang.tmLanguage.json",
}


def packaged(folder: Path) -> Path:
    """The package that the sources build, in a folder of its own; raises CalledProcessError."""
    copy = folder / "source"
    left_out = shutil.ignore_patterns("node_modules", "dist", "*.vsix")
    shutil.copytree(SOURCE, copy, ignore=left_out)
    for command in (["ci", "--silent"], ["test", "--silent"], ["run", "--silent", "package"]):
        subprocess.run(["npm", *command], cwd=copy, check=True, stdout=subprocess.DEVNULL)
    return copy / "rulelang.vsix"


def faults(package: Path) -> list[str]:
    """What is in the package and should not be, what is missing, and whether it is too large."""
    with zipfile.ZipFile(package) as held:
        names = set(held.namelist())
        licences = held.read("extension/dist/LICENSES.txt").decode("utf-8")
    found = [f"{name} is in the package" for name in sorted(names - HELD)]
    found += [f"{name} is not in the package" for name in sorted(HELD - names)]
    if "vscode-languageclient " not in licences or "MIT" not in licences:
        found.append("the licence of the client is not in the package")
    if package.stat().st_size > MOST_BYTES:
        found.append(f"the package has {package.stat().st_size} bytes, more than {MOST_BYTES}")
    return found


def started(package: Path, folder: Path) -> bool:
    """Does the packaged extension start and run scenarios by the program of this Python?"""
    unpacked = folder / "unpacked"
    with zipfile.ZipFile(package) as held:
        held.extractall(unpacked)
    program = Path(sys.executable).with_name("rulelang")
    where = {"EXTENSION": str(unpacked / "extension"), "RULELANG": str(program)}
    command = ["node", "--test", "bundle/"]
    made = subprocess.run(
        command, cwd=SOURCE, env={**os.environ, **where}, capture_output=True, text=True
    )
    if made.returncode:
        print(made.stdout)
    return made.returncode == 0


def main() -> int:
    """Build and try the package; 1 if something is wrong with it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        package = packaged(folder)
        wrong = faults(package)
        if not wrong and not started(package, folder):
            wrong = ["the packaged extension does not start"]
        for line in wrong:
            print(line)
        if not wrong and len(sys.argv) > 1:
            shutil.copyfile(package, sys.argv[1])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
