// The preview of boards: its page lets nothing in, and it follows the cursor.
"use strict";

const assert = require("node:assert");
const test = require("node:test");
const { body, page } = require("../src/page");
const { Preview } = require("../src/preview");
const { makeEditor, opened } = require("./stub");

const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg"><text>é</text></svg>';
const scene = (more) => ({ picture: PICTURE, places: {}, state: {}, asked: [], ...more });
const shown = (more) => ({ title: "one", number: 1, count: 3, step: null, failures: [], why: "", before: scene(), after: scene(), ...more });

test("the frame lets in its own script and style by their nonce, and images that are data", () => {
  const made = page({ nonce: "abc", script: "vscode://x/preview.js", style: "vscode://x/preview.css" });
  const [, policy] = made.match(/Content-Security-Policy" content="([^"]*)"/);
  assert.strictEqual(policy, "default-src 'none'; img-src data:; style-src 'nonce-abc'; script-src 'nonce-abc'");
  assert.strictEqual((made.match(/<script/g) || []).length, 1);
  assert.strictEqual((made.match(/nonce="abc"/g) || []).length, 2);
});

test("a step shows both positions, and marks what it changed", () => {
  const before = scene({ places: { "hand of p1": ["Soup", "Soup", "Roast"] }, state: { cash_box: { "player 1": 2 } } });
  const after = scene({ places: { "hand of p1": ["Soup", "Roast"] }, state: { cash_box: { "player 1": 2 } }, asked: ["p2: action"] });
  const made = body(shown({ before, after }), "play p1: serve(d: <Soup>)");
  assert.match(made, /step 1 of 3: <code>play p1: serve\(d: &lt;Soup&gt;\)<\/code>/);
  assert.match(made, /<tr class="changed"><th>hand of p1<\/th><td>2 × Soup, Roast<\/td>/);
  assert.match(made, /<tr><th>cash box<\/th><td>player 1: 2<\/td>/);
  assert.match(made, /<tr class="changed"><th>asked<\/th><td>p2: action<\/td>/);
  const [, data] = made.match(/src="data:image\/svg\+xml;base64,([^"]*)"/);
  assert.strictEqual(Buffer.from(data, "base64").toString("utf8"), PICTURE);
  assert.match(body(shown({ number: 0 }), ""), /at first[^]*at last/);
});

test("nothing that a text says becomes part of the page", () => {
  const bad = `"><script>alert('1')</script>`;
  const found = shown({
    title: bad,
    why: bad,
    failures: [{ line: 3, message: bad }],
    before: scene({ places: { [bad]: [bad] }, state: { [bad]: { [bad]: bad } }, asked: [bad], picture: bad }),
  });
  const made = body(found, bad);
  assert.ok(!made.includes("<script"));
  assert.ok(!made.includes('">' + "<s"));
});

test("a long place is cut, and where there is no position the reason stands alone", () => {
  const titles = Array.from({ length: 20 }, (_, number) => `card ${number}`);
  assert.match(body(shown({ before: scene({ places: { deck: titles } }) }), ""), /card 11, and 8 more/);
  const none = body(shown({ before: null, after: null, why: "its settings are refused" }), "");
  assert.match(none, /its settings are refused/);
  assert.ok(!none.includes("<table"));
  assert.match(body(null, ""), /Put the cursor into a scenario/);
});

test("the view opens once beside the text, follows the cursor, and shows the last answer alone", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { vscode, seen, events } = makeEditor();
  const waiting = [];
  const ask = (method, params) => new Promise((resolve, reject) => waiting.push({ method, params, resolve, reject }));
  const preview = new Preview(vscode, ask, vscode.Uri.file("/extension"), "rulelang");
  events.moved.fire({});
  t.mock.timers.tick(120);
  assert.strictEqual(waiting.length, 0, "without the view nothing is asked");
  vscode.window.activeTextEditor = opened("/nowhere/a.rules", "a\n  play p1: b()\nc", 1);
  preview.open();
  const [panel] = seen.panels;
  assert.deepStrictEqual(panel.given[3].localResourceRoots.map(String), ["file:///extension/media"]);
  assert.match(panel.webview.html, /file:\/\/\/extension\/media\/preview\.js/);
  const [first, second] = [1, 2].map(() => panel.webview.html.match(/nonce-(\w+)/)[1]);
  assert.ok(first === second && first.length === 32);
  panel.receive("ready");
  events.moved.fire({});
  events.moved.fire({});
  t.mock.timers.tick(120);
  assert.deepStrictEqual(waiting.map((one) => one.method), ["rules/position", "rules/position"]);
  assert.deepStrictEqual(waiting[0].params, { textDocument: { uri: "file:///nowhere/a.rules" }, position: { line: 1, character: 0 } });
  waiting[1].resolve(shown({ title: "later", step: { start: { line: 1 } } }));
  await new Promise(setImmediate);
  waiting[0].resolve(shown({ title: "earlier" }));
  await new Promise(setImmediate);
  assert.strictEqual(panel.sent.length, 1);
  assert.match(panel.sent[0].body, /<h1>later<\/h1>[^]*play p1: b\(\)/);
  assert.strictEqual(panel.title, "later");
  preview.open();
  assert.deepStrictEqual([seen.panels.length, panel.reveals], [1, 1]);
  events.changed.fire({});
  t.mock.timers.tick(120);
  waiting[2].reject(new Error("gone"));
  await new Promise(setImmediate);
  assert.match(panel.sent[1].body, /could not be shown: gone/);
  preview.dispose();
  events.moved.fire({});
  t.mock.timers.tick(120);
  assert.strictEqual(waiting.length, 3);
});
