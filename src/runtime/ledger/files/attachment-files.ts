/**
 * Whole results, each in a file that is named by its hash, in folders by day: what is to go, goes
 * by the folder.
 */
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { makeFolder, makeOwnFolder } from "../../files/own-place.js";
import { readRegularFile } from "../../files/regular-file.js";
import type { AttachmentPolicy, AttachmentStore, KeptAttachment } from "../attachments.js";
import { defaultDirectory } from "./file-name.js";
import { directoryOf, type LedgerFolder } from "./writer.js";

const subfolder = "attachments";
const dayMs = 86_400_000;
const days = /^(until-)?(\d{4}-\d\d-\d\d)$/;

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
      const keepDays = policy?.results.keepDays;
      const folder =
        keepDays === undefined ? today : `until-${dayOf(Date.now() + keepDays * dayMs)}`;
      const sha256 = hashOf(json);
      makeAttachmentFolder(place, folder);
      write(join(directory, subfolder, folder), `${sha256}.json`, json, isSynced);
      return { sha256, bytes: Buffer.byteLength(json), folder };
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

export function readAttachment(
  directory: string,
  { folder, sha256 }: KeptAttachment,
): FoundAttachment {
  if (!days.test(folder) || !/^[0-9a-f]{64}$/.test(sha256)) return { problem: "missing" };
  try {
    const json = readRegularFile(join(directory, subfolder, folder, `${sha256}.json`)).toString(
      "utf8",
    );
    return hashOf(json) === sha256 ? { json } : { problem: "changed" };
  } catch {
    return { problem: "missing" };
  }
}

/** Whether its time was over by then. */
export function isExpired({ folder }: KeptAttachment, nowMs: number): boolean {
  const [, until, day = ""] = days.exec(folder) ?? [];
  return until !== undefined && day < dayOf(nowMs);
}

/** Whether it was kept on a day that was over by then. */
export function isFromBefore({ folder }: KeptAttachment, beforeMs: number): boolean {
  const [, until, day = ""] = days.exec(folder) ?? [];
  return until === undefined && Date.parse(day) + dayMs <= beforeMs;
}

function removeExpired(directory: string, today: string): void {
  removeFolders(directory, (name) => name.startsWith("until-") && name.slice(6) < today);
}

/** Attachments of days that were over by then, and that have no time of their own. */
export function pruneAttachments(directory: string, beforeMs: number): void {
  removeFolders(
    directory,
    (name) => !name.startsWith("until-") && Date.parse(name) + dayMs <= beforeMs,
  );
}

function removeFolders(directory: string, isOld: (name: string) => boolean): void {
  const all = join(directory, subfolder);
  const entries = fs.existsSync(all) ? fs.readdirSync(all, { withFileTypes: true }) : [];
  for (const entry of entries)
    if (entry.isDirectory() && days.test(entry.name) && isOld(entry.name))
      fs.rmSync(join(all, entry.name), { recursive: true, force: true });
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function hashOf(json: string): string {
  return createHash("sha256").update(json).digest("hex");
}
