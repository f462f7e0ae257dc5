"""What holds for all tests: none of them reads or writes the user's cache folder.

What one of them compiles is kept for the others of the same run, in a folder of its own.
"""

import atexit
import os
import shutil
import tempfile

if "PYTEST_XDIST_WORKER" not in os.environ:  # the workers of a run share the folder of its head
    os.environ["RULELANG_CACHE"] = tempfile.mkdtemp(prefix="rulelang-tests-")
    atexit.register(shutil.rmtree, os.environ["RULELANG_CACHE"], ignore_errors=True)
