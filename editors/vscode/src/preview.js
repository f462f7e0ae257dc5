// The preview of boards: a view beside the text that follows the scenario in which the cursor is.
"use strict";

const { randomBytes } = require("node:crypto");
const { body, page } = require("./page");

const PAUSE = 120; // milliseconds after which a cursor that moves is followed

class Preview {
  /**
   * @param {typeof import("vscode")} vscode
   * @param {(method: string, params: object) => Promise<any>} ask
   * @param {import("vscode").Uri} extensionUri
   * @param {string} language
   */
  constructor(vscode, ask, extensionUri, language) {
    this.vscode = vscode;
    this.ask = ask;
    this.media = vscode.Uri.joinPath(extensionUri, "media");
    this.language = language;
    this.asked = 0;
    const soon = () => this.soon();
    this.parts = [
      vscode.window.onDidChangeTextEditorSelection(soon),
      vscode.window.onDidChangeActiveTextEditor(soon),
      vscode.workspace.onDidChangeTextDocument(soon),
    ];
  }

  /** Open the view beside the text, or show it again. */
  open() {
    const { vscode } = this;
    if (this.panel) {
      this.panel.reveal(undefined, true);
      return;
    }
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const options = { enableScripts: true, localResourceRoots: [this.media] };
    this.panel = vscode.window.createWebviewPanel("rulelang.preview", "Scenario", column, options);
    this.panel.onDidDispose(() => (this.panel = undefined));
    const { webview } = this.panel;
    // The page asks for what it shows whenever it is made anew.
    webview.onDidReceiveMessage((message) => message === "ready" && this.follow());
    webview.html = page({
      nonce: randomBytes(16).toString("hex"),
      script: webview.asWebviewUri(vscode.Uri.joinPath(this.media, "preview.js")).toString(),
      style: webview.asWebviewUri(vscode.Uri.joinPath(this.media, "preview.css")).toString(),
    });
  }

  soon() {
    if (!this.panel) return;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.follow(), PAUSE);
  }

  /** Show the step at which the cursor is; of two answers under way only the later counts. */
  async follow() {
    const editor = this.vscode.window.activeTextEditor;
    if (!this.panel || !editor || editor.document.languageId !== this.language) return;
    const number = ++this.asked;
    const { document, selection } = editor;
    const { line, character } = selection.active;
    const textDocument = { uri: document.uri.toString() };
    let found;
    try {
      found = await this.ask("rules/position", { textDocument, position: { line, character } });
    } catch (error) {
      found = { title: "", why: `It could not be shown: ${error.message}`, failures: [] };
    }
    if (number !== this.asked || !this.panel) return;
    const step = found && found.step ? document.lineAt(found.step.start.line).text.trim() : "";
    this.panel.title = found && found.title ? found.title : "Scenario";
    await this.panel.webview.postMessage({ body: body(found, step) });
  }

  dispose() {
    clearTimeout(this.waiting);
    this.parts.forEach((one) => one.dispose());
    if (this.panel) this.panel.dispose();
  }
}

module.exports = { Preview };
