"""Core expressions in the plain English of a rulebook, for readers who know nothing of the rules'
language: names are said by what they stand for, sets and conditions by whole phrases."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from rulelang import core
from rulelang.builtins.registry import builtin
from rulelang.core.types import (
    DIRECTION,
    NUMBER,
    PLAYER,
    SHAPE,
    TEXT,
    TRUTH,
    UNKNOWN,
    BoardT,
    KindT,
    ListT,
    PairT,
    PieceT,
    SetT,
    SiteT,
    Type,
    element,
    non_optional,
)
from rulelang.diagnostics.english import plural, spoken
from rulelang.phrases.describe import DESCRIPTIONS, Describer
from rulelang.ruleset import Params, Ruleset

_DOUBLED = re.compile(r"\b(the|an?) (?:the|that) ")  # a wording's article before a thing's own
_SHORT = 2  # names of so few letters say nothing: what they stand for is said instead
_DENIALS = {
    " is ": " is not ",
    " are ": " are not ",
    " may ": " may not ",
    " has ": " does not have ",
}
_VERBS = {"is": "are", "has": "have", "lies": "lie", "does": "do", "reaches": "reach"}
_COUNTS = {
    "=": "exactly",
    "!=": "a number other than",
    "<": "fewer than",
    "<=": "at most",
    ">": "more than",
    ">=": "at least",
}


def capital(text: str) -> str:
    """A text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


def article(noun: str) -> str:
    """A noun with its indefinite article."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


class Prose(Describer):
    """Says expressions of one ruleset, each bound name by a phrase of its own."""

    def __init__(self, rules: Ruleset) -> None:
        """Speak of these rules; no name is in scope yet."""
        super().__init__(rules, self._named)
        self.names: dict[str, str] = {}
        self.several: set[str] = set()  # the names that stand for several things

    def say(self, e: core.Expr | None) -> str:
        """An expression in words; the empty string for none."""
        if e is None:
            return ""
        said = SAYINGS.get(type(e), DESCRIPTIONS[type(e)])(self, e)
        return self._agreeing(_DOUBLED.sub(r"\1 ", said))

    def _agreeing(self, said: str) -> str:
        """The words with the verb in the plural behind a name that stands for several things."""
        for phrase in self.several & set(self.names.values()):
            for one, many in _VERBS.items():
                subject = rf"(^|(?:, |and |or |if |that |which )){re.escape(phrase)} {one}\b"
                said = re.sub(subject, rf"\g<1>{phrase} {many}", said)
        return said

    def sentence(self, e: core.Expr | None) -> str:
        """A condition as a sentence without its full stop."""
        return capital(self.say(e))

    # ------------------------------------------------------------------------------- names
    def _named(self, e: core.Var) -> str | None:
        if e.name in self.names:
            return self.names[e.name]
        bare = e.name.split("~")[0]
        noun = spoken(bare).removeprefix("the ")  # of a name that an author began with it
        return f"the {noun}" if len(bare) > _SHORT else f"the {self.type_noun(e.type)}"

    def noun(self, var: str) -> str:
        """What a bound name is called, without an article."""
        said = self.names.get(var, spoken(var.split("~")[0]))
        return re.sub(r"^(the|that) ", "", said)

    def type_noun(self, t: Type, many: bool = False) -> str:
        """What a value of this type is called."""
        match non_optional(t):
            case PieceT(name):
                return self.rules.components[name].words[1 if many else 0]
            case SetT(of) | ListT(of):
                return self.type_noun(of, True)
            case SiteT(_, _, name) | BoardT(name) | PairT(name) | KindT(name):
                word = spoken(name)
            case other:
                word = _BASIC.get(other, "thing")
        return plural(word) if many else word

    def bind(self, var: str, t: Type, determiner: str = "the", called: str = "") -> str:
        """Name a bound name from here on, by what it stands for; gives the phrase."""
        called = re.sub(r"^(the|an?) ", "", called)
        bare = re.sub(r"\d+$", "", var.split("~")[0]) or var
        noun = called or (self.type_noun(t) if len(bare) <= _SHORT else spoken(bare))
        if bare == "it":
            noun = self.type_noun(t)
        noun = noun.removeprefix("the ")
        taken = set(self.names.values())
        tries = [f"{determiner} {noun}", f"the other {noun}"]
        tries += [f"{noun} {letter}" for letter in (bare[:1].upper(), *"ABCDEFGH")]
        phrase = next((one for one in tries if not _clashes(one, taken)), tries[-1])
        self.names[var] = phrase
        if element(t) is not None:
            self.several.add(phrase)
        return phrase

    def called(self, bare: str) -> str:
        """The phrase of the name an author wrote so, bound last; the empty string for none."""
        found = [said for var, said in self.names.items() if var.split("~")[0] == bare]
        return found[-1] if found else ""

    def quote(self, var: str, t: Type) -> str:
        """Name what its author gave a name of its own, by that name in quotes."""
        bare = var.split("~")[0]
        if len(bare) <= _SHORT:
            return self.bind(var, t)
        self.names[var] = f"“{spoken(bare)}”"
        return self.names[var]

    def bind_all(self, params: Params) -> None:
        """Name the values that an event, a definition or a procedure is given."""
        for name, t in params:
            noun = self.type_noun(t)
            free = not _clashes(f"the {noun}", set(self.names.values()))
            self.bind(name, t, called=noun if free else "")

    @contextmanager
    def scope(self) -> Iterator[None]:
        """What is bound inside is forgotten afterwards."""
        before = dict(self.names)
        try:
            yield
        finally:
            self.names = before

    # ------------------------------------------------------------------------------- phrases
    def of(self, word: str, owner: core.Expr | str | None) -> str:
        """A thing of somebody or something: “the player's hand”, “the name of the first card”."""
        if owner is None:
            return f"the {word}"
        said = owner if isinstance(owner, str) else self.say(owner)
        if len(said.split()) > 3 or " of " in said:
            return f"the {word} of {said}"
        return f"{said}' {word}" if said.endswith("s") else f"{said}'s {word}"

    def members(self, domain: core.Expr) -> str:
        """The members of a set: of a place, the pieces that lie there."""
        if isinstance(domain, core.Builtin) and domain.name == "all":
            return f"the {self.type_noun(domain.type, True)}"
        if not isinstance(domain, core.Contents):
            return self.say(domain)
        return f"the {self.type_noun(domain.type, True)} in {self.say(domain)}"

    def say_wording(self, text: str, params: Params, values: tuple[core.Expr, ...]) -> str:
        """An author's wording with these values."""
        return self._agreeing(_DOUBLED.sub(r"\1 ", self.worded(text, params, values)))

    def each(self, determiner: str, domain: core.Expr, noun: str = "") -> str:
        """Members of a set: “each player”, or “each of the player's cards”."""
        t = element(domain.type) or UNKNOWN
        if isinstance(domain, core.Builtin) and domain.name == "all":
            return f"{determiner.removesuffix(' one')} {noun or self.type_noun(t)}"
        if isinstance(domain, core.Contents):
            one = noun or self.type_noun(t)
            return f"{determiner.removesuffix(' one')} {one} in {self.say(domain)}"
        return f"{determiner} of {self.say(domain)}"

    def negated(self, e: core.Expr) -> str:
        """The contrary of a condition in words."""
        match e:
            case core.Exists():
                return _quantified(self, "no", "none", e.var, e.domain, e.cond)
            case core.Forall():
                return f"not {_quantified(self, 'every', 'each', e.var, e.domain, e.cond)}"
            case core.Not():
                return self.say(e.of)
            case core.Compare("=") | core.Compare("!="):
                opposite = core.Compare("!=" if e.op == "=" else "=", e.left, e.right, type=TRUTH)
                return self.say(opposite)
            case core.Compare("<"):
                return self.say(core.Compare(">=", e.left, e.right, type=TRUTH))
            case core.Compare(">"):
                return self.say(core.Compare("<=", e.left, e.right, type=TRUTH))
            case core.Builtin("empty", (held,)):
                return _emptiness(self, held, False)
            case core.Read() | core.Attribute():
                return _truth(self, e, False)
            case core.Builtin() if builtin(e.name).negated:
                return builtin(e.name).negated.format(*self.say_all(e.args))
            case core.Member():
                return self.membership(e, "is not")
            case _:
                return _denied(self.bracketed(e, core.All, core.Any))

    def membership(self, e: core.Member, verb: str) -> str:
        """What is or is not in a set, with this verb between the two."""
        item = self.say(e.item)
        match e.of:
            case core.Titled():
                return f"{item} {verb} called “{e.of.title}”"
            case core.Contents():
                return f"{item} {verb} in {self.say(e.of)}"
            case core.SetOf():
                return f"{item} {verb} {' or '.join(self.say_all(e.of.items))}"
            case core.Builtin("all", _) if isinstance(element(e.of.type), SiteT):
                return f"{item} {'lies' if verb == 'is' else 'does not lie'} on the board"
            case core.Filter() if (words := self.word_forms(e.of)) is not None:
                return f"{item} {verb} {article(words[0])}"
            case _:
                return f"{item} {verb} among {self.say(e.of)}"


def _clashes(phrase: str, taken: set[str]) -> bool:
    """Would this phrase be taken for one that stands for something else?"""
    bare = re.sub(r"^(the|that) ", "", phrase)
    return any(re.sub(r"^(the|that) ", "", other) == bare for other in taken)


def _denied(said: str) -> str:
    """The contrary of a sentence, by its verb where that is plain."""
    for verb, other in _DENIALS.items():
        head, found, tail = said.partition(verb)
        if (
            found
            and verb not in tail
            and " not " not in said
            and "," not in said
            and " or " not in said
        ):
            return f"{head}{other}{tail}"
    return f"it is not so that {said}"


_BASIC = {
    PLAYER: "player",
    NUMBER: "number",
    TEXT: "name",
    SHAPE: "shape",
    DIRECTION: "direction",
    TRUTH: "answer",
}

# ------------------------------------------------------------- what is said otherwise than in brief
Node = TypeVar("Node", bound=core.Expr)
SAYINGS: dict[type[core.Expr], Callable[[Describer, core.Expr], str]] = {}


def _says(
    node: type[Node],
) -> Callable[[Callable[[Prose, Node], str]], Callable[[Prose, Node], str]]:
    """Enter a function in the table as the one that says this class of expressions."""

    def enter(say: Callable[[Prose, Node], str]) -> Callable[[Prose, Node], str]:
        def checked(d: Describer, e: core.Expr) -> str:
            assert isinstance(e, node) and isinstance(d, Prose)
            return say(d, e)

        SAYINGS[node] = checked
        return say

    return enter


@_says(core.Const)
def _const(d: Prose, e: core.Const) -> str:
    if e.value is None:
        return "nobody" if e.type == PLAYER else "nothing"
    if e.type == TRUTH:
        return "yes" if e.value else "no"
    if e.type == TEXT:
        return f"“{e.value}”" if e.value else "no name"
    return DESCRIPTIONS[core.Const](d, e)


@_says(core.Read)
def _read(d: Prose, e: core.Read) -> str:
    if e.type == TRUTH:
        return _truth(d, e, True)
    return d.of(spoken(e.state), e.index)


@_says(core.Attribute)
def _attribute(d: Prose, e: core.Attribute) -> str:
    if e.type == TRUTH:
        return _truth(d, e, True)
    return d.of(spoken(e.name), e.of)


def _truth(d: Prose, e: core.Read | core.Attribute, so: bool) -> str:
    """Something that is or is not so of a thing: marked for it, or printed on it."""
    verb = "is" if so else "is not"
    if isinstance(e, core.Attribute):
        return f"“{spoken(e.name)}” {verb} printed on {d.say(e.of)}"
    whose = f" for {d.say(e.index)}" if e.index is not None else ""
    return f"“{spoken(e.state)}” {verb} marked{whose}"


@_says(core.Contents)
def _contents(d: Prose, e: core.Contents) -> str:
    return d.of(spoken(e.place), e.index)


@_says(core.Titled)
def _titled(d: Prose, e: core.Titled) -> str:
    return f"“{e.title}”"


@_says(core.Builtin)
def _builtin(d: Prose, e: core.Builtin) -> str:
    if e.name in _SAID_OF_ITS_ARGUMENTS:
        return _SAID_OF_ITS_ARGUMENTS[e.name](d, e)
    if e.name in ("sum", "largest", "smallest") and isinstance(e.args[0], core.SetOf):
        return f"the {e.name} of {' and '.join(d.say_all(e.args[0].items))}"
    told = builtin(e.name).told
    if told:
        return told.format(*d.say_all(e.args))
    return DESCRIPTIONS[core.Builtin](d, e)


def _everything(d: Prose, e: core.Builtin) -> str:
    t = element(e.type) or UNKNOWN
    return "the players" if t == PLAYER else f"all {d.type_noun(t, True)}"


def _the_board(d: Prose, e: core.Builtin) -> str:
    return f"the {spoken(str(e.args[0].value))}" if isinstance(e.args[0], core.Const) else ""


def _placed(d: Prose, e: core.Builtin) -> str:
    """Words that hold a name of the rules as a text: sites of a piece, pieces of a board."""
    inner = element(e.type)
    if e.name == "board_of":
        return d.of(d.say(e.args[1]).strip("“”").replace("_", " "), e.args[0])
    noun = d.type_noun(inner if inner is not None else e.type, inner is not None)
    if e.name.startswith("board"):
        on = "on" if e.name == "board_pieces" else "of"
        return f"the {noun} {on} {d.say(e.args[0])}"
    return f"the {noun} where {d.say(e.args[0])} lies"


_SAID_OF_ITS_ARGUMENTS: dict[str, Callable[[Prose, core.Builtin], str]] = {
    "all": _everything,
    "empty": lambda d, e: _emptiness(d, e.args[0], True),
    "count": lambda d, e: _number_of(d, e.args[0]),
    "neighbors": lambda d, e: d.of("neighbors", e.args[0]),
    "board": _the_board,
    "compass": lambda d, e: d.say(e.args[0]).strip("“”"),
    "on": lambda d, e: f"what lies on {d.say(e.args[0])}",
    "ever": lambda d, e: f"“{spoken(d.say(e.args[0]).strip('“”'))}” has come true",
    **dict.fromkeys(("sites", "site", "board_sites", "board_pieces", "board_of"), _placed),
}


def _emptiness(d: Prose, held: core.Expr, empty: bool) -> str:
    """Is there nothing in a set, or something?"""
    if isinstance(held, core.Filter) and d.word_forms(held) is None:
        if empty:
            return _quantified(d, "no", "none", held.var, held.domain, held.cond)
        return _quantified(d, "at least one", "at least one", held.var, held.domain, held.cond)
    if isinstance(held, core.Contents | core.Read):
        return f"{d.say(held)} is {'' if empty else 'not '}empty"
    said = d.say(held)
    return f"there is {'none' if empty else 'at least one'} of {said}"


def _number_of(d: Prose, held: core.Expr) -> str:
    if isinstance(held, core.Builtin) and held.name == "all":
        return f"the number of {d.say(held).removeprefix('all ').removeprefix('the ')}"
    if isinstance(held, core.Filter | core.Contents) or d.word_forms(held) is not None:
        return f"the number of {d.members(held).removeprefix('the ')}"
    t = element(held.type)
    if t is None:
        return f"the number of places {d.say(held)} covers"
    return f"the number of {d.type_noun(t, True)} among {d.say(held)}"


@_says(core.Apply)
def _apply(d: Prose, e: core.Apply) -> str:
    known = d.rules.definitions.get(e.define)
    if known is None or known.reads:
        return DESCRIPTIONS[core.Apply](d, e)
    if not e.args and len(known.cases) == 1 and isinstance(known.cases[0].value, core.Const):
        return d.say(known.cases[0].value)
    args, name = d.say_all(e.args), spoken(e.define)
    if known.type == TRUTH:
        if not args:
            return f"“{name}” is so"
        if len(args) == 2:
            return f"{args[0]} “{name}” {args[1]}"
        return f"“{name}” is so for {_listed(args)}"
    if not args:
        return f"the {name}"
    return d.of(name, args[0]) if len(args) == 1 else f"the {name} for {_listed(args)}"


def _listed(items: list[str]) -> str:
    """Several things in a row, the last with “and”."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


@_says(core.Arith)
def _arith(d: Prose, e: core.Arith) -> str:
    left, right = d.say(e.left), d.say(e.right)
    if e.op == "-" and e.left == core.Const(0):
        return f"minus {right}"
    if isinstance(e.right, core.Arith):
        right = f"({right})"
    if isinstance(e.left, core.Arith) and e.op not in "+-":
        left = f"({left})"
    if e.op.startswith("/"):
        part = "half of" if right == "2" else ""
        said = f"{part} {left}" if part else f"{left} divided by {right}"
        return f"{said}, rounded {'down' if 'down' in e.op else 'up'}"
    sign = {"+": "plus", "-": "minus", "*": "times"}[e.op]
    return f"{left} {sign} {right}"


@_says(core.Compare)
def _compare(d: Prose, e: core.Compare) -> str:
    if isinstance(e.left, core.Builtin) and e.left.name == "count":
        return _counted(d, e.op, e.left.args[0], e.right)
    if isinstance(e.right, core.Const) and e.op in ("=", "!="):
        said = _against_constant(d, e, e.right)
        if said:
            return said
    words = {"=": "is", "!=": "is not"} | {
        op: f"is {said}"
        for op, said in {
            "<": "less than",
            "<=": "at most",
            ">": "more than",
            ">=": "at least",
        }.items()
    }
    return f"{d.say(e.left)} {words[e.op]} {d.say(e.right)}"


def _against_constant(d: Prose, e: core.Compare, right: core.Const) -> str:
    """What is held against nothing, or against yes or no; the empty string for anything else."""
    same = e.op == "="
    if right.type == TRUTH:
        return d.say(e.left) if bool(right.value) == same else d.negated(e.left)
    if right.value is not None and right.value != "":
        return ""
    if isinstance(e.left, core.Builtin) and e.left.name == "on":
        return f"{'nothing' if same else 'something'} lies on {d.say(e.left.args[0])}"
    if isinstance(e.left, core.Read | core.Attribute):
        of = e.left.index if isinstance(e.left, core.Read) else e.left.of
        name = spoken(e.left.state if isinstance(e.left, core.Read) else e.left.name)
        if of is None:
            return f"there is {'no' if same else 'a'} {name}"
        return f"{d.say(of)} has {'no ' + name if same else article(name)}"
    return f"there is {'no' if same else 'such a'} {re.sub('^the ', '', d.say(e.left))}"


def _counted(d: Prose, op: str, held: core.Expr, right: core.Expr) -> str:
    """How many members a set has."""
    number = f"{_COUNTS[op]} {d.say(right)}"
    if isinstance(held, core.Filter) and d.word_forms(held) is None:
        return _quantified(d, number, number, held.var, held.domain, held.cond)
    if not isinstance(right, core.Const):
        return f"{_number_of(d, held)} is {number}"
    if isinstance(held, core.Builtin) and held.name == "all":
        t = element(held.type)
        return f"there are {number} {d.type_noun(t if t is not None else UNKNOWN, True)}"
    if isinstance(held, core.Contents):
        holds = d.rules.places[held.place].holds
        return f"there are {number} {d.rules.components[holds].words[1]} in {d.say(held)}"
    t = element(held.type)
    if t is None:
        return f"{d.say(held)} covers {number} places"
    return f"there are {number} {d.type_noun(t, True)} among {d.say(held)}"


def _quantified(
    d: Prose, whole: str, part: str, var: str, domain: core.Expr, cond: core.Expr
) -> str:
    """“for at least one of … , …”: a condition on members of a set.

    `whole` goes before a noun, `part` before “of” a set.
    """
    t = element(domain.type) or UNKNOWN
    many = whole not in ("no", "every", "at least one") and not whole.endswith(" 1")
    if isinstance(domain, core.Builtin) and domain.name == "all":
        named = ""
        with d.scope():
            said = d.bind(var, t, "that")
            if not said.startswith("that "):
                named = f" ({said})"
            return f"for {whole} {d.type_noun(t, many)}{named}, {d.say(cond)}"
    if isinstance(domain, core.Contents):
        among = f"{whole} {d.type_noun(t, many)} in {d.say(domain)}"
    else:
        among = f"{part} of {d.say(domain)}"
    with d.scope():
        said = d.bind(var, t, "that")
        if cond == core.Const(True):
            return f"there is {among}"
        named = "" if said.startswith("that ") else f" ({said})"
        return f"for {among}{named}, {d.say(cond)}"


@_says(core.Exists)
def _exists(d: Prose, e: core.Exists) -> str:
    return _quantified(d, "at least one", "at least one", e.var, e.domain, e.cond)


@_says(core.Forall)
def _forall(d: Prose, e: core.Forall) -> str:
    return _quantified(d, "every", "each", e.var, e.domain, e.cond)


@_says(core.Accepts)
def _accepts(d: Prose, e: core.Accepts) -> str:
    return f"the rules allow this: {happening(d, e.event, e.args)}"


def happening(d: Prose, name: str, args: tuple[core.Expr, ...]) -> str:
    """An event or procedure with its values, in its author's wording where it has one."""
    event = d.rules.events.get(name)
    if event is not None and event.reads:
        return d.say_wording(event.reads[0], event.params, args)
    given = _listed(d.say_all(args)) if args else ""
    return f"“{spoken(name)}”" + (f" for {given}" if given else "")


@_says(core.SetOf)
def _set_of(d: Prose, e: core.SetOf) -> str:
    return _listed(d.say_all(e.items)) if e.items else "nothing"


@_says(core.SetOp)
def _set_op(d: Prose, e: core.SetOp) -> str:
    left, right = d.say(e.left), d.say(e.right)
    return left if right == "nothing" else f"{left} {'and' if e.op == '+' else 'without'} {right}"


@_says(core.Filter)
def _filter(d: Prose, e: core.Filter) -> str:
    forms = d.word_forms(e)
    if forms is not None:
        return forms[1]
    t = element(e.type) or element(e.domain.type) or UNKNOWN
    everything = isinstance(e.domain, core.Builtin) and e.domain.name == "all"
    head = f"the {d.type_noun(t, True)}" if everything else f"those of {d.say(e.domain)}"
    if isinstance(e.domain, core.Contents):
        head = d.members(e.domain)
    if (
        isinstance(e.cond, core.Member)
        and isinstance(e.cond.of, core.Titled)
        and e.cond.item == core.Var(e.var)
    ):
        return f"{head} called “{e.cond.of.title}”"
    with d.scope():
        said = d.bind(e.var, t, "that")
        named = "" if said.startswith("that ") else f" ({said})"
        return f"{head}{named} for which {d.say(e.cond)}"


@_says(core.Image)
def _image(d: Prose, e: core.Image) -> str:
    t = element(e.domain.type) or UNKNOWN
    among = d.each("each", e.domain)
    with d.scope():
        said = d.bind(e.var, t, "that")
        named = "" if said.startswith("that ") else f" ({said})"
        cond = "" if e.cond == core.Const(True) else f" for which {d.say(e.cond)}"
        return f"{d.say(e.body)}, for {among}{named}{cond}"


@_says(core.Best)
def _best(d: Prose, e: core.Best) -> str:
    among = d.say(e.domain)
    with d.scope():
        d.bind(e.var, element(e.domain.type) or UNKNOWN, "that")
        key = d.say(e.key)
    return f"those of {among} with the {'largest' if e.largest else 'smallest'}: {key}"


@_says(core.Pick)
def _pick(d: Prose, e: core.Pick) -> str:
    if isinstance(e.of, core.Filter) and d.word_forms(e.of) is None:
        t = element(e.of.domain.type) or UNKNOWN
        everything = isinstance(e.of.domain, core.Builtin) and e.of.domain.name == "all"
        among = "" if everything else f" among {d.say(e.of.domain)}"
        with d.scope():
            d.bind(e.of.var, t, "that")
            return f"the {d.type_noun(t)}{among} for which {d.say(e.of.cond)}"
    return f"the one of {d.say(e.of)}"


@_says(core.Stable)
def _stable(d: Prose, e: core.Stable) -> str:
    t = element(e.domain.type) or UNKNOWN
    among = d.say(e.domain)
    with d.scope():
        d.names[e.so_far] = "those that remain"
        d.bind(e.var, t, "that")
        return (
            f"what remains of {among} when those are dropped, again and again, "
            f"for which it is not so that {d.say(e.cond)}"
        )


@_says(core.Groups)
def _groups(d: Prose, e: core.Groups) -> str:
    by = f", joined where “{spoken(e.relation)}” holds between two" if e.relation else ""
    return f"the connected groups of {d.say(e.of)}{by}"


@_says(core.Reach)
def _reach(d: Prose, e: core.Reach) -> str:
    steps = f" in at most {d.say(e.steps)} steps" if e.steps is not None else ""
    by = f" by “{spoken(e.relation)}”" if e.relation else ""
    within = f" through {d.say(e.within)}" if e.within is not None else ""
    return f"what can be reached{steps}{by}{within} from {d.say(e.seeds)}"


@_says(core.At)
def _at(d: Prose, e: core.At) -> str:
    moment = {"after": "once that is done", "before": "before that was done"}.get(e.mode)
    if moment is None:
        moment = f"if this were done ({happening(d, e.event or '', e.args)})"
    return f"{moment}, {d.say(e.body)}"
