// Scenarios as tests: a tree of files with their scenarios, run one by one by the language server.
"use strict";

const PAUSE = 300; // milliseconds without an edit before the scenarios of a file are listed anew

class Explorer {
  /**
   * @param {typeof import("vscode")} vscode
   * @param {(method: string, params: object, token?: object) => Promise<any>} ask
   * @param {string} language
   */
  constructor(vscode, ask, language) {
    this.vscode = vscode;
    this.ask = ask;
    this.waiting = new Map();
    this.titles = new WeakMap(); // of an item: the title of its scenario
    this.controller = vscode.tests.createTestController("rulelang", "Rulelang scenarios");
    this.controller.refreshHandler = () => this.refresh();
    this.controller.resolveHandler = async (item) => {
      if (!item) await this.refresh();
    };
    this.controller.createRunProfile(
      "Run scenarios",
      vscode.TestRunProfileKind.Run,
      (request, token) => this.run(request, token),
      true,
    );
    const changed = ({ document }) => document.languageId === language && this.soon(document.uri);
    // What comes, changes or goes otherwise than by the editor; a folder that goes takes its files along.
    const watcher = vscode.workspace.createFileSystemWatcher("**/*.rules");
    watcher.onDidCreate((uri) => this.soon(uri));
    watcher.onDidChange((uri) => this.soon(uri));
    watcher.onDidDelete((uri) => this.soon(uri));
    this.parts = [
      watcher,
      this.controller,
      vscode.workspace.onDidOpenTextDocument((document) => changed({ document })),
      vscode.workspace.onDidChangeTextDocument(changed),
      vscode.workspace.onDidDeleteFiles(() => this.soon()),
      vscode.workspace.onDidRenameFiles(() => this.soon()),
    ];
  }

  /** List all scenarios of the workspace anew. */
  async refresh() {
    const found = await this.ask("rules/scenarios", {});
    if (!found) return;
    const files = new Map();
    for (const one of found) {
      if (!files.has(one.uri)) files.set(one.uri, []);
      files.get(one.uri).push(one);
    }
    this.controller.items.replace([...files].map(([uri, scenarios]) => this.file(uri, scenarios)));
  }

  /** List the scenarios of a file, or of all, anew after a pause in typing. */
  soon(uri) {
    const name = uri ? uri.toString() : "";
    const again = () => (uri ? this.refreshFile(name) : this.refresh());
    clearTimeout(this.waiting.get(name));
    this.waiting.set(name, setTimeout(() => again().catch(() => {}), PAUSE));
  }

  async refreshFile(name) {
    this.waiting.delete(name);
    const found = await this.ask("rules/scenarios", { uri: name });
    if (!found) return;
    if (found.length) this.controller.items.add(this.file(found[0].uri, found));
    else this.controller.items.delete(name);
  }

  /** The item of a file; where there is one already, it stays, with what is known of its tests. */
  file(name, scenarios) {
    const { vscode, controller } = this;
    const uri = vscode.Uri.parse(name);
    const id = uri.toString();
    const item = controller.items.get(id) || controller.createTestItem(id, vscode.workspace.asRelativePath(uri), uri);
    const times = new Map();
    const children = scenarios.map((one) => {
      const number = (times.get(one.title) || 0) + 1;
      times.set(one.title, number);
      const inner = `${id}#${one.title}#${number}`;
      const child = item.children.get(inner) || controller.createTestItem(inner, one.title, uri);
      child.range = this.range(one.range);
      child.description = one.cites.join(", ");
      this.titles.set(child, one.title);
      return child;
    });
    item.children.replace(children);
    return item;
  }

  range({ start, end }) {
    return new this.vscode.Range(start.line, start.character, end.line, end.character);
  }

  /** The scenarios that a request is about, each once, in the order of the tree. */
  wanted(request) {
    const found = new Set();
    const without = new Set(request.exclude || []);
    const add = (item) => {
      if (without.has(item)) return;
      if (this.titles.has(item)) found.add(item);
      item.children.forEach(add);
    };
    if (request.include) request.include.forEach(add);
    else this.controller.items.forEach(add);
    return found;
  }

  async run(request, token) {
    const run = this.controller.createTestRun(request);
    try {
      const wanted = this.wanted(request);
      wanted.forEach((item) => run.enqueued(item));
      for (const item of wanted) {
        if (token && token.isCancellationRequested) run.skipped(item);
        else await this.runItem(run, item, token);
      }
    } finally {
      run.end();
    }
  }

  async runItem(run, item, token) {
    const { vscode } = this;
    run.started(item);
    const began = Date.now();
    let found;
    try {
      const params = { uri: item.uri.toString(), title: this.titles.get(item) };
      found = await this.ask("rules/runScenario", params, token);
    } catch (error) {
      if (token && token.isCancellationRequested) run.skipped(item);
      else run.errored(item, new vscode.TestMessage(`It could not be run: ${error.message}`));
      return;
    }
    const took = Date.now() - began;
    if (!found || found.status === "unknown") {
      run.errored(item, new vscode.TestMessage(found ? found.message : "The language server does not run."), took);
    } else if (found.status === "passed") {
      run.passed(item, took);
    } else {
      run.failed(item, found.failures.map((one) => this.message(item, one)), took);
    }
  }

  message(item, { message, expected, found, range }) {
    const { vscode } = this;
    const both = expected && found;
    const made = both ? vscode.TestMessage.diff(message, expected, found) : new vscode.TestMessage(message);
    made.location = new vscode.Location(item.uri, this.range(range));
    return made;
  }

  /** Run the scenario of this title in a file, as its lens asks for. */
  async runOne(file, title) {
    const name = this.vscode.Uri.file(file).toString();
    await this.refreshFile(name);
    const item = this.controller.items.get(name);
    const found = [];
    if (item) item.children.forEach((child) => this.titles.get(child) === title && found.push(child));
    if (found.length) await this.run(new this.vscode.TestRunRequest(found));
    else this.vscode.window.showWarningMessage(`There is no scenario “${title}”.`);
  }

  dispose() {
    this.waiting.forEach(clearTimeout);
    this.parts.forEach((one) => one.dispose());
  }
}

module.exports = { Explorer };
