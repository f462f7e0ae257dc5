"""The author's desk: what stands beside a text while it is written, in an editor or an assistant.

In come texts as an editor holds them, saved or not; out come frozen answers (findings with edits
that mend them, what a place means, what can follow) with places counted as editors count them. The
layers that speak a protocol, `server` and `assistants`, only pass these on, and alone need the
libraries of the extra `desk`.

May use api, authoring, scenarios, simulation, game and what is below them.
"""
