/** What a thread parses ahead is given to who compiles the skill, whatever becomes of the thread. */
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { parseAhead } from "../../src/compiler/parse-ahead.js";
import type { ParsedFile } from "../../src/compiler/parse/parse-file.js";

const file = (path: string) => ({ path, text: "{}" });
const files = ["a/metadata.yaml", "b/metadata.yaml", "b/metadata.json", "d/SKILL.md"].map(file);
const project = { files: new Map(files.map((each) => [each.path, each])) };
const folders = ["a", "b", "d"];

test("each skill's but the first, of the file that counts, once", async () => {
  const parsed: ParsedFile = { tree: undefined, diagnostics: [] };
  const of = parseAhead(folders, project, { parseAhead: async () => parsed });
  expect(await of("a")).toBeUndefined();
  expect(await of("b")).toEqual({ file: file("b/metadata.json"), parsed });
  expect(await of("b")).toBeUndefined();
  expect(await of("d")).toBeUndefined();
});

test("a thread that has ended causes an error only for callers that use it", async () => {
  const parse = () => Promise.reject(new Error("ended"));
  const of = parseAhead(folders, project, { parseAhead: parse });
  await setImmediate();
  await expect(of("b")).rejects.toThrow("ended");
});

test("nothing is parsed ahead if there is no thread", async () => {
  expect(await parseAhead(folders, project, { parseAhead: () => undefined })("b")).toBeUndefined();
});
