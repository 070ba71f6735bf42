/**
 * Bundles the output of `tsc` into the package's JavaScript: one file for each entry point, and
 * chunks for shared code. Few files load faster than hundreds. The bundle contains Ajv's helpers,
 * but not Ajv itself.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { outside, usual } from "./bundling.js";
import { licencesOf } from "./licences.js";
import { retiredModule, retiredTypes } from "./retired.js";

const here = new URL("./", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("package.json", here), "utf8"));

/** Libraries whose code is in the bundle. The build writes their licences next to it. */
const bundled = ["ajv", "ajv-formats"];

const external = outside([
  ...Object.keys(manifest.dependencies),
  ...Object.keys(manifest.peerDependencies),
]);

const entries = Object.values(manifest.exports).filter(
  (target) => typeof target === "object" && !target.default.startsWith("./dist/retired/"),
);

/** Output of `tsc` for each entry point, by the name of the bundled file. */
const entryPoints = Object.fromEntries(
  entries.map(({ types, default: file }) => [
    file.replace("./dist/", "").replace(/\.js$/, ""),
    types.replace("./dist/types/", ".build/").replace(/\.d\.ts$/, ".js"),
  ]),
);

const folder = fileURLToPath(here);
const copied = new Set();
rmSync(new URL("dist", here), { recursive: true, force: true });
const {
  metafile: { outputs },
} = await build({
  absWorkingDir: folder,
  entryPoints,
  outdir: "dist",
  chunkNames: "chunks/[name]-[hash]",
  ...usual,
  external,
  logLevel: "warning",
  metafile: true,
});
for (const file of Object.keys(outputs)) dropBareImports(file);

const retired = JSON.parse(readFileSync(new URL("retired.json", here), "utf8"));
for (const [subpath, { values, types }] of Object.entries(retired)) {
  const file = join(folder, "dist/retired", subpath);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.js`, retiredModule(subpath, values));
  writeFileSync(`${file}.d.ts`, retiredTypes(values, types));
}

for (const { types } of entries) copyTypes(types.replace("./dist/types/", ""));

writeFileSync(new URL("dist/third-party-licenses.txt", here), licencesOf(bundled));

/**
 * Removes imports that take no name from a chunk. esbuild prints them to keep the order of side
 * effects, but the chunks have none. Without this step, a bundler of users' code would warn about
 * each.
 */
function dropBareImports(file) {
  const path = join(folder, file);
  const text = readFileSync(path, "utf8");
  const clean = text.replace(/^import "\.{1,2}\/[^"\n]+";\n/gm, "");
  if (clean !== text) writeFileSync(path, clean);
}

/** Copies the declaration file of an entry point, and the files that it imports. */
function copyTypes(path) {
  if (copied.has(path)) return;
  copied.add(path);
  const from = join(folder, ".build", path);
  const to = join(folder, "dist/types", path);
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  for (const [, specifier] of readFileSync(from, "utf8").matchAll(/["'](\.[^"']*)\.js["']/g))
    copyTypes(join(dirname(path), `${specifier}.d.ts`));
}
