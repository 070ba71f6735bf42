import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { makeFolder, openRegularFile, systemCode } from "@skillc/runtime/internal";
import type { Io } from "../io.js";

/**
 * The key with which this user's cache entries are signed. Whoever brings files into a project, a
 * cloned repository above all, doesn't have it, so that what they bring is no entry. It lies in the
 * user's state folder and never in a project.
 */
export interface UserKey {
  /** The key; undefined when there is none yet, or none that may be used. */
  read(): Buffer | undefined;
  /** The key, made when there is none yet; undefined when there can be none. */
  make(): Buffer | undefined;
  /** Why there is none, once it is known that there can be none. */
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
        throw new Error("it would lie in the project; set XDG_STATE_HOME to a folder outside");
      key = action();
    } catch (error) {
      problem = `the key \`${path}\` can't be used: ${error instanceof Error ? error.message : String(error)}`;
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

/** As the XDG Base Directory Specification has it: a relative path counts as none. */
function keyPath(env: Io["env"]): string {
  const state = env["XDG_STATE_HOME"];
  const home = env["HOME"] || env["USERPROFILE"] || homedir();
  const folder = state !== undefined && isAbsolute(state) ? state : join(home, ".local", "state");
  return join(folder, "skillc", "key");
}

/**
 * Undefined when there is none.
 *
 * @throws Error when it is not one that only this user can have made
 * and read
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
  if (size !== keyLength) throw new Error("it is not a key of skillc; delete it");
  // Windows has no owners and modes that Node tells of.
  if (process.geteuid === undefined) return;
  if (uid !== process.geteuid()) throw new Error("it belongs to another user");
  if ((mode & 0o077) !== 0) throw new Error("other users may read or write it; delete it");
}

/**
 * The key appears whole, and only once: of two processes that make one at the same time, both have
 * the same in the end.
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
  if (key === undefined) throw new Error("it can't be made");
  return key;
}

/** Not every file system has hard links. */
function placeOnce(draft: string, path: string): void {
  try {
    fs.linkSync(draft, path);
  } catch (error) {
    if (systemCode(error) === "EEXIST") return;
    fs.copyFileSync(draft, path, fs.constants.COPYFILE_EXCL);
  }
}

/** A path with its links resolved as far as it is there. */
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
