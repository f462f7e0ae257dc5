"""The command line: one module for each command, imported when it runs.

In come arguments, and lines typed. Out go words on standard output, or plain data with `--json`,
diagnostics on standard error and an exit status. It may use every package; nothing uses it.

* `main`: the parser of arguments, and what each exception comes to
* `output`: how all commands print
"""
