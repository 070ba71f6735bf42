/** Commits and repositories that git itself would not make: nothing outside changes, and no crash. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { deskFiles, makeProject, put, skillc } from "../support/command-line.js";
import {
  commitAll,
  createRepository,
  objectPath,
  type TreeEntry,
  writeCommit,
  writeTree,
} from "../support/git-objects.js";

const file = (name: string, text = ""): TreeEntry => ({ name, file: text });
const link = (name: string, target: string): TreeEntry => ({ name, link: target });
const folder = (name: string, ...entries: readonly TreeEntry[]): TreeEntry => ({ name, entries });

const desk = folder(
  "desk",
  ...Object.entries(deskFiles).map(([path, text]) => file(basename(path), text)),
);

/** A repository, and the id of a commit that has these skills beside the desk. */
function withCommit(...skills: readonly TreeEntry[]) {
  const root = makeProject(deskFiles);
  createRepository(root);
  commitAll(root);
  const tree = writeTree(root, [folder("skills", desk, ...skills)]);
  return { root, commit: writeCommit(root, tree) };
}

/** An empty folder beside the one that `compare` makes. */
function beside(): string {
  const made = mkdtempSync(join(tmpdir(), "skillc-beside-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

it.each([
  ["a file and a folder", [file("e"), folder("e", file("SKILL.md"))]],
  ["a link and a folder", [link("e", "desk"), folder("e", link("planted.json", "target"))]],
  ["two files", [file("e.yaml", "a"), file("e.yaml", "b")]],
  ["two links", [link("e", "desk"), link("e", "../../..")]],
])("refuses a commit in which %s have one name", async (_, entries) => {
  const { commit, root } = withCommit(folder("b", ...entries));
  const { code, stderr } = await skillc(root, ["compare", commit]);
  expect(stderr).toMatch(/can't be read: it has `skills\/b\/e(?:\.yaml)?` twice/);
  expect(code).toBe(1);
});

it.each([
  ["Desk", "desk"],
  ["ÄRGER", "a\u0308rger"],
  ["ﬁle", "FILE"],
])("refuses a commit whose names are one to some disks: %s and %s", async (one, two) => {
  const { commit, root } = withCommit(folder("b", file(one), folder(two, file("SKILL.md"))));
  const { code, stderr } = await skillc(root, ["compare", commit]);
  expect(stderr).toContain("have the same name on a file system that ignores case");
  expect(code).toBe(1);
});

it.each(["..", ".", ".git", ".GIT", "a".repeat(5000)])(
  "refuses a commit with a path that git would not check out: %s",
  async (name) => {
    const { commit, root } = withCommit(folder(name, folder("b", file("planted.json"))));
    const { code, stderr } = await skillc(root, ["compare", commit]);
    expect(stderr).toContain("git would refuse to check out its path `skills/");
    expect(code).toBe(1);
  },
);

it("makes nothing in a folder that links of a commit lead to, step by step", async () => {
  const outside = beside();
  const { commit, root } = withCommit(
    folder(
      "b",
      folder(
        "c",
        link("d", "../../.."),
        link("e", `d/../${basename(outside)}`),
        folder("f", link("g", "../e"), link("planted.json", "g/planted.json")),
      ),
    ),
  );
  const { stderr } = await skillc(root, ["compare", commit]);
  expect(readdirSync(outside)).toEqual([]);
  expect(stderr).toContain("`skills/b/c/f/planted.json` is a link that leads nowhere");
});

it("follows no link of a commit out of its folder, however the way is spelled", async () => {
  const secret = join(beside(), "SKILL.md");
  const text = "---\nname: other\ndescription: Secret.\n---\n";
  writeFileSync(secret, text);
  const up = "../../..";
  const name = basename(join(secret, ".."));
  const { commit, root } = withCommit(
    folder("a", link("SKILL.md", secret)),
    folder("b", link("up", up), link("SKILL.md", `up/../${name}/SKILL.md`)),
    folder("c", link("SKILL.md", `${up}/../${name}/SKILL.md`)),
    folder("d", link("x", "y"), link("y", "x"), link("SKILL.md", "x/SKILL.md")),
  );
  const { stderr, stdout } = await skillc(root, ["compare", commit]);
  expect(stdout + stderr).not.toContain("Secret");
  for (const each of ["a", "b", "c", "d"])
    expect(stderr).toContain(`\`skills/${each}/SKILL.md\` is a link that leads nowhere`);
});

it("follows links that stay among the commit's skills, in whichever order they stand", async () => {
  const { commit, root } = withCommit(
    folder("a", link("SKILL.md", "../z/b/SKILL.md"), link("metadata.json", "../z/b/metadata.json")),
    folder("z", link("b", "c"), link("c", "../desk")),
  );
  const { stderr } = await skillc(root, ["compare", commit]);
  expect(stderr).not.toContain("nowhere");
});

/** Removes the object that a revision names. */
function removeObject(root: string, revision: string): void {
  const id = execFileSync("git", ["rev-parse", revision], { cwd: root, encoding: "utf8" });
  rmSync(objectPath(root, id.trim()));
}

it.each([
  "HEAD:skills/desk/SKILL.md",
  "HEAD:skills/desk/metadata.json",
  "HEAD:skills/desk",
  "HEAD:skills",
  "HEAD^{tree}",
])("reports an object that a broken repository lacks: %s", async (revision) => {
  const { root } = withCommit();
  removeObject(root, revision);
  const { code, stderr } = await skillc(root, ["compare", "HEAD", "."]);
  expect(stderr).not.toMatch(/no skills|no folder/);
  expect(stderr).toMatch(/git has no object|`git ls-tree` failed|a git revision here/);
  expect(code).toBeLessThan(3);
  expect(code).toBeGreaterThan(0);
});

it("compares where an object is missing that belongs to no skill", async () => {
  const { root } = withCommit();
  put(root, "src/a.ts", "x\n");
  commitAll(root);
  removeObject(root, "HEAD:src/a.ts");
  expect(existsSync(join(root, "src/a.ts"))).toBe(true);
  expect(readFileSync(join(root, "src/a.ts"), "utf8")).toBe("x\n");
  const { code, stderr } = await skillc(root, ["compare", "HEAD", "."]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});
