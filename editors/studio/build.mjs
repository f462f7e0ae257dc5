// Writes the bundle and its licences into a folder: node build.mjs FOLDER
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const here = import.meta.dirname;
const folder = process.argv[2];

// Of the sources, so that a bundle made from others can be told without making it again.
const sources = ["build.mjs", "package-lock.json", "package.json"].concat(
  readdirSync(join(here, "src")).map((name) => `src/${name}`).sort(),
);
const hash = createHash("sha256");
for (const name of sources) hash.update(readFileSync(join(here, name)));

const made = await build({
  entryPoints: [join(here, "src", "editor.js")],
  absWorkingDir: here,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  banner: { js: `/* editors/studio ${hash.digest("hex")}; licences: LICENSE-editor.txt */` },
  metafile: true,
  outfile: join(folder, "editor.min.js"),
});

// The licence of each package of which something is in the bundle.
const inside = Object.keys(Object.values(made.metafile.outputs)[0].inputs)
  .map((path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1])
  .filter(Boolean);
const licences = [...new Set(inside)].sort().map((name) => {
  const at = join(here, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(at, "package.json"), "utf8"));
  return `${name} ${version} (${license})\n\n${readFileSync(join(at, "LICENSE"), "utf8").trim()}\n`;
});
const heading = "editor.min.js holds parts of these packages, each under its licence.\n";
writeFileSync(join(folder, "LICENSE-editor.txt"), [heading, ...licences].join(`\n${"-".repeat(72)}\n\n`));
