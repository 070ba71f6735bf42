/** The parts that all operations share that change a file. */
import { existsSync } from "node:fs";
import fs from "node:fs/promises";
import { basename, dirname } from "node:path";
import {
  type ChangeLock,
  type ChangeWait,
  type LockOptions,
  whileLocked,
} from "../../../runtime/files/change-lock.js";
import type { ChangeRefusal } from "../../../runtime/files/change-file.js";
import { countedBytes, isLargerThan } from "../../../runtime/files/folder-size.js";
import type { JudgedPath } from "../../../runtime/files/judged-path.js";
import { isBeside } from "../../../runtime/files/names-beside.js";
import { type OpenParent, openParent } from "../../../runtime/files/open-judged.js";
import { systemCode } from "../../../runtime/files/system-code.js";
import {
  temporaryAt,
  TemporaryFault,
  type TemporaryPlace,
} from "../../../runtime/files/temporary-folders.js";
import type { AnyResult } from "../../../runtime/result.js";
import type { Keeper } from "../../../runtime/rollback/tool-rollback.js";
import { fileFault, fileSuccess, sha256Of } from "./file-attempt.js";

/** Options of opening the parent folder of a file. */
export interface ParentOptions {
  /** `true` creates missing folders. */
  readonly create: boolean;
  /** Keeps that a missing folder was missing. */
  readonly keeper?: Keeper | undefined;
  readonly wait: ChangeWait;
  /** Size of the file, in bytes; absent if the file is in the same temporary folder already. */
  readonly bytes?: number | undefined;
}

/** Options of locking a file. */
export interface ChangingOptions extends ParentOptions {
  /** True for a change that frees space on the disk. */
  readonly freesSpace?: boolean;
}

/** Opens the parent folder of a file for a change. */
export async function inParent(
  judged: JudgedPath,
  { bytes, create, keeper, wait }: ParentOptions,
  run: (parent: OpenParent) => Promise<AnyResult>,
): Promise<AnyResult> {
  // An allowed folder itself is no file, and nobody may change a lock.
  if (judged.path === judged.folder.real || isBeside(basename(judged.path)))
    return fileFault("wrong_kind");
  const parent = await openParent(judged).catch(async (error: unknown) => {
    if (!create || systemCode(error) !== "ENOENT") throw error;
    await keeper?.keep([judged.path]);
    return createParent(judged, wait, bytes);
  });
  try {
    return await run(parent);
  } finally {
    await parent.close();
  }
}

/** Creates the missing folders of a file. Those of a temporary folder need room too. */
async function createParent(
  { folder, path }: JudgedPath,
  { remainingMs, signal }: ChangeWait,
  bytes: number | undefined,
): Promise<OpenParent> {
  const place = temporaryAt(folder.real);
  if (place === undefined) return openParent({ path }, { create: true });
  const above = await openParent(place);
  try {
    const wait = { signal, remainingMs, begin: () => undefined };
    return await whileLocked([above], { wait }, async () => {
      // Nobody creates the temporary folder again after its end.
      await fs.access(place.path);
      const missing = missingFolders(dirname(path)) * countedBytes(0);
      const file = bytes === undefined ? 0 : countedBytes(bytes);
      await requireBytes(place, missing + file);
      return openParent({ path }, { create: true });
    });
  } finally {
    await above.close();
  }
}

function missingFolders(path: string): number {
  return existsSync(path) ? 0 : 1 + missingFolders(dirname(path));
}

/** Opens the parent folder of a file, and locks the file while it is changed. */
export function changing(
  judged: JudgedPath,
  { freesSpace = false, ...options }: ChangingOptions,
  run: (parent: OpenParent, lock: ChangeLock) => Promise<AnyResult>,
): Promise<AnyResult> {
  const { wait } = options;
  return inParent(judged, options, (parent) =>
    lockingFiles([{ judged, parent }], { wait, freesSpace }, (lock) => run(parent, lock)),
  );
}

/** A file to change, and its open parent folder. */
interface FileInParent {
  readonly judged: JudgedPath;
  readonly parent: OpenParent;
}

/**
 * Locks files while they are changed. A temporary folder is locked as a whole, so that no two calls
 * fill its last bytes.
 */
export async function lockingFiles(
  files: readonly FileInParent[],
  options: LockOptions,
  run: (lock: ChangeLock) => Promise<AnyResult>,
): Promise<AnyResult> {
  const opened: OpenParent[] = [];
  try {
    const locked: OpenParent[] = [];
    for (const { judged, parent } of files) {
      const place = temporaryAt(judged.folder.real);
      const above = place && (await openParent(place));
      if (above !== undefined) opened.push(above);
      locked.push(above ?? parent);
    }
    return await whileLocked(locked, options, run);
  } finally {
    await Promise.all(opened.map((each) => each.close()));
  }
}

/**
 * Checks that a temporary folder has room for a file. The folder is locked.
 *
 * @param bytes size that the file will have
 * @throws TemporaryFault if the folder would be larger than it may be
 */
export async function requireRoom(
  { folder, path }: JudgedPath,
  parent: OpenParent,
  bytes: number,
): Promise<void> {
  const place = temporaryAt(folder.real);
  if (place === undefined) return;
  const old = await fs.lstat(parent.at(basename(path))).catch(() => undefined);
  const freed = old === undefined ? 0 : countedBytes(old.size);
  await requireBytes(place, countedBytes(bytes) - freed);
}

async function requireBytes(place: TemporaryPlace, wanted: number): Promise<void> {
  if (await isLargerThan([place.path], place.bytes - wanted))
    throw new TemporaryFault(
      "TEMPORARY_FULL",
      `the temporary folder would have more than ${place.bytes} bytes`,
    );
}

/** Makes the answer of a changed file with this content. */
export function changed(path: string, bytes: Uint8Array): AnyResult {
  return fileSuccess({ path, bytes: bytes.byteLength, sha256: sha256Of(bytes) });
}

/** Tries a change again while other programs write the file: the last refusal is the answer. */
export async function untilFitting(
  attempt: () => Promise<AnyResult | "again">,
): Promise<AnyResult> {
  for (let left = 5; left > 0; left -= 1) {
    const result = await attempt();
    if (result !== "again") return result;
  }
  return fileFault("conflict" satisfies ChangeRefusal);
}
