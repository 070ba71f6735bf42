/** Commits and repositories that git itself would not make: nothing outside changes, and no crash. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { deskFiles, makeProject, skillc } from "../support/command-line.js";

const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];

function git(root: string, args: readonly string[], input: string | Buffer = ""): string {
  return execFileSync("git", [...author, ...args], { cwd: root, input })
    .toString("utf8")
    .trim();
}

type Entry =
  | { readonly name: string; readonly file: string }
  | { readonly name: string; readonly link: string }
  | { readonly name: string; readonly entries: readonly Entry[] };

const file = (name: string, text = ""): Entry => ({ name, file: text });
const link = (name: string, target: string): Entry => ({ name, link: target });
const folder = (name: string, ...entries: readonly Entry[]): Entry => ({ name, entries });

/** Writes a tree without any of git's checks. */
function treeOf(root: string, entries: readonly Entry[]): string {
  const lines = entries.map((entry) => {
    const isTree = "entries" in entry;
    const text = "link" in entry ? entry.link : "file" in entry ? entry.file : "";
    const id = isTree
      ? treeOf(root, entry.entries)
      : git(root, ["hash-object", "-w", "--stdin"], text);
    const mode = isTree ? "40000" : "link" in entry ? "120000" : "100644";
    return Buffer.concat([Buffer.from(`${mode} ${entry.name}\0`), Buffer.from(id, "hex")]);
  });
  const args = ["hash-object", "-w", "-t", "tree", "--literally", "--stdin"];
  return git(root, args, Buffer.concat(lines));
}

const desk = folder(
  "desk",
  ...Object.entries(deskFiles).map(([path, text]) => file(basename(path), text)),
);

/** A repository, and the id of a commit that has these skills beside the desk. */
function withCommit(...skills: readonly Entry[]) {
  const root = makeProject(deskFiles);
  git(root, ["init", "--quiet", "--initial-branch=main"]);
  git(root, ["add", "."]);
  git(root, ["commit", "--quiet", "-m", "skills"]);
  const tree = treeOf(root, [folder("skills", desk, ...skills)]);
  return { root, commit: git(root, ["commit-tree", tree, "-m", "by hand"]) };
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
  expect(stderr).toContain("are one name to a disk that ignores case");
  expect(code).toBe(1);
});

it.each(["..", ".", ".git", ".GIT", "a".repeat(5000)])(
  "refuses a commit with a path that git would not check out: %s",
  async (name) => {
    const { commit, root } = withCommit(folder(name, folder("b", file("planted.json"))));
    const { code, stderr } = await skillc(root, ["compare", commit]);
    expect(stderr).toContain("git would not check out its path `skills/");
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
  execFileSync("sh", ["-c", 'printf %s "$1" > "$2"', "sh", text, secret]);
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

/** Removes or damages one object of a repository. */
function objectPath(root: string, revision: string): string {
  const id = git(root, ["rev-parse", revision]);
  return join(root, ".git/objects", id.slice(0, 2), id.slice(2));
}

it.each([
  "HEAD:skills/desk/SKILL.md",
  "HEAD:skills/desk/metadata.json",
  "HEAD:skills/desk",
  "HEAD:skills",
  "HEAD^{tree}",
])("reports an object that a broken repository lacks: %s", async (revision) => {
  const { root } = withCommit();
  rmSync(objectPath(root, revision));
  const { code, stderr } = await skillc(root, ["compare", "HEAD", "."]);
  expect(stderr).not.toMatch(/no skills|no folder/);
  expect(stderr).toMatch(/git has no object|`git ls-tree` failed|no git revision/);
  expect(code).toBeLessThan(3);
  expect(code).toBeGreaterThan(0);
});

it("compares where an object is missing that belongs to no skill", async () => {
  const { root } = withCommit();
  mkdirSync(join(root, "src"));
  execFileSync("sh", ["-c", "echo x > src/a.ts"], { cwd: root });
  git(root, ["add", "."]);
  git(root, ["commit", "--quiet", "-m", "code"]);
  rmSync(objectPath(root, "HEAD:src/a.ts"));
  expect(existsSync(join(root, "src/a.ts"))).toBe(true);
  expect(readFileSync(join(root, "src/a.ts"), "utf8")).toBe("x\n");
  const { code, stderr } = await skillc(root, ["compare", "HEAD", "."]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});
