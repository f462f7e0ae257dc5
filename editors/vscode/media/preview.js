// Puts what the extension sends on the page, and asks for it as soon as the page is there.
"use strict";

const editor = acquireVsCodeApi();
const view = document.getElementById("view");
window.addEventListener("message", ({ data }) => {
  view.innerHTML = data.body;
});
editor.postMessage("ready");
