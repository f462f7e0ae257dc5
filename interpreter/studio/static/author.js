// The author's page: fixes and what could follow are written at a click, and the caret is told.
"use strict";

const field = document.getElementById("text");
const caret = document.getElementById("caret");
let editor = null; // the editor of the bundle, where there is one

const STILL = 2500; // milliseconds in which nothing is written before it is looked at in play
const PAUSE = 300; // milliseconds in which the caret stands still before it is asked for

function changed() {
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

// Write in the text: [start, end, text] each, counted in the text as it is.
function write(edits) {
  if (editor) {
    editor.write(edits);
    return;
  }
  const sorted = [...edits].sort((a, b) => b[0] - a[0]);
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
  waiting = setTimeout(act, PAUSE);
}

// What stands on the page of a text, for the editor to show in it.
function findings() {
  return [...document.querySelectorAll("#findings .finding")].map((finding) => {
    const at = finding.querySelector(".at");
    const said = [finding.querySelector("h3 span"), ...finding.querySelectorAll("li")];
    return {
      start: Number(at.dataset.start),
      end: Number(at.dataset.end),
      severity: finding.dataset.severity,
      message: said.map((line) => line.textContent).join("\n"),
      fixes: [...finding.querySelectorAll(".mend")].map((mend) => ({
        title: mend.textContent,
        edits: JSON.parse(mend.value),
      })),
    };
  });
}

function following() {
  return [...document.querySelectorAll("#following .follow")].map((button) => {
    const [[start, end, text]] = JSON.parse(button.value);
    return [start, end, text, button.dataset.label, button.dataset.detail];
  });
}

// Cards that can be played are looked at in play once nobody writes any more.
let studied = null;
let study = 0;
function playedSoon(text) {
  clearTimeout(study);
  if (text === studied || !document.querySelector("#cards .written")) return;
  if (document.querySelector("#findings .error, #findings .bad")) return;
  study = setTimeout(() => {
    studied = text;
    document.getElementById("study").dispatchEvent(new Event("study"));
  }, STILL);
}

// A text has been read: the findings on the page are of this text and caret, whatever is written now.
let read = null;
document.addEventListener("htmx:afterSettle", (event) => {
  const { xhr, requestConfig } = event.detail;
  if (!requestConfig || xhr === read || !/\/(look|save)$/.test(requestConfig.path)) return;
  read = xhr;
  const { text, caret } = requestConfig.parameters;
  playedSoon(text);
  editor?.told(text, Number(caret), findings(), following());
});

if (field) {
  field.addEventListener("input", () => document.getElementById("message").replaceChildren());
  if (window.RulelangEditor) {
    editor = window.RulelangEditor.over(field, {
      patterns: JSON.parse(field.dataset.patterns),
      label: "text-label",
      described: "text-help",
      nonce: document.querySelector("meta[name=style-nonce]").content,
      changed: () => {
        told();
        changed();
      },
      moved: () => later(moved),
      save: () => document.getElementById("save")?.click(),
      ask: () => {
        told();
        field.dispatchEvent(new Event("look"));
      },
    });
    document.getElementById("text-help").hidden = false;
    editor.told(field.value, editor.caret(), findings(), following());
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
