/**
 * Golden cases: test/cases/<name>/ holds `skills/`, what is reported (`diagnostics.txt`), and of what is generated what the case is about:
 *
 * - whole files, under `generated/`: those that a reader wants to see (http-in-full, and a case of each kind), and those that tests import;
 * - `tools.txt`: of the modules named in it (`== desk/search.ts`) all that is the tool's own, without the frame that all modules share:
 *   its types, and its contract below the version.
 *
 * Only these are compared. All that a case generates is type-checked, in one program with that of the others: a case compiles as if nothing were found, so a project
 * whose modules don't type-check is none (`test/bindings/sql/compile/plain-form.test.ts` is about those).
 *
 * `UPDATE_CASES=1 npx vitest run test/cases.test.ts` writes anew what a case holds. Of a new case it writes everything, and what the case is
 * not about is then removed; a `tools.txt` begins as a list of modules. Read the diff.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkTypes } from "../src/compiler/verify/check-types.js";
import { compileFiles, linesOf, typeCheck } from "./support/compile.js";
import type { PutOffCheck } from "./support/remembered-types.js";

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

/** Makes the folder hold these files alone. Only what differs is written: to remove and write thousands takes seconds. */
function writeTree(folder: string, files: Readonly<Record<string, string>>): void {
  const present = readTree(folder);
  for (const path of Object.keys(present)) if (!(path in files)) rmSync(join(folder, path));
  for (const [path, text] of Object.entries(files)) {
    if (present[path] === text) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** What is a tool's own in its module: types and contract, without header, imports, name, version and function. */
function ownPart(module: string): string {
  const types = /^(?:export|\/\*\*)[^]*?(?=^const \w+ = defineTool)/m.exec(module)?.[0] ?? "";
  const contract = /^ {2}effect: [^]*?(?=^\}\);$)/m.exec(module)?.[0] ?? "";
  if (types === "" || contract === "") throw new Error(`this is no module of a tool:\n${module}`);
  return `${types.trim()}\n\n${contract}`;
}

/** A `tools.txt` of the modules that this one names. */
function toolsText(named: string, files: ReadonlyMap<string, string>): string {
  const modules = [...named.matchAll(/^== (.+)$/gm)].map(([, path = ""]) => path);
  return modules.map((path) => `== ${path}\n\n${ownPart(files.get(path) ?? "")}`).join("\n");
}

/** All that the cases generate, by path below a folder for all of them. */
const generated: Record<string, string> = {};

/** The type check of each case that comes to one. */
const checks = new Map<string, PutOffCheck>();

beforeAll(() => {
  globalThis.putOffChecks = [];
});
afterAll(() => {
  globalThis.putOffChecks = undefined;
});

describe.each(readdirSync(root))("%s", (name) => {
  const folder = join(root, name);
  const { "diagnostics.txt": expectedLines, "tools.txt": tools = "", ...all } = readTree(folder);
  const sources = Object.fromEntries(
    Object.entries(all).filter(([path]) => !path.startsWith("generated/")),
  );
  const held = readTree(join(folder, "generated"));

  test("reports and generates what it should", async () => {
    const compilation = await compileFiles(sources, { style: { printWidth: 100 } });
    for (const check of globalThis.putOffChecks?.splice(0) ?? []) checks.set(name, check);
    const lines = linesOf(compilation, sources)
      .map((line) => `${line}\n`)
      .join("");
    const files = new Map(compilation.files.map((file) => [file.path, file.text]));
    for (const [path, text] of files) generated[`${name}/${path}`] = text;
    if (update) {
      if (lines !== "") writeFileSync(join(folder, "diagnostics.txt"), lines);
      else rmSync(join(folder, "diagnostics.txt"), { force: true });
      const isNew = Object.keys(held).length === 0 && tools === "";
      const kept = [...files].filter(([path]) => isNew || path in held);
      writeTree(join(folder, "generated"), Object.fromEntries(kept));
      if (tools !== "") writeFileSync(join(folder, "tools.txt"), toolsText(tools, files));
      return;
    }
    expect(lines).toBe(expectedLines ?? "");
    expect(Object.fromEntries(Object.keys(held).map((path) => [path, files.get(path)]))).toEqual(
      held,
    );
    expect(toolsText(tools, files)).toBe(tools);
    // Of every case that generates something, something is compared.
    expect(Object.keys(held).length > 0 || tools !== "").toBe(files.size > 0);
  });
});

test("the compiler's type check has nothing against what the cases generate", async () => {
  globalThis.putOffChecks = undefined;
  const all = Array.from(checks, ([name, { files, modules }]) => {
    const moved = new Map(files.map((file) => [file, { ...file, path: `${name}/${file.path}` }]));
    const modulesThere = modules.map((each) => ({
      ...each,
      file: moved.get(each.file) ?? each.file,
    }));
    return { files: [...moved.values()], modules: modulesThere };
  });
  const modules = all.flatMap((each) => each.modules);
  // Those that are to be printed in full, not a case less.
  expect(modules.length).toBeGreaterThan(checks.size);
  expect(modules.filter(({ file }) => !(file.path in generated))).toEqual([]);
  const files = all.flatMap((each) => each.files);
  expect(await checkTypes(modules, files, typeCheck)).toEqual([]);
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
