/**
 * Attachments are grouped by day: the day on which they were kept, or the last day of their
 * `keepDays`. Old ones are removed by day. A file ledger has a folder for each day, a table a
 * column.
 */
import { createHash } from "node:crypto";
import type { KeptAttachment } from "./attachments.js";

const dayMs = 86_400_000;
const days = /^(until-)?(\d{4}-\d\d-\d\d)$/;

/** Returns the reference for content that is kept now. */
export function attachmentOf(
  content: string | Uint8Array,
  keepDays: number | undefined,
  nowMs: number,
): KeptAttachment {
  const folder = keepDays === undefined ? dayOf(nowMs) : `until-${dayOf(nowMs + keepDays * dayMs)}`;
  return { sha256: hashOf(content), bytes: Buffer.byteLength(content), folder };
}

/**
 * Returns whether a reference has the ledger's form. It may come from a record that somebody
 * changed.
 */
export function isWellFormed({ folder, sha256 }: KeptAttachment): boolean {
  return isDayFolder(folder) && /^[0-9a-f]{64}$/.test(sha256);
}

export function isDayFolder(name: string): boolean {
  return days.test(name);
}

/** Returns whether the attachment's `keepDays` had passed at this time. */
export function isExpired({ folder }: Pick<KeptAttachment, "folder">, nowMs: number): boolean {
  const [, until, day = ""] = days.exec(folder) ?? [];
  return until !== undefined && day < dayOf(nowMs);
}

/** Returns whether the attachment was kept on a day before this time, and has no `keepDays`. */
export function isFromBefore(
  { folder }: Pick<KeptAttachment, "folder">,
  beforeMs: number,
): boolean {
  const [, until, day = ""] = days.exec(folder) ?? [];
  return until === undefined && Date.parse(day) + dayMs <= beforeMs;
}

/** Returns the day of a time, in UTC. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

export function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
