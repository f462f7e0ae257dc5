"""A module as readable text: the WebAssembly text format, with clauses as comments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from interpreter.native import ir
from interpreter.native.wasm import MAX_MEMORY, PAGE, pages, wrapped

ROW = 48  # bytes of a table in one line


def text(module: ir.Module) -> str:
    """The module in the text format; it means the same as the binary one."""
    return "\n".join(_Text(module).lines()) + "\n"


class _Text:
    """One module being written."""

    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.names: dict[object, str] = {}
        self.taken: set[str] = set()

    def name(self, thing: ir.Function | ir.Global | ir.Register | ir.Label) -> str:
        """The name of a thing in the text; no two have the same."""
        found = self.names.get(thing)
        if found is None:
            first = "$" + (thing.name.replace(" ", "_") or "x")
            found, number = first, 1
            while found in self.taken:
                number += 1
                found = f"{first}.{number}" if number < 9 else f"{first}.{len(self.taken)}"
            self.taken.add(found)
            self.names[thing] = found
        return found

    def lines(self) -> Iterator[str]:
        """All lines."""
        size = pages(self.module)
        yield "(module"
        yield f'  (memory (export "memory") {size} {MAX_MEMORY // PAGE})'
        for known in self.module.globals:
            export = f' (export "{known.name}")' if known.exported else ""
            begins = f"({known.ty.value}.const {self.module.beginnings.get(known, 0)})"
            yield f"  (global {self.name(known)}{export} (mut {known.ty.value}) {begins})"
        for function in self.module.functions:
            yield from self.function(function)
        for at, raw in self.module.data:
            yield f"  (data (i32.const {at})"
            for first in range(0, len(raw), ROW):
                row = "".join(f"\\{byte:02x}" for byte in raw[first : first + ROW])
                yield f'    "{row}"'
            yield "  )"
        yield ")"

    def function(self, function: ir.Function) -> Iterator[str]:
        """A function with its registers."""
        head = f"  (func {self.name(function)}"
        if function.exported:
            head += f' (export "{function.name}")'
        head += "".join(f" (param {self.name(r)} {r.ty.value})" for r in function.params)
        head += "".join(f" (result {ty.value})" for ty in function.results)
        body = list(self.body(function.body, 2))
        yield head
        mine = dict.fromkeys(_registers(function.body))
        for register in mine:
            if register not in function.params:
                yield f"    (local {self.name(register)} {register.ty.value})"
        yield from body
        if function.results:
            yield "    unreachable"
        yield "  )"

    def body(self, body: list[ir.Stmt], depth: int) -> Iterator[str]:
        """Statements, indented so deep."""
        for stmt in body:
            for line in self.stmt(stmt, depth):
                yield line if line.startswith(" ") else "  " * depth + line

    def code(self, code: ir.Code) -> str:
        """A value as one expression."""
        match code:
            case ir.Const():
                return f"({code.ty.value}.const {wrapped(code)})"
            case ir.Get():
                kind = "local" if isinstance(code.of, ir.Register) else "global"
                return f"({kind}.get {self.name(code.of)})"
            case ir.Op():
                return f"({code.op.name} {self.all(code.args)})"
            case ir.Load():
                return f"({code.op.name} offset={code.offset} {self.code(code.address)})"
            case ir.Select():
                return f"(select {self.all((code.then, code.other, code.cond))})"
            case _:
                assert_never(code)

    def all(self, codes: tuple[ir.Code, ...]) -> str:
        """Values one after the other."""
        return " ".join(map(self.code, codes))

    def stmt(self, stmt: ir.Stmt, depth: int) -> Iterator[str]:
        """The lines of a statement."""
        match stmt:
            case ir.If():
                yield f"(if {self.code(stmt.cond)}"
                yield from self._arm("then", stmt.then, depth + 1)
                if stmt.other:
                    yield from self._arm("else", stmt.other, depth + 1)
                yield ")"
            case ir.Block() | ir.Loop():
                kind = "block" if isinstance(stmt, ir.Block) else "loop"
                yield f"({kind} {self.name(stmt.label)}"
                yield from self.body(stmt.body, depth + 1)
                yield ")"
            case ir.Call():
                given = f" {self.all(stmt.args)}" if stmt.args else ""
                yield f"(call {self.name(stmt.function)}{given})"
                for register in reversed(stmt.to):
                    yield f"(local.set {self.name(register)})"
            case _:
                yield self._simple(stmt)

    def _arm(self, word: str, body: list[ir.Stmt], depth: int) -> Iterator[str]:
        yield "  " * depth + f"({word}"
        yield from self.body(body, depth + 1)
        yield "  " * depth + ")"

    def _simple(
        self,
        stmt: ir.Set
        | ir.Store
        | ir.Jump
        | ir.Switch
        | ir.Return
        | ir.Trap
        | ir.Copy
        | ir.Fill
        | ir.Note,
    ) -> str:
        """A statement that holds no others, in one line."""
        match stmt:
            case ir.Set():
                kind = "local" if isinstance(stmt.to, ir.Register) else "global"
                return f"({kind}.set {self.name(stmt.to)} {self.code(stmt.value)})"
            case ir.Store():
                place = f"offset={stmt.offset} {self.code(stmt.address)}"
                return f"({stmt.op} {place} {self.code(stmt.value)})"
            case ir.Jump():
                if stmt.cond is None:
                    return f"(br {self.name(stmt.label)})"
                return f"(br_if {self.name(stmt.label)} {self.code(stmt.cond)})"
            case ir.Switch():
                labels = " ".join(map(self.name, stmt.labels))
                return f"(br_table {labels} {self.code(stmt.number)})"
            case ir.Return():
                return f"(return {self.all(stmt.values)})" if stmt.values else "(return)"
            case ir.Trap():
                return "unreachable"
            case ir.Copy():
                return f"(memory.copy {self.all((stmt.to, stmt.source, stmt.size))})"
            case ir.Fill():
                return f"(memory.fill {self.all((stmt.to, stmt.value, stmt.size))})"
            case ir.Note():
                return ";; " + "".join(c if c.isprintable() else "?" for c in stmt.text)
            case _:
                assert_never(stmt)


def _registers(body: list[ir.Stmt]) -> Iterator[ir.Register]:
    """The registers that statements give values to, in the order in which they do."""
    for stmt in body:
        match stmt:
            case ir.Set():
                if isinstance(stmt.to, ir.Register):
                    yield stmt.to
            case ir.Call():
                yield from stmt.to
            case ir.If():
                yield from _registers(stmt.then)
                yield from _registers(stmt.other)
            case ir.Block() | ir.Loop():
                yield from _registers(stmt.body)
            case _:
                pass
