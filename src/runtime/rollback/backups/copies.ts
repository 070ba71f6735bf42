/**
 * The copies of one call: files named by the SHA-256 of their content. Calls share equal contents by
 * hard links. Each call has names of its own, so removing another call never takes a content away.
 */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { join, posix } from "node:path";
import { makeOwnFolder, type OwnFolder } from "../../files/own-place.js";
import { systemCode } from "../../files/system-code.js";
import { callFolder, objectsIn, originOf } from "./backup-folder.js";
import type { Breath } from "./breath.js";
import { type ContentFacts, copyFile, digestFile } from "./copy-file.js";

/** The copies of one call. */
export class Copies {
  /** Paths of copies that are not synced yet. */
  readonly unsynced: string[] = [];
  /** Absolute path of the call's folder. */
  readonly folder: string;
  readonly #objects: string;

  /**
   * Creates the folders that are missing. Only their owner may read them.
   *
   * @throws PlaceTaken if a link or something else is in the place of a folder; also the file
   *   system's error
   */
  constructor(backups: OwnFolder, call: string) {
    const { root } = backups;
    makeOwnFolder(root, callFolder(backups, call), 0o700);
    const objects = posix.join(objectsIn(backups), originOf(backups));
    makeOwnFolder(root, objects, 0o700);
    this.folder = join(root, callFolder(backups, call));
    this.#objects = join(root, objects);
  }

  /**
   * Copies the content of an open file, unless the call has it.
   *
   * @throws the file system's error
   */
  async put(fd: number, breath: Breath): Promise<ContentFacts> {
    const facts = await digestFile(fd, breath);
    if (this.#has(facts)) return facts;
    const draft = join(this.folder, `${randomBytes(9).toString("hex")}.part`);
    try {
      // Somebody may write the file meanwhile, so the copy has facts of its own.
      const copied = await copyFile(fd, draft, breath);
      // A shared copy with another time was changed since.
      fs.utimesSync(draft, 0, 0);
      const copy = copyAt(this.folder, copied.sha256);
      fs.renameSync(draft, copy);
      this.unsynced.push(copy);
      this.#share(copied.sha256);
      return copied;
    } catch (error) {
      fs.rmSync(draft, { force: true });
      throw error;
    }
  }

  #has({ bytes, sha256 }: ContentFacts): boolean {
    const copy = copyAt(this.folder, sha256);
    if (isCopy(copy, bytes)) return true;
    const shared = join(this.#objects, sha256);
    if (!isCopy(shared, bytes)) return false;
    try {
      fs.linkSync(shared, copy);
      return true;
    } catch (error) {
      // A file has at most so many names.
      if (systemCode(error) !== "EMLINK") return false;
      fs.rmSync(shared, { force: true });
      return false;
    }
  }

  #share(sha256: string): void {
    const shared = join(this.#objects, sha256);
    try {
      fs.rmSync(shared, { force: true });
      fs.linkSync(copyAt(this.folder, sha256), shared);
    } catch (error) {
      // Another call shares the same content, or the file system has no hard links.
      if (systemCode(error) === undefined) throw error;
    }
  }
}

/** Returns the path of a copy in the folder of its call. */
export function copyAt(folder: string, sha256: string): string {
  return join(folder, sha256);
}

function isCopy(path: string, bytes: number): boolean {
  const found = fs.lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size === bytes && found.mtimeMs === 0;
}
