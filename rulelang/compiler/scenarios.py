"""Scenarios become steps with compiled expressions, so their mistakes are reported as any other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from rulelang import core
from rulelang.compiler.decks import trial_deck
from rulelang.compiler.node_memo import NodeMemo
from rulelang.core.types import (
    NUMBER,
    PLAYER,
    TEXT,
    TRUTH,
    UNKNOWN,
    ListT,
    PieceT,
    SetT,
    SiteT,
    Type,
    fits,
)
from rulelang.diagnostics import did_you_mean, nearest
from rulelang.elaborate.nouns import all_that_are, titled
from rulelang.elaborate.statements import BodyContext, compile_body
from rulelang.elaborate.symbols import SymbolTable
from rulelang.elaborate.titles import Answers, Titles
from rulelang.elaborate.type_checker import Scope, TypeChecker, type_in_words
from rulelang.ruleset import Answer, Item, Scenario, Step, Told
from rulelang.syntax.nodes import Node, plain, split_cites

Choices = dict[str, list[Type]]  # the name of a choice -> the types it is made from

_LINE_KINDS = {
    "start_op": "start",
    "add_op": "+",
    "sub_op": "-",
    "mul_op": "times",
    "exact_op": "exactly",
    "floor_op": "floor",
    "cap_op": "cap",
}


def variants_of(node: Node, known: set[str]) -> frozenset[str]:
    """The variants a scenario is played with."""
    return frozenset(word for word in _words_with(node) if word in known)


def _words_with(node: Node) -> list[str]:
    """The names of variants and options that a scenario is played with."""
    return [part.part(0).text for step in node.words("s_with") for part in step.words("setting")]


def variants_played(nodes: list[Node]) -> set[frozenset[str]]:
    """Every set of variants, but the empty one, that some scenario is played with."""
    known = {node.part(0).text for node in nodes if node.kind == "variant"}
    return {variants_of(node, known) for node in nodes if node.kind == "scenario"} - {frozenset()}


KeptScenario = tuple[Scenario, Answers]  # with what titles it asked for


@dataclass(frozen=True)
class Head:
    """What a scenario says of itself: its name, the words it is played with, and whether it brings
    a deck list.
    """

    name: str
    words: frozenset[str]
    has_deck: bool


@dataclass
class ScenarioMemo:
    """Scenarios without findings compiled under one frame, and the choices there were in play.

    `heads` are those of all scenarios, `chosen` the choices made in each body.
    """

    choices: Choices = field(default_factory=dict)
    scenarios: NodeMemo[KeptScenario] = field(default_factory=NodeMemo)
    heads: NodeMemo[Head] = field(default_factory=NodeMemo)
    chosen: dict[str, tuple[core.Body, Choices]] = field(default_factory=dict)

    def head(self, node: Node) -> Head:
        """What this very scenario says of itself."""
        known = self.heads.get(node)
        if known is None:
            words = frozenset(_words_with(node))
            known = Head(plain(node.part(0)), words, bool(node.words("s_deck")))
        return known

    def kept(self, node: Node, titles: Titles) -> KeptScenario | None:
        """What this very scenario was compiled to, if it is told the same of titles now."""
        found = self.scenarios.get(node)
        return found if found is not None and titles.tells(found[1]) else None


def compile_scenarios(
    checker: TypeChecker, nodes: list[Node], variants: frozenset[str], memo: ScenarioMemo
) -> None:
    """Add every scenario played with exactly these variants to the ruleset.

    Scenarios are taken from the memo while cards bring no other choices, and those of these nodes
    are kept there. One that brings a deck list depends on what cards say, so it is never kept.
    """
    symbols = checker.symbols
    compiler = _Compiler(checker, chosen=memo.chosen)
    is_same = memo.choices == compiler.choices_in_play
    before = replace(memo) if is_same else ScenarioMemo()
    memo.choices, memo.scenarios = compiler.choices_in_play, NodeMemo[KeptScenario]()
    names: dict[str, Node] = {}
    known, heads = set(symbols.rules.variants), NodeMemo[Head]()
    for node in nodes:
        if node.kind != "scenario":
            continue
        head = heads.keep(node, memo.head(node))
        _check_name(symbols, node, head.name, names)
        if head.words & known != variants:
            continue
        so_far = len(symbols.report.found), len(symbols.rules.clauses)
        made = before.kept(node, symbols.titles) or _recorded(compiler, node)
        symbols.rules.scenarios.append(made[0])
        is_whole = (len(symbols.report.found), len(symbols.rules.clauses)) == so_far
        if is_whole and not head.has_deck:
            memo.scenarios.keep(node, made)
    memo.heads = heads
    _check_rulings(symbols, nodes, names)


def _recorded(compiler: _Compiler, node: Node) -> KeptScenario:
    """A scenario, compiled, with what titles it asked for: the rules beside it ask for none."""
    titles = compiler.symbols.titles
    with titles.recording() as asked:
        made = compiler.scenario(node)
    return made, titles.told(asked)


def _check_name(symbols: SymbolTable, node: Node, label: str, names: dict[str, Node]) -> None:
    """Enter the name of a scenario, reported if another has it."""
    if label in names:
        symbols.report.add(
            "two-clauses",
            node.part(0).span,
            label=label,
            owner="the scenarios",
            first=names[label].span.line,
        )
    names[label] = node


def _check_rulings(symbols: SymbolTable, nodes: list[Node], names: dict[str, Node]) -> None:
    """Report rulings that are settled by scenarios that do not exist."""
    for node in nodes:
        settled = node.first("settled") if node.kind == "ruling" else None
        for word in settled.words("STRING") if settled else []:
            if plain(word) not in names:
                near = nearest(plain(word), names)
                fix = f'Did you mean "{near[0]}"?' if near else None
                symbols.report.add("unknown-scenario", word.span, name=plain(word), fix=fix)


def _scope_of_scenarios() -> Scope:
    types = {
        "scored": NUMBER,
        "refused": TRUTH,
        "ended": TRUTH,
        "winners": SetT(PLAYER),
        "deciding": SetT(PLAYER),
        "witnesses": SetT(PLAYER),
        "advised": TRUTH,
    }
    return {name: core.Var(name, type=t) for name, t in types.items()}


@dataclass(frozen=True)
class _Compiler:
    """Compiles the steps of scenarios; `scope` has what their conditions may speak of."""

    checker: TypeChecker
    scope: Scope = field(default_factory=_scope_of_scenarios)
    chosen: dict[str, tuple[core.Body, Choices]] = field(default_factory=dict)  # memo

    @property
    def symbols(self) -> SymbolTable:
        """The symbol table of the type checker."""
        return self.checker.symbols

    def scenario(self, node: Node) -> Scenario:
        """A scenario with those of its steps that could be compiled; the others are reported."""
        self.symbols.check_node_citations(node)
        parts = [part for part in node.parts[1:] if part is not None and part.kind != "CITE"]
        steps = [STEPS[part.kind](self, part) for part in parts]
        made = tuple(step for step in steps if step is not None)
        return Scenario(plain(node.part(0)), node.cites, made, node.span)

    def legend_value(self, node: Node, board: str) -> core.Expr:
        """What a sign on a picture of a board stands for.

        That is pieces of a title or kind, or the value of a variable of the site; anything else is
        reported.
        """
        known = self.symbols.rules.boards[board]
        components = [layer.component for layer in known.layers]
        components += [known.grown_from] if known.grown_from else []
        if node.kind == "string":
            for component in components:
                if component in self.symbols.titles.components(plain(node.part(0))):
                    return titled(self.checker, node.part(0), PieceT(component))
        if node.kind == "name" and node.part(0).text not in self.scope:
            for component in components:
                made = all_that_are(self.checker, node.part(0).text, PieceT(component), node.span)
                if made is not None:
                    return made
        return self._laid(node, board, components)

    def _laid(self, node: Node, board: str, components: list[str]) -> core.Expr:
        """A value that can lie on a board: pieces of it, or the value of one variable of its sites.

        What cannot is reported.
        """
        states = self.symbols.rules.states.values()
        of_sites = [s.type for s in states if isinstance(s.of, SiteT) and s.of.board == board]
        if node.kind == "string" and TEXT not in of_sites:
            return self._unknown_title(node, components)
        found = len(self.symbols.report.found)
        made = self.checker.expr(node, self.scope)
        item = getattr(
            made.type, "of", made.type
        )  # of a set, a list, or something that may be none
        may_lie = isinstance(item, PieceT) and item.name in components
        fitting = [t for t in of_sites if made.type in (t, getattr(t, "of", None))]
        if not may_lie and len(fitting) != 1 and len(self.symbols.report.found) == found:
            wanted = " or ".join(
                [*(f"a {name}" for name in components), "the value of one variable of its sites"]
            )
            self.symbols.report.add("wrong-type", node.span, found=str(made.type), wanted=wanted)
        return made

    def _unknown_title(self, node: Node, components: list[str]) -> core.Expr:
        """Report a title that no piece of these components has; returns none."""
        title, owners = plain(node.part(0)), self.symbols.titles.all.items()
        titles = [known for known, of in owners if not set(of).isdisjoint(components)]
        fix, of = did_you_mean(title, titles), " or ".join(components) or "piece"
        self.symbols.report.add("unknown-title", node.span, of=of, title=title, fix=fix)
        return core.Const(None, type=UNKNOWN)

    def choice_value(self, node: Node, wanted: list[Type]) -> core.Expr:
        """The value of a choice, of the first type it fits."""
        report = self.symbols.report
        before = len(report.found)
        for t in wanted:
            made = self.checker.expr(node, self.scope, t)
            is_fit = fits(made.type, t) or (isinstance(t, SetT) and fits(made.type, t.of))
            if len(report.found) == before and is_fit:
                return self.checker.check(made, t, node.span)
            del report.found[before:]
        return self.checker.wanted(node, self.scope, wanted[0] if wanted else UNKNOWN)

    def item(self, node: Node, types: list[Type], known: list[core.Const]) -> Item | None:
        """What an expected item may mean: these, or a value or set of values of one of the types.

        None if it means nothing, which is reported.
        """
        report = self.symbols.report
        before = len(report.found)
        meanings: dict[core.Expr, None] = dict.fromkeys(known)
        for t in dict.fromkeys(form for one in types for form in (one, SetT(one))):
            made = self.checker.expr(node, self.scope, t)
            is_fit = fits(made.type, t) or (made.type != UNKNOWN and fits(t, made.type))
            if len(report.found) == before and (is_fit or isinstance(made, core.Read)):
                meanings.setdefault(made)
            del report.found[before:]
        if not meanings:
            self.checker.expr(node, self.scope, types[0] if types else UNKNOWN)
            if len(report.found) == before:
                wanted = "something that could be offered or known"
                report.add("wrong-type", node.span, found="another value", wanted=wanted)
            return None
        return Item(_word_of(node), tuple(meanings))

    def choices_of(self, word: Node) -> Choices:
        """The choices that a play of this name may give.

        Those are an event's parameters, or every choice in the procedure and in what it does.
        """
        known = self.symbols.signatures.get(word.text)
        if known is None and word.text not in ("choose", "take"):
            fix = did_you_mean(word.text, self.symbols.signatures)
            self.symbols.report.add("not-an-event", word.span, name=word.text, fix=fix)
            return {}
        found: Choices = {name: [t] for name, t in known[1]} if known is not None else {}
        if known is not None and known[0] == "event":
            return found
        for name, types in self.choices_in_play.items():
            known_types = found.setdefault(name, [])
            known_types += [t for t in types if t not in known_types]
        found.setdefault("may", [TRUTH])
        found.setdefault("action", [TEXT])
        return found

    @cached_property
    def choices_in_play(self) -> Choices:
        """Every choice made in procedures and in the flow; UNKNOWN types are left out."""
        rules = self.symbols.rules
        bodies = {f"do {known.name}": known.body for known in rules.procedures.values()}
        found: Choices = {}
        for name, body in {**bodies, "": rules.flow}.items():
            kept = self.chosen.get(name)
            if kept is None or kept[0] is not body:
                kept = self.chosen[name] = body, _choices_in(body)
            for choice, types in kept[1].items():
                known_types = found.setdefault(choice, [])
                known_types += [t for t in types if t not in known_types]
        return found


def _choices_in(body: core.Body) -> Choices:
    """Every choice made in a body; UNKNOWN types are left out."""
    found: Choices = {}
    for node in core.walk(body):
        if isinstance(node, core.Choose):
            types = found.setdefault(node.var.split("~")[0], [])
            if _type_chosen(node) not in [*types, UNKNOWN]:
                types.append(_type_chosen(node))
        elif isinstance(node, core.ForEach) and node.by is not None:  # which one is next
            types = found.setdefault(node.var.split("~")[0], [])
            if node.item not in types:
                types.append(node.item)
    return found


def _type_chosen(stmt: core.Choose) -> Type:
    if stmt.mode == "one":
        return stmt.item
    return SetT(stmt.item) if stmt.mode == "some" else ListT(stmt.item)


# -------------------------------------------------------------------------- one function for a step
def _number(compiler: _Compiler, node: Node) -> Step | None:
    word = node.part(0)
    if word.text not in ("players", "seed"):
        expected = '"players" or "seed"'
        compiler.symbols.report.add("unexpected-word", word.span, word=word.text, expected=expected)
        return None
    return Step(word.text, node.span, number=int(node.part(1).text))


def _with(compiler: _Compiler, node: Node) -> Step:
    symbols = compiler.symbols
    options, variants = symbols.rules.options, symbols.rules.variants
    settings: list[tuple[str, str | None]] = []
    for part in node.words("setting"):
        word, value = part.part(0), part.parts[1] if len(part.parts) > 1 else None
        known = options.get(word.text)
        if known is None and word.text not in variants:
            symbols.report.add(
                "unknown-variant",
                word.span,
                name=word.text,
                known=", ".join([*options, *variants]),
                fix=did_you_mean(word.text, [*options, *variants]),
            )
        elif known is not None and (value is None or value.text not in map(str, known)):
            expected = ", ".join(map(str, known))
            symbols.report.add("bad-setting", part.span, key=word.text, expected=expected)
        settings.append((word.text, value.text if value is not None else None))
    return Step("with", node.span, settings=tuple(settings))


def _board(compiler: _Compiler, node: Node) -> Step | None:
    symbols, checker, word = compiler.symbols, compiler.checker, node.part(0)
    if word.text not in symbols.rules.boards:
        fix = symbols.suggest(word.text)
        symbols.report.add("unknown-name", word.span, name=word.text, fix=fix)
        return None
    rest = [part for part in node.parts[1:] if part is not None]
    player = None
    if rest and rest[0].kind == "NAME":
        player = checker.wanted(Node("name", (rest[0],), rest[0].span), compiler.scope, PLAYER)
    rows = tuple(part.part(0).text.strip() for part in rest if part.kind == "bar")
    legend: list[tuple[str, core.Expr, core.Expr | None]] = []
    for part in node.words("legend"):
        owner = part.parts[2] if len(part.parts) > 2 else None
        who = checker.wanted(owner, compiler.scope, PLAYER) if owner is not None else None
        sign = plain(part.part(0))
        legend.append((sign, compiler.legend_value(part.part(1), word.text), who))
    if symbols.rules.boards[word.text].grown_from is None:  # where it is, labels of cells may stand
        _check_signs(symbols, rest, {sign for sign, *_ in legend})
    return Step("board", node.span, name=word.text, rows=rows, legend=tuple(legend), player=player)


def _check_signs(symbols: SymbolTable, parts: Sequence[Node], explained: set[str]) -> None:
    """Report the first sign on each row of a picture that no line below says the meaning of."""
    for bar in parts:
        signs = bar.part(0).text.replace("|", " ").split() if bar.kind == "bar" else []
        odd = next((sign for sign in signs if sign != "." and sign not in explained), None)
        if odd is not None:
            fix = f'Say below the picture what it stands for: `"{odd}": …`.'
            symbols.report.add("unknown-name", bar.span, name=odd, fix=fix)


def _deck(compiler: _Compiler, node: Node) -> Step:
    return Step("deck", node.span, deck=trial_deck(compiler.symbols, node))


def _given(compiler: _Compiler, node: Node) -> Step:
    parts = [part for part in node.part(0).parts if part is not None]
    given = compile_body(BodyContext(compiler.checker, "given"), parts, compiler.scope)
    return Step("given", node.span, body=given)


def _start(compiler: _Compiler, node: Node) -> Step | None:
    number, entry = node.first("NUMBER"), node.first("entry")
    seed = int(number.text) if number else 0
    if entry is None:
        return Step("start", node.span, number=seed)
    word, args = entry.part(1), entry.parts[2]
    checker, signatures = compiler.checker, compiler.symbols.signatures
    params = checker.signature(word.text, "action", "procedure")
    if params is None:
        known = [name for name, (kind, _) in signatures.items() if kind in ("action", "procedure")]
        expected, fix = "a procedure or an action", did_you_mean(word.text, known)
        compiler.symbols.report.add(
            "unexpected-word", word.span, word=word.text, expected=expected, fix=fix
        )
        return None
    values = checker.arguments(word, args, params, compiler.scope)
    names = [name for name, _ in params]
    entered = tuple(Answer(name, value) for name, value in zip(names, values, strict=False))
    return Step("start", node.span, number=seed, name=word.text, args=entered)


def _play(compiler: _Compiler, node: Node) -> Step:
    player = compiler.checker.wanted(node.part(0), compiler.scope, PLAYER)
    word, answers = node.part(1), node.parts[2]
    choices = compiler.choices_of(word)
    given = [part for part in (answers.parts if answers else ()) if part is not None]
    made = [_answer(compiler, word, part, choices) for part in given]
    args = tuple(answer for answer in made if answer is not None)
    return Step("play", node.span, name=word.text, player=player, args=args)


def _answer(compiler: _Compiler, word: Node, node: Node, choices: Choices) -> Answer | None:
    """A value of a play by the name of its choice; None if it has a mistake, reported."""
    report = compiler.symbols.report
    if node.kind != "answer":
        meaning = "a play gives each choice by name, as in `at: x`"
        report.add("bad-arguments", node.span, name=word.text, meaning=meaning, found="")
        return None
    key, by = node.part(0), node.parts[2]
    wanted = choices.get(key.text)
    if wanted is None:
        known = ", ".join(choices) or "none"
        fix = did_you_mean(key.text, choices)
        report.add("unknown-choice", key.span, name=key.text, known=known, fix=fix)
        return None
    value = compiler.choice_value(node.part(1), wanted)
    player = compiler.checker.wanted(by, compiler.scope, PLAYER) if by is not None else None
    return Answer(key.text, value, player)


def _expect(compiler: _Compiler, node: Node) -> Step:
    checker, symbols = compiler.checker, compiler.symbols
    conds = [part for part in node.part(0).parts if part is not None]
    cond = tuple(checker.truth(part, compiler.scope) for part in conds)
    by = node.first("reasons")
    cites: list[str] = []
    for cite in by.words("CITE") if by is not None else ():
        cites += split_cites(cite.text)
        symbols.check_citations(split_cites(cite.text), cite.span)
    lines = tuple(
        (
            _LINE_KINDS[part.part(0).kind],
            checker.wanted(part.part(1), compiler.scope, NUMBER),
            plain(part.part(2)) if part.parts[2] is not None else "",
        )
        for part in node.words("counted")
    )
    reasons = tuple(plain(word) for word in by.words("STRING")) if by is not None else ()
    return Step("expect", node.span, cond=cond, cites=tuple(cites), reasons=reasons, lines=lines)


# ----------------------------------------------------------- what is asked, offered and known
def _told(compiler: _Compiler, node: Node) -> Step | None:
    matter, others, items = node.part(0), node.parts[1], node.part(2)
    return _told_step(compiler, node, (matter, items), others=others is not None)


def _not_told(compiler: _Compiler, node: Node) -> Step | None:
    return _told_step(compiler, node, (node.part(0), node.part(1)), denied=True)


_MATTERS = {"name": ("asked", "offered"), "of": ("asked",), "to": ("offered", "known")}
_MATTERS_IN_WORDS = "`asked of p1`, `offered to p1` or `known to p1`"


def _told_step(
    compiler: _Compiler,
    node: Node,
    parts: tuple[Node, Node],
    others: bool = False,
    denied: bool = False,
) -> Step | None:
    """What is expected to be asked, offered or known; None if that is not what it says."""
    matter, listed = parts
    word, whose, where = _known_matter(compiler, matter)
    if word is None:
        return None
    checker, scope = compiler.checker, compiler.scope
    player = checker.wanted(whose, scope, PLAYER) if whose is not None else None
    place = _place(compiler, where) if where is not None else None
    nodes = [part for part in listed.parts if part is not None]
    if len(nodes) == 1 and _word_of(nodes[0]) == "nothing" and not denied:
        nodes = []
    read = _ITEMS[word.text]
    items = tuple(item for part in nodes if (item := read(compiler, part)) is not None)
    told = Told(word.text, player, place, others, denied, items)
    return Step("told", node.span, told=told)


def _known_matter(
    compiler: _Compiler, matter: Node
) -> tuple[Node | None, Node | None, Node | None]:
    """What can be told: its word, whose it is, and in which place; anything else is reported."""
    word, form, whose, where = _matter(matter)
    if word is not None and word.text in _MATTERS[form] and (where is None or word.text == "known"):
        return word, whose, where
    span, said = (word or matter).span, word.text if word is not None else "this"
    compiler.symbols.report.add("unexpected-word", span, word=said, expected=_MATTERS_IN_WORDS)
    return None, None, None


def _place(compiler: _Compiler, node: Node) -> core.Expr:
    """The pieces among which some are expected to be known; anything else is reported."""
    found, item = compiler.checker.collection(node, compiler.scope)
    if item != UNKNOWN and not isinstance(item, PieceT):
        compiler.checker.report.add(
            "wrong-type", node.span, found=type_in_words(found.type), wanted="a place or pieces"
        )
    return found


def _matter(node: Node) -> tuple[Node | None, str, Node | None, Node | None]:
    """The word before the colon, what follows it (`of` or `to`), whose, and in which place."""
    if node.part(0).kind == "NAME":
        return node.part(0), "to", node.part(1), node.parts[2]
    said = node.part(0)
    if said.kind == "of_":
        return said.part(0), "of", said.part(1), None
    return (said.part(0), "name", None, None) if said.kind == "name" else (None, "name", None, None)


def _word_of(node: Node) -> str:
    """The name, or the text in quotes, that an item is; empty if it is neither."""
    if node.kind == "string":
        return plain(node.part(0))
    return node.part(0).text if node.kind == "name" else ""


def _asked_item(compiler: _Compiler, node: Node) -> Item | None:
    """A choice by its name, or by what its player is asked in quotes."""
    word, report = _word_of(node), compiler.symbols.report
    known = {**compiler.choices_in_play, "may": [], "action": []}
    if node.kind == "string" or word in known:
        return Item(word, () if node.kind == "name" else (core.Const(word, type=TEXT),))
    fix = did_you_mean(word, known)
    report.add("unknown-choice", node.span, name=word or "this", known=", ".join(known), fix=fix)
    return None


def _offered_item(compiler: _Compiler, node: Node) -> Item | None:
    """An option, or a set of options, of any choice there is."""
    rules, word = compiler.symbols.rules, _word_of(node)
    actions = [
        core.Const(name, type=TEXT)
        for name, known in rules.procedures.items()
        if known.is_action and (word == name or (node.kind == "string" and word == known.title))
    ]
    types = [t for made in compiler.choices_in_play.values() for t in made]
    return compiler.item(node, [*types, TRUTH], actions)


def _known_item(compiler: _Compiler, node: Node) -> Item | None:
    """A piece, a set of pieces, or a variable."""
    pieces: list[Type] = [PieceT(name) for name in compiler.symbols.rules.components]
    return compiler.item(node, pieces, [])


_ITEMS: dict[str, Callable[[_Compiler, Node], Item | None]] = {
    "asked": _asked_item,
    "offered": _offered_item,
    "known": _known_item,
}


STEPS: dict[str, Callable[[_Compiler, Node], Step | None]] = {  # closed: tested by the grammar
    "s_number": _number,
    "s_with": _with,
    "s_board": _board,
    "s_deck": _deck,
    "s_given": _given,
    "s_start": _start,
    "s_play": _play,
    "s_expect": _expect,
    "s_told": _told,
    "s_not_told": _not_told,
}
