import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  isRefusedPath,
  judgePath,
  type PathAccess,
  type PathRules,
  plainName,
} from "../../../src/runtime/files/judged-path.js";

/** A project with `notes/a.txt`, `drafts/b.txt` and `secret.txt`. */
function project(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "skillc-judged-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ["notes/deep", "drafts"]) mkdirSync(join(folder, name), { recursive: true });
  for (const name of ["notes/a.txt", "drafts/b.txt", "secret.txt"])
    writeFileSync(join(folder, name), name);
  return folder;
}

function judging(directory: string, rules: Partial<PathRules> = {}) {
  return (written: string, access: PathAccess = "read", base = directory): string => {
    const judged = judgePath(written, {
      base,
      access,
      rules: { directory, read: ["./notes"], write: ["drafts"], ...rules },
    });
    return isRefusedPath(judged) ? judged.problem : relative(directory, judged.path) || ".";
  };
}

describe("judgePath", () => {
  test("allows reads below both lists of folders, and writes below the second", () => {
    const judge = judging(project());
    expect(judge("notes/a.txt")).toBe("notes/a.txt");
    expect(judge("notes/gone/far.txt")).toBe("notes/gone/far.txt");
    expect(judge("drafts/b.txt")).toBe("drafts/b.txt");
    expect(judge("drafts/b.txt", "write")).toBe("drafts/b.txt");
    expect(judge("drafts/new.txt", "write")).toBe("drafts/new.txt");
    expect(judge("notes/a.txt", "write")).toBe("outside");
    expect(judge("notes")).toBe("notes");
  });

  test("names every spelling of a path alike, relative to its folder as written", () => {
    const directory = project();
    symlinkSync("a.txt", join(directory, "notes", "link.txt"));
    const rules = { directory, read: ["./notes"], write: [] };
    for (const written of [
      "notes/a.txt",
      "./drafts/../notes//a.txt",
      join(directory, "notes/a.txt"),
      "notes/link.txt",
    ])
      expect(judgePath(written, { base: directory, access: "read", rules })).toEqual({
        path: join(directory, "notes/a.txt"),
        folder: { written: "./notes", real: join(directory, "notes") },
        name: "notes/a.txt",
      });
  });

  test("names the innermost folder of a path, in whatever order folders are listed", () => {
    const directory = project();
    for (const read of [
      ["./notes", "./notes/deep"],
      ["./notes/deep", "./notes"],
    ])
      expect(
        judgePath("notes/deep/b.txt", {
          base: directory,
          access: "read",
          rules: { directory, read, write: [] },
        }),
      ).toMatchObject({ folder: { written: "./notes/deep" }, name: "notes/deep/b.txt" });
  });

  test("starts at the base for paths, and at the runtime's folder for allowed folders", () => {
    const directory = project();
    const judge = judging(directory);
    expect(judge("a.txt", "read", join(directory, "notes"))).toBe("notes/a.txt");
    expect(judge("../drafts/b.txt", "read", join(directory, "notes"))).toBe("drafts/b.txt");
    expect(judge("../secret.txt", "read", join(directory, "notes"))).toBe("outside");
  });

  test("rejects paths that leave the allowed folders", () => {
    const directory = project();
    const judge = judging(directory);
    for (const written of [
      "secret.txt",
      "..",
      "notes/..",
      "notes/../secret.txt",
      "notes/deep/../../secret.txt",
      "notes-too/a.txt",
      "/etc/passwd",
      `/proc/self/root${directory}/notes/a.txt`,
      `/proc/self/cwd`,
      `/proc/${process.pid}/root/etc/passwd`,
      "/dev/stdin",
      "/there/is/nothing",
      "~/.ssh/id_rsa",
      "notes\\..\\secret.txt",
    ].filter((each) => process.platform === "win32" || !each.includes("\\")))
      expect([written, judge(written)]).toEqual([written, "outside"]);
  });

  test("rejects links that lead out, also through /proc and to files that do not exist", () => {
    const directory = project();
    const at = (path: string) => join(directory, path);
    const judge = judging(directory);
    symlinkSync(at("secret.txt"), at("notes/file"));
    symlinkSync(directory, at("notes/folder"));
    symlinkSync("../gone.txt", at("notes/dangling"));
    symlinkSync("dangling", at("notes/twice"));
    symlinkSync(`/proc/self/root${directory}`, at("notes/proc"));
    symlinkSync(`/proc/self/root${directory}/gone`, at("notes/proc-gone"));
    for (const written of [
      "notes/file",
      "notes/folder",
      "notes/folder/secret.txt",
      "notes/folder/gone.txt",
      "notes/dangling",
      "notes/dangling/below",
      "notes/twice",
      "notes/proc/secret.txt",
      "notes/proc-gone",
    ])
      expect([written, judge(written)]).toEqual([written, "outside"]);
    symlinkSync("../drafts/new.txt", at("notes/inside"));
    expect(judge("notes/inside", "write")).toBe("outside");
    expect(judging(directory, { write: ["notes", "drafts"] })("notes/inside", "write")).toBe(
      "drafts/new.txt",
    );
    symlinkSync(`/proc/self/root${directory}/notes/a.txt`, at("notes/proc-in"));
    expect(judge("notes/proc-in")).toBe("notes/a.txt");
  });

  test("follows a link that is an allowed folder, and allows a folder that is missing", () => {
    const directory = project();
    symlinkSync("drafts", join(directory, "shared"));
    const judge = judging(directory, { read: ["shared", "missing"], write: [] });
    expect(judge("shared/b.txt")).toBe("drafts/b.txt");
    expect(judge("missing/x.txt")).toBe("missing/x.txt");
    expect(judge("notes/a.txt")).toBe("outside");
  });

  test("rejects paths that the system cannot hold", () => {
    const directory = project();
    const judge = judging(directory);
    expect(judge("")).toBe("empty");
    expect(judge("notes/a\0.txt")).toBe("nul");
    expect(judge("notes/\ud800.txt")).toBe("surrogate");
    expect(judge(`notes/${"x".repeat(5000)}`)).toBe("unusable");
    symlinkSync("round", join(directory, "notes", "round"));
    expect(judge("notes/round")).toBe("unusable");
  });

  test("requires a folder of the outer bound too", () => {
    const directory = project();
    expect(judging(directory, { outer: ["notes/deep"] })("notes/a.txt")).toBe("outside");
    expect(judging(directory, { outer: ["."] })("notes/a.txt")).toBe("notes/a.txt");
    expect(judging(directory, { outer: [] })("notes/a.txt")).toBe("no-folder");
    expect(judging(directory, { read: [], write: [] })("notes/a.txt")).toBe("no-folder");
    symlinkSync("../../drafts", join(directory, "notes/deep/link"));
    const bounded = judging(directory, { read: ["."], outer: ["notes"] });
    expect(bounded("notes/deep/link/b.txt")).toBe("outside");
  });

  test("gives reasons without any path but the caller's own", () => {
    const directory = project();
    for (const written of ["", "\0", "../x", "/etc/passwd", "notes/\udfff"]) {
      const judged = judgePath(written, {
        base: directory,
        access: "read",
        rules: { directory, read: ["notes"], write: [] },
      });
      expect(JSON.stringify(judged)).not.toContain(directory);
      expect(JSON.stringify(judged)).not.toContain("notes");
    }
  });

  test("allows no path outside, whatever a caller writes", () => {
    const directory = project();
    symlinkSync("..", join(directory, "notes", "up"));
    symlinkSync("/", join(directory, "notes", "root"));
    symlinkSync("../drafts", join(directory, "notes", "side"));
    const names = ["notes", "drafts", "deep", "a.txt", "up", "root", "side", "etc", "proc", "self"];
    const part = fc.constantFrom("..", ".", "", "cwd", "secret.txt", "new", directory, ...names);
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.boolean(), (parts, isAbsolute) => {
        const written = (isAbsolute ? "/" : "") + parts.join("/");
        const rules = { directory, read: ["notes"], write: ["drafts"] };
        const judged = judgePath(written, { base: directory, access: "write", rules });
        if (isRefusedPath(judged)) return;
        expect(`${judged.path}/`.startsWith(`${directory}/drafts/`)).toBe(true);
        // The path is its own real path.
        const again = judgePath(judged.path, { base: "/", access: "write", rules });
        expect(again).toEqual(judged);
      }),
      { numRuns: 500 },
    );
  });
});

test("plainName keeps a rejected path without its dots", () => {
  expect(plainName("notes/../secret.txt", "/project")).toBe("secret.txt");
  expect(plainName("../etc/passwd", "/project")).toBe("/etc/passwd");
  expect(plainName(".", "/project")).toBe("/project");
});
