"""What each clause of a ruleset says, in canonical form: two rulesets are compared clause by
clause."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rulelang import core
from rulelang.diagnostics.source import NOWHERE
from rulelang.ruleset import Clause, Line, Ruleset
from rulelang.ruleset.normalize import normal_record

# what a clause is to players, in the order it is told
ACTION, REFUSAL, SCORE, END, RANK = "action", "refusal", "score", "end", "rank"
MEANING, DEED, TABLE, PIECE = "meaning", "deed", "table", "piece"
SORTS = (ACTION, REFUSAL, SCORE, END, RANK, DEED, MEANING, TABLE, PIECE)

Part = tuple[str, object]  # the sort of a clause, and what it says


@dataclass(frozen=True)
class Change:
    """A clause that says another thing in the second ruleset, is new there, or gone."""

    clause: Clause
    sort: str
    how: str  # "changed" | "new" | "gone"


def changes(one: Ruleset, two: Ruleset) -> list[Change]:
    """The clauses that are not the same in both, by what they are to players."""
    first, second = parts_of(one), parts_of(two)
    found = []
    for name in dict.fromkeys((*first, *second)):
        before, after = first.get(name), second.get(name)
        if before == after:
            continue
        how = "new" if before is None else "gone" if after is None else "changed"
        sort = (after or before or [(TABLE, None)])[0][0]
        known = two.clauses.get(name) or one.clauses.get(name)
        clause = known if known is not None else Clause(name, sort, name, "", (), NOWHERE)
        found.append(Change(clause, sort, how))
    return sorted(found, key=lambda change: SORTS.index(change.sort))


def parts_of(rules: Ruleset) -> dict[str, list[Part]]:
    """What each clause says, by its id: one thing mostly, of the same sort."""
    found: dict[str, list[Part]] = {}
    for clause, sort, said in _parts(rules):
        found.setdefault(clause, []).append((sort, said))
    return found


def _parts(rules: Ruleset) -> Iterator[tuple[str, str, object]]:
    """Each clause with its sort and what it says."""
    yield from _played(rules)
    yield from _counted(rules)
    yield from _named(rules)


def _played(rules: Ruleset) -> Iterator[tuple[str, str, object]]:
    """What is done and what may be done."""
    for procedure in rules.procedures.values():
        yield procedure.clause, ACTION if procedure.is_action else DEED, _plain(procedure)
    for event in rules.events.values():
        yield event.clause, DEED, _plain(replace(event, rules=()))
        for number, rule in enumerate(event.rules):
            yield rule.clause, REFUSAL, _plain(rule) if rule.slot is None else (number, rule.slot)
    for rule in rules.invariants:
        yield rule.clause, REFUSAL, _plain(rule)
    for reaction in rules.reactions:
        yield reaction.clause, DEED, _plain(reaction)
    for latch in rules.latches:
        yield latch.clause, DEED, _plain(latch)
    yield rules.flow_clause, DEED, _plain(core.If(core.Const(True), rules.flow, ()))


def _counted(rules: Ruleset) -> Iterator[tuple[str, str, object]]:
    """Scores, ends and ranks."""
    for table in rules.tables.values():
        yield table.clause, SCORE, (table.params, tuple(_order(table.lines)))
        for line in table.lines:
            yield from _lines(line)
    for ending in rules.endings:
        yield ending.clause, END, _plain(ending)
    for number, rank in enumerate((*rules.ranks, *rules.hurdles)):
        yield rank.clause, RANK, (number, _plain(rank))


def _named(rules: Ruleset) -> Iterator[tuple[str, str, object]]:
    """What words mean, and what is on the table."""
    for known in rules.definitions.values():
        yield known.clause, MEANING, (known.params, tuple(c.slot or c.clause for c in known.cases))
        for case in known.cases:
            yield case.clause, MEANING, _plain(case)
    for state in rules.states.values():
        yield state.clause, TABLE, _plain(state)
    for place in rules.places.values():
        yield place.clause, TABLE, replace(place, clause="")
    for board in rules.boards.values():
        yield board.clause, TABLE, replace(board, clause="")
    for design in rules.designs:
        yield design.clause, PIECE, (design.title, design.component, design.values, design.copies)
    yield rules.clause, TABLE, (rules.players, tuple(rules.options.items()))


def _lines(line: Line) -> Iterator[tuple[str, str, object]]:
    yield line.clause, SCORE, _plain(replace(line, inner=()))
    for inner in line.inner:
        yield from _lines(inner)


def _order(lines: tuple[Line, ...]) -> Iterator[str]:
    """The operations of a table in which lines may not change places, by clause."""
    return (line.slot or line.clause for line in lines if line.op not in ("+", "-"))


def _plain(node: core.Node) -> object:
    return normal_record(node)
