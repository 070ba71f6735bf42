/** What programs share is never out of date, and nothing of one program leaks into the next. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ts } from "ts-morph";
import { expect, onTestFinished, test } from "vitest";
import { createProgram } from "../../../src/compiler/verify/check-types.js";

const options: ts.CompilerOptions = {
  lib: ["lib.es2023.d.ts"],
  module: ts.ModuleKind.NodeNext,
  strict: true,
  noEmit: true,
  types: [],
};

function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "skillc-program-")));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made.replaceAll("\\", "/");
}

function faultsOf(texts: Readonly<Record<string, string>>, more: ts.CompilerOptions = {}) {
  const program = createProgram(new Map(Object.entries(texts)), { ...options, ...more });
  return program
    .getSemanticDiagnostics()
    .map(({ code, file }) => `${file?.fileName ?? ""}: TS${code}`);
}

test("a file on disk counts as it is now", () => {
  const root = folder();
  const user = { [`${root}/a.ts`]: 'import { x } from "./x.js";\nexport const y: string = x;\n' };
  writeFileSync(join(root, "x.d.ts"), "export declare const x: string;\n");
  expect(faultsOf(user)).toEqual([]);
  writeFileSync(join(root, "x.d.ts"), "export declare const x: number;\n");
  expect(faultsOf(user)).toEqual([`${root}/a.ts: TS2322`]);
  rmSync(join(root, "x.d.ts"));
  expect(faultsOf(user)).toEqual([`${root}/a.ts: TS2307`]);
});

test("a text in memory comes before the file on disk, in folders that are not there too", () => {
  const root = folder();
  writeFileSync(join(root, "x.ts"), "export const x = 1;\n");
  const texts = {
    [`${root}/not/there/a.ts`]:
      'import { x } from "../../x.js";\nimport { z } from "./z.js";\nexport const y: string = x + z;\n',
    [`${root}/not/there/z.ts`]: 'export const z = "";\n',
    [`${root}/x.ts`]: 'export const x = "";\n',
  };
  expect(faultsOf(texts)).toEqual([]);
  const { [`${root}/x.ts`]: _, ...others } = texts;
  expect(faultsOf(others)).toEqual([]);
  expect(faultsOf({ ...others, [`${root}/not/there/z.ts`]: "export const z = 1;\n" })).toEqual([
    `${root}/not/there/a.ts: TS2322`,
  ]);
});

test("what a program declares for all its files is unknown to the next", () => {
  const global = "export {};\ndeclare global {\n  interface Array<T> { readonly own: T }\n}\n";
  const user = { "/none/a.ts": "export const first = [1].own;\n" };
  expect(faultsOf({ ...user, "/none/global.ts": global })).toEqual([]);
  expect(faultsOf(user)).toEqual(["/none/a.ts: TS2339"]);
  expect(faultsOf({ ...user, "/none/global.ts": global })).toEqual([]);
});

test("other options see the same declarations in their own way", () => {
  const texts = { "/none/a.ts": 'export const found = ["a"].find(() => true).length;\n' };
  expect(faultsOf(texts)).toEqual(["/none/a.ts: TS2532"]);
  expect(faultsOf(texts, { strict: false })).toEqual([]);
  expect(faultsOf(texts, { lib: ["lib.es5.d.ts"] })).toEqual(["/none/a.ts: TS2550"]);
  expect(faultsOf(texts)).toEqual(["/none/a.ts: TS2532"]);
});
