// Writes the bundle and the licences of what is in it into dist.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const here = import.meta.dirname;

const made = await build({
  entryPoints: [join(here, "src", "extension.js")],
  absWorkingDir: here,
  bundle: true,
  minify: true,
  platform: "node",
  target: "node18",
  format: "cjs",
  external: ["vscode"],
  charset: "utf8",
  legalComments: "none",
  banner: { js: "/* licences: LICENSES.txt */" },
  metafile: true,
  outfile: join(here, "dist", "extension.js"),
});

// The licence of each package of which something is in the bundle, those within others too.
const folders = Object.keys(Object.values(made.metafile.outputs)[0].inputs)
  .map((path) => path.match(/^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/)?.[0])
  .filter(Boolean);
const licences = [...new Set(folders)].sort().map((folder) => {
  const at = join(here, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(at, "package.json"), "utf8"));
  const file = readdirSync(at).find((one) => /^licen[cs]e(\.|$)/i.test(one));
  if (!file) throw new Error(`${name} ${version} brings no licence`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(at, file), "utf8").trim()}\n`;
});
const heading = "extension.js holds parts of these packages, each under its licence.\n";
writeFileSync(join(here, "dist", "LICENSES.txt"), [heading, ...licences].join(`\n${"-".repeat(72)}\n\n`));
