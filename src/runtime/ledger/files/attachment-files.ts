/**
 * Whole results, each in a file that is named by its hash, in folders by day: what is to go, goes
 * by the folder.
 */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { makeFolder, makeOwnFolder } from "../../files/own-place.js";
import { readRegularFile } from "../../files/regular-file.js";
import {
  attachmentOf,
  dayOf,
  hashOfJson,
  isDayFolder,
  isExpired,
  isFromBefore,
  isWellFormed,
} from "../attachment-days.js";
import type { AttachmentPolicy, AttachmentStore, KeptAttachment } from "../attachments.js";
import { defaultDirectory } from "./file-name.js";
import { directoryOf, type LedgerFolder } from "./writer.js";

const subfolder = "attachments";

/** @param isSynced whether one is on disk when `keep` returns */
export function attachmentFiles(
  place: LedgerFolder,
  policy: AttachmentPolicy | undefined,
  isSynced: boolean,
): AttachmentStore {
  const directory = directoryOf(place);
  let lookedOn = "";
  return {
    policy,
    keep(json) {
      const today = dayOf(Date.now());
      if (today !== lookedOn) removeExpired(directory, today);
      lookedOn = today;
      const kept = attachmentOf(json, policy, Date.now());
      makeAttachmentFolder(place, kept.folder);
      write(join(directory, subfolder, kept.folder), `${kept.sha256}.json`, json, isSynced);
      return kept;
    },
    read: (attachment) => {
      const found = readAttachment(directory, attachment);
      return "json" in found ? found.json : undefined;
    },
  };
}

/** Only the owner looks into it, as into the ledger. */
function makeAttachmentFolder(place: LedgerFolder, folder: string): void {
  if ("project" in place)
    makeOwnFolder(place.project, `${defaultDirectory}/${subfolder}/${folder}`, 0o700);
  else makeFolder(join(place.directory, subfolder, folder), 0o700);
}

/** What is there by that name is the same. */
function write(folder: string, name: string, json: string, isSynced: boolean): void {
  const path = join(folder, name);
  if (fs.existsSync(path)) return;
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  const fd = fs.openSync(draft, "wx", 0o600);
  try {
    fs.writeFileSync(fd, json);
    if (isSynced) fs.fdatasyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
  fs.renameSync(draft, path);
}

/** What a verification finds of an attachment. */
export type FoundAttachment =
  { readonly json: string } | { readonly problem: "changed" | "missing" };

export function readAttachment(directory: string, attachment: KeptAttachment): FoundAttachment {
  if (!isWellFormed(attachment)) return { problem: "missing" };
  const { folder, sha256 } = attachment;
  try {
    const json = readRegularFile(join(directory, subfolder, folder, `${sha256}.json`)).toString(
      "utf8",
    );
    return hashOfJson(json) === sha256 ? { json } : { problem: "changed" };
  } catch {
    return { problem: "missing" };
  }
}

function removeExpired(directory: string, today: string): void {
  removeFolders(directory, (folder) => isExpired({ folder }, Date.parse(today)));
}

/** Attachments of days that were over by then, and that have no time of their own. */
export function pruneAttachments(directory: string, beforeMs: number): void {
  removeFolders(directory, (folder) => isFromBefore({ folder }, beforeMs));
}

function removeFolders(directory: string, isOld: (name: string) => boolean): void {
  const all = join(directory, subfolder);
  const entries = fs.existsSync(all) ? fs.readdirSync(all, { withFileTypes: true }) : [];
  for (const entry of entries)
    if (entry.isDirectory() && isDayFolder(entry.name) && isOld(entry.name))
      fs.rmSync(join(all, entry.name), { recursive: true, force: true });
}
