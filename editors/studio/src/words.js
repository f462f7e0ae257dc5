// The words of rules and what they are, line by line, by the patterns the page brings along: those
// of rulelang/syntax/lexemes.py, which goes on the same way from one word to the next.
import { StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { Tag } from "@lezer/highlight";

const KINDS = [
  "row", "comment", "string", "cite", "head", "keyword", "number", "name", "operator", "other",
];
const TAGS = Object.fromEntries(KINDS.map((kind) => [kind, Tag.define()]));
const STYLE = {
  style: (tags) => {
    const kind = KINDS.find((name) => tags.includes(TAGS[name]));
    return kind ? `word-${kind}` : null;
  },
};

const OPENS = ["(", "{"];
const CLOSES = [")", "}"];

// Rules as a language of the editor; `patterns` are pairs of a kind and a regular expression.
export function rules(patterns) {
  const known = patterns.map(([kind, pattern]) => [kind, new RegExp(pattern, "yu")]);

  function next(stream) {
    for (const [kind, pattern] of known) {
      pattern.lastIndex = stream.pos;
      const found = pattern.exec(stream.string);
      if (found && found[0]) {
        stream.pos += found[0].length;
        return [kind, found[0].trim()];
      }
    }
    stream.next();
    return [null, ""]; // a blank
  }

  const language = StreamLanguage.define({
    name: "rules",
    startState: () => ({ depth: 0, last: "" }),
    copyState: (state) => ({ ...state }),
    token(stream, state) {
      if (stream.sol()) {
        if (/^\S/.test(stream.string)) Object.assign(state, { depth: 0, last: "" });
        state.goesOn = state.depth > 0 || state.last === "," || state.last === "=";
      }
      const [kind, text] = next(stream);
      if (kind === null) return null;
      state.depth += OPENS.includes(text) - CLOSES.includes(text);
      if (kind !== "comment") state.last = text;
      if (kind === "head") return state.goesOn ? "name" : "head";
      return kind;
    },
    languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "{", '"'] } },
    tokenTable: TAGS,
  });
  return [language, syntaxHighlighting(STYLE)];
}
