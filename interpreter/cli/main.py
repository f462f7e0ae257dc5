"""The command line: what it says is carried out, and what it comes to is the exit status.

A command's own module is imported when it runs.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import gc
import importlib
import io
import os
import sys
from collections.abc import Callable

from interpreter.cli.arguments import parser
from interpreter.cli.usage import Usage

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def main(argv: list[str] | None = None) -> int:
    """Carry out a command line; gives the exit status."""
    _open_streams()
    try:
        return _delivered(argv)
    except KeyboardInterrupt:
        _complain("")
        return 130
    except BrokenPipeError:
        _write_nowhere()
        return 0


def _open_streams() -> None:
    """Every stream is there, if perhaps none reads or writes it, and takes any letter."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # as long as the program runs
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr, sys.stdin):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _delivered(argv: list[str] | None) -> int:
    """The exit status; where standard output takes nothing more that is told."""
    try:
        try:
            args = parser().parse_args(argv)
        except SystemExit as error:  # argparse has said what is wrong, or has helped
            sys.stdout.flush()
            return error.code if isinstance(error.code, int) else 2
        return _reported(args)
    except BrokenPipeError:
        raise
    except OSError as error:
        if not _is_of_output(error):
            raise
        _write_nowhere()
        with contextlib.suppress(OSError):
            _complain(f"rulelang: standard output cannot be written: {error.strerror}")
        return 1


def _is_of_output(error: OSError) -> bool:
    """Did it come of standard output, which takes nothing more, as on a full disk?

    Whoever writes a file tells its errors himself, and those of others name the file.
    """
    if isinstance(error, BrokenPipeError) or (error.filename is None and error.errno in _FULL):
        return True
    try:
        sys.stdout.flush()
    except OSError:
        return True
    return False


def _write_nowhere() -> None:
    """What is still to be written on standard output goes nowhere, for nobody reads on, or nothing
    takes it.
    """
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _reported(args: argparse.Namespace) -> int:
    """The exit status of a command; what it came to is told."""
    try:
        status = _command(args.run)(args)
        sys.stdout.flush()
        return status
    except Usage as error:
        _complain(f"rulelang {args.command}: {error}")
        return 2
    except Exception as error:
        if isinstance(error, OSError) and _is_of_output(error):
            raise
        from interpreter.cli.failures import report_failure

        return report_failure(error, args.json)


def _command(place: str) -> Callable[[argparse.Namespace], int]:
    """The function of a command, from "module:function"."""
    module, _, name = place.partition(":")
    found: Callable[[argparse.Namespace], int] = getattr(
        importlib.import_module(f"interpreter.cli.{module}"), name
    )
    return found


def _complain(text: str) -> None:
    from interpreter.cli.output import complain

    complain(text)


def process() -> int:
    """The command line of a process of its own.

    Modules and rules are long-lived, so cycles are looked for seldom; and what was made goes with
    the process, and is not looked through once more at its end.
    """
    gc.set_threshold(200_000, 10, 100)
    status = main()
    gc.freeze()
    return status


if __name__ == "__main__":
    sys.exit(process())
