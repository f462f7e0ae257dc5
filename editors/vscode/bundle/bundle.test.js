// The extension as it is packaged, its own client in it, against a real server: where EXTENSION is
// unpacked, with the program RULELANG. Of the editor there is only what a stub gives.
"use strict";

const assert = require("node:assert");
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { tmpdir } = require("node:os");
const path = require("node:path");
const test = require("node:test");
const { Event, makeEditor } = require("../test/stub");

const ROWS = path.join(__dirname, "../../../tests/good/tic_tac_toe/tic_tac_toe.rules");

/** Whatever the client wants of the editor and the stub has not: a class, a function, and all its members. */
function anything() {
  const made = class {
    dispose() {}
  };
  return new Proxy(made, {
    get: (target, name) => {
      if (name === "prototype" || name in target) return target[name];
      if (name === Symbol.toPrimitive) return () => 0;
      return (target[name] = anything());
    },
    apply: () => anything(),
  });
}

function withAnything(target) {
  return new Proxy(target, { get: (known, name) => (name in known ? known[name] : (known[name] = anything())) });
}

test("the packaged extension starts the server, lists its scenarios and runs them", { timeout: 300000 }, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "rulelang-"));
  const file = path.join(folder, "rows.rules");
  writeFileSync(file, readFileSync(ROWS, "utf8").replace("winners = {p1}", "winners = {p2}"));
  const { vscode, seen } = makeEditor();
  const uri = vscode.Uri.file(folder);
  Object.defineProperties(Object.getPrototypeOf(uri), {
    scheme: { value: "file" },
    path: { get: () => folder },
  });
  seen.setting = process.env.RULELANG;
  Object.assign(vscode.workspace, { workspaceFolders: [{ uri, name: "rows", index: 0 }], textDocuments: [], notebookDocuments: [] });
  Object.assign(vscode.window, { tabGroups: { all: [], onDidChangeTabs: () => ({ dispose() {} }) }, visibleTextEditors: [] });
  vscode.EventEmitter = class extends Event {
    get event() {
      return this.on;
    }
    dispose() {}
  };
  vscode.Disposable = class {
    constructor(dispose = () => {}) {
      this.dispose = dispose;
    }
  };
  vscode.version = "1.82.0";
  vscode.env = withAnything({ appName: "stub", language: "en" });
  vscode.workspace = withAnything(vscode.workspace);
  vscode.window = withAnything(vscode.window);
  vscode.commands = withAnything(vscode.commands);
  const whole = withAnything(vscode);
  const load = Module._load;
  Module._load = (name, ...rest) => (name === "vscode" ? whole : load(name, ...rest));
  const unpacked = process.env.EXTENSION;
  const extension = require(path.join(unpacked, require(path.join(unpacked, "package.json")).main));
  try {
    await extension.activate({ subscriptions: [], extensionUri: vscode.Uri.file(unpacked) });
    await seen.controller.refreshHandler();
    const [item] = [...seen.controller.items.values()];
    assert.deepStrictEqual(
      [...item.children.values()].map((one) => one.label),
      ["the top row wins", "a taken cell is refused", "a full board without a row is shared"],
    );
    await seen.controller.profiles[0][2]({});
    const told = seen.runs[0].told.filter(([what]) => what === "passed" || what === "failed");
    assert.deepStrictEqual(told.map(([what]) => what), ["failed", "passed", "passed"]);
    const [message] = told[0][2];
    assert.match(message.expectedOutput, /player 2/);
    assert.strictEqual(message.location.range.start.line, 39);
  } finally {
    await extension.deactivate();
    rmSync(folder, { recursive: true });
  }
});
