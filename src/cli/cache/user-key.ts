import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { makeFolder, openRegularFile, systemCode } from "@skillc/runtime/internal";
import type { Io } from "../io.js";

/**
 * The key that signs this user's cache entries. Others who bring files into a project, such as a
 * cloned repository, don't have the key, so their files are not accepted as entries. The key is in
 * the user's state folder, never in a project.
 */
export interface UserKey {
  /** Returns the key; undefined if there is none yet, or it can't be used. */
  read(): Buffer | undefined;
  /** Returns the key, and creates it if there is none; undefined if that fails. */
  make(): Buffer | undefined;
  /** Reason why there is no key, after a failure. */
  readonly problem: string | undefined;
}

const keyLength = 32;

/** @param root absolute path of the project */
export function openUserKey(root: string, env: Io["env"]): UserKey {
  const path = keyPath(env);
  let key: Buffer | undefined;
  let problem: string | undefined;
  const tried = (action: () => Buffer | undefined): Buffer | undefined => {
    if (key !== undefined || problem !== undefined) return key;
    try {
      if (isWithin(realPath(path), realPath(root)))
        throw new Error("it would be inside the project; set XDG_STATE_HOME to a folder outside");
      key = action();
    } catch (error) {
      problem = `the key \`${path}\` is unusable: ${error instanceof Error ? error.message : String(error)}`;
    }
    return key;
  };
  return {
    read: () => tried(() => readKey(path)),
    make: () => tried(() => readKey(path) ?? makeKey(path)),
    get problem() {
      return problem;
    },
  };
}

/** Finds the path by the XDG Base Directory Specification, which ignores relative paths. */
function keyPath(env: Io["env"]): string {
  const state = env["XDG_STATE_HOME"];
  const home = env["HOME"] || env["USERPROFILE"] || homedir();
  const folder = state !== undefined && isAbsolute(state) ? state : join(home, ".local", "state");
  return join(folder, "skillc", "key");
}

/**
 * Reads the key; undefined if there is none.
 *
 * @throws Error if others could have written or read the file
 */
function readKey(path: string): Buffer | undefined {
  let fd: number;
  try {
    fd = openRegularFile(path, { links: false });
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw systemCode(error) === "ELOOP" ? new Error("it is a link", { cause: error }) : error;
  }
  try {
    refuseOthersKey(fs.fstatSync(fd));
    return fs.readFileSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function refuseOthersKey({ mode, size, uid }: fs.Stats): void {
  if (size !== keyLength) throw new Error("it is not a skillc key; delete it");
  // Node.js reports no owners and modes on Windows.
  if (process.geteuid === undefined) return;
  if (uid !== process.geteuid()) throw new Error("it belongs to another user");
  if ((mode & 0o077) !== 0) throw new Error("other users may read or write it; delete it");
}

/**
 * Creates the key atomically. Two processes that do this at the same time end up with the same key.
 */
function makeKey(path: string): Buffer {
  makeFolder(dirname(path), 0o700);
  const draft = `${path}.${process.pid}.${randomBytes(6).toString("hex")}`;
  fs.writeFileSync(draft, randomBytes(keyLength), { flag: "wx", mode: 0o600 });
  try {
    placeOnce(draft, path);
  } finally {
    fs.rmSync(draft, { force: true });
  }
  const key = readKey(path);
  if (key === undefined) throw new Error("skillc can't create it");
  return key;
}

/**
 * Moves the draft into place without replacing a file, even if the file system has no hard links.
 */
function placeOnce(draft: string, path: string): void {
  try {
    fs.linkSync(draft, path);
  } catch (error) {
    if (systemCode(error) === "EEXIST") return;
    fs.copyFileSync(draft, path, fs.constants.COPYFILE_EXCL);
  }
}

/** Resolves links in the existing part of a path. */
function realPath(path: string): string {
  try {
    return fs.realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? resolve(path) : join(realPath(above), path.slice(above.length));
  }
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}
