import {
  findObstacle,
  readRegularFile,
  tellObstacle,
  writeOwnFile,
} from "@skillc/runtime/internal";
import { lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { CommandFailure, orSayWhatIsInTheWay } from "../exit.js";
import { isReplaceable, lockFileName } from "./lock-text.js";

export type LockFile =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  /** The path is blocked by something else. */
  | { readonly kind: "taken"; readonly problem: string };

/** Maximum size of a lock, in bytes. */
const maxBytes = 64 * 1024 * 1024;

/** @param root absolute path of the project's folder */
export function readLockFile(root: string): LockFile {
  const path = join(root, lockFileName);
  const obstacle = findObstacle(root, lockFileName, "file");
  if (obstacle !== undefined) return { kind: "taken", problem: tellObstacle(obstacle) };
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return { kind: "none" };
  if (statSync(path).size > maxBytes)
    return { kind: "taken", problem: `\`${lockFileName}\` is too large to be a lock` };
  return { kind: "text", text: readRegularFile(path, { links: false }).toString("utf8") };
}

/**
 * Writes the lock. Replaces an earlier lock or a merge conflict of one.
 *
 * @returns true if that changed the file
 * @throws CommandFailure if the file has other content
 */
export function writeLockFile(root: string, text: string): boolean {
  const before = readLockFile(root);
  if (before.kind === "text" && before.text === text) return false;
  if (before.kind === "text" && !isReplaceable(before.text))
    throw CommandFailure.input(
      `\`${lockFileName}\` exists already, and skillc did not write it`,
      "move it elsewhere",
    );
  orSayWhatIsInTheWay(() => writeOwnFile(root, lockFileName, text));
  return true;
}
