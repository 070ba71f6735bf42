import * as fc from "fast-check";
import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  enginesOnly,
  type FileCache,
  openFileCache as openCache,
  readingOnly,
} from "../../../src/cli/cache/file-cache.js";
import type { UserKey } from "../../../src/cli/cache/user-key.js";
import { makeProject } from "../support/command-line.js";
import { unicodeText } from "../../support/unicode-text.js";

const secret = randomBytes(32);

function userKey(key: Buffer | undefined = secret): UserKey {
  return { read: () => key, make: () => key, problem: undefined };
}

function openFileCache(folder: string, salt: string, key: UserKey = userKey()): FileCache {
  return openCache({ root: folder, path: "cache" }, salt, key);
}

test("a value can be read by a later process, but not with another salt", () => {
  const folder = makeProject();
  fc.assert(
    fc.property(unicodeText(), fc.string(), (key, value) => {
      openFileCache(folder, "build 1").set(key, value);
      expect(openFileCache(folder, "build 1").get(key)).toBe(value);
      expect(openFileCache(folder, "build 2").get(key)).toBeUndefined();
    }),
    { numRuns: 30 },
  );
});

test("ignores a damaged entry", () => {
  const folder = makeProject();
  openFileCache(folder, "").set("key", "a longer value");
  const [name = ""] = readdirSync(join(folder, "cache"));
  const whole = readFileSync(join(folder, "cache", name), "utf8");
  expect(openFileCache(folder, "").get("key")).toBe("a longer value");
  for (const damaged of [
    "",
    "x",
    whole.slice(0, -1),
    `${whole} `,
    whole.replace("longer", "shorter"),
  ]) {
    writeFileSync(join(folder, "cache", name), damaged);
    expect(openFileCache(folder, "").get("key")).toBeUndefined();
  }
});

test("prune removes entries that were not used since the last prune, on disk too", () => {
  const folder = makeProject();
  const first = openFileCache(folder, "");
  first.set("kept", "1");
  first.set("dropped", "2");
  first.prune();
  expect(readdirSync(join(folder, "cache"))).toHaveLength(2);
  expect(first.get("kept")).toBe("1");
  first.prune();
  expect(readdirSync(join(folder, "cache"))).toHaveLength(1);
  expect(openFileCache(folder, "").get("kept")).toBe("1");
  expect(openFileCache(folder, "").get("dropped")).toBeUndefined();
});

test("keeps the bytes that were used last whole, and only for the same build", async () => {
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
  const [name = ""] = readdirSync(join(folder, "cache/large"));
  writeFileSync(join(folder, "cache/large", name), "skillc cache 1 damaged");
  expect(await cache.bytes.get("key")).toBeUndefined();
  for (let count = 0; count < 12; count += 1)
    await cache.bytes.set?.(`${count}`, new Uint8Array(3));
  expect(readdirSync(join(folder, "cache/large"))).toHaveLength(8);
  expect(await cache.bytes.get("11")).toEqual(new Uint8Array(3));
});

test("a run that writes nothing reads both texts and bytes", async () => {
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

test("keeps entries in memory only if no folder can be written", async () => {
  const root = makeProject({ cache: "a file" });
  const cache = openFileCache(root, "");
  cache.set("key", "value");
  await cache.bytes.set?.("key", new Uint8Array(1));
  expect(await cache.bytes.get("key")).toBeUndefined();
  cache.prune();
  expect(cache.problem?.message).toBe("`cache` is a file, but must be a folder");
  expect(openFileCache(root, "").get("key")).toBeUndefined();
});

test("an entry counts only under its own name, in its own folder, and for the user who wrote it", async () => {
  const folder = makeProject();
  const cache = openFileCache(folder, "");
  cache.set("a", "of a");
  const [nameOfA = ""] = readdirSync(join(folder, "cache"));
  cache.set("b", "of b");
  const nameOfB = readdirSync(join(folder, "cache")).find((name) => name !== nameOfA) ?? "";
  await cache.bytes.set?.("c", Buffer.from("of c"));
  const [nameOfC = ""] = readdirSync(join(folder, "cache/large"));
  expect(openFileCache(folder, "", userKey(randomBytes(32))).get("a")).toBeUndefined();

  renameSync(join(folder, "cache", nameOfA), join(folder, "cache", nameOfB));
  expect(openFileCache(folder, "").get("b")).toBeUndefined();
  copyFileSync(join(folder, "cache/large", nameOfC), join(folder, "cache", nameOfC));
  expect(openFileCache(folder, "").get("c")).toBeUndefined();
});

test("ignores an entry that somebody wrote with another hash key", async () => {
  const folder = makeProject();
  const cache = openFileCache(folder, "");
  cache.set("text", "ours");
  await cache.bytes.set?.("bytes", Buffer.from("ours"));
  const forged = (value: string) => `${createHash("sha256").update(value).digest("hex")}\n${value}`;
  const entries = ["cache", "cache/large"].map((at) => {
    const name = readdirSync(join(folder, at)).find((each) => each !== "large");
    return join(folder, at, name ?? "");
  });
  for (const text of [forged("theirs"), `skillc cache 1 ${forged("theirs")}`]) {
    for (const path of entries) writeFileSync(path, text);
    const opened = openFileCache(folder, "");
    expect(opened.get("text")).toBeUndefined();
    expect(await opened.bytes.get("bytes")).toBeUndefined();
  }
});

test("prune removes files of skillc and nothing else", () => {
  const folder = makeProject({
    "cache/README": "mine",
    [`cache/${"a".repeat(64)}`]: "named like an entry, and mine",
    [`cache/${"b".repeat(64)}/x`]: "mine",
    "cache/notes.1234.tmp": "mine",
    "outside.txt": "mine",
  });
  symlinkSync("../outside.txt", join(folder, "cache", "c".repeat(64)));
  execFileSync("mkfifo", [join(folder, "cache", "d".repeat(64))]);
  const before = readdirSync(join(folder, "cache")).toSorted();
  const left = `${"e".repeat(64)}.17.0123456789ab.tmp`;
  writeFileSync(join(folder, "cache", left), "skillc cach");
  const cache = openFileCache(folder, "");
  cache.set("key", "value");
  cache.prune();
  cache.prune();
  expect(readdirSync(join(folder, "cache")).toSorted()).toEqual(before);
  expect(readFileSync(join(folder, "outside.txt"), "utf8")).toBe("mine");
});

test("ignores a pipe or a link in place of an entry, and does not wait for it", async () => {
  const folder = makeProject();
  openFileCache(folder, "").set("key", "value");
  const [name = ""] = readdirSync(join(folder, "cache"));
  renameSync(join(folder, "cache", name), join(folder, "moved"));
  symlinkSync("../moved", join(folder, "cache", name));
  expect(openFileCache(folder, "").get("key")).toBeUndefined();
  execFileSync("rm", [join(folder, "cache", name)]);
  execFileSync("mkfifo", [join(folder, "cache", name)]);
  expect(openFileCache(folder, "").get("key")).toBeUndefined();
});

test.each(["cache", "cache/large"])("reads and writes nothing through a link: %s", (path) => {
  const folder = makeProject({ "elsewhere/notes.txt": "mine" });
  if (path.includes("/")) mkdirSync(join(folder, "cache"));
  symlinkSync(join(folder, "elsewhere"), join(folder, path));
  const cache = openFileCache(folder, "");
  cache.set("key", "value");
  cache.prune();
  expect(readdirSync(join(folder, "elsewhere"))).toEqual(["notes.txt"]);
  expect(cache.problem).toMatchObject({ path, message: expect.stringContaining("is a link") });
});

test("a run that vouches for its output takes engines from the cache, but no text", async () => {
  const folder = makeProject();
  const cache = openFileCache(folder, "");
  cache.set("text", "1");
  await cache.bytes.set?.("bytes", new Uint8Array([1]));
  const vouching = enginesOnly(openFileCache(folder, ""));
  expect(vouching.get("text")).toBeUndefined();
  expect(vouching.bytes?.set).toBeUndefined();
  expect(await vouching.bytes?.get("bytes")).toEqual(new Uint8Array([1]));
});

test("keeps nothing without a key", () => {
  const folder = makeProject();
  const none: UserKey = { read: () => undefined, make: () => undefined, problem: "there is none" };
  const cache = openFileCache(folder, "", none);
  cache.set("key", "value");
  expect(openFileCache(folder, "").get("key")).toBeUndefined();
  expect(cache.problem).toEqual({ message: "there is none" });
});

describe("entries that are stored together", () => {
  const entries = (count: number, text = "") =>
    Array.from({ length: count }, (_, at) => ({
      key: `${text}${at}`,
      value: `${text} of ${at} é`,
    }));
  const valuesOf = (cache: FileCache, wanted: readonly { readonly key: string }[]) =>
    wanted.map(({ key }) => cache.get(key));

  test("take few files, and can be read by a later process too", () => {
    const folder = makeProject();
    const many = entries(1000);
    const cache = openFileCache(folder, "build 1");
    cache.setAll(many);
    cache.setAll(entries(5, "more"));
    const values = [...many, ...entries(5, "more")].map(({ value }) => value);
    const asked = [...many, ...entries(5, "more")];
    expect(valuesOf(cache, asked)).toEqual(values);
    expect(readdirSync(join(folder, "cache")).length).toBeLessThan(5);
    expect(valuesOf(openFileCache(folder, "build 1"), asked)).toEqual(values);
    expect(openFileCache(folder, "build 2").get("0")).toBeUndefined();
    expect(openFileCache(folder, "build 1", userKey(randomBytes(32))).get("0")).toBeUndefined();
  });

  test("each have their last value or none after any writes, reads and prunes", () => {
    const keys = fc.constantFrom(...Array.from({ length: 12 }, (_, at) => `key ${at}`));
    const step = fc.oneof(
      fc.record({ put: fc.array(fc.tuple(keys, unicodeText()), { maxLength: 8 }) }),
      fc.record({ ask: fc.array(keys, { maxLength: 8 }) }),
      fc.record({ keep: fc.array(keys, { maxLength: 8 }) }),
      fc.constant("prune" as const),
      fc.constant("next process" as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const folder = makeProject();
        let cache = openFileCache(folder, "");
        let needed = new Set<string>();
        const values = new Map<string, string>();
        const asked: [found: string | undefined, wanted: string | undefined][] = [];
        for (const each of steps) {
          if (each === "next process") {
            cache = openFileCache(folder, "");
            needed = new Set();
          } else if (each === "prune") {
            cache.prune();
            for (const key of values.keys()) if (!needed.has(key)) values.delete(key);
            needed = new Set();
          } else if ("put" in each) {
            cache.setAll(each.put.map(([key, value]) => ({ key, value })));
            for (const [key, value] of each.put) {
              values.set(key, value);
              needed.add(key);
            }
          } else if ("keep" in each) {
            cache.keep(each.keep);
            for (const key of each.keep) needed.add(key);
          } else {
            for (const key of each.ask) {
              // A process that watches remembers what it used before the last prune.
              const found = cache.get(key);
              asked.push([found, values.get(key) ?? found]);
              if (found !== undefined) needed.add(key);
            }
          }
        }
        for (const [found, wanted] of asked) expect(found).toBe(wanted);
        const last = openFileCache(folder, "");
        for (const [key, value] of values) expect(last.get(key)).toBe(value);
      }),
      { numRuns: 60 },
    );
  });

  test("merge from many small files into few, and unused ones leave no file", () => {
    const folder = makeProject();
    const files = () => readdirSync(join(folder, "cache")).length;
    for (let run = 0; run < 30; run += 1) {
      const cache = openFileCache(folder, "");
      cache.setAll(entries(3, `run ${run}`));
      for (let each = 0; each < run; each += 1) valuesOf(cache, entries(3, `run ${each}`));
      cache.prune();
    }
    expect(files()).toBeLessThan(12);
    const cache = openFileCache(folder, "");
    expect(valuesOf(cache, entries(3, "run 0"))).toEqual(
      entries(3, "run 0").map(({ value }) => value),
    );
    cache.prune();
    expect(openFileCache(folder, "").get("run 70")).toBeUndefined();
    expect(files()).toBe(2);
    openFileCache(folder, "").prune();
    expect(files()).toBe(0);
  });

  test("free space even if they are removed in small steps", () => {
    const folder = makeProject();
    const many = entries(1000).map(({ key }) => ({ key, value: `${key} `.repeat(200) }));
    openFileCache(folder, "").setAll(many);
    const bytes = () =>
      readdirSync(join(folder, "cache")).reduce(
        (sum, name) => sum + statSync(join(folder, "cache", name)).size,
        0,
      );
    const whole = bytes();
    for (let left = 900; left >= 100; left -= 100) {
      const cache = openFileCache(folder, "");
      const kept = many.slice(0, left);
      expect(valuesOf(cache, kept)).toEqual(kept.map(({ value }) => value));
      cache.prune();
    }
    expect(bytes()).toBeLessThan(whole / 4);
    expect(openFileCache(folder, "").get("99")).toBe(many[99]?.value);
  });

  test("count as missing if their file is damaged, a pipe or a link", () => {
    const folder = makeProject();
    openFileCache(folder, "").setAll(entries(3));
    const names = readdirSync(join(folder, "cache"));
    expect(names).toHaveLength(2);
    for (const name of names) {
      const path = join(folder, "cache", name);
      const whole = readFileSync(path);
      for (const damaged of ["", "x", `${whole.toString("latin1")} `, whole.subarray(0, -1)]) {
        writeFileSync(path, damaged);
        expect(openFileCache(folder, "").get("1")).toBeUndefined();
      }
      execFileSync("rm", [path]);
      execFileSync("mkfifo", [path]);
      expect(openFileCache(folder, "").get("1")).toBeUndefined();
      execFileSync("rm", [path]);
      writeFileSync(path, whole);
    }
    expect(openFileCache(folder, "").get("1")).toBe(" of 1 é");
  });
});
