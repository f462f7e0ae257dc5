// The page of the preview as HTML: all that comes from a text of rules is escaped, and pictures are
// images, in which nothing runs.
"use strict";

const MOST = 12; // different things of one place that are named

function escaped(text) {
  const signs = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return String(text).replace(/[&<>"']/g, (sign) => signs[sign]);
}

/** The frame of the page: its one script and its one style bear the nonce, and nothing else is let in. */
function page({ nonce, script, style }) {
  const policy = `default-src 'none'; img-src data:; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" nonce="${nonce}" href="${escaped(style)}">
<title>Scenario</title>
</head>
<body>
<main id="view" aria-live="polite"></main>
<script nonce="${nonce}" src="${escaped(script)}"></script>
</body>
</html>`;
}

/**
 * What is shown of a step.
 * @param {any} found what the server answers of a place: see docs/desk.md
 * @param {string} step the first line of the step
 */
function body(found, step) {
  if (!found) return "<p>Put the cursor into a scenario to see its boards.</p>";
  const parts = [`<h1>${escaped(found.title)}</h1>`];
  if (found.why) parts.push(`<p class="why">${escaped(found.why)}</p>`);
  if (found.failures.length) {
    const told = found.failures.map((one) => `<li>line ${Number(one.line)}: ${escaped(one.message)}</li>`);
    parts.push(`<ul class="failures">${told.join("")}</ul>`);
  }
  if (!found.before || !found.after) return parts.join("\n");
  const whole = !found.number;
  parts.push(
    whole
      ? `<p class="step">${count(found.count, "step")}</p>`
      : `<p class="step">step ${Number(found.number)} of ${Number(found.count)}: <code>${escaped(step)}</code></p>`,
  );
  const [first, last] = whole ? ["at first", "at last"] : ["before", "after"];
  parts.push('<div class="scenes">', scene(first, found.before, found.after), scene(last, found.after, found.before), "</div>");
  return parts.join("\n");
}

function count(number, noun) {
  return `${Number(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** A position; what is otherwise in the other one is marked. */
function scene(name, one, other) {
  const parts = [`<section><h2>${escaped(name)}</h2>`];
  if (one.picture) {
    const data = Buffer.from(one.picture, "utf8").toString("base64");
    parts.push(`<img alt="The boards ${escaped(name)}" src="data:image/svg+xml;base64,${data}">`);
  }
  const rows = [
    ...Object.entries(one.places).map(([place, lying]) => [place, listed(lying), changed(lying, other.places[place])]),
    ...Object.entries(one.state).map(([variable, values]) => [
      variable.replace(/_/g, " "),
      written(values),
      changed(values, other.state[variable]),
    ]),
    ["asked", one.asked.join(", ") || "nobody", changed(one.asked, other.asked)],
  ];
  const made = rows.map(
    ([key, value, is]) => `<tr${is ? ' class="changed"' : ""}><th>${escaped(key)}</th><td>${escaped(value)}</td></tr>`,
  );
  parts.push(`<table>${made.join("")}</table></section>`);
  return parts.join("\n");
}

function changed(one, other) {
  return JSON.stringify(one) !== JSON.stringify(other);
}

/** Titles, alike ones together. */
function listed(titles) {
  const times = new Map();
  for (const title of titles) times.set(title, (times.get(title) || 0) + 1);
  const named = [...times].map(([title, number]) => (number > 1 ? `${number} × ${title}` : title));
  const more = named.length - MOST;
  return named.slice(0, MOST).join(", ") + (more > 0 ? `, and ${more} more` : "");
}

/** The values of a variable by whose they are. */
function written(values) {
  const told = (value) => (Array.isArray(value) ? value.map(told).join(" ") : value === null ? "none" : String(value));
  return Object.entries(values)
    .map(([whose, value]) => (whose ? `${whose}: ${told(value)}` : told(value)))
    .join(", ");
}

module.exports = { body, page };
