import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../../runtime/files/make-folder.js";
import { atExit } from "../../../runtime/at-exit.js";
import { takeLock } from "../../../runtime/lock-file.js";
import { faultOf, LostConnection } from "./faults.js";

/** Beside PostgreSQL's own files. */
const lockName = "skillc.lock";

/**
 * Makes the folder of an embedded database when it is not there.
 *
 * @returns its one path, whatever links lead to it
 * @throws LostConnection
 */
export async function realFolder(path: string): Promise<string> {
  try {
    makeFolder(path);
    return await realpath(path);
  } catch (error) {
    throw faultOf(error, "not-done");
  }
}

/**
 * Keeps other processes from the folder: PostgreSQL's own lock is lost on its way into JavaScript, and of two engines each overwrites what the other has
 * committed.
 *
 * @returns what lets go of it; the end of the process does
 * @throws LostConnection when another has it
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, lockName);
  const attempt = takeLock(path);
  if (attempt.kind === "taken") throw new LostConnection(whyTaken(attempt.holder), "not-done");
  const forget = atExit(attempt.release);
  return () => {
    forget();
    attempt.release();
  };
}

function whyTaken(holder: { readonly pid: number; readonly isHere: boolean } | undefined): string {
  const by =
    holder === undefined ? "" : ` (${holder.pid}${holder.isHere ? "" : ", on another machine"})`;
  const stale =
    holder?.isHere === true ? "" : `; if there is none, delete \`${lockName}\` in the folder`;
  return (
    `the folder is open in another process${by}, and only one at a time may have it: end that one, give this one a folder of its own, ` +
    `or use a server${stale}`
  );
}
