/** Git is asked about projects that came from elsewhere: no program that they name is run. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { deskFiles, makeProject, put, skillc } from "../support/command-line.js";
import { objectType } from "../support/git-objects.js";

const config = "secrets: { ORDERS_TOKEN: x }\n";

function git(folder: string, ...args: string[]): void {
  const who = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  execFileSync("git", [...who, ...args], { cwd: folder, stdio: "pipe" });
}

const template = mkdtempSync(join(tmpdir(), "skillc-template-"));
for (const [path, text] of Object.entries({ ...deskFiles, "skillc.yaml": config }))
  put(template, path, text);
git(template, "init", "--quiet", "--template=", "--initial-branch=main");
git(template, "add", ".");
git(template, "commit", "--quiet", "-m", "skills");
afterAll(() => rmSync(template, { recursive: true, force: true }));

/** A repository with one commit of a project that has a secret in skillc.yaml. */
function repository(): string {
  const root = makeProject();
  cpSync(template, root, { recursive: true });
  return root;
}

/** Runs every command that asks git. */
async function askGit(root: string, path = process.env["PATH"]): Promise<readonly string[]> {
  const outputs: string[] = [];
  for (const argv of [["check"], ["generate"], ["compare", "main"]]) {
    const { code, stderr } = await skillc(root, argv, { env: { PATH: path } });
    expect(code).toBeLessThan(3);
    outputs.push(stderr);
  }
  return outputs;
}

it("warns of a secret in skillc.yaml until git ignores the file, by .gitignore or by info/exclude", async () => {
  const root = repository();
  const isWarned = async () => (await skillc(root, ["check"])).stderr.includes("skillc.yaml");
  git(root, "rm", "--quiet", "--cached", "skillc.yaml");
  expect(await isWarned()).toBe(true);
  put(root, ".git/info/exclude", "skillc.yaml\n");
  expect(await isWarned()).toBe(false);
  put(root, ".git/info/exclude", "");
  put(root, ".gitignore", "skillc.yaml\n");
  expect(await isWarned()).toBe(false);
});

it("runs no program that the configuration of an embedded bare repository names", async () => {
  const root = repository();
  const mark = join(root, "../mark-of-bare");
  const inner = join(root, "inner");
  for (const [path, text] of Object.entries({ ...deskFiles, "skillc.yaml": config }))
    put(inner, path, text);
  for (const folder of ["objects", "refs"]) mkdirSync(join(inner, folder));
  put(inner, "HEAD", "ref: refs/heads/main\n");
  put(
    inner,
    "config",
    `[core]\nrepositoryformatversion = 0\nbare = false\nworktree = .\nfsmonitor = "touch ${mark}; false"\n`,
  );
  await askGit(inner);
  expect(existsSync(mark)).toBe(false);
});

/** Keys of `.git/config` that name programs. An archive, unlike a clone, may bring a `.git` folder. */
const programs: readonly (readonly [name: string, (mark: string) => string])[] = [
  ["a file system monitor", (mark) => `[core]\nfsmonitor = "touch ${mark}; false"\n`],
  ["hooks", () => `[core]\nhooksPath = hooks-of-theirs\n`],
  ["a pager", (mark) => `[core]\npager = "touch ${mark}"\n[pager]\nls-tree = true\n`],
  ["aliases", (mark) => `[alias]\nls-tree = "!touch ${mark}"\ncheck-ignore = "!touch ${mark}"\n`],
  [
    "a transport for objects that are missing",
    (mark) =>
      `[core]\nrepositoryformatversion = 1\n[extensions]\npartialClone = origin\n[protocol "ext"]\nallow = always\n` +
      `[remote "origin"]\nurl = "ext::sh -c 'touch ${mark}'"\npromisor = true\nuploadpack = "touch ${mark}"\n`,
  ],
];

it.each(programs)("runs no program that .git/config names as %s", async (name, configured) => {
  const root = repository();
  const mark = join(root, "mark");
  put(root, "hooks-of-theirs/post-index-change", `#!/bin/sh\ntouch ${mark}\n`);
  chmodSync(join(root, "hooks-of-theirs/post-index-change"), 0o755);
  put(root, ".git/config", configured(mark));
  if (name.startsWith("a transport")) removeObjects(root);
  await askGit(root);
  expect(existsSync(mark)).toBe(false);
});

/** Removes the blobs, which are what a partial clone would fetch. */
function removeObjects(root: string): void {
  const objects = join(root, ".git/objects");
  for (const folder of readdirSync(objects).filter((each) => each.length === 2))
    for (const file of readdirSync(join(objects, folder))) {
      const path = join(objects, folder, file);
      if (objectType(path) === "blob") rmSync(path);
    }
}

it("runs no program called git that stands in the project, though PATH begins with the working directory", async () => {
  const root = repository();
  const mark = join(root, "mark");
  put(root, "git", `#!/bin/sh\ntouch ${mark}\n`);
  chmodSync(join(root, "git"), 0o755);
  cpSync(join(root, "git"), join(root, "git.exe"));
  const outputs = await askGit(root, `.:${process.env["PATH"]}`);
  expect(existsSync(mark)).toBe(false);
  expect(outputs.at(-1)).not.toContain("git can't read revisions");
});

it("compares from inside a git hook, whose environment names another repository", async () => {
  const root = repository();
  const env = { PATH: process.env["PATH"], GIT_DIR: "/nowhere", GIT_INDEX_FILE: "/nowhere/index" };
  expect((await skillc(root, ["compare", "main"], { env })).code).toBe(0);
});
