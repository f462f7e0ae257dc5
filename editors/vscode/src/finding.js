// Where the program is: what the settings name, an environment of the folder, or the path.
"use strict";

const path = require("node:path");

/**
 * The programs to try, in order.
 * @param {{command: string, folders: string[], trusted: boolean, windows: boolean}} where
 * @returns {string[]}
 */
function candidates({ command, folders, trusted, windows }) {
  if (command) return [command];
  const bin = windows ? ["Scripts", "rulelang.exe"] : ["bin", "rulelang"];
  const environments = trusted ? folders.flatMap((f) => [".venv", "venv"].map((e) => path.join(f, e, ...bin))) : [];
  return [...environments, windows ? "rulelang.exe" : "rulelang"];
}

/**
 * The first program that says its version and can serve; or why there is none.
 * @param {string[]} tried
 * @param {(program: string, args: string[]) => Promise<{status: number | null, error?: string}>} run
 * @returns {Promise<{program?: string, why?: string}>}
 */
async function find(tried, run) {
  let without = "";
  for (const program of tried) {
    const version = await run(program, ["--version"]);
    if (version.status !== 0) continue;
    const help = await run(program, ["lsp", "--help"]);
    if (help.status === 0) return { program };
    without = without || program;
  }
  if (without) {
    return { why: `${without} is too old to serve an editor. Install a newer one: pip install -U "rulelang[desk]"` };
  }
  return {
    why: `No rulelang was found (tried: ${tried.join(", ")}). Install it with pip install "rulelang[desk]", or name it in the setting rulelang.command.`,
  };
}

module.exports = { candidates, find };
