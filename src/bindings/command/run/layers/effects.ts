/** The effects of a process: the view of each folder with its layer, compared with the folder. */
import { isUtf8 } from "node:buffer";
import fs from "node:fs";
import { join } from "node:path";
import {
  openBelow,
  openJudgedFolder,
  openOwnFolder,
  type OpenParent,
} from "../../../../runtime/files/open-judged.js";
import { systemCode } from "../../../../runtime/files/system-code.js";
import { BackupFault } from "../../../../runtime/rollback/backups/backup-fault.js";
import { Breath } from "../../../../runtime/rollback/backups/breath.js";
import {
  absent,
  type EntryState,
  sameContent,
} from "../../../../runtime/rollback/backups/entry-state.js";
import { digestFile } from "../../../../runtime/rollback/backups/copy-file.js";
import { type EntryReading, readEntry } from "../../../../runtime/rollback/backups/scan.js";
import type { TreeChange } from "../../../../runtime/rollback/backups/tree-change.js";
import type { LayerFolder } from "./place.js";
import { UnusableEffects } from "./unusable-effects.js";
import type { LayerView } from "./view.js";

const maxEffects = 100_000;

/** Maximum depth of folders. Each of them is open while its entries are compared. */
const maxDepth = 128;

/** A folder with its layer that is being compared. */
interface Comparison {
  readonly effects: TreeChange[];
  /** Path of the allowed folder. */
  readonly root: string;
  /** Path of its view. */
  readonly source: string;
  /** Time at which the layer was made, in nanoseconds since 1970. */
  readonly start: bigint;
  readonly reading: { readonly lower: EntryReading; readonly merged: EntryReading };
}

/** The sides of one folder. A side is undefined if it has no such folder. */
interface Sides {
  readonly lower: OpenParent | undefined;
  readonly merged: OpenParent | undefined;
  /** The layer; undefined if one of the others is. */
  readonly upper: OpenParent | undefined;
}

/**
 * Lists all effects of a process that has ended. A folder comes before its entries. Times and owners
 * are no effects.
 *
 * @throws UnusableEffects for special files, too many effects, names that are not UTF-8, and
 *   entries that can't be read or that somebody else has changed meanwhile
 */
export async function listEffects(
  { layers, start }: LayerFolder,
  view: LayerView,
): Promise<readonly TreeChange[]> {
  const effects: TreeChange[] = [];
  for (const layer of layers) {
    const source = view.pathOf(layer);
    const reading = { lower: newReading(), merged: newReading() };
    const comparison = { effects, root: layer.lower, source, start, reading };
    const open = new OpenSides();
    try {
      const lower = await open.add(openJudgedFolder({ path: layer.lower }));
      const merged = await open.add(openOwnFolder(source));
      const upper = await open.add(openOwnFolder(layer.upper));
      const sides = { lower, merged, upper };
      await noteChange(comparison, "", ".", sides);
      await compareFolder(comparison, "", sides, 0);
    } finally {
      await open.close();
    }
  }
  return effects;
}

function newReading(): EntryReading {
  const breath = new Breath();
  return { breath, content: (fd) => digestFile(fd, breath), device: undefined };
}

/** The sides of one folder, which are closed together. */
class OpenSides {
  readonly #open: OpenParent[] = [];

  async add(opening: Promise<OpenParent>): Promise<OpenParent> {
    const opened = await opening;
    this.#open.push(opened);
    return opened;
  }

  async close(): Promise<void> {
    for (const each of this.#open) await each.close();
  }
}

/** Compares the entries of a folder. */
async function compareFolder(
  comparison: Comparison,
  path: string,
  sides: Sides,
  depth: number,
): Promise<void> {
  if (depth >= maxDepth)
    throw new UnusableEffects(
      `\`${shown(comparison, path)}\` nests deeper than ${maxDepth} folders`,
    );
  for (const raw of touchedIn(comparison, path, sides)) {
    const bytes = Buffer.from(raw, "latin1");
    const name = bytes.toString("utf8");
    if (!isUtf8(bytes))
      throw new UnusableEffects(`the name \`${shown(comparison, join(path, name))}\` is not UTF-8`);
    await compareEntry(comparison, join(path, name), { sides, name, depth });
  }
}

/** One name in a folder. */
interface Entry {
  readonly sides: Sides;
  readonly name: string;
  readonly depth: number;
}

async function compareEntry(
  comparison: Comparison,
  path: string,
  { depth, name, sides }: Entry,
): Promise<void> {
  const { from, to } = await noteChange(comparison, path, name, sides);
  const isFolder = { lower: from.kind === "folder", merged: to.kind === "folder" };
  if (!isFolder.lower && !isFolder.merged) return;
  const open = new OpenSides();
  const enter = async (parent: OpenParent | undefined, hasIt: boolean) =>
    parent === undefined || !hasIt ? undefined : open.add(openBelow(parent, name));
  try {
    const lower = await enter(sides.lower, isFolder.lower);
    const merged = await enter(sides.merged, isFolder.merged);
    const upper = await enter(sides.upper, isFolder.lower && isFolder.merged);
    await compareFolder(comparison, path, { lower, merged, upper }, depth + 1);
  } catch (error) {
    throw unreadable(comparison, path, error);
  } finally {
    await open.close();
  }
}

/** Reads both sides of an entry, and adds their difference to the effects. */
async function noteChange(
  comparison: Comparison,
  path: string,
  name: string,
  sides: Sides,
): Promise<Pick<TreeChange, "from" | "to">> {
  const { effects, reading, root, source, start } = comparison;
  const from = await readSide(comparison, path, name, sides.lower, reading.lower);
  const to = await readSide(comparison, path, name, sides.merged, reading.merged);
  // The times of a folder also change with its entries.
  const isKept = from.kind === "folder" && to.kind === "folder";
  const requireUnchanged = (): void => {
    if (!isKept && sides.lower !== undefined && changedAt(sides.lower, name) > start)
      throw new UnusableEffects(`somebody else changed \`${shown(comparison, path)}\` meanwhile`);
  };
  // A file that nobody can read may have changed.
  if (from.kind !== "other" && sameContent(from, to)) {
    // Somebody else may have made an equal change: two calls that append the same line.
    requireUnchanged();
    return { from, to };
  }
  const why = whyUnusable(from, to) ?? (effects.length >= maxEffects ? tooMany : undefined);
  if (why !== undefined) throw new UnusableEffects(`\`${shown(comparison, path)}\` ${why}`);
  requireUnchanged();
  effects.push({ path: join(root, path), from, to, source: join(source, path) });
  return { from, to };
}

async function readSide(
  comparison: Comparison,
  path: string,
  name: string,
  folder: OpenParent | undefined,
  reading: EntryReading,
): Promise<EntryState> {
  try {
    return (folder && (await readEntry(folder, name, reading))) ?? absent;
  } catch (error) {
    if (!(error instanceof BackupFault)) throw unreadable(comparison, path, error);
    throw new UnusableEffects(`the link \`${shown(comparison, path)}\` is not UTF-8`);
  }
}

const tooMany = `is beyond the first ${maxEffects} effects`;

/** Bits of a mode that run a program as its owner or group. */
const privileged = 0o6000;

function whyUnusable(from: EntryState, to: EntryState): string | undefined {
  if (from.kind === "other") return from.why;
  if (to.kind === "other") return to.why;
  const own = from.kind === "file" ? from.mode : 0;
  return to.kind === "file" && (to.mode & privileged & ~own) !== 0
    ? "would run with the rights of its owner"
    : undefined;
}

/** Returns the time of the last change of any kind, in nanoseconds since 1970. */
function changedAt(folder: OpenParent, name: string): bigint {
  const found = fs.lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
  return found?.ctimeNs ?? 0n;
}

/**
 * Returns the names in a folder that may differ, each byte as a character. The layer has no entry
 * for what was in a folder that the process removed and made again.
 */
function touchedIn(comparison: Comparison, path: string, sides: Sides): readonly string[] {
  try {
    const lower = namesIn(sides.lower);
    const merged = namesIn(sides.merged);
    const known = new Set(merged);
    const gone = lower.filter((each) => !known.has(each));
    const changed = sides.upper === undefined ? merged : namesIn(sides.upper);
    return [...new Set([...changed, ...gone])].toSorted();
  } catch (error) {
    throw unreadable(comparison, path, error);
  }
}

function namesIn(folder: OpenParent | undefined): readonly string[] {
  return folder === undefined ? [] : fs.readdirSync(folder.at("."), "latin1");
}

function unreadable(comparison: Comparison, path: string, error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  return new UnusableEffects(`\`${shown(comparison, path)}\` can't be read (${code})`);
}

function shown({ root }: Comparison, path: string): string {
  return join(root, path);
}
