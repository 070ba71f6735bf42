import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readTypeCheckSettings } from "../../../src/cli/project/type-check-settings.js";
import { makeProject, put } from "../support/command-line.js";

test("ignores a tsconfig.json that nests too deep for TypeScript, and goes on", async () => {
  const depth = 100_000;
  const root = makeProject({ "tsconfig.json": '{"a":'.repeat(depth) + "1" + "}".repeat(depth) });
  const { compilerOptions } = await readTypeCheckSettings(root, `${root}/generated`);
  expect(compilerOptions).toMatchObject({ strict: true });
});

test("keeps the settings of tsconfig.json as long as every file they come from is the same", async () => {
  const entries = new Map<string, string>();
  const root = makeProject({
    "tsconfig.json": '{ "extends": "./base.json" }',
    "base.json": '{ "compilerOptions": { "strict": false } }',
  });
  const read = async () =>
    (await readTypeCheckSettings(root, `${root}/out`, entries)).compilerOptions;
  const first = await read();
  expect(first).toMatchObject({ strict: false });
  expect(entries.size).toBe(1);
  expect(await read()).toEqual(first);
  put(root, "base.json", '{ "compilerOptions": { "strict": true, "noImplicitAny": false } }');
  expect(await read()).toMatchObject({ strict: true, noImplicitAny: false });
  put(root, "tsconfig.json", "{}");
  expect(await read()).not.toHaveProperty("strict");
});

test("notices a new tsconfig.json", async () => {
  const entries = new Map<string, string>();
  const root = makeProject({});
  const read = async () =>
    (await readTypeCheckSettings(root, `${root}/out`, entries)).compilerOptions;
  expect(await read()).toMatchObject({ strict: true });
  put(root, "tsconfig.json", '{ "compilerOptions": { "strict": false } }');
  expect(await read()).toMatchObject({ strict: false });
});

test("notices a package that tsconfig.json extends after its later installation", async () => {
  const entries = new Map<string, string>();
  const root = makeProject({ "tsconfig.json": '{ "extends": "@acme/strict/tsconfig.json" }' });
  const read = async () =>
    (await readTypeCheckSettings(root, `${root}/out`, entries)).compilerOptions;
  expect(await read()).not.toHaveProperty("strict");
  const place = "node_modules/@acme/strict/tsconfig.json";
  put(root, place, '{ "compilerOptions": { "strict": true } }');
  expect(await read()).toMatchObject({ strict: true });
});

test("notices a package that tsconfig.json extends after its link changes to another version", async () => {
  const entries = new Map<string, string>();
  const link = "node_modules/strict";
  const root = makeProject({
    "tsconfig.json": '{ "extends": "strict/tsconfig.json" }',
    "store/1/tsconfig.json": '{ "compilerOptions": { "strict": true } }',
    "store/2/tsconfig.json": '{ "compilerOptions": { "strict": false } }',
    "node_modules/.placeholder": "",
  });
  const read = async () =>
    (await readTypeCheckSettings(root, `${root}/out`, entries)).compilerOptions;
  symlinkSync("../store/1", join(root, link));
  expect(await read()).toMatchObject({ strict: true });
  rmSync(join(root, link));
  symlinkSync("../store/2", join(root, link));
  expect(await read()).toMatchObject({ strict: false });
});

test("reports a platform without TypeScript, and what to do", async () => {
  const { arch } = process;
  onTestFinished(() => void Object.defineProperty(process, "arch", { value: arch }));
  Object.defineProperty(process, "arch", { value: "pdp11" });
  const root = makeProject({});
  await expect(readTypeCheckSettings(root, `${root}/out`)).rejects.toMatchObject({
    message: `TypeScript for ${process.platform}-pdp11 is not installed, but skillc type-checks generated code with it`,
    help: expect.stringContaining("npm install --include=optional"),
  });
});
