// The client: it starts `rulelang lsp` for files of rules, or says why it cannot.
"use strict";

const { execFile } = require("node:child_process");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { candidates, find } = require("./finding");

const SETTINGS = "Open the settings";
let client;

function run(program, args) {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: 20000 }, (error) => {
      resolve(error ? { status: typeof error.code === "number" ? error.code : null, error: String(error) } : { status: 0 });
    });
  });
}

async function start() {
  const folders = (vscode.workspace.workspaceFolders || []).map((folder) => folder.uri.fsPath);
  const command = vscode.workspace.getConfiguration("rulelang").get("command", "").trim();
  const trusted = vscode.workspace.isTrusted;
  const { program, why } = await find(
    candidates({ command, folders, trusted, windows: process.platform === "win32" }),
    run,
  );
  if (!program) {
    const chosen = await vscode.window.showErrorMessage(why, SETTINGS);
    if (chosen === SETTINGS) await vscode.commands.executeCommand("workbench.action.openSettings", "rulelang.command");
    return;
  }
  client = new LanguageClient(
    "rulelang",
    "Rulelang",
    { command: program, args: ["lsp"] },
    {
      documentSelector: [{ language: "rulelang" }],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/{*.rules,rulebook.md}") },
    },
  );
  await client.start();
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) await running.stop();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("rulelang.restart", async () => {
      await stop();
      await start();
    }),
    // Above a line that cites: the statements themselves are shown by hover; here the search opens.
    vscode.commands.registerCommand("rulelang.showStatement", (_path, ...cites) =>
      vscode.commands.executeCommand("workbench.action.findInFiles", { query: cites[0], triggerSearch: true }),
    ),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
