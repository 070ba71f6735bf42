import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdtempSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  findObstacle,
  makeOwnFolder,
  PlaceTaken,
  writeOwnFile,
} from "../../../src/runtime/files/own-place.js";
import { NotAFile, readRegularFile } from "../../../src/runtime/files/regular-file.js";

function folder(): string {
  const root = mkdtempSync(join(tmpdir(), "skillc-place-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return root;
}

test("a place is ours when every part of the way is a real folder, or is not there", () => {
  const root = folder();
  mkdirSync(join(root, "real/deep"), { recursive: true });
  writeFileSync(join(root, "real/file"), "");
  symlinkSync("real", join(root, "link"));
  symlinkSync("nowhere", join(root, "real/dangling"));
  symlinkSync("file", join(root, "real/to-file"));
  execFileSync("mkfifo", [join(root, "real/pipe")]);
  const at = (path: string, wanted: "file" | "folder") => findObstacle(root, path, wanted);
  for (const path of ["real/file", "real/new", "new/new/new"])
    expect(at(path, "file")).toBeUndefined();
  for (const path of ["real", "real/deep", "new/new"]) expect(at(path, "folder")).toBeUndefined();
  expect(at("link/file", "file")).toEqual({ path: "link", wanted: "folder", found: "link" });
  expect(at("link/new/file", "file")).toMatchObject({ path: "link" });
  expect(at("real/to-file", "file")).toMatchObject({ found: "link" });
  expect(at("real/dangling", "file")).toMatchObject({ found: "link" });
  expect(at("real/dangling/x", "file")).toMatchObject({ path: "real/dangling" });
  expect(at("real/file/x", "file")).toMatchObject({ path: "real/file", found: "file" });
  expect(at("real/deep", "file")).toMatchObject({ found: "folder" });
  expect(at("real/pipe", "file")).toMatchObject({ found: "special file" });
});

test("links above the project's folder are the system's business", () => {
  const root = folder();
  mkdirSync(join(root, "project"));
  symlinkSync("project", join(root, "same"));
  writeOwnFile(join(root, "same"), "a/b.txt", "text");
  expect(readFileSync(join(root, "project/a/b.txt"), "utf8")).toBe("text");
});

test("a file is replaced whole, keeps its mode, and no other name of it is written to", () => {
  const root = folder();
  writeFileSync(join(root, "a"), "old");
  chmodSync(join(root, "a"), 0o640);
  execFileSync("ln", [join(root, "a"), join(root, "b")]);
  writeOwnFile(root, "a", "new");
  expect(readFileSync(join(root, "a"), "utf8")).toBe("new");
  expect(readFileSync(join(root, "b"), "utf8")).toBe("old");
  expect(statSync(join(root, "a")).mode & 0o777).toBe(0o640);
  expect(readdirSync(root).toSorted()).toEqual(["a", "b"]);
});

test("creates and writes nothing behind a link", () => {
  const root = folder();
  mkdirSync(join(root, "victim"));
  symlinkSync("victim", join(root, "link"));
  expect(() => makeOwnFolder(root, "link/a/b")).toThrow(PlaceTaken);
  expect(() => writeOwnFile(root, "link/a", "")).toThrow("`link` is a link");
  expect(readdirSync(join(root, "victim"))).toEqual([]);
});

test("creates a folder with its parents, and returns the first new one", () => {
  const root = join(folder(), "new");
  expect(makeOwnFolder(root, "a/b", 0o700)).toBe(root);
  expect(makeOwnFolder(root, "a/b/c/d", 0o700)).toBe(join(root, "a/b/c"));
  expect(makeOwnFolder(root, "a/b")).toBeUndefined();
  expect(statSync(join(root, "a")).mode & 0o777).toBe(0o700);
});

test("only a regular file is read, and opening waits for nothing", () => {
  const root = folder();
  writeFileSync(join(root, "file"), "text");
  symlinkSync("file", join(root, "link"));
  symlinkSync("/dev/zero", join(root, "device"));
  execFileSync("mkfifo", [join(root, "pipe")]);
  expect(readRegularFile(join(root, "file")).toString()).toBe("text");
  expect(readRegularFile(join(root, "link")).toString()).toBe("text");
  expect(() => readRegularFile(join(root, "link"), { links: false })).toThrow("ELOOP");
  for (const name of ["device", "pipe", "."])
    expect(() => readRegularFile(join(root, name))).toThrow(NotAFile);
});
