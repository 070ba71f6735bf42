import * as fc from "fast-check";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFileCache, readingOnly } from "../../../src/cli/cache/file-cache.js";
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

test("keeps bytes apart from texts: those used last, whole, and only for the same build", async () => {
  const folder = makeProject();
  const cache = openFileCache(folder, "build 1");
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 50 }), async (bytes) => {
      await cache.bytes.set?.("key", bytes);
      expect(await openFileCache(folder, "build 1").bytes.get("key")).toEqual(bytes);
      expect(await openFileCache(folder, "build 2").bytes.get("key")).toBeUndefined();
    }),
    { numRuns: 20 },
  );
  cache.prune();
  expect(await cache.bytes.get("key")).toBeDefined();
  const [name = ""] = readdirSync(join(folder, "large"));
  writeFileSync(join(folder, "large", name), "damaged");
  expect(await cache.bytes.get("key")).toBeUndefined();
  for (let count = 0; count < 12; count += 1)
    await cache.bytes.set?.(`${count}`, new Uint8Array(3));
  expect(readdirSync(join(folder, "large"))).toHaveLength(8);
  expect(await cache.bytes.get("11")).toEqual(new Uint8Array(3));
});

test("a run that writes nothing reads both", async () => {
  const folder = makeProject();
  const cache = openFileCache(folder, "");
  cache.set("text", "1");
  await cache.bytes.set?.("bytes", new Uint8Array([1]));
  const reading = readingOnly(openFileCache(folder, ""));
  reading.set("text", "2");
  expect(reading.bytes.set).toBeUndefined();
  expect(reading.get("text")).toBe("1");
  expect(await reading.bytes.get("bytes")).toEqual(new Uint8Array([1]));
  expect(openFileCache(folder, "").get("text")).toBe("1");
});

test("without a folder that can be written to, it only forgets", async () => {
  const root = makeProject({ cache: "a file" });
  const cache = openFileCache(join(root, "cache"), "");
  cache.set("key", "value");
  await cache.bytes.set?.("key", new Uint8Array(1));
  expect(await cache.bytes.get("key")).toBeUndefined();
  cache.prune();
  expect(openFileCache(join(root, "cache"), "").get("key")).toBeUndefined();
});
