import * as fc from "fast-check";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFileCache } from "../../../src/cli/cache/file-cache.js";
import { makeProject } from "../support/command-line.js";

test("gives back what was put in, also to a later process; another salt sees nothing", () => {
  const folder = join(makeProject(), ".skillc/cache");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string(), (key, value) => {
      openFileCache(folder, "build 1").set(key, value);
      expect(openFileCache(folder, "build 1").get(key)).toBe(value);
      expect(openFileCache(folder, "build 2").get(key)).toBeUndefined();
    }),
    { numRuns: 30 },
  );
});

test("a damaged entry is no entry", () => {
  const folder = makeProject();
  openFileCache(folder, "").set("key", "a longer value");
  const [name = ""] = readdirSync(folder);
  const whole = readFileSync(join(folder, name), "utf8");
  for (const damaged of [
    "",
    "x",
    whole.slice(0, -1),
    `${whole} `,
    whole.replace("longer", "shorter"),
  ]) {
    writeFileSync(join(folder, name), damaged);
    expect(openFileCache(folder, "").get("key")).toBeUndefined();
  }
});

test("prune forgets what was not used since the last one, on disk too", () => {
  const folder = makeProject();
  const first = openFileCache(folder, "");
  first.set("kept", "1");
  first.set("dropped", "2");
  first.prune();
  expect(readdirSync(folder)).toHaveLength(2);
  expect(first.get("kept")).toBe("1");
  first.prune();
  expect(readdirSync(folder)).toHaveLength(1);
  expect(openFileCache(folder, "").get("kept")).toBe("1");
  expect(openFileCache(folder, "").get("dropped")).toBeUndefined();
});

test("without a folder that can be written to, it only forgets", () => {
  const root = makeProject({ cache: "a file" });
  const cache = openFileCache(join(root, "cache"), "");
  cache.set("key", "value");
  cache.prune();
  expect(openFileCache(join(root, "cache"), "").get("key")).toBeUndefined();
});
