"""A module written out as WebAssembly: the binary format, with the names of its functions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from interpreter.native import ir
from interpreter.native.values import NotLowered

PAGE = 65_536  # bytes
# What rules of strangers may take. The games that come along take a fifth of it at most.
MAX_BYTES = 1 << 24  # of a module
MAX_MEMORY = 1 << 28  # of what it works in
_TYPES = {ir.Ty.I32: 0x7F, ir.Ty.I64: 0x7E}
_EMPTY = 0x40
_ALIGNMENT = {"load8_s": 0, "load8_u": 0, "store8": 0, "load16_s": 1, "load16_u": 1, "store16": 1}


def unsigned(value: int) -> bytes:
    """A number in LEB128."""
    found = bytearray()
    while True:
        value, low = value >> 7, value & 0x7F
        if not value:
            found.append(low)
            return bytes(found)
        found.append(low | 0x80)


def signed(value: int) -> bytes:
    """A number with its sign in LEB128."""
    found = bytearray()
    while True:
        value, low = value >> 7, value & 0x7F
        if (value == 0 and not low & 0x40) or (value == -1 and low & 0x40):
            found.append(low)
            return bytes(found)
        found.append(low | 0x80)


def _vector(items: Iterable[bytes]) -> bytes:
    listed = list(items)
    return unsigned(len(listed)) + b"".join(listed)


def _text(text: str) -> bytes:
    raw = text.encode()
    return unsigned(len(raw)) + raw


def _section(number: int, content: bytes) -> bytes:
    return bytes([number]) + unsigned(len(content)) + content


def binary(module: ir.Module) -> bytes:
    """The module in the binary format; raises NotLowered where it would be larger than may be."""
    if module.memory > MAX_MEMORY:
        raise NotLowered(f"states that take more than {MAX_MEMORY >> 20} MB of memory")
    raw = _binary(module)
    if len(raw) > MAX_BYTES:
        raise NotLowered(f"rules that take more than {MAX_BYTES >> 20} MB as a module")
    return raw


def _binary(module: ir.Module) -> bytes:
    signatures: dict[bytes, int] = {}
    kinds = [signatures.setdefault(_signature(f), len(signatures)) for f in module.functions]
    functions = {function: number for number, function in enumerate(module.functions)}
    globals_ = {known: number for number, known in enumerate(module.globals)}
    bodies = [_Body(function, functions, globals_).written() for function in module.functions]
    size = unsigned(pages(module))
    exports = [_text("memory") + b"\x02\x00"]
    exports += [_text(f.name) + b"\x00" + unsigned(functions[f]) for f in functions if f.exported]
    exports += [_text(g.name) + b"\x03" + unsigned(globals_[g]) for g in globals_ if g.exported]
    data = (
        b"\x00\x41" + signed(at) + b"\x0b" + unsigned(len(raw)) + raw for at, raw in module.data
    )
    names = _vector(unsigned(number) + _text(f.name) for f, number in functions.items())
    return b"".join(
        (
            b"\0asm\1\0\0\0",
            _section(1, _vector(signatures)),
            _section(3, _vector(map(unsigned, kinds))),
            _section(5, _vector([b"\x01" + size + unsigned(MAX_MEMORY // PAGE)])),
            _section(6, _vector(_global(g, module.beginnings.get(g, 0)) for g in module.globals)),
            _section(7, _vector(exports)),
            _section(10, _vector(unsigned(len(body)) + body for body in bodies)),
            _section(11, _vector(data)),
            _section(0, _text("name") + _section(1, names)),
        )
    )


def pages(module: ir.Module) -> int:
    """How many pages of memory a module works in; whoever runs it may add some behind them."""
    return -(-module.memory // PAGE)


def _signature(function: ir.Function) -> bytes:
    params = bytes(_TYPES[register.ty] for register in function.params)
    results = bytes(_TYPES[ty] for ty in function.results)
    return b"\x60" + _text_of(params) + _text_of(results)


def _text_of(raw: bytes) -> bytes:
    return unsigned(len(raw)) + raw


def _global(known: ir.Global, begins: int) -> bytes:
    constant = b"\x41" if known.ty is ir.Ty.I32 else b"\x42"
    return bytes([_TYPES[known.ty], 1]) + constant + signed(begins) + b"\x0b"


class _Body:
    """The body of one function as it is written: registers are numbered as they are met."""

    def __init__(
        self,
        function: ir.Function,
        functions: dict[ir.Function, int],
        globals_: dict[ir.Global, int],
    ) -> None:
        self.function, self.functions, self.globals = function, functions, globals_
        self.locals = {register: number for number, register in enumerate(function.params)}
        self.labels: list[ir.Label] = []
        self.out = bytearray()

    def written(self) -> bytes:
        """The locals and the code."""
        for stmt in self.function.body:
            self.stmt(stmt)
        if self.function.results:
            self.out.append(0x00)  # every way ends before here in a return
        self.out.append(0x0B)
        mine = list(self.locals)[len(self.function.params) :]
        return _vector(b"\x01" + bytes([_TYPES[r.ty]]) for r in mine) + bytes(self.out)

    def local(self, register: ir.Register) -> bytes:
        """The number of a register."""
        return unsigned(self.locals.setdefault(register, len(self.locals)))

    def code(self, code: ir.Code) -> None:
        """A value onto the stack."""
        out = self.out
        match code:
            case ir.Const():
                out.append(0x41 if code.ty is ir.Ty.I32 else 0x42)
                out += signed(wrapped(code))
            case ir.Get():
                self._get(code.of)
            case ir.Op():
                for arg in code.args:
                    self.code(arg)
                out.append(code.op.code)
            case ir.Load():
                self.code(code.address)
                out.append(code.op.code)
                out += _place(code.op.name, code.offset)
            case ir.Select():
                for part in (code.then, code.other, code.cond):
                    self.code(part)
                out.append(0x1B)
            case _:
                assert_never(code)

    def _get(self, known: ir.Register | ir.Global) -> None:
        if isinstance(known, ir.Register):
            self.out += b"\x20" + self.local(known)
        else:
            self.out += b"\x23" + unsigned(self.globals[known])

    def stmt(self, stmt: ir.Stmt) -> None:
        """A statement."""
        match stmt:
            case ir.Set() | ir.Store() | ir.Copy() | ir.Fill():
                self._write(stmt)
            case ir.If() | ir.Block() | ir.Loop():
                self._nested(stmt)
            case ir.Jump() | ir.Switch() | ir.Return() | ir.Trap():
                self._leave(stmt)
            case ir.Call():
                for arg in stmt.args:
                    self.code(arg)
                self.out += b"\x10" + unsigned(self.functions[stmt.function])
                for register in reversed(stmt.to):
                    self.out += b"\x21" + self.local(register)
            case ir.Note():
                pass
            case _:
                assert_never(stmt)

    def _write(self, stmt: ir.Set | ir.Store | ir.Copy | ir.Fill) -> None:
        match stmt:
            case ir.Set():
                self.code(stmt.value)
                if isinstance(stmt.to, ir.Register):
                    self.out += b"\x21" + self.local(stmt.to)
                else:
                    self.out += b"\x24" + unsigned(self.globals[stmt.to])
            case ir.Store():
                self.code(stmt.address)
                self.code(stmt.value)
                self.out.append(ir.STORES[stmt.op])
                self.out += _place(stmt.op, stmt.offset)
            case ir.Copy():
                for part in (stmt.to, stmt.source, stmt.size):
                    self.code(part)
                self.out += b"\xfc\x0a\x00\x00"
            case ir.Fill():
                for part in (stmt.to, stmt.value, stmt.size):
                    self.code(part)
                self.out += b"\xfc\x0b\x00"
            case _:
                assert_never(stmt)

    def _nested(self, stmt: ir.If | ir.Block | ir.Loop) -> None:
        match stmt:
            case ir.If():
                self.code(stmt.cond)
                self.out += bytes([0x04, _EMPTY])
                self._inside(ir.Label("if"), stmt.then)
                if stmt.other:
                    self.out.append(0x05)
                    self._inside(ir.Label("else"), stmt.other)
            case ir.Block():
                self.out += bytes([0x02, _EMPTY])
                self._inside(stmt.label, stmt.body)
            case ir.Loop():
                self.out += bytes([0x03, _EMPTY])
                self._inside(stmt.label, stmt.body)
            case _:
                assert_never(stmt)
        self.out.append(0x0B)

    def _inside(self, label: ir.Label, body: list[ir.Stmt]) -> None:
        self.labels.append(label)
        for stmt in body:
            self.stmt(stmt)
        self.labels.pop()

    def _depth(self, label: ir.Label) -> bytes:
        return unsigned(len(self.labels) - 1 - self.labels.index(label))

    def _leave(self, stmt: ir.Jump | ir.Switch | ir.Return | ir.Trap) -> None:
        match stmt:
            case ir.Jump():
                if stmt.cond is not None:
                    self.code(stmt.cond)
                self.out += (b"\x0c" if stmt.cond is None else b"\x0d") + self._depth(stmt.label)
            case ir.Switch():
                self.code(stmt.number)
                *known, other = (self._depth(label) for label in stmt.labels)
                self.out += b"\x0e" + _vector(known) + other
            case ir.Return():
                for value in stmt.values:
                    self.code(value)
                self.out.append(0x0F)
            case ir.Trap():
                self.out.append(0x00)
            case _:
                assert_never(stmt)


def wrapped(code: ir.Const) -> int:
    """A number as the signed one with the same bits."""
    bits = 32 if code.ty is ir.Ty.I32 else 64
    low = code.value & ((1 << bits) - 1)
    return low - (1 << bits) if low >> (bits - 1) else low


def _place(name: str, offset: int) -> bytes:
    """The alignment and offset of a load or store."""
    ty, operation = name.split(".")
    natural = 2 if ty == "i32" else 3
    return unsigned(_ALIGNMENT.get(operation, natural)) + unsigned(offset)
