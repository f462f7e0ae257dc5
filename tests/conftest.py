"""What holds for all tests: none of them reads or writes the user's cache folder.

What one of them compiles is kept for the others of the same run, in a folder of its own. The games
they share are millions of objects that stay, so the oldest are seldom looked through for cycles.
"""

import atexit
import gc
import os
import shutil
import tempfile

if "PYTEST_XDIST_WORKER" not in os.environ:  # the workers of a run share the folder of its head
    os.environ["RULELANG_CACHE"] = tempfile.mkdtemp(prefix="rulelang-tests-")
    atexit.register(shutil.rmtree, os.environ["RULELANG_CACHE"], ignore_errors=True)

gc.set_threshold(10_000, 10, 100)


def pytest_sessionfinish() -> None:
    """Nothing is looked through when all is over, for it goes with the process."""
    gc.freeze()
