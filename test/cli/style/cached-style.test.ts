import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cachedStyle } from "../../../src/cli/style/cached-style.js";
import { resolveStyle } from "../../../src/cli/style/resolve-style.js";
import { makeProject } from "../support/command-line.js";

/** What is kept of a style is replaced, so that one that was kept can be told. */
function markingCache() {
  const entries = new Map<string, string>();
  return {
    get: (key: string) => (entries.has(key) ? '{"kept":true}' : undefined),
    set: (key: string, value: string) => void entries.set(key, value),
  };
}

test("settings stay in the cache until one of their files changes", async () => {
  const root = makeProject({ ".prettierrc": "semi: false\n", "package.json": "{}" });
  const out = join(root, "generated");
  const cache = markingCache();
  const style = () => cachedStyle(root, out, cache);
  expect(await style()).toEqual(await resolveStyle(root, out));
  expect(await style()).toEqual({ kept: true });
  const edits = [
    [".prettierrc", "semi: true\n"],
    [".editorconfig", "root = true\n[*]\nindent_size = 8\nindent_style = space\n"],
    ["package.json", '{ "prettier": { "semi": true } }'],
    ["generated/.prettierrc.json", '{ "tabWidth": 3 }'],
  ] as const;
  for (const [path, text] of edits) {
    mkdirSync(out, { recursive: true });
    writeFileSync(join(root, path), text);
    expect(await style()).toEqual(await resolveStyle(root, out));
    expect(await style()).toEqual({ kept: true });
  }
  // Where a repository begins, prettier looks for no further .editorconfig.
  mkdirSync(join(root, ".git"));
  expect(await style()).toEqual(await resolveStyle(root, out));
});

test.each([
  ["prettier.config.cjs", "module.exports = { semi: false };"],
  [".prettierrc.mjs", "export default { semi: false };"],
  ["package.json", '{ "prettier": "./settings.json" }'],
  ["package.yaml", "prettier: { semi: false }\n"],
])("settings that are code, or name it, are asked each time: %s", async (name, text) => {
  const root = makeProject({ [name]: text, "settings.json": '{ "semi": false }' });
  const out = join(root, "generated");
  const cache = markingCache();
  for (const _ of ["first", "second"])
    expect(await cachedStyle(root, out, cache)).toMatchObject({ semi: false });
});
