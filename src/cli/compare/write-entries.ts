/**
 * Writes files of a commit to a folder. An attacker may have made the commit, so its names and
 * links are untrusted. It rejects names that are the same on some disk. It never writes through a
 * link. It keeps a link only if the disk resolves it to something in the folder.
 */
import {
  closeSync,
  ftruncateSync,
  openSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, posix, sep } from "node:path";
import { makeOwnFolder, systemCode } from "@skillc/runtime/internal";
import { maxBytes } from "../../compiler/read/read-file.js";
import { visible } from "../console/visible.js";
import { CommandFailure } from "../exit.js";
import type { BlobEntry } from "./git.js";

/**
 * @param root real path of the folder
 * @param blobs contents by id; too large files are missing
 * @param revision the user's name for the revision
 */
export function writeEntries(
  root: string,
  entries: readonly BlobEntry[],
  blobs: ReadonlyMap<string, Buffer>,
  revision: string,
): void {
  refuseNames(entries, revision);
  const links = new Map<string, string>();
  for (const { id, kind, path } of entries) {
    const data = blobs.get(id);
    if (kind === "link") links.set(path, data?.toString("utf8") ?? "");
    else writeFile(root, path, data);
  }
  writeLinks(root, links);
}

/** Linux's limit; other systems have lower ones. */
const maxPathLength = 4096;

/** Rejects names that would lead out of the folder, and two names for the same path. */
function refuseNames(entries: readonly BlobEntry[], revision: string): void {
  const known = new Map<string, { readonly path: string; readonly isFolder: boolean }>();
  const add = (path: string, isFolder: boolean): void => {
    const key = foldedName(path);
    const other = known.get(key);
    if (other !== undefined && (other.path !== path || !other.isFolder || !isFolder))
      throw CommandFailure.input(
        `\`${revision}\` can't be read: ${tellTwo(path, other.path)}`,
        "rename one of the two in a new commit, or name folders instead of revisions; `git fsck` finds such commits",
      );
    known.set(key, { path, isFolder });
  };
  for (const { path } of entries) {
    const steps = path.length > maxPathLength ? [""] : path.split("/");
    if (steps.some((step) => ["", ".", ".."].includes(step) || foldedName(step) === ".git"))
      throw CommandFailure.input(
        `\`${revision}\` can't be read: git would refuse to check out its path \`${visible(path.slice(0, 200))}\``,
        "`git fsck` finds such commits",
      );
    steps.forEach((_, at) => add(steps.slice(0, at + 1).join("/"), at + 1 < steps.length));
  }
}

function tellTwo(path: string, other: string): string {
  if (path === other) return `it has \`${visible(path)}\` twice`;
  return `\`${visible(other)}\` and \`${visible(path)}\` have the same name on a file system that ignores case`;
}

/** Folds a name, so that names are equal if some file system treats them as equal. */
function foldedName(name: string): string {
  return name.normalize("NFKD").toUpperCase().toLowerCase();
}

/** @param data undefined for a file that is too large to read */
function writeFile(root: string, path: string, data: Buffer | undefined): void {
  makeOwnFolder(root, posix.dirname(path));
  const file = openSync(join(root, path), "wx", 0o600);
  if (data === undefined) ftruncateSync(file, maxBytes + 1);
  else writeFileSync(file, data);
  closeSync(file);
}

/** Maximum length of a chain of links, as in Linux. */
const maxInChain = 40;

/**
 * Creates the links. A link may lead through others, so links without a target are tried again.
 * Existing targets are never replaced, so existing links stay valid. Each remaining link finally
 * points to itself, which makes it unreadable.
 */
function writeLinks(root: string, links: ReadonlyMap<string, string>): void {
  for (const path of links.keys()) makeOwnFolder(root, posix.dirname(path));
  let left = [...links];
  for (let pass = 0; pass < maxInChain && left.length > 0; pass += 1) {
    const failed = left.filter(([path, target]) => !linkInside(root, path, target));
    if (failed.length === left.length) break;
    left = failed;
  }
  for (const [path] of left) symlinkSync(posix.basename(path), join(root, path));
}

/** Creates a link, unless its target doesn't exist or is outside of the folder. */
function linkInside(root: string, path: string, target: string): boolean {
  const location = join(root, path);
  if (target === "" || target.includes("\0")) return false;
  symlinkSync(target, location);
  const end = realPathOf(location);
  const isInside = end === root || end?.startsWith(`${root}${sep}`) === true;
  if (!isInside) rmSync(location);
  return isInside;
}

/** Uses the system's function: Node's own removes `..` from a path before it resolves links. */
function realPathOf(location: string): string | undefined {
  try {
    return realpathSync.native(location);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
