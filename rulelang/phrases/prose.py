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
from rulelang.diagnostics.english import article, plural, spoken
from rulelang.phrases.describe import DESCRIPTIONS, Describer
from rulelang.phrases.phrase import OPTIONAL
from rulelang.ruleset import Params, Ruleset

DOUBLED = re.compile(r"\b(the|an?) (?:the|that) ")  # a wording's article before a thing's own
_TWICE = re.compile(r"\b([Ww]hat) what\b")
_STUTTER = re.compile(r"\b(the|an?) (\w+) \2\b")  # a wording's noun and the name of a value
_SHORT = 2  # names of so few letters say nothing: what they stand for is said instead
_DENIALS = {
    " is ": " is not ",
    " are ": " are not ",
    " may ": " may not ",
    " has ": " does not have ",
}
_VERBS = {"is": "are", "has": "have", "does": "do", "lies": "lie", "reaches": "reach"}
_ENDS = re.compile(r" (?:of|for|by|on|in|at|to|from|with)$")  # of a name that is no noun alone
_OPENED = re.compile(r"\b(?:the|an?|each|every|no|any|more|many|fewer|other|same)(?: [\w-]+)?$")
COUNTS = {
    "=": "exactly",
    "!=": "a number other than",
    "<": "fewer than",
    "<=": "at most",
    ">": "more than",
    ">=": "at least",
}

_AMOUNTS = {
    "=": "",
    "!=": "not ",
    "<": "less than ",
    "<=": "at most ",
    ">": "more than ",
    ">=": "at least ",
}


def capital(text: str) -> str:
    """A text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


def for_many(predicate: str) -> str:
    """What is said of one thing, said of several: “are”, “have”, “cover” for “covers”."""
    verb, blank, rest = predicate.partition(" ")
    if verb in _VERBS:
        return f"{_VERBS[verb]}{blank}{rest}"
    if verb.endswith(("ches", "shes", "sses", "xes", "oes")):
        return f"{verb[:-2]}{blank}{rest}"
    if verb.endswith("ies") and len(verb) > 4:
        return f"{verb[:-3]}y{blank}{rest}"
    return f"{verb[:-1] if verb.endswith('s') else verb}{blank}{rest}"


def _is_many(noun: str) -> bool:
    """Is this noun a plural, as far as its letters tell?"""
    return noun.endswith("s") and not noun.endswith(("ss", "us", "is"))


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
        said = _STUTTER.sub(r"\1 \2", DOUBLED.sub(r"\1 ", said))
        return self._agreeing(_TWICE.sub(r"\1", said))

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
        if word.endswith((" of", " for")):
            return f"the {word} {said}"
        if _ENDS.search(word):
            return f"the “{word}” of {said}"
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

    def worded(self, text: str, params: Params, values: tuple[core.Expr, ...]) -> str:
        """An author's wording with these values; the name of a member of a kind, which stands
        without an article behind an adjective, is said there without one for “the member”, too."""
        for (name, t), value in zip(params, values, strict=True):
            slot = re.search(rf"\{{{name}( plural)?\}}", text)
            bare = isinstance(non_optional(t), KindT) and isinstance(value, core.Var)
            if bare and slot is not None and _OPENED.search(text[: slot.start()].rstrip()):
                noun = self.say(value).removeprefix("the ")
                noun = plural(noun) if slot[1] else noun
                text = f"{text[: slot.start()]}{noun}{text[slot.end() :]}"
        return super().worded(text, params, values)

    def predicate(self, cond: core.Expr, subject: str, many: bool = False) -> str | None:
        """What a condition says of a subject it begins with, from the verb on, if need be in the
        plural; none for another. Of a condition in several parts each must begin with it.
        """
        if isinstance(cond, core.All | core.Any) and cond.of:
            parts = [self.predicate(part, subject, many) for part in cond.of]
            known = [part for part in parts if part is not None]
            plain = all(not re.search(r", | and | or ", part) for part in known[:-1])
            word = " and " if isinstance(cond, core.All) else " or "
            return word.join(known) if len(known) == len(parts) and plain else None
        found = self._after(self.say(cond), subject)
        return for_many(found) if many and found is not None else found

    def _after(self, said: str, subject: str) -> str | None:
        """What stands behind a subject that a sentence begins with; none for another, be it one
        whose name only begins so."""
        others = (name for name in self.names.values() if name.startswith(f"{subject} "))
        if not said.startswith(f"{subject} ") or any(map(said.startswith, others)):
            return None
        found = said.removeprefix(f"{subject} ")
        return None if "'" in found.split()[0] else found

    def such(self, cond: core.Expr, subject: str, many: bool) -> str:
        """A clause behind a noun that says what holds of it: “that are free”, “whose class is …”,
        “for which …”."""
        found = self.predicate(cond, subject, many)
        if found is not None:
            return f"that {found}"
        said = self.say(cond)
        own = f"{subject}'s "
        if said.startswith(own) and not isinstance(cond, core.All | core.Any):
            return f"whose {said.removeprefix(own)}"
        return f"for which {said}"

    def say_wording(self, text: str, params: Params, values: tuple[core.Expr, ...]) -> str:
        """An author's wording with these values."""
        said = DOUBLED.sub(r"\1 ", self.worded(text, params, values))
        return self._agreeing(_STUTTER.sub(r"\1 \2", said))

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
            case core.Apply():
                return self.denied(e)
            case _:
                return _denied(self.bracketed(e, core.All, core.Any))

    def denied(self, e: core.Apply) -> str:
        """The contrary of a definition, by the verb of its wording where that is plain."""
        known = self.rules.definitions.get(e.define)
        if known is None or not known.reads:
            said = self.say(e)
            return re.sub(r"^(“[^”]*”) holds\b", r"\1 does not hold", said)
        wording = OPTIONAL.sub(r"\1", known.reads[0])
        if wording.startswith(("a ", "an ")):
            return self.say_wording(f"no {wording.partition(' ')[2]}", known.params, e.args)
        match = _SUBJECT_AND_VERB.match(wording) or _VERB_AT_END.match(wording)
        if match is None:
            return _denied(self.say(e))
        subject, verb, rest = match.groups()
        return self.say_wording(f"{subject} {_contrary(verb)}{rest}", known.params, e.args)

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


_SUBJECT_AND_VERB = re.compile(r"^(\{\w+\}) (\w+)(.*)$")
_VERB_AT_END = re.compile(r"^(the [\w ]+) (\w+[^s\W]s)()$")
_AUXILIARIES = frozenset(
    ["is", "are", "may", "can", "could", "was", "were", "must", "will", "would", "should", "need"]
)


def _contrary(verb: str) -> str:
    """A verb denied: “is not”, “does not lie”, “do not lie”."""
    if verb in _AUXILIARIES:
        return f"{verb} not"
    one = for_many(verb)
    return f"does not {one}" if one != verb else f"do not {verb}"


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
    return d.of(d.rules.places[e.place].called, e.index)


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
    where = "in" if isinstance(held, core.Apply) else "among"
    return f"the number of {d.type_noun(t, True)} {where} {d.say(held)}"


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
            return f"“{name}” holds"
        if len(args) == 2:
            return f"“{name}” holds for {args[0]} and {args[1]}"
        return f"“{name}” holds for {_listed(args)}"
    if not args:
        return f"the {name}"
    if len(args) == 1:
        return d.of(name, args[0])
    return (
        f"the {name} {_listed(args)}" if _ENDS.search(name) else f"the {name} for {_listed(args)}"
    )


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
    left = d.say(e.left)
    verb = "are" if _several_said(e.left, left) else "is"
    return f"{left} {verb} {_AMOUNTS[e.op]}{d.say(e.right)}"


def _several_said(e: core.Expr, said: str) -> bool:
    """Is a number or set called by a noun in the plural: “the player's points”, “the cards … ”?"""
    if isinstance(e, core.Read | core.Attribute):
        return _is_many((e.state if isinstance(e, core.Read) else e.name).split("_")[-1])
    found = re.match(r"the ([a-z]+) ", said)
    return isinstance(e, core.Apply | core.Total) and found is not None and _is_many(found[1])


def _against_constant(d: Prose, e: core.Compare, right: core.Const) -> str:
    """What is held against nothing, or against yes or no; the empty string for anything else."""
    same = e.op == "="
    if right.type == TRUTH:
        return d.say(e.left) if bool(right.value) == same else d.negated(e.left)
    if right.value is not None and right.value != "":
        return ""
    if isinstance(e.left, core.Builtin) and e.left.name == "on":
        return f"{'nothing' if same else 'something'} lies on {d.say(e.left.args[0])}"
    if isinstance(e.left, core.Read):
        return _has(d, e.left, spoken(e.left.state), e.left.index, same)
    if isinstance(e.left, core.Attribute):
        return _has(d, e.left, spoken(e.left.name), e.left.of, same)
    bare = re.sub("^the ", "", d.say(e.left))
    return f"there is {'no ' + bare if same else article(bare)}"


def _has(d: Prose, e: core.Expr, name: str, of: core.Expr | None, none: bool) -> str:
    """Has something a thing of this name, or none?"""
    if of is not None:
        return f"{d.say(of)} has {'no ' + name if none else article(name)}"
    if non_optional(e.type) == PLAYER:
        return f"{'nobody' if none else 'somebody'} is the {name}"
    return f"there is {'no ' + name if none else article(name)}"


def _counted(d: Prose, op: str, held: core.Expr, right: core.Expr) -> str:
    """How many members a set has."""
    number = f"{COUNTS[op]} {d.say(right)}"
    if not isinstance(right, core.Const):
        return f"{_number_of(d, held)} is {_AMOUNTS[op]}{d.say(right)}"
    if isinstance(held, core.Filter) and d.word_forms(held) is None:
        return _quantified(d, number, number, held.var, held.domain, held.cond)
    many = right.value != 1 or op == "!="
    there = f"there {'are' if many else 'is'} {number}"
    if isinstance(held, core.Builtin) and held.name == "all":
        t = element(held.type)
        return f"{there} {d.type_noun(t if t is not None else UNKNOWN, many)}"
    if isinstance(held, core.Contents):
        holds = d.rules.places[held.place].holds
        return f"{there} {d.rules.components[holds].words[1 if many else 0]} in {d.say(held)}"
    t = element(held.type)
    if t is None:
        return f"{d.say(held)} covers {number} {'places' if many else 'place'}"
    where = "in" if isinstance(held, core.Apply) else "among"
    return f"{there} {d.type_noun(t, many)} {where} {d.say(held)}"


def _quantified(
    d: Prose, whole: str, part: str, var: str, domain: core.Expr, cond: core.Expr
) -> str:
    """“for at least one of … , …”: a condition on members of a set.

    `whole` goes before a noun, `part` before “of” a set.
    """
    t = element(domain.type) or UNKNOWN
    many = whole not in ("no", "every", "at least one") and not whole.endswith(" 1")
    if isinstance(domain, core.Builtin) and domain.name == "all":
        among = f"{whole} {d.type_noun(t, many)}"
    elif isinstance(domain, core.Contents):
        among = f"{whole} {d.type_noun(t, many)} in {d.say(domain)}"
    else:
        among = f"{part} of {d.say(domain)}"
    with d.scope():
        said = d.bind(var, t, "that")
        if cond == core.Const(True):
            return f"there {'are' if many else 'is'} {among}"
        predicate = d.predicate(cond, said, many)
        if predicate is not None:
            return f"{among} {predicate}"
        condition = d.say(cond)
        put_in = "" if many else _put_in(condition, said, whole, among)
        if put_in:
            return put_in
        named = "" if said.startswith("that ") else f" ({said})"
        return f"for {among}{named}, {condition}"


def _put_in(condition: str, said: str, whole: str, among: str) -> str:
    """A plain condition with “each of the fields” put where it speaks of “that field”; the empty
    string where that would not read or mean the same."""
    if condition.count(said) != 1 or "," in condition or " not " in condition:
        return ""
    own = f"{said}'s"
    if own in condition:
        plain = not set(among.split()) & {"of", "in"}
        return condition.replace(own, f"{among}'s") if plain and whole != "no" else ""
    if not re.search(
        rf"\b{re.escape(said)}(?! \w+'s\b)(?=$| (?:is|are|of|in|on|at|by|for|and)\b)", condition
    ):
        return ""
    if whole != "no":
        return condition.replace(said, among)
    if condition.startswith("something "):
        each = among.replace("none of", "any of", 1).replace("no ", "any ", 1)
        return condition.replace(said, each).replace("something", "nothing", 1)
    return ""


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
        such = d.such(e.cond, said, True)
        named = "" if said.startswith("that ") or not such.startswith("for ") else f" ({said})"
        return f"{head}{named} {such}"


@_says(core.Image)
def _image(d: Prose, e: core.Image) -> str:
    t = element(e.domain.type) or UNKNOWN
    among = d.each("each", e.domain)
    with d.scope():
        said = d.bind(e.var, t, "that")
        named = "" if said.startswith("that ") else f" ({said})"
        cond = "" if e.cond == core.Const(True) else f" {d.such(e.cond, said, False)}"
        body = d.say(e.body)
        if not named and body.count(said) == 1 and re.search(rf"{said}(?!['\w])", body):
            return body.replace(said, f"{among}{cond}")
        return f"{body}, for {among}{named}{cond}"


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
            said = d.bind(e.of.var, t, "that")
            return f"the {d.type_noun(t)}{among} {d.such(e.of.cond, said, False)}"
    return d.say(e.of) if isinstance(e.of, core.Titled) else f"the one of {d.say(e.of)}"


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
        moment = f"once this were done ({happening(d, e.event or '', e.args)})"
    return f"{moment}, {d.say(e.body)}"
