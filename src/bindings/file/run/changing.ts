/** The parts that all operations share that change a file. */
import { basename } from "node:path";
import {
  type ChangeLock,
  type ChangeWait,
  whileLocked,
} from "../../../runtime/files/change-lock.js";
import type { ChangeRefusal } from "../../../runtime/files/change-file.js";
import type { JudgedPath } from "../../../runtime/files/judged-path.js";
import { isBeside } from "../../../runtime/files/names-beside.js";
import { type OpenParent, openParent } from "../../../runtime/files/open-judged.js";
import { systemCode } from "../../../runtime/files/system-code.js";
import type { AnyResult } from "../../../runtime/result.js";
import type { Keeper } from "../../../runtime/rollback/tool-rollback.js";
import { fileFault, fileSuccess, sha256Of } from "./file-attempt.js";

/** Options of opening the parent folder of a file. */
export interface ParentOptions {
  /** `true` creates missing folders. */
  readonly create: boolean;
  /** Keeps that a missing folder was missing. */
  readonly keeper?: Keeper | undefined;
}

/** Options of locking a file. */
export interface ChangingOptions extends ParentOptions {
  readonly wait: ChangeWait;
  /** True for a change that frees space on the disk. */
  readonly freesSpace?: boolean;
}

/** Opens the parent folder of a file for a change. */
export async function inParent(
  judged: JudgedPath,
  { create, keeper }: ParentOptions,
  run: (parent: OpenParent) => Promise<AnyResult>,
): Promise<AnyResult> {
  // An allowed folder itself is no file, and nobody may change a lock.
  if (judged.path === judged.folder.real || isBeside(basename(judged.path)))
    return fileFault("wrong_kind");
  const parent = await openParent(judged).catch(async (error: unknown) => {
    if (!create || systemCode(error) !== "ENOENT") throw error;
    await keeper?.keep([judged.path]);
    return openParent(judged, { create });
  });
  try {
    return await run(parent);
  } finally {
    await parent.close();
  }
}

/** Opens the parent folder of a file, and locks the file while it is changed. */
export function changing(
  judged: JudgedPath,
  { freesSpace = false, wait, ...options }: ChangingOptions,
  run: (parent: OpenParent, lock: ChangeLock) => Promise<AnyResult>,
): Promise<AnyResult> {
  return inParent(judged, options, (parent) =>
    whileLocked([parent], { wait, freesSpace }, (lock) => run(parent, lock)),
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
