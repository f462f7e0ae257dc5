// The author's page: fixes and what could follow are written at a click, and the caret is told.
"use strict";

const field = document.getElementById("text");
const caret = document.getElementById("caret");
let editor = null; // the editor of the bundle, where there is one

function changed() {
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

// Write in the text: [start, end, text] each, counted in the text as it is.
function write(edits) {
  const sorted = [...edits].sort((a, b) => b[0] - a[0]);
  const last = sorted[0];
  if (editor) {
    editor.write(edits, last[0] + last[2].length);
    return;
  }
  field.focus();
  sorted.forEach(([start, end, text]) => field.setRangeText(text, start, end, "end"));
  told();
  changed();
}

function told() {
  const place = String(editor ? editor.caret() : field.selectionStart);
  if (caret.value === place) return false;
  caret.value = place;
  return true;
}

// The caret has moved: what could follow there is asked for after a while.
function moved() {
  if (told()) field.dispatchEvent(new Event("look"));
}

function select(start, end) {
  if (editor) {
    editor.select(start, end);
  } else {
    field.focus();
    field.setSelectionRange(start, end);
  }
}

let waiting = 0;
function later(act) {
  clearTimeout(waiting);
  waiting = setTimeout(act, 300);
}

if (field) {
  field.addEventListener("input", () => document.getElementById("message").replaceChildren());
  if (window.RulelangEditor) {
    editor = window.RulelangEditor.over(field, {
      words: field.dataset.words.split(" "),
      label: document.getElementById("text-label").textContent,
      nonce: document.querySelector("meta[name=style-nonce]")?.content || "",
      changed: () => {
        told();
        changed();
      },
      moved: () => later(moved),
    });
  } else {
    field.addEventListener("input", told, true);
    for (const kind of ["keyup", "click"]) field.addEventListener(kind, () => later(moved));
    field.addEventListener("keydown", (event) => {
      if (event.key === "s" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        document.getElementById("save")?.click();
      }
    });
  }
  document.addEventListener("click", (event) => {
    const target = event.target.closest && event.target.closest(".mend, .follow, .at, .target");
    if (!target) return;
    if (target.matches(".target")) {
      const site = document.getElementById("try-site");
      site.value = target.dataset.site;
      document.getElementById("try-click").click();
      return;
    }
    event.preventDefault();
    if (target.matches(".at")) select(Number(target.dataset.start), Number(target.dataset.end));
    else write(JSON.parse(target.value));
  });
}

// What was open stays open when a part of the page is renewed, and what had the focus keeps it.
let kept = null;
document.addEventListener("htmx:beforeSwap", () => {
  const active = document.activeElement;
  const opened = [...document.querySelectorAll(".see details[open]")];
  kept = {
    focus: active && active !== document.body ? active.id : "",
    open: opened.map((e) => e.querySelector("summary").textContent),
  };
});
document.addEventListener("htmx:afterSettle", () => {
  if (!kept) return;
  document.querySelectorAll(".see details").forEach((e) => {
    if (kept.open.includes(e.querySelector("summary").textContent)) e.open = true;
  });
  if (kept.focus && (!document.activeElement || document.activeElement === document.body)) {
    document.getElementById(kept.focus)?.focus({ preventScroll: true });
  }
  kept = null;
});
