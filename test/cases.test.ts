/**
 * Golden cases: test/cases/<name>/ holds `skills/`, what is reported (`diagnostics.txt`), and under `generated/` the files that the case is about: only these are compared. All
 * that a case generates is type-checked. A few cases hold whole folders: knowledge-only, http-in-full, names-that-collide and effects, which tests run; others hold what tests import of them.
 *
 * `UPDATE_CASES=1 npx vitest run test/cases.test.ts` writes anew what a case holds; of a new case it writes everything, and what the case is not about is then removed. Read the diff.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { compileFiles, linesOf } from "./support/compile.js";

const root = fileURLToPath(new URL("cases", import.meta.url));
const repository = fileURLToPath(new URL("..", import.meta.url));
const update = process.env["UPDATE_CASES"] !== undefined;

/** Text of every file below the folder, by path relative to it, with `/`. */
function readTree(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  return Object.fromEntries(
    files.map((each) => {
      const path = join(each.parentPath, each.name);
      return [path.slice(folder.length + 1).replaceAll("\\", "/"), readFileSync(path, "utf8")];
    }),
  );
}

function writeTree(folder: string, files: Readonly<Record<string, string>>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** All that the cases generate, by path below a folder for all of them. */
const generated: Record<string, string> = {};

describe.each(readdirSync(root))("%s", (name) => {
  const folder = join(root, name);
  const { "diagnostics.txt": expectedLines, ...all } = readTree(folder);
  const sources = Object.fromEntries(
    Object.entries(all).filter(([path]) => !path.startsWith("generated/")),
  );
  const held = readTree(join(folder, "generated"));

  test("reports and generates what it should", async () => {
    const compilation = await compileFiles(sources, { style: { printWidth: 100 } });
    const lines = linesOf(compilation, sources)
      .map((line) => `${line}\n`)
      .join("");
    const files = new Map(compilation.files.map((file) => [file.path, file.text]));
    for (const [path, text] of files) generated[`${name}/${path}`] = text;
    if (update) {
      if (lines !== "") writeFileSync(join(folder, "diagnostics.txt"), lines);
      else rmSync(join(folder, "diagnostics.txt"), { force: true });
      const isNew = Object.keys(held).length === 0;
      const kept = [...files].filter(([path]) => isNew || path in held);
      writeTree(join(folder, "generated"), Object.fromEntries(kept));
      return;
    }
    expect(lines).toBe(expectedLines ?? "");
    expect(Object.fromEntries(Object.keys(held).map((path) => [path, files.get(path)]))).toEqual(
      held,
    );
    // Of every case that generates something, something is compared.
    expect(Object.keys(held).length > 0).toBe(files.size > 0);
  });
});

test("all that the cases generate type-checks, as one project would", async () => {
  const folder = join(repository, ".cases");
  const modules = Object.keys(generated).filter((path) => path.endsWith(".ts"));
  const options = { extends: "../tsconfig.json", include: [], files: modules };
  writeTree(folder, { ...generated, "tsconfig.json": JSON.stringify(options) });
  const tsc = join(repository, "node_modules/typescript/bin/tsc");
  await expect(
    promisify(execFile)(process.execPath, [tsc, "-p", folder]).catch(({ stdout }) => ({ stdout })),
  ).resolves.toMatchObject({ stdout: "" });
});
