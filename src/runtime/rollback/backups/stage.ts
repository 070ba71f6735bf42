/** Makes the new entries of changes in staging folders, from where they only need to be moved. */
import fs from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { openRegularFile } from "../../files/regular-file.js";
import { systemCode } from "../../files/system-code.js";
import { setAttributes, setLinkAttributes, withOpen } from "./attributes.js";
import { BackupFault } from "./backup-fault.js";
import type { Breath } from "./breath.js";
import { copyFile } from "./copy-file.js";
import type { FileState } from "./entry-state.js";
import type { OpenFolders } from "./open-folders.js";
import type { Swap, TreeChange } from "./tree-change.js";

/** Name of a swap's new entry in its staging folder. */
export function newName({ number }: Pick<Swap, "number">): string {
  return `new-${number}`;
}

/** Name of a swap's old entry in its staging folder. */
export function oldName({ number }: Pick<Swap, "number">): string {
  return `old-${number}`;
}

/** How entries are staged. */
export interface Staging {
  readonly folders: OpenFolders;
  readonly breath: Breath;
  /** Called for each entry whose owner the process may not set. */
  readonly noteOwner: () => void;
}

/**
 * Creates the new entry of a swap, with everything below it.
 *
 * @throws BackupFault if a content is not the expected one; also the file system's error
 */
export async function stageSwap(swap: Swap, staging: Staging): Promise<void> {
  const { folders, noteOwner } = staging;
  const top = join(swap.stage, newName(swap));
  const placeOf = ({ path }: TreeChange): string => join(top, relative(swap.path, path));
  const all = [swap, ...swap.inner].filter(({ to }) => to.kind !== "absent");
  for (const change of all) await stageEntry(change, placeOf(change), staging);
  // The top gets its attributes where it is placed, because a folder that nobody may write can't be
  // moved. Times of folders change with each entry, so the innermost folders come first.
  for (const change of all.slice(1).toReversed()) {
    const { to } = change;
    if (to.kind !== "folder") continue;
    const place = placeOf(change);
    const parent = await folders.at(dirname(place));
    if (!withOpen(parent.at(basename(place)), (fd) => setAttributes(fd, to))) noteOwner();
  }
}

async function stageEntry(
  change: TreeChange,
  place: string,
  { breath, folders, noteOwner }: Staging,
): Promise<void> {
  const { to } = change;
  await breath.take();
  const at = (await folders.at(dirname(place))).at(basename(place));
  switch (to.kind) {
    case "folder":
      return fs.mkdirSync(at, 0o700);
    case "link":
      fs.symlinkSync(to.target, at);
      if (!setLinkAttributes(at, to)) noteOwner();
      return;
    case "file":
      if (!(await isStaged(change, to, at, breath))) noteOwner();
      return;
    case "absent":
    case "other":
      throw new Error(`a change to \`${to.kind}\` makes no entry`);
  }
}

/** Returns false if the process may not set the owner. */
async function isStaged(
  { path, source }: TreeChange,
  to: FileState,
  at: string,
  breath: Breath,
): Promise<boolean> {
  const damaged = (why: string): BackupFault =>
    new BackupFault("damaged", `a kept content ${why}`, [path]);
  let content: number;
  try {
    content = openRegularFile(source ?? "", { links: false });
  } catch (error) {
    if (systemCode(error) === "ENOENT") throw damaged("is missing");
    throw error;
  }
  try {
    const { sha256 } = await copyFile(content, at, breath);
    if (sha256 !== to.sha256) throw damaged("was changed since it was kept");
  } finally {
    fs.closeSync(content);
  }
  return withOpen(at, (fd) => setAttributes(fd, to));
}
