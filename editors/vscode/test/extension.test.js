// The extension against a stub of the editor: it finds the server, starts it, or says why not, and
// each command does what it says.
"use strict";

const assert = require("node:assert");
const Module = require("node:module");
const path = require("node:path");
const test = require("node:test");
const { candidates, find } = require("../src/finding");
const { makeEditor, opened } = require("./stub");

const { vscode, seen } = makeEditor();
const started = [];
const answers = {};
class LanguageClient {
  constructor(...given) {
    this.given = given;
  }
  async start() {
    started.push(this.given);
  }
  needsStop() {
    return true;
  }
  async stop() {
    started.pop();
  }
  async sendRequest(method, params, ...more) {
    assert.ok(!more.includes(undefined));
    return answers[method] ? answers[method](params) : null;
  }
}
const load = Module._load;
Module._load = (name, ...rest) =>
  name === "vscode" ? vscode : name === "vscode-languageclient/node" ? { LanguageClient } : load(name, ...rest);
const extension = require("../src/extension");
const manifest = require("../package.json");

test("what the settings name is tried alone, an environment only in a trusted folder", () => {
  const where = { command: "", folders: ["/a"], trusted: true, windows: false };
  assert.deepStrictEqual(candidates({ ...where, command: "x" }), ["x"]);
  assert.deepStrictEqual(candidates(where), ["/a/.venv/bin/rulelang", "/a/venv/bin/rulelang", "rulelang"]);
  assert.deepStrictEqual(candidates({ ...where, trusted: false }), ["rulelang"]);
  assert.deepStrictEqual(candidates({ ...where, trusted: false, windows: true }), ["rulelang.exe"]);
});

test("a program that cannot serve is told of", async () => {
  const old = await find(["gone", "old"], async (program, args) => ({
    status: program === "gone" ? null : args[0] === "lsp" ? 2 : 0,
  }));
  assert.match(old.why, /old is too old/);
  const none = await find(["gone"], async () => ({ status: null }));
  assert.match(none.why, /pip install "rulelang\[desk\]"/);
});

test("without a server the extension says what installs one, and starts nothing", async () => {
  seen.setting = "/nowhere/rulelang";
  const context = { subscriptions: [], extensionUri: vscode.Uri.file("/extension") };
  await extension.activate(context);
  assert.strictEqual(started.length, 0);
  assert.match(seen.said.pop(), /\/nowhere\/rulelang.*rulelang\.command/);
  await seen.commands.get("rulelang.terminal")("/nowhere/a.rules", "play");
  assert.strictEqual(seen.tasks.length, 0);
  assert.ok(context.subscriptions.every((one) => typeof one.dispose === "function"));
});

test("with a server it is started for files of rules, and anew when asked to", async () => {
  seen.setting = path.join(__dirname, "serving.sh");
  await seen.commands.get("rulelang.restart")();
  const [[id, , server, client]] = started;
  assert.strictEqual(id, "rulelang");
  assert.deepStrictEqual(server, { command: seen.setting, args: ["lsp"] });
  assert.deepStrictEqual(client.documentSelector, [{ language: "rulelang" }]);
  assert.deepStrictEqual(client.initializationOptions, { terminal: true });
});

test("every command of the package is there", () => {
  for (const { command } of manifest.contributes.commands) assert.ok(seen.commands.has(command), command);
  for (const { command } of manifest.contributes.menus["editor/title"]) assert.ok(seen.commands.has(command), command);
});

test("a lens for the terminal runs the program on what is saved, without a shell", async () => {
  await seen.commands.get("rulelang.terminal")("/nowhere/game/a.rules", "witness", "game", 'A "card"; rm');
  const task = seen.tasks.pop();
  const { process, args, options } = task.execution;
  assert.deepStrictEqual([process, args], [seen.setting, ["witness", "game", 'A "card"; rm']]);
  assert.deepStrictEqual([options.cwd, seen.saved, task.name], ["/nowhere", 1, "rulelang witness"]);
  assert.strictEqual(task.definition.type, manifest.contributes.taskDefinitions[0].type);
  await seen.commands.get("rulelang.terminal")("/elsewhere/b.rules", "coverage", "game", "--statement", "X-1");
  assert.strictEqual(seen.tasks.pop().execution.options.cwd, "/elsewhere");
});

test("a diff asks for the other text, and is not made without one", async () => {
  seen.typed = " Soup ";
  await seen.commands.get("rulelang.diff")("/nowhere/a.rules", "kitchen", "Roast");
  assert.deepStrictEqual(seen.tasks.pop().execution.args, ["diff", "kitchen", "Roast", "Soup"]);
  seen.typed = undefined;
  await seen.commands.get("rulelang.diff")("/nowhere/a.rules", "kitchen", "Roast");
  assert.strictEqual(seen.tasks.length, 0);
});

test("what stands at the cursor is run by its own command", async () => {
  const play = { title: "Play from here", command: "rulelang.terminal", arguments: ["/nowhere/a.rules", "play", "a", "--line", "4"] };
  const other = { title: "Coverage of A-1", command: "rulelang.terminal", arguments: ["/nowhere/a.rules", "coverage", "a"] };
  let asked;
  answers["rules/commands"] = (params) => ((asked = params), [other, play]);
  vscode.window.activeTextEditor = opened("/nowhere/a.rules", "x\ny", 1);
  await seen.commands.get("rulelang.playHere")();
  assert.deepStrictEqual(seen.tasks.pop().execution.args, ["play", "a", "--line", "4"]);
  assert.deepStrictEqual(asked, { textDocument: { uri: "file:///nowhere/a.rules" }, position: { line: 1, character: 0 } });
  seen.picked = 0;
  await seen.commands.get("rulelang.runHere")();
  assert.deepStrictEqual(seen.tasks.pop().execution.args, ["coverage", "a"]);
  answers["rules/commands"] = () => [other];
  await seen.commands.get("rulelang.playHere")();
  assert.match(seen.said.pop(), /no scenario/);
});

test("the lens of a scenario runs it as a test", async () => {
  const listed = { uri: "file:///nowhere/a.rules", title: "one", cites: [], range: { start: { line: 3, character: 0 }, end: { line: 5, character: 1 } } };
  answers["rules/scenarios"] = () => [listed];
  answers["rules/runScenario"] = () => ({ status: "passed", failures: [] });
  const { middleware } = started[0][3];
  await middleware.executeCommand("rulelang.runScenario", ["/nowhere/a.rules", "one"], assert.fail);
  assert.deepStrictEqual(seen.runs.pop().told.at(-1), ["passed", "one"]);
  await middleware.executeCommand("rulelang.runScenario", ["/nowhere/a.rules", "two"], assert.fail);
  assert.match(seen.said.pop(), /no scenario “two”/);
  assert.strictEqual(middleware.executeCommand("another", [1], (...given) => given.join()), "another,1");
});

test("a citation is looked for, and the server stops with the extension", async () => {
  await seen.commands.get("rulelang.showStatement")("/nowhere/a.rules", "KI-001");
  assert.strictEqual(seen.executed.pop()[1].query, "KI-001");
  await extension.deactivate();
  assert.strictEqual(started.length, 0);
});
