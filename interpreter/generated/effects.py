"""Statements that change a position, as Python: assignments, moves of pieces, chance, events with their reactions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

from interpreter.generated.additions import close_bearer, each_bearer
from interpreter.generated.sets import Expressions
from interpreter.model import mutations
from interpreter.model.values import Fault
from rulelang import core
from rulelang.analysis.cost import looks_back
from rulelang.ruleset import Extension, Params, Reaction
from rulelang.ruleset.inline import written_out

if TYPE_CHECKING:
    from interpreter.generated.module import Module

SHORT = 4  # statements an event may have to be written out where it is proposed


class Registers(dict[str, str]):
    """The names of one procedure, each in its register."""

    def __init__(self, slot: Callable[[str], int]) -> None:
        """Registers are given out as names are met."""
        super().__init__()
        self.slot = slot

    def __missing__(self, name: str) -> str:
        return f"r[{self.slot(name)}]"


class Steps:
    """Writes statements that ask nobody into one function; `after` is written after each that changes the position."""

    def __init__(
        self, module: Module, function: Expressions, after: Callable[[core.Stmt], None]
    ) -> None:
        """What the position was is not kept while it changes."""
        self.module, self.function, self.after = module, function, after
        function.moving = True

    def body(self, body: core.Body) -> None:
        """The statements in order."""
        self.count(len(body))
        for stmt in body:
            self.step(stmt)

    def count(self, steps: int) -> None:
        """So many steps are done; the bound is looked at where a loop goes round."""
        if steps:
            self.function.line(f"{self.function.work()}.steps += {steps}")

    def round(self) -> None:
        """A loop goes round: one step more, and the bound is looked at."""
        self.function.line(f"{self.function.work()}.step()")

    def step(self, stmt: core.Stmt) -> None:
        """One statement."""
        getattr(self, f"_{type(stmt).__name__.lower()}")(stmt)

    def call(self, name: str) -> str:
        """The name under which generated code knows an elementary change."""
        return self.function.constants.name(("change", name), lambda _: getattr(mutations, name))

    def key(self, place: str, index: core.Expr | None) -> str:
        """A place as the position knows it."""
        if index is None:
            return self.function.constants.value((place, None))
        return f"({place!r}, {self.function.gen(index)})"

    def bind(self, name: str, value: str) -> None:
        """Give a name in scope a value."""
        if isinstance(self.function.names, Registers):
            self.function.line(f"{self.function.names[name]} = {value}")
        else:
            local = self.function.fresh("v")
            self.function.line(f"{local} = {value}")
            self.function.names[name] = local
            self.function.sure.discard(name)

    # ---------------------------------------------------------------------------------------- values
    def _let(self, stmt: core.Let) -> None:
        self.bind(stmt.var, self.function.gen(stmt.value))

    def _chance(self, stmt: core.Chance) -> None:
        members = self.function.named(f"list({self.function.members(stmt.of, stable=True)})")
        self.bind(stmt.var, f"{members}[s.random(len({members}))] if {members} else None")

    def _assign(self, stmt: core.Assign) -> None:
        f = self.function
        depth = f.depth
        index = "None"
        if stmt.index is not None:
            index = f.atom(stmt.index)
            if f.maybe_none(stmt.index):
                f.line(f"if {index} is not None:")
                f.depth += 1
        value = f.gen(stmt.value)
        if self.module.dense(self.module.ruleset.states[stmt.state]):
            f.line(f"{f.table(stmt.state)}[{index}] = {value}")
            if self.module.marks_changes:
                f.line("s.dirty = True")
            f.line(f"if s.memos: s.touch({'state:' + stmt.state!r})")
        else:
            f.line(f"s.assign({stmt.state!r}, {index}, {value})")
        f.depth = depth
        self.after(stmt)

    # ---------------------------------------------------------------------------------------- pieces
    def _move(self, stmt: core.Move) -> None:
        self.function.line(
            f"{self.call('move')}(s, {self.function.gen(stmt.what)}, {self.key(stmt.place, stmt.index)}, {stmt.bottom})"
        )
        self.after(stmt)

    def _draw(self, stmt: core.Draw) -> None:
        source, target = (
            self.key(stmt.source.place, stmt.source.index),
            self.key(stmt.place, stmt.index),
        )
        self.function.line(
            f"{self.call('draw')}(s, {self.function.gen(stmt.count)}, {source}, {target})"
        )
        self.after(stmt)

    def _put(self, stmt: core.Put) -> None:
        self.function.line(
            f"{self.call('put')}(s, {self.function.gen(stmt.what)}, {stmt.layer!r}, {self.function.gen(stmt.sites)}, {stmt.span.line})"
        )
        self.after(stmt)

    def _shuffle(self, stmt: core.Shuffle) -> None:
        self.function.line(f"{self.call('shuffle')}(s, {self.key(stmt.place, stmt.index)})")
        self.after(stmt)

    def _reveal(self, stmt: core.Reveal) -> None:
        who = "None" if stmt.to is None else self.function.gen(stmt.to)
        self.function.line(f"{self.call('reveal')}(s, {self.function.gen(stmt.what)}, {who})")
        self.after(stmt)

    def _finish(self, stmt: core.Finish) -> None:
        f = self.function
        if stmt.unit == "game":
            f.line('s.ended = "game"')
        else:
            f.line("s.rounds += 1")
            for ending in self.module.ruleset.endings:
                if ending.unit == stmt.unit:
                    with f.block("if s.ended is None:"), f.block(f"if {f.test(ending.cond)}:"):
                        f.line(f"s.ended = {f.literal(ending.name)}")
        self.after(stmt)

    # ---------------------------------------------------------------------------------------- control without decisions
    def _if(self, stmt: core.If) -> None:
        f = self.function
        test = f.named(f.test(stmt.cond))
        for head, body in ((f"if {test}:", stmt.then), ("else:", stmt.other)):
            if body or head.startswith("if"):
                kept = dict(f.names)
                with f.block(head):
                    self.body(body)
                self._forget(kept)

    def _forget(self, kept: dict[str, str]) -> None:
        for name in set(self.function.names) - set(kept):
            del self.function.names[name]

    def _foreach(self, stmt: core.ForEach) -> None:
        f = self.function
        members = f.named(f"list({f.members(stmt.domain, stable=True)})")
        item, kept = f.fresh("v"), dict(f.names)
        with f.block(f"for {item} in {members}:"):
            self.round()
            self.bind(stmt.var, item)
            self.body(stmt.body)
        self._forget(kept)

    def _repeat(self, stmt: core.Repeat) -> None:
        f = self.function
        count, kept = f.fresh("n"), dict(f.names)
        if stmt.times is not None:
            f.line(f"{count} = {f.gen(stmt.times)}")
        with f.block(f"while {count} > 0:" if stmt.times is not None else "while True:"):
            if stmt.cond is not None:
                f.guard(stmt.cond, "break")
            if stmt.times is not None:
                f.line(f"{count} -= 1")
            self.round()
            self.body(stmt.body)
        self._forget(kept)

    def _do(self, stmt: core.Do) -> None:
        self.propose(stmt, checked=False)

    # ---------------------------------------------------------------------------------------- events
    def propose(self, stmt: core.Do, checked: bool) -> None:
        """An event: refused if a rule of it fails, unless it is known to be accepted."""
        f, module = self.function, self.module
        values = [f.named(f.gen(a)) for a in stmt.args]
        if not checked:
            with f.block(f"if not {module.accepts(stmt.target)}({', '.join(['s', *values])}):"):
                f.line(
                    f"{self.function.constants.name('refuse', lambda _: _refuse)}({stmt.target!r})"
                )
        event = module.ruleset.events[stmt.target]
        if module.answers(stmt.target) or len(event.body) > SHORT:
            f.line(f"{module.event(stmt.target)}({', '.join(['s', *values])})")
        else:
            names, sure, after = f.names, f.sure, self.after
            certain = {
                p for (p, _), a in zip(event.params, stmt.args, strict=True) if not f.maybe_none(a)
            }
            f.names, f.sure, self.after = (
                dict(zip([p for p, _ in event.params], values, strict=True)),
                certain,
                _nothing,
            )
            self.body(event.body)
            f.names, f.sure, self.after = names, sure, after
        self.after(stmt)


def _nothing(_: core.Stmt) -> None:
    """Within an event nothing is looked at before it is done."""


def _refuse(event: str) -> NoReturn:
    raise Fault(f"{event} is refused")


# complexity: one form of output, and the room goes with the native engine
def write_event(module: Module, name: str, made: str) -> None:
    """An event's function: its statements, then what follows it: (position, values...) -> nothing."""
    event = module.ruleset.events[name]
    params = [f"p{i}" for i in range(len(event.params))]
    function = module.expressions(zip([p for p, _ in event.params], params, strict=True))
    steps = Steps(module, function, _nothing)
    found = list(module.answers(name))
    back = any(looks_back(module.ruleset, (r.cond, *(s for s in r.body))) for r, _ in found)
    if back:
        function.line("answered, earlier = s.before, s.copy()")
    steps.body(event.body)
    added = [(r, e) for r, e in found if e is not None]
    if added:
        function.line("follows = []")
        for number, (_, e) in enumerate(added):
            depth = each_bearer(module, function, e, event.params)
            if depth >= 0:
                function.line(
                    f"follows.append(({number}, {function.names['card']}, {function.names['you']}))"
                )
                close_bearer(function, depth)
    for reaction, source in found:
        if source is None:
            _react(module, steps, reaction, event.params, {}, back)
    if added:
        with function.block("for number, card, you in follows:"):
            for number, (reaction, _) in enumerate(added):
                with function.block(f"{'if' if number == 0 else 'elif'} number == {number}:"):
                    _react(
                        module, steps, reaction, event.params, {"card": "card", "you": "you"}, back
                    )
    module.add(made, function, params)


def _react(
    module: Module,
    steps: Steps,
    reaction: Reaction,
    params: Params,
    bound: dict[str, str],
    back: bool,
) -> None:
    function = steps.function
    outer = function.names
    function.names = {**{name: f"p{i}" for i, (name, _) in enumerate(reaction.params)}, **bound}
    if back:
        function.line("s.before = earlier")
    depth = function.depth
    if reaction.cond is not None:
        function.line(f"if {function.test(reaction.cond)}:")
        function.depth += 1
    steps.body(reaction.body)
    function.line("pass")
    function.depth = depth
    if back:
        function.line("s.before = answered")
    function.names = outer


def write_ends(
    module: Module, names: tuple[str, ...] | None, changed: str | None, made: str
) -> None:
    """Latches that have come true act once, then the first end that holds ends the game: (position) -> truth."""
    function = module.expressions(())
    function.changed = changed
    if names is None:
        steps = Steps(module, function, _nothing)
        function.line("s.dirty = False")
        for latch in module.ruleset.latches:
            name = function.literal(latch.name)
            with (
                function.block(f"if {name} not in s.ever:"),
                function.block(f"if {function.test(latch.cond)}:"),
            ):
                function.line(f"s.ever |= frozenset([{name}])")
                function.names = {}
                steps.body(latch.body)
    function.moving = False
    if module.at_once:
        function.line("if s.stream: return False")
    for ending in module.ruleset.endings:
        if ending.unit is None and (names is None or ending.name in names):
            cond = written_out(ending.cond, module.ruleset, lambda name: not module.is_kept(name))
            then = [f"s.ended = {function.literal(ending.name)}", "return True"]
            if isinstance(cond, core.Exists):
                function.first(cond.var, cond.domain, cond.cond, then)
                continue
            with function.block(
                "for _ in (None,):"
            ):  # a loop of one round, which conditions can leave
                function.meets(cond, then)
    function.line("return False")
    module.add(made, function, ["changed"] if changed else [])


def answers(ruleset: Any, event: str) -> Iterator[tuple[Reaction, Extension | None]]:
    """What follows an event: the rules' own reactions, then those of cards."""
    for reaction in ruleset.reactions:
        if reaction.event == event:
            yield reaction, None
    for e in ruleset.extensions:
        if e.reaction is not None and e.kind == "reaction" and e.target == event:
            yield e.reaction, e
