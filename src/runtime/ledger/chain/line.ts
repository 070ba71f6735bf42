import { hash } from "node:crypto";

/** Head of a writer's chain: the number of the next line, and the hash of the last one. */
export interface ChainHead {
  readonly seq: number;
  /** SHA-256 in base64url; null before the first line. */
  readonly hash: string | null;
}

export const chainStart: ChainHead = { seq: 0, hash: null };

/** The chain fields of a parsed line. */
export interface Link {
  readonly seq: number;
  readonly prev: string | null;
  /** On later records of a begun call: the number of the line with its begin record. */
  readonly begin: number | undefined;
  readonly hash: string;
}

/** Maximum length of a line, in bytes. Readers must be able to hold a line in memory. */
export const longestLine = 64 * 1024 * 1024;

/** Maximum length of a record's own JSON, in characters of up to four bytes. */
export const longestRecord = longestLine / 4;

/**
 * Returns a line of a ledger, with its line feed; a table stores it without:
 *
 *     {"seq":7,"prev":"<hash of line 6>","begin":5,<the record's own fields>,"hash":"<hash>"}
 *
 * The hash covers the bytes before `,"hash":`, so checking it needs no canonical form of JSON.
 *
 * @param begin number of the call's last begin record before this one
 * @param json the record: `JSON.stringify` of an object with at least one field
 */
export function linkedLine(head: ChainHead, begin: number | undefined, json: string): LinkedLine {
  const prev = head.hash === null ? "null" : `"${head.hash}"`;
  const begun = begin === undefined ? "" : `"begin":${begin},`;
  const covered = `{"seq":${head.seq},"prev":${prev},${begun}${json.slice(1, -1)}`;
  const sum = hash("sha256", covered, "base64url");
  return { text: `${covered},"hash":"${sum}"}\n`, head: { seq: head.seq + 1, hash: sum } };
}

/** Returns whether the line of a record of this type refers to an earlier begin record. */
export function mayFollowBegin(type: string): boolean {
  return type === "begin" || type === "end";
}

export interface LinkedLine {
  readonly text: string;
  /** Head of the chain after this line. */
  readonly head: ChainHead;
}

const front = /^\{"seq":(\d{1,15}),"prev":(?:null|"([\w-]{43})"),(?:"begin":(\d{1,15}),)?/;
const back = /^,"hash":"([\w-]{43})"\}$/;
/** Longer than the longest text that `front` matches, in bytes. */
const frontBytes = 128;
const backBytes = `,"hash":""}`.length + 43;

/** Parses the chain fields of a line without its line feed; undefined if it has another form. */
export function readLink(line: Buffer): Link | undefined {
  return parseLink(
    line.toString("latin1", 0, frontBytes),
    line.toString("latin1", Math.max(0, line.length - backBytes)),
  );
}

/** Parses the chain fields of a decoded line. */
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

/** Returns whether a line's bytes still match its hash. */
export function isIntact(line: Buffer, link: Link): boolean {
  return hash("sha256", line.subarray(0, line.length - backBytes), "base64url") === link.hash;
}
