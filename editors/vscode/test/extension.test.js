// The extension against a stub of the editor: it finds the server, starts it, or says why not.
"use strict";

const assert = require("node:assert");
const Module = require("node:module");
const path = require("node:path");
const test = require("node:test");
const { candidates, find } = require("../src/finding");

const said = [];
const started = [];
const commands = new Map();
let setting = "";
const vscode = {
  workspace: {
    workspaceFolders: [{ uri: { fsPath: "/nowhere" } }],
    isTrusted: true,
    getConfiguration: () => ({ get: () => setting }),
    createFileSystemWatcher: (pattern) => ({ pattern }),
  },
  window: { showErrorMessage: async (text) => void said.push(text) },
  commands: {
    registerCommand: (name, run) => (commands.set(name, run), { dispose() {} }),
    executeCommand: async (...given) => void said.push(given),
  },
};
class LanguageClient {
  constructor(...given) {
    this.given = given;
  }
  async start() {
    started.push(this.given);
  }
  async stop() {
    started.pop();
  }
}
const load = Module._load;
Module._load = (name, ...rest) =>
  name === "vscode" ? vscode : name === "vscode-languageclient/node" ? { LanguageClient } : load(name, ...rest);
const extension = require("../src/extension");

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
  setting = "/nowhere/rulelang";
  await extension.activate({ subscriptions: [] });
  assert.strictEqual(started.length, 0);
  assert.match(said.pop(), /\/nowhere\/rulelang.*rulelang\.command/);
});

test("with a server it is started for files of rules, and anew when asked to", async () => {
  setting = path.join(__dirname, "serving.sh");
  await commands.get("rulelang.restart")();
  const [[id, , server, client]] = started;
  assert.strictEqual(id, "rulelang");
  assert.deepStrictEqual(server, { command: setting, args: ["lsp"] });
  assert.deepStrictEqual(client.documentSelector, [{ language: "rulelang" }]);
  await extension.deactivate();
  assert.strictEqual(started.length, 0);
});
