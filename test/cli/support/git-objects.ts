/**
 * Writes Git repositories as files. So a history needs no process, and may contain objects that Git
 * itself would not write.
 */
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";

export type TreeEntry =
  | { readonly name: string; readonly file: string | Buffer }
  | { readonly name: string; readonly link: string }
  | { readonly name: string; readonly entries: readonly TreeEntry[] };

/** Makes the folder a repository whose branch `main` has no commit. */
export function createRepository(root: string): void {
  for (const folder of ["objects", "refs/heads"])
    mkdirSync(join(root, ".git", folder), { recursive: true });
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(root, ".git/config"), "[core]\nrepositoryformatversion = 0\nbare = false\n");
}

/** Commits all files below the folder to the branch `main`, without a change to Git's index. */
export function commitAll(root: string): string {
  const branch = join(root, ".git/refs/heads/main");
  const parents = existsSync(branch) ? [readFileSync(branch, "utf8").trim()] : [];
  const commit = writeCommit(root, writeTree(root, entriesOf(root)), parents);
  writeFileSync(branch, `${commit}\n`);
  return commit;
}

export function writeCommit(root: string, tree: string, parents: readonly string[] = []): string {
  const person = "a <a@example.com> 1700000000 +0000";
  const lines = [
    `tree ${tree}`,
    ...parents.map((each) => `parent ${each}`),
    `author ${person}`,
    `committer ${person}`,
  ];
  return writeObject(root, "commit", Buffer.from(`${lines.join("\n")}\n\na commit\n`));
}

/** Writes a tree with these entries in this order, without Git's checks. */
export function writeTree(root: string, entries: readonly TreeEntry[]): string {
  const lines = entries.map((entry) => {
    const [mode, id] = writeEntry(root, entry);
    return Buffer.concat([Buffer.from(`${mode} ${entry.name}\0`), Buffer.from(id, "hex")]);
  });
  return writeObject(root, "tree", Buffer.concat(lines));
}

function writeEntry(root: string, entry: TreeEntry): readonly [mode: string, id: string] {
  if ("entries" in entry) return ["40000", writeTree(root, entry.entries)];
  if ("link" in entry) return ["120000", writeObject(root, "blob", Buffer.from(entry.link))];
  return ["100644", writeObject(root, "blob", Buffer.from(entry.file))];
}

export function objectPath(root: string, id: string): string {
  return join(root, ".git/objects", id.slice(0, 2), id.slice(2));
}

/** Type of a loose object: `blob`, `tree` or `commit`. */
export function objectType(file: string): string {
  return inflateSync(readFileSync(file)).toString("latin1").split(" ", 1)[0] ?? "";
}

function writeObject(root: string, type: string, content: Buffer): string {
  const object = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  const id = createHash("sha1").update(object).digest("hex");
  const path = objectPath(root, id);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, deflateSync(object));
  return id;
}

/** Lists files, links and folders of a folder in Git's order for trees. */
function entriesOf(folder: string): readonly TreeEntry[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== ".git" && name !== ".skillc")
    .map((entry): TreeEntry => {
      const { name } = entry;
      const path = join(folder, name);
      if (entry.isDirectory()) return { name, entries: entriesOf(path) };
      if (entry.isSymbolicLink()) return { name, link: readlinkSync(path) };
      return { name, file: readFileSync(path) };
    })
    .filter((entry) => !("entries" in entry && entry.entries.length === 0))
    .toSorted((one, other) => Buffer.compare(sortKey(one), sortKey(other)));
}

/** Git sorts a folder as if its name ended with a slash. */
function sortKey(entry: TreeEntry): Buffer {
  return Buffer.from("entries" in entry ? `${entry.name}/` : entry.name);
}
