"""A hash of compiled rules, by which records and written states know what they were played with."""

from __future__ import annotations

import hashlib

from interpreter.model.position import frozen
from rulelang.ruleset import Ruleset


def rules_hash(r: Ruleset) -> str:
    """A hash of the compiled rules: what they mean, whatever comments, citations, scenarios or file
    names surround them.
    """
    decks = [
        (d.name, d.components, [d.copies(design, r.added) for design in r.designs])
        for d in r.decks.values()
    ]
    designs = [
        (d.title, d.component, [(n, frozen(v)) for n, v in d.values], d.copies) for d in r.designs
    ]
    parts = [
        r.id,
        r.players,
        r.max_moves,
        r.kinds,
        r.pairs,
        r.groups,
        r.components,
        designs,
        decks,
        r.boards,
        r.places,
        r.states,
        [(d.name, d.params, d.cases) for d in r.definitions.values()],
        r.tables,
        r.events,
        r.procedures,
        r.flow,
        r.invariants,
        r.reactions,
        r.latches,
        r.endings,
        r.ranks,
        r.hurdles,
        r.options,
        r.extensions,
    ]
    return hashlib.sha256("\n".join(map(repr, parts)).encode()).hexdigest()
