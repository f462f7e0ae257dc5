"""What texts of cards and refused plays ask, in plain English: counts, conditions and amounts.

The prose of the rulebook, told of one card: it is “this card”, its player is “you”. What a wording
of the shared library only passes on is said as what it passes on.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from rulelang import core
from rulelang.core.types import NUMBER, PLAYER, TRUTH, PieceT, SetT, SiteT, element
from rulelang.diagnostics.english import article, plural, unmarked
from rulelang.english.interface import PASSING, UNIT
from rulelang.phrases.prose import COUNTS, Prose
from rulelang.ruleset import Params, Ruleset

THIS = "this card"
_RELATED = re.compile(r"\b(?:of|to|with|from|over|under|onto|beside|near|by|behind|before|for)$")
_COPULA = re.compile(r"^(?:be|is|are) ")  # of a wording that is said of the subject
_PLACED = re.compile(
    r"^(?:in|on|at|within|along|inside|outside|beside|among|around|anywhere|adjacent|next)\b"
)
_ENDING = re.compile(r"\(\w+\)")  # of a noun in the plural
_SLOTTED = re.compile(r"\{(\w+)[^}]*\}")
_OWNED = ("had_by", "own_things")  # what a player has, for the shared library
_IN_PLAY = "in_play"
_FEW = {("<", 1): "no", ("=", 0): "no", (">", 0): "at least one", (">=", 1): "at least one"}
_AGREEMENT = re.compile(r"\b([Yy]ou) (has|is|does)\b")
_YOURS = re.compile(r"\b([Yy]ou)'s\b")
_OF_YOU = re.compile(r"\bthe (\w+) of you\b")
_VERBS = {"has": "have", "is": "are", "does": "do"}


class CardProse(Prose):
    """Says expressions that a card's text adds to the rules."""

    def __init__(
        self,
        rules: Ruleset,
        subject: str = "it",
        known: Callable[[core.Var], str | None] | None = None,
    ) -> None:
        """Speak of these rules; `subject` is what lies next to or near something, and `known` gives
        the words for what a name stands for at present, if that is known."""
        super().__init__(rules)
        self.subject, self.known = subject, known
        self.names |= {"card": THIS, "you": "you"}

    def bind_target(self, params: Params, component: str, own: bool) -> None:
        """Name what the event, table or definition is given that a text adds to.

        If it is the card's `own`, the first piece of its component is the card itself.
        """
        mine = next((n for n, t in params if own and t == PieceT(component)), "")
        places = [name for name, t in params if isinstance(element(t) or t, SiteT)]
        if mine:
            self.names[mine] = THIS
        if len(places) == 1:
            self.names[places[0]] = "its place"
        self.bind_all(tuple((name, t) for name, t in params if name not in self.names))

    def _named(self, e: core.Var) -> str | None:
        said = self.known(e) if self.known is not None else None
        return super()._named(e) if said is None else said

    # ------------------------------------------------------------------------- expressions
    def say(self, e: core.Expr | None) -> str:
        """An expression in words, what is only passed on left out."""
        if e is None:
            return ""
        plain = self.plain(e)
        said = self._own_words(plain)
        said = super().say(plain) if said is None else said
        said = _AGREEMENT.sub(lambda m: f"{m[1]} {_VERBS[m[2]]}", said)
        return _OF_YOU.sub(r"your \1", _YOURS.sub(r"\1r", said))

    def _own_words(self, e: core.Expr) -> str | None:
        """What a card's text says otherwise than the rules do; none for all else."""
        if e.type == TRUTH:
            return self._condition(e)
        return self._set_in_words(e) if isinstance(e, core.Apply) else self._amount(e)

    def _condition(self, e: core.Expr) -> str | None:
        """A condition on things in sets, on numbers of them, or with its subject left out."""
        match e:
            case core.Exists(var, domain, core.Member(core.Var(name), of)) if name == var:
                return self._related(domain, of, "at least one")
            case core.Not(of=core.Exists(var, domain, core.Member(core.Var(name), of))) if (
                name == var
            ):
                return self._related(domain, of, "no")
            case core.Compare(op, core.Builtin("count", (held,)), right):
                return self._compared(op, held, self.plain(right, True))
            case core.Compare(op, core.Apply() as left, right) if left.type == NUMBER:
                return self._so_many_marks(op, left, right)
            case core.Member():
                return self._belongs(e, "is")
            case core.Not(of=core.Member() as member):
                return self._belongs(member, "is not")
            case core.Apply():
                return self._of_subject(e)
            case _:
                return None

    def _amount(self, e: core.Expr) -> str | None:
        """A number of things, a number within bounds, or an amount for each of something."""
        match e:
            case core.At(body=body) if e.mode == "before" and _is_ever_so(body):
                return self.say(body)
            case core.Builtin("count", (held,)):
                counted = self.tally(held)
                return f"the number of {counted[1]}" if counted is not None else None
            case core.Builtin("largest", (core.SetOf((core.Const(0), held)),)):
                said = self.say(held)
                return said if never_negative(held) else f"{said}, but at least 0"
            case core.Builtin("smallest", (core.SetOf((held, most)),)):
                return f"{self.say(held)}, but at most {self.say(self.plain(most, True))}"
            case core.Arith("*", amount, held):
                return self._for_each(amount, held)
            case _:
                return None

    def plain(self, e: core.Expr, bare: bool = False) -> core.Expr:
        """The expression without what only passes on one of its values, or gives a constant.

        A wording that says more than its value (“2 points”) stays, unless a `bare` value is asked.
        """
        match e:
            case core.Apply():
                return self._passed_on(e, bare)
            case core.IfElse():
                cond = self.plain(e.cond)
                if isinstance(cond, core.Const):
                    return self.plain(e.then if cond.value else e.other, bare)
                return e
            case core.Not():
                return replace(e, of=self.plain(e.of))
            case _:
                return e

    def _passed_on(self, e: core.Apply, bare: bool) -> core.Expr:
        known = self.rules.definitions.get(e.define)
        if known is None or len(known.cases) != 1 or known.cases[0].cond is not None:
            return e
        value = known.cases[0].value
        names = [name for name, _ in known.params]
        if isinstance(value, core.Const) and value.type in (NUMBER, TRUTH):
            return value
        if not isinstance(value, core.Var) or value.name not in names:
            return e
        says_more = known.reads and _SLOTTED.sub("", _ENDING.sub("", known.reads[0])).strip()
        if says_more and not bare and e.type != TRUTH and UNIT not in e.define:
            return e
        return self.plain(e.args[names.index(value.name)], bare)

    def word_forms(self, e: core.Expr) -> tuple[str, str] | None:
        """The singular and plural that name what an expression gives."""
        return super().word_forms(e) or (self.things(e) if isinstance(e.type, SetT) else None)

    # ------------------------------------------------------------------------------ things
    def things(self, e: core.Expr) -> tuple[str, str] | None:
        """The singular and plural of what a set names; none if no words do."""
        e = self.plain(e)
        match e:
            case core.Titled():
                title = unmarked(e.title)
                return title, plural(title)
            case core.SetOp("+", left, core.Apply(define)) if define == PASSING:
                return self.things(left)
            case core.SetOp("+", left, right):
                return self._either(left, right)
            case core.Builtin("all", _):
                t = element(e.type)
                return self.rules.components[t.name].words if isinstance(t, PieceT) else None
            case core.Filter():
                return super().word_forms(e)
            case core.Apply():
                return self._worded_things(e)
            case _:
                return None

    def _either(self, left: core.Expr, right: core.Expr) -> tuple[str, str] | None:
        one, other = self.things(left), self.things(right)
        if one is None or other is None:
            return None
        return _or(one[0], other[0]), _or(one[1], other[1])

    def _worded_things(self, e: core.Apply) -> tuple[str, str] | None:
        """What a definition's wording names: a kind of things, alone or with more about it."""
        known = self.rules.definitions.get(e.define)
        if known is None or not known.reads or e.define in _OWNED:
            return None
        value = known.cases[0].value if len(known.cases) == 1 else None
        if isinstance(value, core.SetOp) and value.op == "+" and len(e.args) > 1:
            names = (name for name, _ in known.params)
            given = dict(zip(names, e.args, strict=True))
            return self._either(_given(value.left, given), _given(value.right, given))
        said = self.say_wording(_ENDING.sub("", known.reads[0]), known.params, e.args)
        if _RELATED.search(said) or _PLACED.search(said) or said.startswith(("the ", "all ")):
            return None
        return said, plural(said)

    def tally(self, held: core.Expr) -> tuple[str, str] | None:
        """The singular and plural of what is counted: “Barn you have”, “Barns you have”."""
        held = self.plain(held)
        if not isinstance(held, core.Filter) or super().word_forms(held) is not None:
            return self.things(held)
        match self.plain(held.cond):
            case core.Member(core.Var(name), of) if name == held.var:
                found, where = self.things(of), self._where(held.domain)
                if found is not None and where is not None:
                    return f"{found[0]}{where}", f"{found[1]}{where}"
        return None

    def _where(self, domain: core.Expr) -> str | None:
        """A clause behind a noun that says of which set it is; none if no words do."""
        domain = self.plain(domain)
        if isinstance(domain, core.Builtin) and domain.name == "all":
            return ""
        if not isinstance(domain, core.Apply):
            within = "in" if isinstance(domain, core.Contents) else "among"
            return f" {within} {self.say(domain)}"
        if domain.define == _IN_PLAY:
            return " in play"
        owner = self._owner(domain)
        if owner:
            return f" {owner} {'have' if owner == 'you' else 'has'}"
        said = self._wording(domain)
        if _RELATED.search(said):
            return f" that {self.subject} is {said}"
        return f" {said}" if _PLACED.search(said) else f" among {self.say(domain)}"

    def _owner(self, domain: core.Expr) -> str:
        """Whose things a set holds, where it holds all that a player has; else nothing."""
        if isinstance(domain, core.Apply) and domain.define in _OWNED:
            return self.say(domain.args[0])
        return ""

    def _wording(self, e: core.Apply) -> str:
        known = self.rules.definitions.get(e.define)
        if known is None or not known.reads:
            return ""
        related = (text for text in known.reads if _RELATED.search(text) and "(" not in text)
        text = next(related, known.reads[0]) if isinstance(e.type, SetT) else known.reads[0]
        return self.say_wording(_COPULA.sub("", text), known.params, e.args)

    def _set_in_words(self, e: core.Apply) -> str | None:
        owner = self._owner(e)
        if owner:
            return f"what {owner} {'have' if owner == 'you' else 'has'}"
        said, t = self._wording(e), element(e.type)
        if not said or t is None or not isinstance(e.type, SetT):
            return None
        noun = self.type_noun(t, True)
        if _RELATED.search(said):
            return f"the {noun} that {self.subject} is {said}"
        return f"the {noun} {said}" if _PLACED.search(said) else None

    # -------------------------------------------------------------------------- conditions
    def _belongs(self, e: core.Member, verb: str) -> str | None:
        """Is something one of some things, or does it stand in a relation to the subject?"""
        of = self.plain(e.of)
        found = self.things(of)
        if found is not None:
            return f"{self.say(e.item)} {verb} {_one(found)}"
        if isinstance(of, core.Apply):
            said = self._wording(of)
            if _RELATED.search(said):
                return f"{self.subject} {verb} {said} {self.say(e.item)}"
            if _PLACED.search(said):
                return f"{self.say(e.item)} {verb} {said}"
        return None

    def _compared(self, op: str, held: core.Expr, right: core.Expr) -> str:
        """How many things of a kind there are in a set, beside a number."""
        number, many = self._number(op, right)
        if isinstance(held, core.Filter) and super().word_forms(held) is None:
            match self.plain(held.cond):
                case core.Member(core.Var(name), of) if name == held.var:
                    said = self._related(held.domain, of, number, many)
                    if said is not None:
                        return said
            if number == "no":
                some = core.Exists(held.var, held.domain, held.cond, type=TRUTH)
                return self.say(core.Not(some, type=TRUTH))
        elif isinstance(held, core.Apply) and (said := self.say(held)).startswith("the "):
            return (
                f"there {'are' if many else 'is'} {'none' if number == 'no' else number} of {said}"
            )
        count = core.Builtin("count", (held,), type=NUMBER)
        return super().say(core.Compare(op, count, right, type=TRUTH))

    def _number(self, op: str, right: core.Expr) -> tuple[str, bool]:
        """A number that something is held against, in words, and whether it takes a plural."""
        if not isinstance(right, core.Const):
            return f"{COUNTS[op]} {self.say(right)}", True
        few = _FEW.get((op, right.value)) if isinstance(right.value, int) else None
        return few or f"{COUNTS[op]} {right.value}", few is None and (right.value, op) != (1, "=")

    def _so_many_marks(self, op: str, left: core.Apply, right: core.Expr) -> str | None:
        """How many of what is worded by its name alone, beside a number."""
        known, right = self.rules.definitions.get(left.define), self.plain(right, True)
        if known is None or not known.reads or _SLOTTED.sub("", known.reads[0]).strip():
            return None
        if not isinstance(right, core.Const):
            return None
        noun = self.say_wording(known.reads[0], known.params, left.args)
        among = self.unmentioned(known.reads[0], known.params, left.args)
        noun = noun if right.value == 1 else plural(noun)
        return f"there are {COUNTS[op]} {self.say(right)} {noun}{among.removeprefix(',')}"

    def _of_subject(self, e: core.Apply) -> str | None:
        """A condition whose wording leaves out of what it is said."""
        said = self._wording(e)
        if _PLACED.search(said):
            return f"{self.subject} is {said}"
        return f"{self.subject} is put there {said}" if said.startswith("as ") else None

    def _related(
        self, domain: core.Expr, of: core.Expr, number: str, many: bool = False
    ) -> str | None:
        """That so many of some things are in a set, said by how the set is called."""
        domain, found = self.plain(domain), self.things(of)
        if found is None:
            return None
        noun = f"{number} {found[1 if many else 0]}"
        if number == "at least one":
            noun = _one(found)
        owner = self._owner(domain)
        if owner:
            return f"{owner} has {noun}"
        said = self._wording(domain) if isinstance(domain, core.Apply) else ""
        if _RELATED.search(said) and number == "no":
            return f"{self.subject} is not {said} {_one(found)}"
        if _RELATED.search(said):
            return f"{self.subject} is {said} {noun}"
        where = self._where(domain)
        return None if where is None else f"there {'are' if many else 'is'} {noun}{where}"

    # ----------------------------------------------------------------------------- amounts
    def _for_each(self, amount: core.Expr, held: core.Expr) -> str | None:
        """An amount for each of what is counted, and for how many of them."""
        held, most, tallied = self.plain(held), "", False
        match held:
            case core.Builtin("smallest", (core.SetOf((inner, cap)),)):
                most = f", for at most {self.say(self.plain(cap, True))} of them"
                held = self.plain(inner)
        match held:
            case core.Builtin("largest", (core.SetOf((core.Const(0), inner)),)):
                held, tallied = self.plain(inner), True
        if isinstance(held, core.Builtin) and held.name == "count":
            found = self.tally(held.args[0])
            each = found[0] if found is not None else f"of {self.say(held.args[0])}"
            return f"{self.say(amount)} for each {each}{most}"
        if tallied and isinstance(held, core.Apply):
            return f"{self.say(amount)} for each {self.say(held)}{most}"
        return None


def _is_ever_so(e: core.Expr) -> bool:
    """Is it players, or an amount made of constants, and so the same before and after an event?"""
    if isinstance(e, core.Apply) and e.type == NUMBER and e.args:
        return all(isinstance(arg, core.Const) for arg in e.args)
    return isinstance(e, core.Const) or element(e.type) == PLAYER


def _given(e: core.Expr, given: dict[str, core.Expr]) -> core.Expr:
    """A parameter as what is given for it; anything else as it is."""
    return given.get(e.name, e) if isinstance(e, core.Var) else e


def _one(found: tuple[str, str]) -> str:
    """One of some things: with an article, unless its singular is its plural, or a mass."""
    return found[0] if found[0] == found[1] else article(found[0])


def _or(one: str, other: str) -> str:
    """Two things as alternatives, each of which may be several."""
    if " or " in other:
        return f"{one.replace(' or ', ', ')}, {other}"
    return f"{one.replace(' or ', ', ')} or {other}"


def never_negative(e: core.Expr) -> bool:
    """Is a number 0 or more, as far as its form tells?"""
    match e:
        case core.Const(int(value)):
            return value >= 0
        case core.Builtin("count", _):
            return True
        case core.Arith("+" | "*", left, right):
            return never_negative(left) and never_negative(right)
        case _:
            return False
