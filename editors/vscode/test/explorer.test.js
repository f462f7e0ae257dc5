// Scenarios as tests, against a stub of the editor and of the server.
"use strict";

const assert = require("node:assert");
const test = require("node:test");
const { Explorer } = require("../src/explorer");
const { makeEditor } = require("./stub");

const range = (line) => ({ start: { line, character: 0 }, end: { line: line + 2, character: 5 } });
const FILE = "file:///nowhere/game/a.rules";

/** An explorer over these scenarios by file; `outcomes` answers for their titles. */
function explorerOver(files, outcomes = {}) {
  const { vscode, seen, events } = makeEditor();
  const asked = [];
  const ask = async (method, params) => {
    asked.push([method, params]);
    if (method === "rules/runScenario") {
      const found = outcomes[params.title];
      if (found instanceof Error) throw found;
      return found || { status: "passed", message: "", failures: [] };
    }
    const all = Object.entries(files).flatMap(([uri, scenarios]) => scenarios.map((one) => ({ uri, ...one })));
    return params.uri ? all.filter((one) => one.uri === params.uri) : all;
  };
  return { explorer: new Explorer(vscode, ask, "rulelang"), vscode, seen, events, asked, files };
}

const two = () => ({
  [FILE]: [
    { title: "first", cites: ["A-1", "A-2"], range: range(4) },
    { title: "second", cites: [], range: range(8) },
  ],
  "file:///nowhere/b.rules": [{ title: "first", cites: [], range: range(0) }],
});

test("scenarios are listed under their files, with their lines and what they cite", async () => {
  const { explorer, seen } = explorerOver(two());
  await seen.controller.resolveHandler(undefined);
  const items = [...seen.controller.items.values()];
  assert.deepStrictEqual(items.map((one) => one.label), ["game/a.rules", "b.rules"]);
  const [first, second] = items[0].children.values();
  assert.deepStrictEqual([first.label, first.description, second.label], ["first", "A-1, A-2", "second"]);
  assert.strictEqual(first.range.start.line, 4);
  assert.strictEqual(new Set(items.flatMap((one) => [...one.children.keys()])).size, 3);
  explorer.dispose();
});

test("all are run one by one, and a failure stands at its line with both sides", async () => {
  const failure = { line: 6, message: "expected: x is 1; it is 2", expected: "x is 1", found: "x is 2", range: range(5) };
  const plain = { line: 6, message: "it cannot be", expected: "", found: "", range: range(6) };
  const { explorer, seen } = explorerOver(two(), { second: { status: "failed", message: "", failures: [failure, plain] } });
  await explorer.refresh();
  const [[label, kind, handler, isDefault]] = seen.controller.profiles;
  assert.deepStrictEqual([label, kind, isDefault], ["Run scenarios", 1, true]);
  await handler({}, { isCancellationRequested: false });
  const [run] = seen.runs;
  assert.ok(run.ended);
  assert.deepStrictEqual(run.told.filter(([what]) => what !== "failed").map((one) => one.join(" ")), [
    "enqueued first",
    "enqueued second",
    "enqueued first",
    "started first",
    "passed first",
    "started second",
    "started first",
    "passed first",
  ]);
  const [, , [both, single]] = run.told.find(([what]) => what === "failed");
  assert.deepStrictEqual([both.expectedOutput, both.actualOutput], ["x is 1", "x is 2"]);
  assert.strictEqual(both.location.range.start.line, 5);
  assert.deepStrictEqual([single.message, single.expectedOutput], ["it cannot be", undefined]);
  explorer.dispose();
});

test("one is run alone, what is excluded is not, and a file runs what is in it", async () => {
  const { explorer, seen, asked } = explorerOver(two());
  await explorer.refresh();
  const file = seen.controller.items.get(FILE);
  const [first, second] = file.children.values();
  await explorer.run({ include: [second] });
  await explorer.run({ include: [file, first], exclude: [second] });
  const titles = asked.filter(([method]) => method === "rules/runScenario").map(([, params]) => params);
  assert.deepStrictEqual(titles, [
    { uri: FILE, title: "second" },
    { uri: FILE, title: "first" },
  ]);
  explorer.dispose();
});

test("a run that is stopped skips the rest, and a server that fails is told of", async () => {
  const { explorer, seen } = explorerOver(two(), { first: new Error("gone"), second: { status: "unknown", message: "there is none" } });
  await explorer.refresh();
  await explorer.run({}, { isCancellationRequested: true });
  assert.deepStrictEqual(seen.runs[0].told.slice(3).map(([what]) => what), ["skipped", "skipped", "skipped"]);
  await explorer.run({ include: [seen.controller.items.get(FILE)] });
  const told = seen.runs[1].told.filter(([what]) => what === "errored").map(([, , found]) => found.message);
  assert.deepStrictEqual(told, ["It could not be run: gone", "there is none"]);
  explorer.dispose();
});

test("an edit lists the scenarios of its file anew, and the others stay as they are", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { explorer, vscode, seen, events, files, asked } = explorerOver(two());
  await explorer.refresh();
  const [kept] = seen.controller.items.get(FILE).children.values();
  files[FILE] = [files[FILE][0], { title: "first", cites: [], range: range(20) }];
  const document = { languageId: "rulelang", uri: vscode.Uri.parse(FILE) };
  events.changed.fire({ document });
  events.changed.fire({ document });
  events.changed.fire({ document: { ...document, languageId: "markdown" } });
  t.mock.timers.tick(300);
  await new Promise(setImmediate);
  assert.deepStrictEqual(asked.slice(1), [["rules/scenarios", { uri: FILE }]]);
  const children = [...seen.controller.items.get(FILE).children.values()];
  assert.deepStrictEqual(children.map((one) => one.label), ["first", "first"], "two of one title are two");
  assert.strictEqual(children[0], kept);
  delete files[FILE];
  events.deleted.fire({ files: [vscode.Uri.parse("file:///nowhere/game")] });
  t.mock.timers.tick(300);
  await new Promise(setImmediate);
  assert.deepStrictEqual([...seen.controller.items.keys()], ["file:///nowhere/b.rules"]);
  files["file:///nowhere/c.rules"] = [{ title: "new", cites: [], range: range(0) }];
  seen.watchers[0].created.fire(vscode.Uri.parse("file:///nowhere/c.rules"));
  t.mock.timers.tick(300);
  await new Promise(setImmediate);
  assert.deepStrictEqual([...seen.controller.items.keys()].pop(), "file:///nowhere/c.rules");
  explorer.dispose();
});
