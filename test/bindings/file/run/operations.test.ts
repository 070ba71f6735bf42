import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { below, path } from "../../../../src/bindings/file/run/file-path.js";
import { globTest } from "../../../../src/bindings/file/run/glob.js";
import type { BoundCaller } from "../../../../src/runtime/caller.js";
import { createFileLedger } from "../../../../src/runtime/ledger/files/file-store.js";
import { queryStore } from "../../../../src/runtime/ledger/query.js";
import { pathSegment as segment } from "../../../../src/runtime/values/segment.js";
import { credential } from "../../../../src/runtime/values/text.js";
import { notesProject, type Params } from "./support.js";

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const notFound = {
  status: "not_found",
  error: { reason: "there is no such file or folder" },
};

describe("read", () => {
  test("returns the text with its size and digest", async () => {
    const { call, put } = notesProject();
    put("notes/a.md", "grüße\n");
    const data = { text: "grüße\n", bytes: 8, sha256: sha256("grüße\n"), more: false };
    expect(await call("read", { path: "notes/a.md" })).toEqual({ status: "success", data });
  });

  test("reads a range, and leaves out half of a character", async () => {
    const { call, put } = notesProject();
    put("notes/a.md", "grüße\n");
    const range = { path: "notes/a.md", offset: 1, length: 2 };
    expect(await call("read", range)).toMatchObject({ data: { text: "r", bytes: 1, more: true } });
    expect(await call("read", { path: "notes/a.md", offset: 100 })).toMatchObject({
      data: { text: "", more: false },
    });
  });

  test("returns base64 of any bytes, and `not_text` for bytes that are not UTF-8", async () => {
    const { call, put } = notesProject();
    put("notes/a.bin", Buffer.from([255, 0, 1]));
    expect(await call("read", { path: "notes/a.bin" })).toMatchObject({ status: "not_text" });
    const contract = { encoding: "base64" } as const;
    expect(await call("read", { path: "notes/a.bin" }, { contract })).toMatchObject({
      data: { base64: "/wAB", bytes: 3 },
    });
  });

  test("reads no more than the tool's limit", async () => {
    const { call, put } = notesProject();
    put("notes/a.md", "x".repeat(100));
    const contract = { maxBytes: 10 };
    expect(await call("read", { path: "notes/a.md", length: 50 }, { contract })).toMatchObject({
      data: { bytes: 10, more: true },
    });
  });

  test("answers `not_found` for a missing file, and `wrong_kind` for a folder", async () => {
    const { call } = notesProject();
    expect(await call("read", { path: "notes/none.md" })).toEqual(notFound);
    expect(await call("read", { path: "notes" })).toMatchObject({ status: "wrong_kind" });
  });

  test("rejects a negative offset and names its parameter", async () => {
    const { errorOf, put } = notesProject();
    put("notes/a.md", "text");
    const error = await errorOf("read", { path: "notes/a.md", offset: -1 });
    expect(error.message).toContain("whole number from 0 on");
  });
});

describe("list", () => {
  test("lists a folder by name, with kind and size", async () => {
    const { call, directory, put } = notesProject();
    put("notes/b.md", "12");
    put("notes/inner/c.md", "");
    symlinkSync("b.md", join(directory, "notes/a"));
    const result = await call("list", { path: "notes" });
    expect(result).toMatchObject({
      status: "success",
      truncated: false,
      data: [
        { path: "notes/a", kind: "link", bytes: 0 },
        { path: "notes/b.md", kind: "file", bytes: 2 },
        { path: "notes/inner", kind: "folder", bytes: 0 },
      ],
    });
  });

  test("limits depth, count and names", async () => {
    const { call, put } = notesProject();
    for (const name of ["a.md", "b.txt", "x/c.md", "x/y/d.md"]) put(`notes/${name}`, "");
    const pathsOf = async (params: object) => {
      const { data, truncated } = (await call("list", {
        path: "notes",
        ...params,
      })) as unknown as { data: { path: string }[]; truncated: boolean };
      return [data.map((each) => each.path.slice("notes/".length)).join(" "), truncated];
    };
    expect(await pathsOf({ glob: "*.md" })).toEqual(["a.md", false]);
    expect(await pathsOf({ glob: "**/*.md", depth: 2 })).toEqual(["a.md x/c.md", false]);
    expect(await pathsOf({ glob: "**/*.md", depth: 9 })).toEqual(["a.md x/c.md x/y/d.md", false]);
    expect(await pathsOf({ files: 2, depth: 9 })).toEqual(["a.md b.txt", true]);
    expect(await pathsOf({ depth: 0 })).toEqual(["", false]);
  });

  test("answers `not_found` for a missing folder, and `wrong_kind` for a file", async () => {
    const { call, put } = notesProject();
    put("notes/a.md", "");
    expect(await call("list", { path: "notes/none" })).toEqual(notFound);
    expect(await call("list", { path: "notes/a.md" })).toMatchObject({ status: "wrong_kind" });
  });

  test("a pattern with many stars takes no exponential time", () => {
    expect(globTest(`${"*a".repeat(50)}b`)("a".repeat(5_000))).toBe(false);
  });

  test("a pattern of literal text matches exactly that text", () => {
    const name = fc.string({ minLength: 1 }).filter((each) => !/[*?/]/.test(each));
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(globTest(one)(other)).toBe(one === other);
        expect(globTest("*")(one)).toBe(true);
        expect(globTest(`${one}*`)(one + other)).toBe(true);
      }),
    );
  });
});

describe("stat", () => {
  test("describes a file and the allowed folder itself", async () => {
    const { call, put } = notesProject();
    put("notes/a.md", "12");
    expect(await call("stat", { path: "notes/a.md" })).toMatchObject({
      data: { path: "notes/a.md", kind: "file", bytes: 2 },
    });
    expect(await call("stat", { path: "notes" })).toMatchObject({ data: { kind: "folder" } });
    expect(await call("stat", { path: "notes/none" })).toEqual(notFound);
  });
});

describe("write", () => {
  test("creates a file and returns its digest", async () => {
    const { call, names, textOf } = notesProject();
    expect(await call("write", { path: "notes/a.md", text: "one" })).toEqual({
      status: "success",
      data: { path: "notes/a.md", bytes: 3, sha256: sha256("one") },
    });
    expect(textOf("notes/a.md")).toBe("one");
    expect(names()).toEqual(["a.md"]);
  });

  test("replaces a file only if `overwrite` is true, and keeps its mode", async () => {
    const { call, directory, put, textOf } = notesProject();
    const place = put("notes/a.sh", "old");
    chmodSync(place, 0o750);
    const params = { path: "notes/a.sh", text: "new" };
    expect(await call("write", params)).toMatchObject({ status: "exists" });
    expect(textOf("notes/a.sh")).toBe("old");
    expect(await call("write", { ...params, overwrite: true })).toMatchObject({
      status: "success",
    });
    expect(textOf("notes/a.sh")).toBe("new");
    expect(statSync(join(directory, "notes/a.sh")).mode & 0o777).toBe(0o750);
  });

  test("creates folders only if `create_directories` is true", async () => {
    const { call, textOf } = notesProject();
    const params = { path: "notes/x/y/a.md", text: "one" };
    expect(await call("write", params)).toEqual(notFound);
    expect(await call("write", { ...params, create: true })).toMatchObject({ status: "success" });
    expect(textOf("notes/x/y/a.md")).toBe("one");
  });

  test("creates the allowed folder if `create_directories` is true", async () => {
    const { call, directory, textOf } = notesProject();
    rmSync(join(directory, "notes"), { recursive: true });
    await call("write", { path: "notes/a.md", text: "one", create: true });
    expect(textOf("notes/a.md")).toBe("one");
  });

  test("decodes base64, and rejects other text", async () => {
    const { call, errorOf, names } = notesProject();
    const contract = { encoding: "base64" } as const;
    expect(await call("write", { path: "notes/a", text: "/wAB" }, { contract })).toMatchObject({
      data: { bytes: 3 },
    });
    for (const text of ["%%%", "/wA", "/wAB\n"])
      expect((await errorOf("write", { path: "notes/b", text }, { contract })).message).toContain(
        "base64",
      );
    expect(names()).toEqual(["a"]);
  });

  test("rejects a content above the limit, and half of a surrogate pair", async () => {
    const { errorOf, names } = notesProject();
    const contract = { maxBytes: 4 };
    for (const text of ["12345", "ééé"])
      expect((await errorOf("write", { path: "notes/a", text }, { contract })).message).toContain(
        "exceeds the limit of 4 bytes",
      );
    const error = await errorOf("write", { path: "notes/a", text: "\ud800" });
    expect(error.message).toContain("surrogate");
    expect(names()).toEqual([]);
  });

  test("keeps the old file whole while many calls replace it", async () => {
    const { call, names, put, textOf } = notesProject();
    put("notes/a", "0".repeat(1000));
    const texts = Array.from({ length: 20 }, (_, at) => String(at % 10).repeat(1000));
    await Promise.all(
      texts.map((text) => call("write", { path: "notes/a", text, overwrite: true })),
    );
    expect(textOf("notes/a")).toMatch(/^(\d)\1{999}$/);
    expect(names()).toEqual(["a"]);
  });

  test("only one of several calls creates a file without `overwrite`", async () => {
    const { call, names } = notesProject();
    const all = await Promise.all(
      ["1", "2", "3", "4"].map((text) => call("write", { path: "notes/a", text })),
    );
    expect(all.map(({ status }) => status).toSorted()).toEqual([
      "exists",
      "exists",
      "exists",
      "success",
    ]);
    expect(names()).toEqual(["a"]);
  });
});

describe("append", () => {
  test("adds each text once when calls compete", async () => {
    const { call, textOf } = notesProject();
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at}\n`);
    await Promise.all(lines.map((text) => call("append", { path: "notes/log", text })));
    expect(
      textOf("notes/log")
        .split(/(?<=\n)/)
        .toSorted(),
    ).toEqual(lines.toSorted());
  });

  test("leaves a file that would exceed the limit", async () => {
    const { call, put, textOf } = notesProject();
    put("notes/log", "1234");
    const contract = { maxBytes: 5 };
    const result = await call("append", { path: "notes/log", text: "56" }, { contract });
    expect(result).toMatchObject({ status: "too_large" });
    expect(textOf("notes/log")).toBe("1234");
  });
});

describe("move", () => {
  test("moves a file, and replaces one only if `overwrite` is true", async () => {
    const { call, names, put, textOf } = notesProject();
    put("notes/a", "a");
    put("notes/b", "b");
    const params = { path: "notes/a", to: "notes/b" };
    expect(await call("move", params)).toMatchObject({ status: "exists" });
    expect(await call("move", { ...params, overwrite: true })).toEqual({
      status: "success",
      data: { path: "notes/b", bytes: 1, sha256: sha256("a") },
    });
    expect(textOf("notes/b")).toBe("a");
    expect(names()).toEqual(["b"]);
    expect(await call("move", params)).toEqual(notFound);
  });

  test("moves a file to a new folder", async () => {
    const { call, put, textOf } = notesProject();
    put("notes/a", "a");
    await call("move", { path: "notes/a", to: "notes/x/b", create: true });
    expect(textOf("notes/x/b")).toBe("a");
  });
});

describe("delete", () => {
  test("deletes a file and returns its digest; a folder stays", async () => {
    const { call, directory, names, put } = notesProject();
    put("notes/a", "a");
    mkdirSync(join(directory, "notes/x"));
    expect(await call("delete", { path: "notes/a" })).toMatchObject({
      data: { path: "notes/a", bytes: 1, sha256: sha256("a") },
    });
    expect(await call("delete", { path: "notes/a" })).toEqual(notFound);
    expect(await call("delete", { path: "notes/x" })).toMatchObject({ status: "wrong_kind" });
    expect(await call("delete", { path: "notes" })).toMatchObject({ status: "wrong_kind" });
    expect(names()).toEqual(["x"]);
  });
});

describe("patch", () => {
  const patch = "--- a\n+++ a\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n";

  test("applies a unified diff", async () => {
    const { call, put, textOf } = notesProject();
    put("notes/a", "one\ntwo\n");
    expect(await call("patch", { path: "notes/a", patch })).toMatchObject({ status: "success" });
    expect(textOf("notes/a")).toBe("one\nthree\n");
  });

  test("answers `conflict` for a diff of another content, and changes nothing", async () => {
    const { call, put, textOf } = notesProject();
    put("notes/a", "other\n");
    const twoHunks = "@@ -1 +1 @@\n-other\n+new\n@@ -9 +9 @@\n-missing\n+x\n";
    for (const each of [patch, twoHunks])
      expect(await call("patch", { path: "notes/a", patch: each })).toMatchObject({
        status: "conflict",
      });
    expect(textOf("notes/a")).toBe("other\n");
  });

  test.each([
    ["no diff", "hello"],
    ["an empty text", ""],
    ["a broken hunk", "@@ -1,5 +1 @@\n-a\n"],
    ["two files", "--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b\n--- c\n+++ c\n@@ -1 +1 @@\n-a\n+b\n"],
  ])("rejects %s", async (_, text) => {
    const { errorOf, put, textOf } = notesProject();
    put("notes/a", "a\n");
    const error = await errorOf("patch", { path: "notes/a", patch: text });
    expect(error.failure.code).toBe("SCHEMA.VALIDATION_FAILED");
    expect(textOf("notes/a")).toBe("a\n");
  });
});

describe("records", () => {
  test("shadow mode records path, size and digest, and writes nothing", async () => {
    const { call, names } = notesProject();
    const result = await call(
      "write",
      { path: "notes/a", text: "secret text", overwrite: true },
      { mode: "shadow" },
    );
    expect(result).toMatchObject({
      status: "shadow",
      request: {
        operation: "write",
        path: "notes/a",
        bytes: 11,
        sha256: sha256("secret text"),
        options: { overwrite: true },
      },
    });
    expect(JSON.stringify(result)).not.toContain("secret text");
    expect(names()).toEqual([]);
  });

  test("the ledger never contains a content or a patch", async () => {
    const ledger = createFileLedger({ directory: notesProject().directory });
    const { call, errorOf } = notesProject({ ledger });
    await call("write", { path: "notes/a", text: "private words" });
    await call("write", { path: "notes/b", text: "private words" }, { mode: "shadow" });
    await errorOf("write", { path: "/etc/x", text: "private words" });
    await errorOf("patch", { path: "notes/a", patch: "private words" });
    const records: unknown[] = [];
    for await (const each of queryStore(ledger, {})) records.push(each);
    expect(records.length).toBeGreaterThan(3);
    expect(JSON.stringify(records)).not.toContain("private words");
  });
});

describe("paths of several parts", () => {
  test("a setting and the caller's tenant stand in folders and paths", async () => {
    const { call, errorOf, textOf } = notesProject({ credentials: { SPACES: "./notes" } });
    const caller = { tenant: "acme", subject: "ada", origin: "api", trace: "t" } as const;
    const contract = {
      allowed: [credential("SPACES")],
      request: (p: Params, caller: BoundCaller) => ({
        path: path(
          credential("SPACES"),
          "/",
          segment("caller/tenant", caller.tenant),
          "/",
          below("/name", String(p["name"])),
        ),
        content: "x",
        createDirectories: true,
      }),
    };
    await call("write", { name: "x/a" }, { contract, caller });
    expect(textOf("notes/acme/x/a")).toBe("x");
    const error = await errorOf("write", { name: "../x" }, { contract, caller });
    expect(error.message).toContain("`..`");
  });
});
