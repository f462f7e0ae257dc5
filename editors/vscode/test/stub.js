// A stub of the editor's API: what the extension asks of it is kept, and events are fired by tests.
"use strict";

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}

class Range {
  constructor(line, character, endLine, endCharacter) {
    this.start = new Position(line, character);
    this.end = new Position(endLine, endCharacter);
  }
}

class Uri {
  static file(path) {
    return new Uri(`file://${path}`);
  }
  static parse(text) {
    return new Uri(text);
  }
  static joinPath(base, ...parts) {
    return new Uri([base.text, ...parts].join("/"));
  }
  constructor(text) {
    this.text = text;
  }
  get fsPath() {
    return this.text.replace("file://", "");
  }
  toString() {
    return this.text;
  }
}

class Items extends Map {
  replace(items) {
    this.clear();
    items.forEach((one) => this.add(one));
  }
  add(item) {
    this.set(item.id, item);
  }
  forEach(does) {
    [...this.values()].forEach(does);
  }
}

class TestMessage {
  constructor(message) {
    this.message = message;
  }
  static diff(message, expectedOutput, actualOutput) {
    return Object.assign(new TestMessage(message), { expectedOutput, actualOutput });
  }
}

class Event {
  constructor() {
    this.heard = [];
    this.on = (does) => {
      this.heard.push(does);
      return { dispose: () => this.heard.splice(this.heard.indexOf(does), 1) };
    };
  }
  fire(given) {
    this.heard.slice().forEach((does) => does(given));
  }
}

/** An editor without anything open; `seen` is what the extension did with it. */
function makeEditor() {
  const seen = { said: [], commands: new Map(), executed: [], tasks: [], runs: [], panels: [], watchers: [], saved: 0 };
  const events = {};
  const on = (name) => (events[name] = new Event()).on;
  const nothing = { dispose() {} };
  const vscode = {
    Uri,
    Range,
    Position,
    TestMessage,
    Location: class {
      constructor(uri, range) {
        Object.assign(this, { uri, range });
      }
    },
    TestRunRequest: class {
      constructor(include, exclude) {
        Object.assign(this, { include, exclude });
      }
    },
    ProcessExecution: class {
      constructor(process, args, options) {
        Object.assign(this, { process, args, options });
      }
    },
    Task: class {
      constructor(definition, scope, name, source, execution) {
        Object.assign(this, { definition, scope, name, source, execution });
      }
    },
    TaskPanelKind: { Dedicated: 2 },
    TaskScope: { Workspace: 2 },
    TestRunProfileKind: { Run: 1 },
    ViewColumn: { Beside: -2 },
    workspace: {
      workspaceFolders: [{ uri: Uri.file("/nowhere") }],
      isTrusted: true,
      getConfiguration: () => ({ get: () => seen.setting || "" }),
      createFileSystemWatcher: (pattern) => {
        const [created, changed, deleted] = [new Event(), new Event(), new Event()];
        seen.watchers.push({ pattern, created, changed, deleted });
        return { pattern, onDidCreate: created.on, onDidChange: changed.on, onDidDelete: deleted.on, ...nothing };
      },
      getWorkspaceFolder: (uri) => (uri.fsPath.startsWith("/nowhere/") ? { uri: Uri.file("/nowhere") } : undefined),
      asRelativePath: (uri) => uri.fsPath.replace("/nowhere/", ""),
      saveAll: async () => void (seen.saved += 1),
      onDidOpenTextDocument: on("opened"),
      onDidChangeTextDocument: on("changed"),
      onDidDeleteFiles: on("deleted"),
      onDidRenameFiles: on("renamed"),
    },
    window: {
      showErrorMessage: async (text) => void seen.said.push(text),
      showWarningMessage: async (text) => void seen.said.push(text),
      showInformationMessage: async (text) => void seen.said.push(text),
      showInputBox: async () => seen.typed,
      showQuickPick: async (items) => items[seen.picked],
      onDidChangeTextEditorSelection: on("moved"),
      onDidChangeActiveTextEditor: on("switched"),
      createWebviewPanel: (...given) => {
        const panel = {
          given,
          sent: [],
          reveals: 0,
          reveal: () => (panel.reveals += 1),
          onDidDispose: (does) => (panel.gone = does),
          dispose: () => panel.gone(),
          webview: {
            asWebviewUri: (uri) => uri,
            onDidReceiveMessage: (does) => (panel.receive = does),
            postMessage: async (message) => void panel.sent.push(message),
          },
        };
        seen.panels.push(panel);
        return panel;
      },
    },
    commands: {
      registerCommand: (name, run) => (seen.commands.set(name, run), nothing),
      executeCommand: async (name, ...given) => {
        seen.executed.push([name, ...given]);
        return seen.commands.has(name) ? seen.commands.get(name)(...given) : undefined;
      },
    },
    tasks: { executeTask: async (task) => void seen.tasks.push(task) },
    tests: {
      createTestController: (id, label) => {
        const made = {
          id,
          label,
          items: new Items(),
          profiles: [],
          createTestItem: (name, text, uri) => ({ id: name, label: text, uri, children: new Items() }),
          createRunProfile: (...given) => void made.profiles.push(given),
          createTestRun: () => {
            const run = { ended: false, told: [] };
            for (const what of ["enqueued", "started", "skipped", "passed", "failed", "errored"]) {
              run[what] = (item, found) => run.told.push([what, item.label, ...(Array.isArray(found) || found instanceof TestMessage ? [found] : [])]);
            }
            run.end = () => (run.ended = true);
            seen.runs.push(run);
            return run;
          },
          dispose() {},
        };
        seen.controller = made;
        return made;
      },
    },
  };
  return { vscode, seen, events };
}

/** A document of rules, open in an editor with its cursor on a line. */
function opened(path, text, line = 0) {
  const lines = text.split("\n");
  const document = { uri: Uri.file(path), languageId: "rulelang", lineAt: (number) => ({ text: lines[number] }) };
  return { document, selection: { active: new Position(line, 0) } };
}

module.exports = { Event, makeEditor, opened };
