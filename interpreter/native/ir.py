"""The intermediate representation: typed registers, pure code as trees, and structured statements.

Functions, registers and labels are objects that point to each other; numbers exist only in the
written module. Code reads registers and memory and never fails: what may be a fault is a statement.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias


class Ty(Enum):
    """What a register holds: 32 or 64 bits."""

    I32 = "i32"
    I64 = "i64"


@dataclass(frozen=True)
class Operator:
    """A machine operation on registers: its name, its code in a module, what it takes and gives."""

    name: str
    code: int
    takes: tuple[Ty, ...]
    gives: Ty


def _operators() -> dict[str, Operator]:
    """All operations that lowering uses."""
    i32, i64 = Ty.I32, Ty.I64
    found = {}
    single = "clz", "ctz", "popcnt"
    both = ["add", "sub", "mul", "div_s", "div_u", "rem_s", "rem_u", "and", "or", "xor"]
    both += ["shl", "shr_s", "shr_u", "rotl", "rotr"]
    compare = ["eq", "ne", "lt_s", "lt_u", "gt_s", "gt_u", "le_s", "le_u", "ge_s", "ge_u"]
    for ty, unary, tests in ((i32, 0x67, 0x45), (i64, 0x79, 0x50)):
        for at, name in enumerate((*single, *both), unary):
            takes = (ty,) * (1 if name in single else 2)
            found[f"{ty.value}.{name}"] = Operator(f"{ty.value}.{name}", at, takes, ty)
        found[f"{ty.value}.eqz"] = Operator(f"{ty.value}.eqz", tests, (ty,), i32)
        for at, name in enumerate(compare, tests + 1):
            found[f"{ty.value}.{name}"] = Operator(f"{ty.value}.{name}", at, (ty, ty), i32)
    for name, code, taken, gives in (
        ("i32.wrap_i64", 0xA7, i64, i32),
        ("i64.extend_i32_s", 0xAC, i32, i64),
        ("i64.extend_i32_u", 0xAD, i32, i64),
    ):
        found[name] = Operator(name, code, (taken,), gives)
    for name, code, taken, gives in (
        ("i32.load", 0x28, i32, i32),
        ("i64.load", 0x29, i32, i64),
        ("i32.load8_s", 0x2C, i32, i32),
        ("i32.load8_u", 0x2D, i32, i32),
        ("i32.load16_s", 0x2E, i32, i32),
        ("i32.load16_u", 0x2F, i32, i32),
    ):
        found[name] = Operator(name, code, (taken,), gives)
    return found


OPERATORS = _operators()
STORES = {"i32.store": 0x36, "i64.store": 0x37, "i32.store8": 0x3A, "i32.store16": 0x3B}


# -------------------------------------------------------------------------------------------- code
@dataclass(frozen=True, eq=False)
class Register:
    """A place for one value while a function runs."""

    ty: Ty
    name: str


@dataclass(frozen=True, eq=False)
class Global:
    """A value of the module that all functions share; not part of a state of play."""

    ty: Ty
    name: str
    exported: bool = False


@dataclass(frozen=True)
class Const:
    """A number written in the code."""

    ty: Ty
    value: int


@dataclass(frozen=True)
class Get:
    """The value of a register or global."""

    of: Register | Global


@dataclass(frozen=True)
class Op:
    """An operation on values."""

    op: Operator
    args: tuple[Code, ...]


@dataclass(frozen=True)
class Load:
    """What stands in memory at an address and so many bytes on."""

    op: Operator
    address: Code
    offset: int


@dataclass(frozen=True)
class Select:
    """One of two values, both of which are worked out."""

    cond: Code
    then: Code
    other: Code


Code: TypeAlias = Const | Get | Op | Load | Select


# -------------------------------------------------------------------------------------- statements
@dataclass(frozen=True, eq=False)
class Label:
    """Where a jump leads: the end of a block, or the beginning of a loop."""

    name: str


@dataclass(frozen=True)
class Set:
    """Give a register or global a value."""

    to: Register | Global
    value: Code


@dataclass(frozen=True)
class Store:
    """Write a value into memory."""

    op: str
    address: Code
    offset: int
    value: Code


@dataclass(frozen=True)
class Call:
    """Call a function; its results are given to as many registers."""

    function: Function
    args: tuple[Code, ...]
    to: tuple[Register, ...]


@dataclass(frozen=True)
class If:
    """One of two bodies."""

    cond: Code
    then: list[Stmt]
    other: list[Stmt]


@dataclass(frozen=True)
class Block:
    """A body; a jump to its label leads to its end."""

    label: Label
    body: list[Stmt]


@dataclass(frozen=True)
class Loop:
    """A body; a jump to its label leads to its beginning, and without one it is left."""

    label: Label
    body: list[Stmt]


@dataclass(frozen=True)
class Jump:
    """Go to a label, if there is a condition only if it holds."""

    label: Label
    cond: Code | None = None


@dataclass(frozen=True)
class Switch:
    """Go to the label of a number, or to the last one."""

    number: Code
    labels: tuple[Label, ...]


@dataclass(frozen=True)
class Return:
    """Leave the function with its results."""

    values: tuple[Code, ...] = ()


@dataclass(frozen=True)
class Trap:
    """Stop: why stands in memory."""


@dataclass(frozen=True)
class Copy:
    """Copy so many bytes of memory."""

    to: Code
    source: Code
    size: Code


@dataclass(frozen=True)
class Fill:
    """Write a byte so many times."""

    to: Code
    value: Code
    size: Code


@dataclass(frozen=True)
class Note:
    """What the statements after it mean, for readers of the module's text."""

    text: str


Stmt: TypeAlias = (
    Set | Store | Call | If | Block | Loop | Jump | Switch | Return | Trap | Copy | Fill | Note
)


@dataclass(eq=False)
class Function:
    """A function: parameters, results and a body that is filled while it is lowered."""

    name: str
    params: tuple[Register, ...]
    results: tuple[Ty, ...]
    body: list[Stmt] = field(default_factory=list)
    exported: bool = False


@dataclass
class Module:
    """All functions and globals, the tables in memory, and how many bytes there must be."""

    functions: list[Function] = field(default_factory=list)
    globals: list[Global] = field(default_factory=list)
    beginnings: dict[Global, int] = field(default_factory=dict)
    """What globals are at first; the others are 0."""
    data: list[tuple[int, bytes]] = field(default_factory=list)
    memory: int = 0


# ------------------------------------------------------------------------------------- short forms
def i32(value: int) -> Const:
    """A number of 32 bits."""
    return Const(Ty.I32, value)


def i64(value: int) -> Const:
    """A number of 64 bits."""
    return Const(Ty.I64, value)


def ty_of(code: Code) -> Ty:
    """What a piece of code gives."""
    match code:
        case Const():
            return code.ty
        case Get():
            return code.of.ty
        case Op() | Load():
            return code.op.gives
        case Select():
            return ty_of(code.then)


def op(name: str, *args: Code) -> Code:
    """An operation on values, worked out now where all of them are known."""
    operator = OPERATORS[name]
    values = [arg.value for arg in args if isinstance(arg, Const)]
    if len(values) == len(args):
        folded = _folded(name.split(".")[1], values[0], values[-1])
        if folded is not None:
            return Const(operator.gives, folded)
    return _simpler(name, args) or Op(operator, args)


def _folded(operation: str, a: int, b: int) -> int | None:
    """What an operation on known numbers gives, where that takes no thought of bits."""
    match operation:
        case "eqz":
            return int(a == 0)
        case "eq":
            return int(a == b)
        case "ne":
            return int(a != b)
        case "lt_s":
            return int(a < b)
        case "ge_s":
            return int(a >= b)
        case "and":
            return a & b
        case "or":
            return a | b
        case "extend_i32_s":
            return a
        case _:
            return None


def _simpler(name: str, args: tuple[Code, ...]) -> Code | None:
    """The same with one known value, where that is nothing to be done."""
    if len(args) != 2 or not isinstance(args[1], Const):
        return None
    operation, known = name.split(".")[1], args[1].value
    if known == 0 and operation in ("add", "sub", "or", "xor", "shl", "shr_u", "shr_s"):
        return args[0]
    if known == 1 and operation in ("mul", "div_s", "div_u"):
        return args[0]
    return None


def load(name: str, address: Code, offset: int = 0) -> Load:
    """What stands in memory."""
    return Load(OPERATORS[name], address, offset)


def negated(cond: Code) -> Code:
    """The contrary of a truth."""
    if isinstance(cond, Op):
        _, operation = cond.op.name.split(".")
        if cond.op.name == "i32.eqz" and isinstance(cond.args[0], Op | Const):
            inner = cond.args[0]
            if isinstance(inner, Op) and _is_truth(inner.op):
                return inner
        turned = _TURNED.get(operation)
        if turned is not None:
            return op(cond.op.name.replace(operation, turned), *cond.args)
    return op("i32.eqz", cond)


_TURNED = {"eq": "ne", "ne": "eq", "lt_s": "ge_s", "ge_s": "lt_s", "gt_s": "le_s", "le_s": "gt_s"}


def _is_truth(operator: Operator) -> bool:
    return operator.name.split(".")[1] in _TURNED or operator.name.endswith("eqz")
