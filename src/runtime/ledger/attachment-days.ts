/**
 * Whole results are kept under the day on which they came, or the last one on which they are to be
 * there: what is to go, goes by the day. A file ledger has a folder for each, a table a column.
 */
import { createHash } from "node:crypto";
import type { KeptAttachment } from "./attachments.js";

const dayMs = 86_400_000;
const days = /^(until-)?(\d{4}-\d\d-\d\d)$/;

/** What a record says of something that is kept now. */
export function attachmentOf(
  content: string | Uint8Array,
  keepDays: number | undefined,
  nowMs: number,
): KeptAttachment {
  const folder = keepDays === undefined ? dayOf(nowMs) : `until-${dayOf(nowMs + keepDays * dayMs)}`;
  return { sha256: hashOf(content), bytes: Buffer.byteLength(content), folder };
}

/** Whether it is one that a ledger makes: it may come from a record that somebody wrote. */
export function isWellFormed({ folder, sha256 }: KeptAttachment): boolean {
  return isDayFolder(folder) && /^[0-9a-f]{64}$/.test(sha256);
}

export function isDayFolder(name: string): boolean {
  return days.test(name);
}

/** Whether its time was over by then. */
export function isExpired({ folder }: Pick<KeptAttachment, "folder">, nowMs: number): boolean {
  const [, until, day = ""] = days.exec(folder) ?? [];
  return until !== undefined && day < dayOf(nowMs);
}

/** Whether it was kept on a day that was over by then, and has no time of its own. */
export function isFromBefore(
  { folder }: Pick<KeptAttachment, "folder">,
  beforeMs: number,
): boolean {
  const [, until, day = ""] = days.exec(folder) ?? [];
  return until === undefined && Date.parse(day) + dayMs <= beforeMs;
}

/** In UTC. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

export function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
