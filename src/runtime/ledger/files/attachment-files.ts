/**
 * Stores whole results and produced bytes in files named by their hash, in a folder for each day.
 * Old ones are removed by folder.
 */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { join, posix } from "node:path";
import {
  makeOwnFolder,
  type OwnFolder,
  refuseObstacle,
  removeOwnFolder,
} from "../../files/own-place.js";
import { readRegularFile } from "../../files/regular-file.js";
import {
  attachmentOf,
  dayOf,
  hashOf,
  isDayFolder,
  isExpired,
  isFromBefore,
  isWellFormed,
} from "../attachment-days.js";
import {
  type AttachmentPolicy,
  type AttachmentStore,
  bytesPolicyOf,
  type KeptAttachment,
} from "../attachments.js";
import { directoryOf } from "./file-name.js";

const subfolder = "attachments";

/** Returns the folder of a ledger's attachments, relative to the ledger's root. */
export function attachmentsIn({ path }: OwnFolder): string {
  return posix.join(path, subfolder);
}

/**
 * Creates the store of attachments.
 *
 * @param isSynced whether an attachment must be on disk when `keep` returns
 */
export function attachmentFiles(
  ledger: OwnFolder,
  policy: AttachmentPolicy | undefined,
  isSynced: boolean,
): AttachmentStore {
  const directory = directoryOf(ledger);
  let lookedOn = "";
  const keep = (
    content: string | Uint8Array,
    extension: Extension,
    keepDays: number | undefined,
  ): KeptAttachment => {
    const today = dayOf(Date.now());
    const kept = attachmentOf(content, keepDays, Date.now());
    // Only the owner may read the folder, as with the ledger.
    makeOwnFolder(ledger.root, `${attachmentsIn(ledger)}/${kept.folder}`, 0o700);
    if (today !== lookedOn) removeExpired(ledger, today);
    lookedOn = today;
    const name = `${kept.sha256}.${extension}`;
    write(join(directory, subfolder, kept.folder), name, content, isSynced);
    return kept;
  };
  const read = (attachment: KeptAttachment, extension: Extension): Buffer | undefined => {
    const found = readAttachment(directory, attachment, extension);
    return "content" in found ? found.content : undefined;
  };
  return {
    policy,
    keep: (json) => keep(json, "json", policy?.results?.keepDays),
    keepBytes: (bytes) => keep(bytes, "bin", bytesPolicyOf(policy)?.keepDays),
    read: (attachment) => read(attachment, "json")?.toString("utf8"),
    readBytes: (attachment) => read(attachment, "bin"),
  };
}

/** Extension of a file: `json` for results, `bin` for bytes. */
type Extension = "json" | "bin";

/** Writes a file. If one with this name exists, it has the same content. */
function write(
  folder: string,
  name: string,
  content: string | Uint8Array,
  isSynced: boolean,
): void {
  const path = join(folder, name);
  if (fs.existsSync(path)) return;
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  const fd = fs.openSync(draft, "wx", 0o600);
  try {
    fs.writeFileSync(fd, content);
    if (isSynced) fs.fdatasyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
  fs.renameSync(draft, path);
}

/** Result of looking for an attachment. */
export type FoundAttachment =
  { readonly content: Buffer } | { readonly problem: "changed" | "missing" };

export function readAttachment(
  directory: string,
  attachment: KeptAttachment,
  extension: Extension,
): FoundAttachment {
  if (!isWellFormed(attachment)) return { problem: "missing" };
  const { folder, sha256 } = attachment;
  try {
    const path = join(directory, subfolder, folder, `${sha256}.${extension}`);
    const content = readRegularFile(path);
    return hashOf(content) === sha256 ? { content } : { problem: "changed" };
  } catch {
    return { problem: "missing" };
  }
}

function removeExpired(ledger: OwnFolder, today: string): void {
  removeFolders(ledger, (folder) => isExpired({ folder }, Date.parse(today)));
}

/** Removes attachments from days before this time, except those with `keepDays`. */
export function pruneAttachments(ledger: OwnFolder, beforeMs: number): void {
  removeFolders(ledger, (folder) => isFromBefore({ folder }, beforeMs));
}

function removeFolders(ledger: OwnFolder, isOld: (name: string) => boolean): void {
  const all = attachmentsIn(ledger);
  refuseObstacle(ledger.root, all, "folder");
  const path = join(ledger.root, all);
  const entries = fs.existsSync(path) ? fs.readdirSync(path, { withFileTypes: true }) : [];
  for (const entry of entries)
    if (entry.isDirectory() && isDayFolder(entry.name) && isOld(entry.name))
      removeOwnFolder(ledger.root, `${all}/${entry.name}`);
}
