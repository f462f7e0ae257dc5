"""What holds for all tests: none of them reads or writes the user's cache folder."""

import os

os.environ["RULELANG_CACHE"] = "off"
