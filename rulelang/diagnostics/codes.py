"""The table of diagnostic codes.

Each has a key for the program, a stable code for people, a severity, the sentence, and a fix.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Code:
    """One kind of diagnostic; `text` and `fix` are format strings over the values of a finding."""

    code: str
    severity: str
    text: str
    fix: str = ""


_TABLE: dict[str, tuple[str, str, str, str]] = {
    # files (F)
    "file-too-large": (
        "F001",
        "error",
        "This file is too large: it has more than {limit} bytes.",
        "Split it.",
    ),
    "not-utf8": ("F002", "error", "This file is not text in UTF-8.", "Save it as UTF-8."),
    "odd-character": (
        "F003",
        "error",
        "There is an invisible or control character here: {name}.",
        "Delete it.",
    ),
    "line-too-long": (
        "F004",
        "error",
        "This line is longer than {limit} characters.",
        "Break it inside brackets.",
    ),
    "too-deep": (
        "F005",
        "error",
        "This is nested deeper than {limit} levels.",
        "Give parts of it names with `define`.",
    ),
    "not-found": ("F006", "error", "There is no file or folder {path}.", ""),
    "unreadable": ("F007", "error", "This file cannot be read: {why}.", ""),
    "empty-file": (
        "F008",
        "warning",
        "Nothing is declared in this file.",
        'Begin it with `game name "Title"`, or with `for name` if it adds to a game.',
    ),
    # reading (S)
    "unknown-declaration": (
        "S001",
        "error",
        "No declaration begins with `{word}`.",
        "A line at the left margin begins a declaration: define, event, score, card …",
    ),
    "unexpected-word": ("S002", "error", "`{word}` cannot stand here; expected {expected}.", ""),
    "line-ends-early": ("S003", "error", "The line ends too early; expected {expected}.", ""),
    "block-missing": (
        "S004",
        "error",
        "An indented block belongs under this line.",
        "Indent the lines that belong to it by two blanks.",
    ),
    "unexpected-block": (
        "S005",
        "error",
        "This line is indented, but the line above takes no block.",
        "Move it to the left, or look at the end of the line above.",
    ),
    "bad-indent": (
        "S006",
        "error",
        "This line is indented like no line above it.",
        "Give it the indentation of the lines it belongs with.",
    ),
    "open-quote": (
        "S007",
        "error",
        "This text in quotes is not closed on its line.",
        'End it with ".',
    ),
    "bad-citation": (
        "S008",
        "error",
        "This is no citation.",
        "Write it at the end of the line, as in [AB-012] or [AB-012, OQ-3].",
    ),
    "odd-sign": ("S009", "error", "The sign {char} means nothing here.", ""),
    "and-with-or": (
        "S010",
        "error",
        "`and` and `or` stand side by side, and it could be read two ways.",
        "Put brackets round what belongs together.",
    ),
    "reserved-word": (
        "S011",
        "error",
        "`{word}` is a word of the language and cannot be a name.",
        "Take another name.",
    ),
    "number-too-large": ("S012", "error", "This number is too large; at most {limit}.", ""),
    # names (N)
    "unknown-name": ("N001", "error", "Nothing is called `{name}`.", ""),
    "unknown-type": ("N002", "error", "There is no type `{name}`.", ""),
    "unknown-field": ("N003", "error", "{of} has no `{name}`.", ""),
    "unknown-relation": (
        "N004",
        "error",
        "No relation is called `{name}`.",
        "Is a comma missing before it?",
    ),
    "unknown-call": ("N005", "error", "Nothing called `{name}` takes values like these.", ""),
    "unknown-title": ("N006", "error", "No {of} has the title “{title}”.", ""),
    "unknown-verb": ("N007", "error", "No statement begins with `{name}`.", ""),
    "not-an-event": ("N008", "error", "`{name}` is no event.", ""),
    "not-an-action": ("N009", "error", "`{name}` is no action.", ""),
    "unknown-argument": ("N010", "error", "`{of}` takes no value called `{name}`.", ""),
    "unknown-choice": (
        "N011",
        "error",
        "No choice is called `{name}` there; known are {known}.",
        "",
    ),
    "unknown-component": ("N012", "error", "{what}; components are {known}.", ""),
    "unknown-setting": ("N013", "error", "`{key}` is no setting here; known are {known}.", ""),
    "unknown-variant": (
        "N014",
        "error",
        "There is no variant or option `{name}`; known are {known}.",
        "",
    ),
    "unknown-scenario": ("N015", "error", "No scenario is called “{name}”.", ""),
    "unknown-citation": ("N016", "error", "The rulebook has no statement {cite}.", ""),
    "unknown-game": ("N017", "error", "There is no game `{name}`.", ""),
    "name-taken": (
        "N018",
        "error",
        "`{name}` is taken already: {what} {where}.",
        "Choose another name.",
    ),
    "name-in-use": (
        "N019",
        "error",
        "`{name}` already stands for something here.",
        "Choose another name.",
    ),
    "ambiguous-name": (
        "N020",
        "error",
        "`{name}` could be of the kinds {kinds}, and nothing here says which.",
        "Compare it with something of the kind you mean.",
    ),
    "two-clauses": (
        "N021",
        "error",
        "{owner} already has a clause “{label}”, in line {first}.",
        "A label is a name: give this one another.",
    ),
    "title-taken": (
        "N022",
        "error",
        "There is a card “{title}” already{where}.",
        "Give it another title.",
    ),
    "second-game": (
        "N023",
        "error",
        "These rules are of the game {name}; a second `game` line cannot be.",
        "Cards and variants begin with `for {name}`.",
    ),
    "no-game": (
        "N024",
        "error",
        "No line says which game this is.",
        'Begin with `game name "Title"`, or `for name` in a file of cards.',
    ),
    "no-such-slot": (
        "N025",
        "error",
        "`{owner}` is not open at “{slot}”.",
        "Only what the rules declare `open` takes additions.",
    ),
    "nothing-to-replace": ("N026", "error", "There is no {what} to replace.", ""),
    "unknown-slot": (
        "N027",
        "error",
        "The text has a slot {{{slot}}} that is not declared; known are {known}.",
        "Declare it under the text, as in `n: number`.",
    ),
    "unknown-opening": (
        "N032",
        "error",
        "No wording is for openings called `{name}`.",
        "",
    ),
    "unknown-role": (
        "N031",
        "error",
        "No role is called `{name}`.",
        "",
    ),
    "wrong-game": ("N028", "error", "This file is for `{found}`, not for `{wanted}`.", ""),
    "many-of-title": (
        "N029",
        "error",
        "More than one card has the title “{title}”: {places}.",
        "Give each a title of its own.",
    ),
    "listed-twice": (
        "N030",
        "error",
        "“{title}” stands in this list already, in line {line}.",
        "Put all of it in one row.",
    ),
    # types (T)
    "wrong-type": ("T001", "error", "This is {found}, where {wanted} is needed.", ""),
    "not-a-set": (
        "T002",
        "error",
        "This is {found}, not a set or list.",
        "For one thing write {{x}}.",
    ),
    "no-order": (
        "T003",
        "error",
        "{type} has no order to compare by.",
        "Declare the kind `in order`, or compare with `=`.",
    ),
    "bad-arguments": (
        "T004",
        "error",
        "`{name}` does not take these values ({found}): it is {meaning}.",
        "",
    ),
    "argument-count": ("T005", "error", "`{name}` takes ({wanted}), but {found} given here.", ""),
    "not-a-state": ("T006", "error", "Only a variable declared with `state` can be changed.", ""),
    "not-a-place": ("T007", "error", "This is no place pieces can go to; places are {known}.", ""),
    "no-layer": (
        "T008",
        "error",
        "No layer of the board {board} takes a {piece} on a {site}.",
        "Declare one under `board {board}`: a name, then `: {piece} on {role}`.",
    ),
    "circular": (
        "T009",
        "error",
        "`{name}` is defined by itself: {circle}.",
        "Break the circle; for what spreads over the board use `reach` or `groups`.",
    ),
    "mixed-group": (
        "T010",
        "error",
        "The members of the group `{name}` are not all of one kind.",
        "",
    ),
    "mixed-option": (
        "T011",
        "error",
        "The values of the option `{name}` are partly numbers, partly names.",
        "",
    ),
    "stable-missing": (
        "T012",
        "error",
        "A set that speaks of itself must say how it comes to rest.",
        "Add `until stable` at its end.",
    ),
    "who-decides": ("T013", "error", "It is not clear who decides this.", "Add `by p`."),
    "decision-in-event": (
        "T014",
        "error",
        "An event holds no decisions.",
        "Decide in an action or procedure, then `do` the event.",
    ),
    "bad-verb": ("T015", "error", "`{name}` is written `{form}`.", ""),
    "bad-setting": ("T016", "error", "`{key}` is not set like this; expected {expected}.", ""),
    "bad-value": ("T017", "error", "“{found}” is not {wanted}.", ""),
    "bad-shape": (
        "T018",
        "error",
        "“{shape}” is no shape: {why}.",
        'Draw it row by row with X and ., rows apart by /, as in "XX/X.".',
    ),
    "row-length": (
        "T019",
        "error",
        "This row has {found}, but there are {count} columns: {wanted}.",
        "Put values that hold blanks in quotes.",
    ),
    "not-printed": (
        "T020",
        "error",
        "What is printed on a card must be known without a game.",
        "Write a number, a name, a text or a set of them.",
    ),
    "action-head": ("T021", "error", "An action takes one player: `action {name}(p: player)`.", ""),
    "extension-alone": (
        "T022",
        "error",
        "Additions to an open table belong under a pattern.",
        'Put it under `pattern "…"` with `as played` or `while …`.',
    ),
    "hidden-knowledge": (
        "T023",
        "error",
        "Who decides here may not know {what}.",
        "Leave it out, make it public, or `attempt` an event whose rules ask for it.",
    ),
    "hidden-rule": (
        "T029",
        "error",
        "This rule of `{event}` would show {who} {what}: what it forbids could not be chosen.",
        "Write `attempt {event}(…)` where it is done, and under `otherwise` what happens then.",
    ),
    "hidden-condition": (
        "T034",
        "error",
        "What is done next would show {who} {what}.",
        "`attempt` an event whose rules ask for it, or `reveal` it before.",
    ),
    "not-attempted": (
        "T030",
        "error",
        "There is no event `{name}` that could be attempted.",
        "Only events have rules that may stand against them; declare one.",
    ),
    "needless-attempt": (
        "T031",
        "warning",
        "Who attempts `{event}` knows all that its rules ask for: it is never refused.",
        "Write `do {event}(…)`.",
    ),
    "variants-clash": (
        "T024",
        "error",
        "The variants `{one}` and `{two}` both change {clause}.",
        'Say which one wins: `variant {two} "…" over {one}`, or the other way round.',
    ),
    "outside-seat": (
        "T025",
        "error",
        "Players act here at once, and this changes what is not the acting player's own: {what}.",
        "Write `in turn`, or move it after the block.",
    ),
    "too-many": ("T026", "error", "Too many {what}: {found}, at most {limit}.", ""),
    "empty-deck": (
        "T027",
        "error",
        "The deck list `{name}` names no card.",
        'Write a row for each card under it, as in `| 4 "Title"`.',
    ),
    "open-outside": (
        "T028",
        "error",
        "Only a procedure or an action is open for the statements of cards.",
        "Put it in a procedure, then `do` the procedure.",
    ),
    "missing-field": ("T033", "error", "{of} must say its `{field}`.", ""),
    "set-as-one": (
        "T032",
        "error",
        "This is {found}, which is not one thing that can be `{word}`.",
        "Say which is meant: `some x in … where x is {word}` or `every x in …: x is {word}`.",
    ),
    # card texts (C)
    "unknown-word": ("C001", "error", "No phrase uses the word “{word}”.", ""),
    "unknown-noun": (
        "C016",
        "error",
        "Nothing is called “{name}”.",
        "Give a card that title, or name what there is.",
    ),
    "no-reading": (
        "C002",
        "error",
        "From here the sentence could not be read: “{failed}”.",
        "`rulelang phrases` lists what can be written.",
    ),
    "ambiguous": (
        "C003",
        "error",
        "This sentence can be read in {count} ways.",
        "Say it in two sentences, or in other words.",
    ),
    "no-place": (
        "C019",
        "error",
        "“{text}” can be understood, but nothing in this game is open to it: {what}.",
        "Say something of a sort this game is open to, or add an `opening` of that sort to it.",
    ),
    "no-subject": (
        "C004",
        "error",
        "The sentence is understood, but it speaks of something that is not at hand here: {what}.",
        "",
    ),
    "other-antecedent": (
        "C025",
        "error",
        "Here “it” means “{other}”, and not the card that says this.",
        "Write “this card” if that is meant, or say of the other what it must be: “… that …”.",
    ),
    "sentence-too-long": (
        "C005",
        "error",
        "A sentence of a card has at most {limit} words.",
        "Make two of it.",
    ),
    "no-phrases": ("C006", "error", "This game declares no phrases for cards.", ""),
    "phrases-overlap": (
        "C007",
        "error",
        "“{one}” and “{two}” can be the same words with two meanings, as in “{example}”.",
        "Change the wording of one.",
    ),
    "never-matches": (
        "C008",
        "error",
        "“{text}” can never be written: nothing fills {{{slot}}}.",
        "Declare a phrase for it, or give the slot another type.",
    ),
    "bad-pattern": (
        "C009",
        "error",
        "The braces in “{text}” do not pair.",
        "A slot is {{name}}, {{name plural}} or {{name by n}}.",
    ),
    "slot-unsaid": (
        "C015",
        "error",
        "“{text}” leaves out {{{slot}}}, which every text of the pattern must say.",
        "Write it into the text, or make a pattern of its own.",
    ),
    "never-playable": (
        "C011",
        "warning",
        "“{title}” can never be played: {why}.",
        "Loosen one of its requirements, or take it out.",
    ),
    "leaves-at-once": (
        "C012",
        "warning",
        "“{title}” leaves as soon as it comes: this holds of its own arrival.",
        "Say of which other cards it speaks.",
    ),
    "never-stays": (
        "C014",
        "warning",
        "“{title}” left as soon as it came, in all {count} positions it was tried in.",
        "Say of which other cards it speaks.",
    ),
    "never-applies": (
        "C013",
        "warning",
        "This sentence never applies: {why}.",
        "Take it out, or say what was meant.",
    ),
    "does-nothing": (
        "C017",
        "warning",
        "This sentence does nothing: {why}.",
        "Write a number above 0, or take it out.",
    ),
    "acts-on-nothing": (
        "C018",
        "warning",
        "This sentence acts on nothing: no rule and no other sentence of “{title}” asks for it.",
        "Say it with what it acts on, or take it out.",
    ),
    "does-not-fit": (
        "C020",
        "warning",
        "“{title}” cannot be printed as it stands: {why}.",
        "{advice}",
    ),
    # advice of the rules' own (A)
    "advice-error": ("A001", "error", "{says}", ""),
    "advice-warning": ("A002", "warning", "{says}", ""),
    "advice-note": ("A003", "note", "{says}", ""),
    # play and tests (P)
    "scenario-failed": ("P001", "error", "{why}", ""),
    "bad-save": ("P002", "error", "This record cannot be used: {why}.", ""),
    "broken-law": ("P004", "error", "“{label}” does not hold: {why}.", ""),
    "no-flow": (
        "P006",
        "warning",
        "These rules have no `flow`, so nobody ever has anything to decide.",
        "Say under `flow` what happens in a game: who decides what, and in which order.",
    ),
    "never-finished": (
        "P007",
        "warning",
        "Nothing finishes `{unit}`, so `{name}` never ends the game.",
        "Say `finish {unit}` in the flow where one is over, or leave `at {unit}` out.",
    ),
    "law-undecided": (
        "P005",
        "note",
        "Whether any settings keep “{label}” is not decided: {tried} of them do not.",
        "Say it of fewer options.",
    ),
    "fault": ("P003", "error", "The rules came to a point they do not provide for: {why}.", ""),
}

CODES: dict[str, Code] = {key: Code(*row) for key, row in _TABLE.items()}
