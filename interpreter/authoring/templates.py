"""Templates for `new card` and `new game`: commented files that pass `check` as they are."""

from __future__ import annotations

import re

from interpreter.game.loading import Loaded
from rulelang.compiler.sentences import sentences_of
from rulelang.core.types import NUMBER, SHAPE, TEXT, TRUTH, KindT, ListT, OptionalT, SetT, Type
from rulelang.diagnostics import Report
from rulelang.ruleset import Design, Ruleset
from rulelang.syntax.grammar import HEADS, reserved
from rulelang.syntax.nodes import plain

MOST_SENTENCES = 3

GAME = """# {title}: rules in the language of Rulelang. A line that begins with # is a comment.
# Try it: rulelang check FILE, rulelang test FILE, rulelang play FILE --bots random,random
game {name} "{title}"
  players: 2 to 4

# What things are called: a kind lists names, with words for people in quotes (one / many).
kind sort: plain, bright "bright one" / "bright ones"

# What lies on the table. A field is printed on every piece; rows give title, fields and copies.
component token
  sort: sort
  worth: number
  pieces title, sort, worth, copies
    | "Pebble"  plain   1  12
    | "Gem"     bright  3   4

# Where it lies: a board of cells, and containers, each player's own or common, seen by all or not.
board field
  grid: square, 5 by 5
  cells: cell
  lying: token on cell

place bag: token, ordered, hidden, full
place held of player: token, private

# What is counted.
state points of player: number = 0

# Definitions name conditions, sets and numbers.
define free(c: cell) reads "{{c}} is free" = c's lying is none
define bright_beside(at: cell) = {{c in at's neighbors where c's lying is bright}}

# A score table: every line has a label, which explanations show.
score gain(t: token, at: cell)
  start t's worth "worth"
  + 1 "beside a bright one" for each c in bright_beside(at)

# Only events change the table. Their rules are looked at first; each line that fails is told by
# its label.
event lay(p: player, t: token, at: cell) reads "{{p}} lays {{t}} on {{at}}"
  add gain(t, at) to p's points
  put t at at
rules of lay(p, t, at)
  "held by the player"  t in p's held
  "a free cell"         at is free

# What a player may do.
action lay_token(p: player) "Lay a token"
  choose t in p's held by p "token"
  choose at in cells by p "cell"
  do lay(p, t, at)
  draw 1 from bag to p's held

# The course of the game.
flow
  shuffle bag
  each p in turn
    draw 2 from bag to p's held
  repeat
    each p in turn
      take one of lay_token by p

end all_laid when bag is empty, every p in players: p's held is empty
rank
  highest player's points

# A scenario is a test: a position, a play, and what must come of it. Run it with `rulelang test`.
scenario "a pebble beside a gem"
  players 2
  given
    put "Gem" at site_at(field, 2, 2)
    move "Pebble" to p1's held
  play p1: lay(t: "Pebble", at: site_at(field, 2, 3))
  expect scored = 2
    start 1 "worth"
    + 1 "beside a bright one"
  play p1: lay(t: "Pebble", at: site_at(field, 2, 2))
  expect refused
"""


class NoTemplate(Exception):
    """Nothing can be written to start from; says why."""


def new_game(title: str) -> tuple[str, str]:
    """The name and text of a new ruleset of this title."""
    name = re.sub(r"\W+", "_", title.strip().lower(), flags=re.ASCII).strip("_")
    name = f"game_{name}" if not name[:1].isalpha() else name
    taken = {
        "token",
        "field",
        "sort",
        "cell",
        "bag",
        "held",
        "lying",
        "bright_beside",
        "lay_token",
        "all_laid",
        "points",
        "gain",
        "lay",
        "free",
        "plain",
        "bright",
        "worth",
        "p",
        "t",
        "c",
    }
    if name in reserved() | HEADS | taken or name in (
        "truth",
        "number",
        "text",
        "shape",
        "player",
        "players",
        "direction",
        "none",
        "true",
        "false",
    ):
        name += "_game"
    words = " ".join(title.replace("_", " ").replace('"', "'").split())
    shown = words[:1].upper() + words[1:] if words else "A game"
    return name, GAME.format(name=name, title=shown)


def new_card(loaded: Loaded, game: str) -> str:
    """A card modelled on one of the game: its fields, sentences, and others that can be written."""
    rules = loaded.compiled.rules
    model = _model(loaded)
    component = rules.components[model.component]
    titles = {d.title.lower() for d in rules.designs}
    title = next(
        t
        for n in range(1, 10_000)
        if (t := "My card" if n == 1 else f"My card {n}").lower() not in titles
    )
    lines = [
        f"# A card for {rules.title}. Check it: rulelang check FILE.",
        f'# What it does: rulelang explain {game} "{title}" --with FILE.',
        f"# Play with it: rulelang play {game} --with FILE. "
        "A line that begins with # is a comment.",
        f"for {rules.id}",
        "",
        f'card "{title}" of {component.name}',
    ]
    types = dict(component.fields)
    fields = [
        (f"{name}: {_value(value, types[name], rules)}", _choice(types[name], rules))
        for name, value in model.values
    ]
    width = max((len(told) for told, _ in fields), default=0)
    lines += [
        f"  {told:<{width}}  # {choice}" if choice else f"  {told}" for told, choice in fields
    ]
    lines.append("  copies: 1")
    used, more = _sentences(loaded, model)
    if used:
        lines += ["  text", *[f"    | {text}" for text in used]]
    if more:
        lines += [
            "# Other sentences that can be written (all of them: rulelang phrases " + game + "):",
            *[f"#   | {text}" for text in more],
        ]
    return "\n".join(lines) + "\n"


def _model(loaded: Loaded) -> Design:
    """The first card with a text, else the first piece of a component that cards can be of."""
    rules = loaded.compiled.rules
    with_text = [d for d in rules.designs if d.text]
    if with_text:
        return with_text[0]
    titled = [d for d in rules.designs if d.title]
    phrases = loaded.compiled.glossary.lexicon.phrases
    bearers = {p.pattern.component for p in phrases if p.pattern is not None}
    fitting = [d for d in titled if d.component in bearers] or titled
    if not fitting:
        raise NoTemplate("this game has no pieces with titles, so it knows no cards")
    return fitting[0]


def _value(value: object, t: Type, rules: Ruleset) -> str:
    """A printed value as it is written on a card."""
    if value is None:
        return "none"
    if isinstance(t, OptionalT):
        return _value(value, t.of, rules)
    if t in (SHAPE, TEXT):
        return f'"{value}"'
    if t == TRUTH:
        return "true" if value else "false"
    if isinstance(t, SetT | ListT) and isinstance(value, frozenset | tuple):
        items = sorted(value, key=repr) if isinstance(value, frozenset) else value
        return "{" + ", ".join(_value(item, t.of, rules) for item in items) + "}"
    if isinstance(t, KindT) and isinstance(value, int):
        return (
            rules.kinds[t.name].members[value]
            if t.name in rules.kinds
            else str(rules.options[t.name][value])
        )
    return str(value)


def _choice(t: Type, rules: Ruleset) -> str:
    """What else could stand there, for a comment."""
    if isinstance(t, KindT) and t.name in rules.kinds:
        return "one of " + ", ".join(rules.kinds[t.name].members)
    if isinstance(t, SetT | ListT) and isinstance(t.of, KindT) and t.of.name in rules.kinds:
        return "any of " + ", ".join(rules.kinds[t.of.name].members)
    if isinstance(t, OptionalT):
        return (_choice(t.of, rules) + ", or none").strip(", ")
    words = [
        (SHAPE, "its cells, row by row, rows apart by /"),
        (NUMBER, "a number"),
        (TRUTH, "true or false"),
        (TEXT, "a text"),
    ]
    return next((said for other, said in words if t == other), "")


def _sentences(loaded: Loaded, model: Design) -> tuple[list[str], list[str]]:
    """Sentences for the card, those of the model first, and examples of others.

    Each is read without a finding.
    """
    glossary = loaded.compiled.glossary
    node = next(
        (n for n in loaded.nodes if n.kind == "card" and plain(n.part(0)) == model.title), None
    )
    own = [
        text.partition(" [")[0]
        for words in (node.words("words") if node is not None else [])
        for text, _ in sentences_of(words)
    ]
    examples = [glossary.lexicon.examples.of(p) for p in glossary.lexicon.sentences]
    good: list[str] = []
    for text in dict.fromkeys([*own, *examples]):
        report = Report()
        glossary.read_sentence(text, model.span, model, "", report)
        if not report.found:
            good.append(text)
    return good[:MOST_SENTENCES], [text for text in good[MOST_SENTENCES:] if text in examples][:12]
