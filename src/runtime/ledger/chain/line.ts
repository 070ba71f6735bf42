import { hash } from "node:crypto";

/**
 * Where a writer's chain stands: the number that the next line gets, and the hash of the last one.
 */
export interface ChainHead {
  readonly seq: number;
  /** SHA-256, base64url; null before the first line. */
  readonly hash: string | null;
}

export const chainStart: ChainHead = { seq: 0, hash: null };

/** The chain fields of a line that was read. */
export interface Link {
  readonly seq: number;
  readonly prev: string | null;
  /** On the end record of a begun call: the number of the line that holds its begin record. */
  readonly begin: number | undefined;
  readonly hash: string;
}

/** A longer record is not kept: readers must be able to hold a line in memory. In bytes. */
export const longestLine = 64 * 1024 * 1024;

/** What a record's own JSON may have. In characters, of which each takes four bytes at most. */
export const longestRecord = longestLine / 4;

/**
 * A line of a ledger, its line feed included, which a table leaves out:
 *
 *     {"seq":7,"prev":"<hash of line 6>","begin":5,<the record's own fields>,"hash":"<hash>"}
 *
 * The hash covers the bytes before `,"hash":`, so that checking one needs no canonical form of JSON.
 *
 * @param begin the number of the call's last begin record before this one
 * @param json the record: `JSON.stringify` of an object with at least one field
 */
export function linkedLine(head: ChainHead, begin: number | undefined, json: string): LinkedLine {
  const prev = head.hash === null ? "null" : `"${head.hash}"`;
  const begun = begin === undefined ? "" : `"begin":${begin},`;
  const covered = `{"seq":${head.seq},"prev":${prev},${begun}${json.slice(1, -1)}`;
  const sum = hash("sha256", covered, "base64url");
  return { text: `${covered},"hash":"${sum}"}\n`, head: { seq: head.seq + 1, hash: sum } };
}

/** Whether a record of this type has a line that leads to the begin record before it. */
export function mayFollowBegin(type: string): boolean {
  return type === "begin" || type === "end";
}

export interface LinkedLine {
  readonly text: string;
  /** Where the chain stands after it. */
  readonly head: ChainHead;
}

const front = /^\{"seq":(\d{1,15}),"prev":(?:null|"([\w-]{43})"),(?:"begin":(\d{1,15}),)?/;
const back = /^,"hash":"([\w-]{43})"\}$/;
/** Longer than the longest text that `front` matches. */
const frontBytes = 128;
const backBytes = `,"hash":""}`.length + 43;

/**
 * The chain fields of a line, its line feed taken off; undefined when it hasn't the form of one.
 */
export function readLink(line: Buffer): Link | undefined {
  return parseLink(
    line.toString("latin1", 0, frontBytes),
    line.toString("latin1", Math.max(0, line.length - backBytes)),
  );
}

/** The same of a line that was decoded. */
export function readLinkOfText(line: string): Link | undefined {
  return parseLink(line.slice(0, frontBytes), line.slice(-backBytes));
}

function parseLink(opening: string, closing: string): Link | undefined {
  const start = front.exec(opening);
  const end = back.exec(closing);
  if (start?.[1] === undefined || end?.[1] === undefined) return undefined;
  return {
    seq: Number(start[1]),
    prev: start[2] ?? null,
    begin: start[3] === undefined ? undefined : Number(start[3]),
    hash: end[1],
  };
}

/** Whether the line still has the bytes that its hash was made of. */
export function isIntact(line: Buffer, link: Link): boolean {
  return hash("sha256", line.subarray(0, line.length - backBytes), "base64url") === link.hash;
}
