// The client: it starts `rulelang lsp` for files of rules, or says why it cannot; beside what the
// protocol brings there are scenarios as tests, a preview of boards, and commands in a terminal.
"use strict";

const { execFile } = require("node:child_process");
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { Explorer } = require("./explorer");
const { candidates, find } = require("./finding");
const { Preview } = require("./preview");

const SETTINGS = "Open the settings";
const LANGUAGE = "rulelang";
let client;
let program;
let explorer;
let preview;

function run(name, args) {
  return new Promise((resolve) => {
    execFile(name, args, { timeout: 20000 }, (error) => {
      resolve(error ? { status: typeof error.code === "number" ? error.code : null, error: String(error) } : { status: 0 });
    });
  });
}

async function start() {
  const folders = (vscode.workspace.workspaceFolders || []).map((folder) => folder.uri.fsPath);
  const command = vscode.workspace.getConfiguration("rulelang").get("command", "").trim();
  const trusted = vscode.workspace.isTrusted;
  const found = await find(candidates({ command, folders, trusted, windows: process.platform === "win32" }), run);
  program = found.program;
  if (!program) {
    const chosen = await vscode.window.showErrorMessage(found.why, SETTINGS);
    if (chosen === SETTINGS) await vscode.commands.executeCommand("workbench.action.openSettings", "rulelang.command");
    return;
  }
  client = new LanguageClient(
    "rulelang",
    "Rulelang",
    { command: program, args: ["lsp"] },
    {
      documentSelector: [{ language: LANGUAGE }],
      initializationOptions: { terminal: true },
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/{*.rules,rulebook.md}") },
      // What the server would run and tell of in a message is run as a test, which tells more.
      middleware: {
        executeCommand: (name, args, next) =>
          name === "rulelang.runScenario" && explorer ? explorer.runOne(...args) : next(name, args),
      },
    },
  );
  await client.start();
  explorer.refresh();
  preview.follow();
}

async function stop() {
  const running = client;
  client = undefined;
  if (running && running.needsStop()) await running.stop(); // not if it could not be started
}

/** An answer of the server; undefined while none runs. */
async function ask(method, params, token) {
  if (!client) return undefined;
  // What comes after the parameters counts as one of them unless it is a token.
  return token ? client.sendRequest(method, params, token) : client.sendRequest(method, params);
}

/** Run the program beside a file, in a terminal and without a shell, on what is saved first. */
async function terminal(file, ...args) {
  if (!program) return;
  await vscode.workspace.saveAll(false);
  const uri = vscode.Uri.file(file);
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const cwd = folder ? folder.uri.fsPath : path.dirname(file);
  const scope = folder || vscode.TaskScope.Workspace;
  const execution = new vscode.ProcessExecution(program, args, { cwd });
  const task = new vscode.Task({ type: "rulelang", arguments: args }, scope, `rulelang ${args[0]}`, "rulelang", execution, []);
  task.presentationOptions = { focus: true, panel: vscode.TaskPanelKind.Dedicated, clear: true };
  await vscode.tasks.executeTask(task);
}

async function diff(file, game, title) {
  const other = await vscode.window.showInputBox({
    title: `Compare “${title}” with`,
    prompt: "The title of another card, or sentences",
    ignoreFocusOut: true,
  });
  if (other && other.trim()) await terminal(file, "diff", game, title, other.trim());
}

/** What can be run for the declaration in which the cursor is. */
async function commandsHere() {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.languageId !== LANGUAGE) return [];
  const { line, character } = editor.selection.active;
  const textDocument = { uri: editor.document.uri.toString() };
  return (await ask("rules/commands", { textDocument, position: { line, character } })) || [];
}

async function runHere() {
  const found = await commandsHere();
  const chosen = await vscode.window.showQuickPick(
    found.map((one) => ({ label: one.title, one })),
    { placeHolder: found.length ? "What is to be run?" : "Nothing can be run here." },
  );
  if (chosen) await vscode.commands.executeCommand(chosen.one.command, ...chosen.one.arguments);
}

async function playHere() {
  const found = (await commandsHere()).find((one) => one.command === "rulelang.terminal" && one.arguments[1] === "play");
  if (found) await vscode.commands.executeCommand(found.command, ...found.arguments);
  else vscode.window.showInformationMessage("The cursor is in no scenario to be played from.");
}

/** Above a line that cites: the statements themselves are shown by hover; here the search opens. */
function showStatement(_path, ...cites) {
  return vscode.commands.executeCommand("workbench.action.findInFiles", { query: cites[0], triggerSearch: true });
}

async function activate(context) {
  explorer = new Explorer(vscode, ask, LANGUAGE);
  preview = new Preview(vscode, ask, context.extensionUri, LANGUAGE);
  const commands = {
    "rulelang.restart": async () => {
      await stop();
      await start();
    },
    "rulelang.preview": () => preview.open(),
    "rulelang.runHere": runHere,
    "rulelang.playHere": playHere,
    "rulelang.terminal": terminal,
    "rulelang.diff": diff,
    "rulelang.showStatement": showStatement,
  };
  const registered = Object.entries(commands).map(([name, does]) => vscode.commands.registerCommand(name, does));
  context.subscriptions.push(...registered, explorer, preview);
  await start();
}

module.exports = { activate, deactivate: stop };
