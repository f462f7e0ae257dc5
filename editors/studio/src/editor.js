// The editor over the plain field of the author's page. What it tells of a text (findings, what
// could follow) comes from the server, by way of the page; it knows no rules of its own.
import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, insertNewlineKeepIndent } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { linter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorSelection, EditorState } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { rules } from "./words.js";

const SEVERITIES = ["error", "warning", "info", "hint"];

// A new line goes on as the one before: a row of a card's text begins with its bar, unless the one
// before was left empty, which ends them.
function newLine(view) {
  const { state } = view;
  const line = state.doc.lineAt(state.selection.main.head);
  const row = line.text.match(/^([ \t]*)\|([ \t]*)(.*)$/);
  if (!row || state.selection.main.head < line.from + row[1].length + 1) {
    return insertNewlineKeepIndent(view);
  }
  if (!row[3].trim()) {
    view.dispatch({ changes: { from: line.from, to: line.to }, userEvent: "delete" });
    return true;
  }
  const insert = `\n${row[1]}|${row[2] || " "}`;
  view.dispatch(state.replaceSelection(insert), { scrollIntoView: true, userEvent: "input" });
  return true;
}

// Typing over a selection of several lines is done here: left to the browser, it joins the lines and
// keeps their looks by style attributes, which the page's policy blocks.
function typeOver(event, view) {
  const { state } = view;
  const { from, to } = state.selection.main;
  const several = state.doc.lineAt(from).to < to;
  if (event.inputType !== "insertText" || event.isComposing || !event.data || !several) return false;
  event.preventDefault();
  const insert = () => state.update(state.replaceSelection(event.data), { userEvent: "input.type" });
  const handlers = state.facet(EditorView.inputHandler);
  if (!handlers.some((handle) => handle(view, from, to, event.data, insert))) view.dispatch(insert());
  return true;
}

// What could follow is known when the server has read the text: whoever asks waits for it.
class Following {
  constructor(ask) {
    this.ask = ask;
    this.waiting = null;
    this.known = { text: null, caret: -1, items: [] };
  }

  source = (context) => {
    const text = context.state.doc.toString();
    this.answer(null);
    if (this.known.text === text && this.known.caret === context.pos) return this.result(context.pos);
    return new Promise((resolve) => {
      this.waiting = { text, caret: context.pos, resolve };
      context.addEventListener("abort", () => this.answer(null));
      if (context.explicit) this.ask();
    });
  };

  answer(found) {
    this.waiting?.resolve(found);
    this.waiting = null;
  }

  told(text, caret, items) {
    this.known = { text, caret, items };
    const waiting = this.waiting;
    if (waiting && waiting.text === text && waiting.caret === caret) this.answer(this.result(caret));
  }

  result(caret) {
    const at = this.known.items.filter(([start, end]) => start <= caret && caret <= end);
    if (!at.length) return null;
    const options = at.map(([from, to, text, label, detail]) => ({
      label,
      detail,
      apply: (view) => {
        view.dispatch({
          changes: { from, to, insert: text },
          selection: { anchor: from + text.length },
          userEvent: "input.complete",
        });
      },
    }));
    return { from: caret, options, filter: false };
  }
}

function over(field, { patterns, label, described, nonce, changed, moved, save, ask }) {
  const following = new Following(ask);
  const place = document.createElement("div");
  place.id = "editor";
  field.before(place);
  const view = new EditorView({
    parent: place,
    state: EditorState.create({
      doc: field.value,
      extensions: [
        nonce ? EditorView.cspNonce.of(nonce) : [],
        EditorView.contentAttributes.of({
          "aria-labelledby": label,
          "aria-describedby": described,
          spellcheck: "false",
          autocapitalize: "off",
          tabindex: "0", // it can be focused anyway; said so that this is known of what scrolls
        }),
        lineNumbers(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        history(),
        drawSelection(),
        bracketMatching(),
        closeBrackets(),
        rules(patterns),
        EditorView.domEventHandlers({ beforeinput: typeOver }),
        linter(null),
        autocompletion({ override: [following.source], selectOnOpen: false, icons: false }),
        keymap.of([
          { key: "Mod-s", run: () => (save(), true), preventDefault: true },
          { key: "Enter", run: (v) => acceptCompletion(v) || newLine(v) },
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...historyKeymap,
          ...lintKeymap,
          ...defaultKeymap, // Tab is not among them: it leaves the editor
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) {
            field.value = update.state.doc.toString();
            changed();
          } else if (update.selectionSet) {
            moved();
          }
        }),
      ],
    }),
  });
  field.hidden = true;
  document.getElementById(label).addEventListener("click", () => view.focus());

  const bound = (at) => Math.max(0, Math.min(at, view.state.doc.length));
  return {
    caret: () => view.state.selection.main.head,
    // The caret comes to stand behind the last of what is written.
    write(edits) {
      const changes = edits.map(([from, to, insert]) => ({ from: bound(from), to: bound(to), insert }));
      const made = view.state.changes(changes);
      const last = changes.reduce((a, b) => (b.from > a.from ? b : a));
      const anchor = made.mapPos(last.from, -1) + last.insert.length;
      view.dispatch({ changes: made, selection: { anchor }, userEvent: "input", scrollIntoView: true });
      view.focus();
    },
    select(start, end) {
      const selection = EditorSelection.range(bound(start), bound(end));
      view.dispatch({ selection, effects: EditorView.scrollIntoView(selection, { y: "center" }) });
      view.focus();
    },
    // What was found in a text; it is shown if that is still the text.
    told(text, caret, findings, items) {
      if (text !== view.state.doc.toString()) return;
      const diagnostics = findings.map(({ start, end, severity, message, fixes }) => ({
        from: bound(start),
        to: bound(Math.max(end, start)),
        severity: SEVERITIES.includes(severity) ? severity : "info",
        message,
        actions: fixes.map(({ title, edits }) => ({
          name: title,
          apply: () => this.write(edits),
        })),
      }));
      view.dispatch(setDiagnostics(view.state, diagnostics));
      following.told(text, caret, items);
    },
  };
}

window.RulelangEditor = { over };
