/**
 * The summary of a finished ledger file, block by block, so that queries read only a few blocks. It
 * is stored beside the file, and written by the file's writer or by the first reader that misses
 * it. Only queries trust it: it is derived from the file, and verification compares the two.
 *
 * A query skips a block if no line in the block contains the text that a filter looks for. Names
 * and times inside parameters count too, so a query may read more blocks than necessary.
 */
import { createHash } from "node:crypto";
import fs from "node:fs";
import { join, posix } from "node:path";
import { type OwnFolder, writeOwnFile } from "../../files/own-place.js";
import { openRegularFile, readRegularFile } from "../../files/regular-file.js";
import type { PreparedFilter } from "../query-filter.js";
import { directoryOf, type LedgerFileName, pathOf } from "./file-name.js";
import { readLink } from "../chain/line.js";
import { type RawLine, readLines } from "./read-lines.js";

/** Summary of one file. */
export interface FileSummary {
  readonly format: 1;
  /**
   * Size of the file in bytes. With the hash of the last line, it shows whether the summary belongs
   * to the file.
   */
  readonly bytes: number;
  readonly hash: string | null;
  /** Offset of each block in bytes, always at the beginning of a line. */
  readonly offsets: readonly number[];
  /**
   * Earliest and latest time of each block, in milliseconds since 1970; null if one can't be
   * parsed.
   */
  readonly times: readonly (readonly [first: number, last: number] | null)[];
  /** Fields as JSON, such as `"tool":"create-order"`, and the blocks that contain them. */
  readonly terms: { readonly [term: string]: readonly number[] };
  /** Fields with too many values to list. They can't be used to skip blocks. */
  readonly manyValued: readonly string[];
  /** Blocks with settlements. */
  readonly settles: readonly number[];
  /** Begin records without a later record in this file: number of the record, and block. */
  readonly open: readonly (readonly [seq: number, block: number])[];
  /**
   * Numbers of begin records in earlier files whose next record, an end or another begin, is in
   * this file.
   */
  readonly endsEarlier: readonly number[];
  /** Sorted entries in base64: the first 8 bytes of each id, and its block in 2 bytes. */
  readonly ids: string;
  /**
   * For each block, in base64: sorted 16-bit hashes of each `"trace":"…"` and `"parent":"…"` in it.
   * About one block in a thousand is read in vain. Absent in summaries of earlier versions.
   */
  readonly links?: readonly string[];
}

/** Minimum size of a file with a summary, in bytes. Smaller files are read as a whole. */
export const smallestSummarized = 1024 * 1024;
const blockBytes = 64 * 1024;
/** Maximum number of blocks: block numbers have 2 bytes. */
const maxBlocks = 0xffff;
/** Maximum number of values of one field. */
const maxValues = 1000;
const maxIds = 1_000_000;
const keyBytes = 8;
const entryBytes = keyBytes + 2;

const fields = /"(skill|tool|mode|status|time|id|trace|parent)":("(?:[^"\\]|\\.)*")/g;

/** Builds a summary from a file's lines. */
class SummaryBuilder {
  readonly #offsets: number[] = [];
  readonly #times: ([number, number] | null)[] = [];
  readonly #terms = new Map<string, number[]>();
  readonly #values = new Map<string, number>();
  readonly #manyValued = new Set<string>();
  readonly #settles = new Set<number>();
  readonly #begun = new Map<number, number>();
  readonly #endsEarlier: number[] = [];
  readonly #ids = new Set<string>();
  readonly #links: string[] = [];
  /** Hashes of the current block. */
  readonly #linksOfBlock = new Set<number>();
  #time = "";
  #timeMs = Number.NaN;
  #bytes = 0;
  #blockEnd = 0;
  #hash: string | null = null;
  #isTooLong = false;

  add({ bytes: line, ended, tooLong }: RawLine): void {
    this.#isTooLong ||= tooLong;
    if (this.#bytes >= this.#blockEnd) this.#startBlock();
    const block = this.#offsets.length - 1;
    const text = line.toString("latin1");
    const link = readLink(line);
    if (link !== undefined) {
      this.#hash = link.hash;
      if (text.includes('"type":"begin"')) this.#begun.set(link.seq, block);
      if (link.begin !== undefined && !this.#begun.delete(link.begin))
        this.#endsEarlier.push(link.begin);
    }
    if (text.includes('"type":"settle"')) this.#settles.add(block);
    fields.lastIndex = 0;
    for (let found = fields.exec(text); found; found = fields.exec(text))
      this.#addField(found[1] ?? "", found[2] ?? "", block);
    this.#bytes += line.length + (ended ? 1 : 0);
  }

  #startBlock(): void {
    if (this.#offsets.length > 0) this.#endBlock();
    this.#offsets.push(this.#bytes);
    this.#times.push([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
    this.#blockEnd = this.#bytes + blockBytes;
  }

  #endBlock(): void {
    const hashes = Uint16Array.from(this.#linksOfBlock).toSorted();
    this.#linksOfBlock.clear();
    const bytes = Buffer.alloc(hashes.length * linkBytes);
    hashes.forEach((each, at) => bytes.writeUInt16BE(each, at * linkBytes));
    this.#links.push(bytes.toString("base64"));
  }

  #addField(field: string, value: string, block: number): void {
    if (field === "time") this.#addTime(value, block);
    else if (field === "id") this.#addId(value, block);
    else if (field === "trace" || field === "parent")
      this.#linksOfBlock.add(linkOf(`"${field}":${value}`));
    else this.#addTerm(field, `"${field}":${value}`, block);
  }

  #addTime(value: string, block: number): void {
    // Both records of a call, and many calls, share a time.
    if (value !== this.#time) {
      this.#time = value;
      this.#timeMs = Date.parse(value.slice(1, -1));
    }
    const ms = this.#timeMs;
    const times = this.#times[block];
    if (!times) return;
    if (Number.isNaN(ms)) this.#times[block] = null;
    else {
      times[0] = Math.min(times[0], ms);
      times[1] = Math.max(times[1], ms);
    }
  }

  #addId(value: string, block: number): void {
    if (this.#ids.size < maxIds) this.#ids.add(entryOf(value.slice(1, -1), block));
    else this.#manyValued.add("id");
  }

  #addTerm(field: string, term: string, block: number): void {
    const blocks = this.#terms.get(term);
    if (blocks !== undefined) {
      if (blocks.at(-1) !== block) blocks.push(block);
      return;
    }
    const values = (this.#values.get(field) ?? 0) + 1;
    this.#values.set(field, values);
    if (values > maxValues) this.#manyValued.add(field);
    else this.#terms.set(term, [block]);
  }

  /**
   * Returns the summary; undefined if the file is too large, or has a line that no writer wrote.
   */
  finish(): FileSummary | undefined {
    if (this.#isTooLong || this.#offsets.length > maxBlocks) return undefined;
    if (this.#links.length < this.#offsets.length) this.#endBlock();
    return {
      format: 1,
      bytes: this.#bytes,
      hash: this.#hash,
      offsets: this.#offsets,
      times: this.#times,
      terms: Object.fromEntries(this.#terms),
      manyValued: [...this.#manyValued],
      settles: [...this.#settles],
      open: [...this.#begun],
      endsEarlier: this.#endsEarlier,
      ids: Buffer.from([...this.#ids].toSorted().join(""), "latin1").toString("base64"),
      links: this.#links,
    };
  }
}

const linkBytes = 2;

/**
 * Returns the hash of a link.
 *
 * @param text in Latin-1, as a file's bytes are read
 */
function linkOf(text: string): number {
  return createHash("sha256").update(text, "latin1").digest().readUInt16BE();
}

function entryOf(id: string, block: number): string {
  const key = id.slice(0, keyBytes).padEnd(keyBytes, "\0");
  return key + String.fromCharCode(block >> 8, block & 0xff);
}

/**
 * Reads a whole file and builds its summary; undefined if no writer wrote the file.
 *
 * @throws the system's error
 */
export async function summarize(path: string): Promise<FileSummary | undefined> {
  const builder = new SummaryBuilder();
  for await (const lines of readLines(path)) for (const line of lines) builder.add(line);
  return builder.finish();
}

function summaryPathOf(directory: string, { name }: LedgerFileName): string {
  return join(directory, summaryNameOf(name));
}

export function summaryNameOf(name: string): string {
  return name.replace(/\.jsonl$/, ".summary");
}

/** Reads the summary of a file; undefined if there is none, or if it belongs to other content. */
export function readSummary(directory: string, file: LedgerFileName): FileSummary | undefined {
  try {
    const summary: unknown = JSON.parse(
      readRegularFile(summaryPathOf(directory, file)).toString("utf8"),
    );
    return isSummary(summary) && isOf(summary, pathOf(directory, file)) ? summary : undefined;
  } catch {
    return undefined;
  }
}

/** Builds and stores the summary of a finished file. A failure to store it is ignored. */
export async function keepSummary(
  ledger: OwnFolder,
  file: LedgerFileName,
): Promise<FileSummary | undefined> {
  const path = pathOf(directoryOf(ledger), file);
  const summary = await summarize(path).catch(() => undefined);
  if (summary === undefined) return undefined;
  try {
    const name = posix.join(ledger.path, summaryNameOf(file.name));
    writeOwnFile(ledger.root, name, textOf(summary), 0o600);
  } catch {
    // The next reader builds it again.
  }
  return summary;
}

/** Compares a stored summary with the lines of its file, which the caller reads anyway. */
export class SummaryCheck {
  readonly #path: string;
  readonly #builder: SummaryBuilder | undefined;

  constructor(directory: string, file: LedgerFileName) {
    this.#path = summaryPathOf(directory, file);
    if (fs.existsSync(this.#path)) this.#builder = new SummaryBuilder();
  }

  add(line: RawLine): void {
    this.#builder?.add(line);
  }

  /** Returns whether the summary matches the lines. True if there is none. */
  isTrue(): boolean {
    if (this.#builder === undefined) return true;
    const summary = this.#builder.finish();
    if (summary === undefined) return false;
    const kept = readRegularFile(this.#path).toString("utf8");
    const { links: _, ...ofEarlierVersion } = summary;
    return kept === textOf(summary) || kept === textOf(ofEarlierVersion);
  }
}

function textOf(summary: FileSummary): string {
  return `${JSON.stringify(summary)}\n`;
}

/**
 * Returns whether the file has the summary's size and last hash. The chain ties the last hash to
 * all earlier lines.
 */
function isOf(summary: FileSummary, path: string): boolean {
  const fd = openRegularFile(path);
  try {
    const { size } = fs.fstatSync(fd);
    if (size !== summary.bytes) return false;
    const end = Buffer.alloc(Math.min(size, 128));
    fs.readSync(fd, end, 0, end.length, size - end.length);
    return summary.hash !== null && end.includes(`"hash":"${summary.hash}"}\n`);
  } finally {
    fs.closeSync(fd);
  }
}

/** Checks every field, because somebody may have edited the file. */
function isSummary(value: unknown): value is FileSummary {
  const {
    bytes,
    endsEarlier,
    format,
    ids,
    links,
    manyValued,
    offsets,
    open,
    settles,
    terms,
    times,
  } = value as Partial<FileSummary>; // each field is checked below
  return (
    format === 1 &&
    isCount(bytes) &&
    areCounts(offsets) &&
    offsets.every((each, at) => each < bytes && (at === 0 || each > (offsets[at - 1] ?? 0))) &&
    Array.isArray(times) &&
    times.length === offsets.length &&
    typeof terms === "object" &&
    Object.values(terms).every(areCounts) &&
    Array.isArray(manyValued) &&
    areCounts(settles) &&
    Array.isArray(open) &&
    open.every(areCounts) &&
    areCounts(endsEarlier) &&
    typeof ids === "string" &&
    (links === undefined || areTexts(links, offsets.length))
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function areTexts(value: unknown, count: number): boolean {
  return (
    Array.isArray(value) &&
    value.length === count &&
    value.every((each) => typeof each === "string")
  );
}

function areCounts(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every(isCount);
}

/** A part of a file that begins and ends at line ends. */
export interface Block {
  readonly start: number;
  readonly end: number;
}

/** Returns the blocks that may hold a matching record or a settlement, last first. */
export function wantedBlocks(summary: FileSummary, filter: PreparedFilter): readonly Block[] {
  const { bytes, links, offsets, times } = summary;
  const settles = new Set(summary.settles);
  const open = new Set(summary.open.map(([, block]) => block));
  const needed = filter.terms.map(({ field, orOpen, texts }) =>
    summary.manyValued.includes(field)
      ? undefined
      : new Set([...texts.flatMap((each) => blocksOf(summary, each)), ...(orOpen ? open : [])]),
  );
  const withId = filter.idStart === undefined ? undefined : blocksWithId(summary, filter.idStart);
  const wantedLinks = filter.links.map((each) => linkOf(latin1Of(each)));
  const isWanted = (block: number): boolean => {
    const time = times[block];
    return (
      needed.every((blocks) => blocks?.has(block) ?? true) &&
      (withId?.has(block) ?? true) &&
      (links === undefined || hasLinks(links[block] ?? "", wantedLinks)) &&
      (!time || (time[1] >= filter.sinceMs && time[0] < filter.untilMs))
    );
  };
  const blocks = offsets.flatMap((start, block) =>
    settles.has(block) || isWanted(block) ? [{ start, end: offsets[block + 1] ?? bytes }] : [],
  );
  return blocks.toReversed();
}

function hasLinks(ofBlock: string, wanted: readonly number[]): boolean {
  if (wanted.length === 0) return true;
  const bytes = Buffer.from(ofBlock, "base64");
  const hashes = new Set(
    Array.from({ length: bytes.length / linkBytes }, (_, at) => bytes.readUInt16BE(at * linkBytes)),
  );
  return wanted.every((each) => hashes.has(each));
}

/** Decodes text as `SummaryBuilder` reads a file: one byte is one character. */
function latin1Of(text: string): string {
  return Buffer.from(text).toString("latin1");
}

function blocksOf({ terms }: FileSummary, text: string): readonly number[] {
  const term = latin1Of(text);
  return Object.hasOwn(terms, term) ? (terms[term] ?? []) : [];
}

/**
 * Returns the blocks with ids that begin with a text.
 *
 * @param idStart as it is written in JSON
 */
function blocksWithId(summary: FileSummary, idStart: string): ReadonlySet<number> | undefined {
  if (summary.manyValued.includes("id")) return undefined;
  const entries = Buffer.from(summary.ids, "base64");
  const wanted = Buffer.from(idStart).subarray(0, keyBytes);
  const keyAt = (at: number) => entries.subarray(at * entryBytes, at * entryBytes + wanted.length);
  let low = 0;
  let high = Math.floor(entries.length / entryBytes);
  const count = high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keyAt(middle).compare(wanted) < 0) low = middle + 1;
    else high = middle;
  }
  const blocks = new Set<number>();
  for (let at = low; at < count && keyAt(at).equals(wanted); at += 1)
    blocks.add(entries.readUInt16BE(at * entryBytes + keyBytes));
  return blocks;
}
