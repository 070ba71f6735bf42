/** Trees of files for tests of copies, and what the file system says about them. */
import fs from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { Breath } from "../../../../src/runtime/rollback/backups/breath.js";
import { digestFile } from "../../../../src/runtime/rollback/backups/copy-file.js";
import { absent, type EntryState } from "../../../../src/runtime/rollback/backups/entry-state.js";
import { scanTree } from "../../../../src/runtime/rollback/backups/scan.js";
import type { TreeChange } from "../../../../src/runtime/rollback/backups/tree-change.js";

/** Creates an empty folder for a test, without links in its path. */
export function emptyFolder(): string {
  const folder = fs.realpathSync(fs.mkdtempSync(join(temporaryFolder(), "backups-")));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  return folder;
}

/** An entry of a tree: content of a file, or something else. */
export type Entry =
  | string
  | { readonly target: string }
  | { readonly folder: true; readonly mode?: number; readonly seconds?: number }
  | { readonly text: string; readonly mode?: number; readonly seconds?: number };

/** Entries by their paths. */
export type Entries = Readonly<Record<string, Entry>>;

/** Creates entries, with their parents. Folders get their times last. */
export function makeTree(root: string, entries: Entries): void {
  const late: (() => void)[] = [];
  for (const [path, entry] of Object.entries(entries)) {
    const place = join(root, path);
    fs.mkdirSync(dirname(place), { recursive: true });
    if (typeof entry === "string") fs.writeFileSync(place, entry);
    else if ("target" in entry) fs.symlinkSync(entry.target, place);
    else {
      const { mode, seconds } = entry;
      if ("folder" in entry) fs.mkdirSync(place, { recursive: true });
      else fs.writeFileSync(place, entry.text);
      late.unshift(() => {
        if (mode !== undefined) fs.chmodSync(place, mode);
        if (seconds !== undefined) fs.utimesSync(place, seconds, seconds);
      });
    }
  }
  for (const each of late) each();
}

/** Describes everything below a folder: a line for each entry. Times are in microseconds. */
export function describeTree(root: string): readonly string[] {
  const lines: string[] = [];
  const visit = (path: string): void => {
    const place = join(root, path);
    const stats = fs.lstatSync(place, { bigint: true });
    const mode = (Number(stats.mode) & 0o7777).toString(8);
    const time = stats.mtimeNs / 1000n;
    const facts = `${path} ${mode} ${time} ${stats.uid}:${stats.gid}`;
    if (stats.isSymbolicLink()) lines.push(`${facts} -> ${fs.readlinkSync(place)}`);
    else if (stats.isFile()) lines.push(`${facts} ${fs.readFileSync(place).toString("base64")}`);
    else lines.push(`${facts} ${stats.isDirectory() ? "folder" : "other"}`);
    if (!stats.isDirectory()) return;
    for (const name of fs.readdirSync(place).toSorted()) visit(join(path, name));
  };
  visit(".");
  return lines;
}

/** Returns the states of a tree. */
export async function statesOf(root: string): Promise<ReadonlyMap<string, EntryState>> {
  const found = new Map<string, EntryState>();
  const breath = new Breath();
  await scanTree(root, found, {
    isLeftOut: () => false,
    content: (fd) => digestFile(fd, breath),
    breath,
  });
  return found;
}

/** Makes a project with a tree `now`, and the changes that make it equal to the tree `wanted`. */
export async function changesBetween(now: Entries, wanted: Entries) {
  const directory = emptyFolder();
  const root = join(directory, "now");
  const other = join(directory, "wanted");
  makeTree(root, now);
  makeTree(other, wanted);
  const [from, to] = [await statesOf(root), await statesOf(other)];
  const names = new Set([...from.keys(), ...to.keys()].map((path) => path.replace(other, root)));
  const changes = [...names].map((path): TreeChange => {
    const source = path.replace(root, other);
    return { path, from: from.get(path) ?? absent, to: to.get(source) ?? absent, source };
  });
  return { directory, root, other, changes };
}
