/**
 * The file that says which changes a process is making. It is written before the first of them, and
 * removed after the last.
 */
import fs from "node:fs";
import { join, posix } from "node:path";
import {
  makeOwnFolder,
  type OwnFolder,
  refuseObstacle,
  removeOwnFile,
} from "../../files/own-place.js";
import { readRegularFile } from "../../files/regular-file.js";
import { syncDirectory } from "../../files/sync-directory.js";
import { systemCode } from "../../files/system-code.js";
import { writeSynced } from "../../files/write-synced.js";
import type { JsonValue } from "../../json/json.js";
import { isCallId, journalPath, journalsIn, originOf } from "./backup-folder.js";
import { isPathIn, membersOf, parsedOrNull, storedPaths, storedState } from "./stored-state.js";
import type { TreeChange } from "./tree-change.js";

/**
 * How far the changes are. `staging`: nothing is changed yet. `changing`: everything is staged.
 * `changed`: only the staging folders are left.
 */
export type JournalPhase = "staging" | "changing" | "changed";

/** Changes that a process is making. */
export interface Journal {
  readonly phase: JournalPhase;
  readonly changes: readonly TreeChange[];
  /** Paths below which the changes are. */
  readonly roots: readonly string[];
  /** Name of the staging folders. */
  readonly stageName: string;
  /** File that the end of the changes creates, relative to the project's folder, and its text. */
  readonly mark?: { readonly path: string; readonly text: string };
}

/** Writes the journal of a call to the disk. */
export async function writeJournal(
  backups: OwnFolder,
  call: string,
  journal: Journal,
): Promise<void> {
  const path = journalPath(backups, call);
  makeOwnFolder(backups.root, journalsIn(backups), 0o700);
  refuseObstacle(backups.root, path, "file");
  const changes = journal.changes.map(({ from, path: place, to }) => ({ path: place, from, to }));
  const text = JSON.stringify({ format: 1, origin: originOf(backups), ...journal, changes });
  await writeSynced(join(backups.root, path), Buffer.from(text));
  await syncDirectory(join(backups.root, journalsIn(backups)));
}

/** Removes the journal of a call. */
export function removeJournal(backups: OwnFolder, call: string): void {
  removeOwnFile(backups.root, journalPath(backups, call));
}

/**
 * Reads the journal of a call; undefined if there is none. A journal that this folder's processes
 * did not write is none.
 */
export function readJournal(backups: OwnFolder, call: string): Journal | undefined {
  const path = journalPath(backups, call);
  refuseObstacle(backups.root, path, "file");
  const members = membersOf(parsedOrNull(textAt(join(backups.root, path))));
  const { changes, mark, phase, stageName } = members;
  const roots = storedPaths(members["roots"]);
  if (members["format"] !== 1 || members["origin"] !== originOf(backups)) return undefined;
  if (!isPhase(phase) || roots === undefined || !Array.isArray(changes)) return undefined;
  if (typeof stageName !== "string" || !/^\.skillc-[\w-]+\.part$/.test(stageName)) return undefined;
  const read = (changes as readonly JsonValue[]).map((each) => changeOf(each, roots));
  if (read.includes(undefined)) return undefined;
  const known = read.filter((each) => each !== undefined);
  return {
    phase,
    changes: known,
    roots: [...roots],
    stageName,
    ...(mark !== undefined && markOf(mark)),
  };
}

/** Lists the calls with a journal. Anything else in the folder is nobody's journal. */
export function journaledCalls(backups: OwnFolder): readonly string[] {
  const folder = journalsIn(backups);
  refuseObstacle(backups.root, folder, "folder");
  try {
    return fs
      .readdirSync(join(backups.root, folder), { withFileTypes: true })
      .flatMap((each) => (each.isFile() && each.name.endsWith(".json") ? [each.name] : []))
      .map((name) => posix.basename(name, ".json"))
      .filter(isCallId);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** Returns the names of the staging folders of all changes that are being made. */
export function stageNames(backups: OwnFolder): ReadonlySet<string> {
  const calls = journaledCalls(backups);
  return new Set(calls.flatMap((call) => readJournal(backups, call)?.stageName ?? []));
}

function isPhase(value: JsonValue | undefined): value is JournalPhase {
  return value === "staging" || value === "changing" || value === "changed";
}

function changeOf(value: JsonValue, roots: ReadonlySet<string>): TreeChange | undefined {
  const members = membersOf(value);
  const [from, to] = [storedState(members["from"]), storedState(members["to"])];
  if (from === undefined || to === undefined || !isPathIn(members["path"], roots)) return undefined;
  return { path: String(members["path"]), from, to };
}

function markOf(value: JsonValue): Pick<Journal, "mark"> {
  const { path, text } = membersOf(value);
  return typeof path === "string" && typeof text === "string" ? { mark: { path, text } } : {};
}

function textAt(path: string): string {
  try {
    return readRegularFile(path, { links: false }).toString("utf8");
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return "";
  }
}
