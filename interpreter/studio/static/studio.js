// What the pages do beyond plain forms: clicks on the board, what stays open, and the connection.
"use strict";

const OPTION = (id) => document.getElementById(id);

function offered(target) {
  return (target.dataset.options || "").split(" ").filter(Boolean);
}

function lit(found) {
  document.querySelectorAll(".lit").forEach((e) => e.classList.remove("lit"));
  found.forEach((e) => e && e.classList.add("lit"));
}

function sitesOf(ids) {
  const open = [...document.querySelectorAll(".target.open")];
  return open.filter((t) => offered(t).some((id) => ids.includes(id)));
}

// A site of several options picks these; a click on a second one picks among them, as a goal after a piece.
let picked = { key: "", ids: [] };
function asked() {
  const key = document.querySelector("#answer input[name=key]");
  return key ? key.value : "";
}
function pick(target, ids) {
  picked = { key: asked(), ids };
  document.querySelectorAll(".picked, .reach").forEach((e) => e.classList.remove("picked", "reach"));
  if (!ids.length) return;
  sitesOf(ids).forEach((t) => t.classList.add("reach"));
  ids.map(OPTION).forEach((e) => (e.closest("label") || e).classList.add("reach"));
  target.classList.add("picked");
}
function clickedOpen(target) {
  const here = offered(target).filter(OPTION);
  const both = picked.key === asked() ? here.filter((id) => picked.ids.includes(id)) : [];
  const found = both.length && both.length < picked.ids.length ? both : here;
  if (found.length === 1) {
    pick(target, []);
    OPTION(found[0]).click();
  } else if (found.length > 1) {
    pick(target, found);
    const parts = (t) => found.some((id) => !offered(t).includes(id));
    if (!sitesOf(found).some(parts)) {  // no site tells them apart: the list does
      OPTION(found[0]).focus();
      OPTION(found[0]).scrollIntoView({ block: "nearest" });
    }
  }
}

// What is refused there, or is not in the list.
function clickedValue(target) {
  const form = document.getElementById("elsewhere");
  if (form) {
    form.elements.value.value = target.dataset.value;
    form.requestSubmit();
  }
}

document.addEventListener("click", (event) => {
  const target = event.target.closest && event.target.closest(".target");
  if (target) {
    if (target.dataset.value) clickedValue(target);
    else clickedOpen(target);
  }
  if (event.target.matches && event.target.matches("input.link")) event.target.select();
});

// What options bring is worked out when one of them is first pointed at. Options that are gone when the
// answer comes are passed over.
async function weigh() {
  const options = document.getElementById("weigh");
  if (!options || options.dataset.asked) return;
  options.dataset.asked = "yes";
  const answer = await fetch(options.dataset.brings).catch(() => null);
  if (!answer || !answer.ok) return;
  const told = document.createElement("template");
  told.innerHTML = await answer.text();
  told.content.querySelectorAll(".brings").forEach((brought) => {
    const there = document.getElementById(brought.id);
    if (there) there.textContent = brought.textContent;
  });
  titled();
}
function titled() {
  document.querySelectorAll(".target.open title").forEach((title) => {
    const [id, ...others] = offered(title.parentNode);
    const option = OPTION(id);
    if (option && !others.length) title.textContent = option.textContent.trim().replace(/\s+/g, " ");
  });
}

// An option and its sites are shown together.
function show(event) {
  const option = event.target.closest && event.target.closest(".option");
  const target = event.target.closest && event.target.closest(".target.open");
  if (option || target) weigh();
  if (option) {
    const control = option.matches("button") ? option : option.querySelector("[id]");
    lit(sitesOf([control.id]));
  } else if (target) {
    lit(offered(target).map(OPTION).map((e) => e && (e.closest("label") || e)));
  }
}
document.addEventListener("mouseover", show);
document.addEventListener("focusin", show);

// What was open stays open and what had the focus keeps it when a part of the page is renewed.
let kept = null;
function keep() {
  const active = document.activeElement;
  kept = {
    focus: active && active !== document.body ? active.id : "",
    open: [...document.querySelectorAll("details[open][id]")].map((e) => e.id),
  };
}
function restore() {
  if (!kept) return;
  kept.open.forEach((id) => {
    const found = document.getElementById(id);
    if (found) found.open = true;
  });
  if (kept.focus && (!document.activeElement || document.activeElement === document.body)) {
    const found = document.getElementById(kept.focus) || document.getElementById("main");
    found.focus({ preventScroll: true });
  }
  kept = null;
}
// Of a board only what changed is sent: it takes the place of what stood there.
function redraw() {
  const drawn = document.querySelectorAll("#redrawn > svg");
  drawn.forEach((svg) => {
    const at = document.getElementById(svg.dataset.at);
    if (at) at.replaceChildren(...svg.childNodes);
    svg.remove();
  });
  const letters = document.querySelector("#letters[open] #letters-drawn");
  if (drawn.length && letters) htmx.trigger(letters, "renew");
}
document.addEventListener("htmx:wsAfterMessage", redraw);
document.addEventListener("htmx:afterSettle", titled);

// A page that is connected again says what it shows, and is sent nothing if that is how it stands.
function seen() {
  const status = document.getElementById("status");
  return (status && status.dataset.seen) || "";
}
if (window.htmx) {
  htmx.createWebSocket = (url) => new WebSocket(`${url}?seen=${encodeURIComponent(seen())}`, []);
}

// What is new is read aloud: parts of a page that are exchanged as a whole would not be, or all of them anew.
const READ = ["#status .now", "#answer legend", "#chat li:last-child"];
function words(css) {
  const found = document.querySelector(css);
  return found ? found.textContent.trim().replace(/\s+/g, " ") : "";
}
let heard = READ.map(words);
function hear() {
  const now = READ.map(words);
  const news = now.filter((said, place) => said && said !== heard[place]);
  heard = now;
  const line = document.getElementById("heard");
  if (line && news.length) line.textContent = news.join(" ");
}
document.addEventListener("htmx:wsAfterMessage", hear);
document.addEventListener("htmx:afterSettle", hear);

document.addEventListener("htmx:wsBeforeMessage", keep);
document.addEventListener("htmx:wsAfterMessage", restore);
document.addEventListener("htmx:beforeSwap", keep);
document.addEventListener("htmx:afterSettle", restore);
document.addEventListener("htmx:afterRequest", (event) => {
  const form = event.target;
  if (event.detail.successful && form.matches && form.matches("form.say")) form.reset();
});

function connected(is) {
  const line = document.getElementById("connection");
  if (line) line.hidden = is;
}
document.addEventListener("htmx:wsOpen", () => connected(true));
document.addEventListener("htmx:wsClose", () => connected(false));
document.addEventListener("htmx:wsError", () => connected(false));
document.addEventListener("htmx:sendError", () => connected(false));
