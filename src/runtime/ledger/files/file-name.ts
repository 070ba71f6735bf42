import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { OwnFolder } from "../../files/own-place.js";
import { systemCode } from "../../files/system-code.js";

/** A file of a ledger, parsed from its name: `20260725T101112123Z-4242-a1b2c3d4e5f6-0001.jsonl`. */
export interface LedgerFileName {
  readonly name: string;
  /** Time at which the file was begun, in milliseconds since 1970. */
  readonly startMs: number;
  /**
   * Process id and a random part. A process can have several writers, and process ids are reused.
   */
  readonly writer: string;
  /** Number of the file among its writer's files, from 1. */
  readonly part: number;
}

/** The files of one writer, in the order in which they were written. */
export interface WriterFiles {
  readonly writer: string;
  readonly files: readonly LedgerFileName[];
}

/** Default folder of the ledger, relative to the project's folder. */
export const defaultDirectory = ".skillc/ledger";

/** Returns the absolute path of a ledger's folder. */
export function directoryOf({ path, root }: OwnFolder): string {
  return join(root, path);
}

export function newWriterId(): string {
  return `${process.pid}-${randomBytes(6).toString("hex")}`;
}

/** Returns the process id of a writer. */
export function pidOf(writer: string): number {
  return Number.parseInt(writer, 10);
}

export function fileNameOf(startMs: number, writer: string, part: number): string {
  const time = new Date(startMs).toISOString().replaceAll(/[-:.]/g, "");
  return `${time}-${writer}-${String(part).padStart(4, "0")}.jsonl`;
}

const form =
  /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-(\d{1,10}-[0-9a-f]{12})-(\d{4,9})\.jsonl$/;

/** Parses a file name; undefined if it is not the name of a ledger file. */
export function parseFileName(name: string): LedgerFileName | undefined {
  const match = form.exec(name);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, ms, writer, part] = match;
  const startMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
  if (Number.isNaN(startMs) || writer === undefined) return undefined;
  return { name, startMs, writer, part: Number(part) };
}

/** Returns the names in a ledger's folder; empty if the folder doesn't exist. */
export async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return (await readdir(directory)).toSorted();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** Groups the ledger files among these names by writer. */
export function groupByWriter(names: readonly string[]): readonly WriterFiles[] {
  const writers = new Map<string, LedgerFileName[]>();
  for (const name of names) {
    const file = parseFileName(name);
    if (!file) continue;
    const files = writers.get(file.writer);
    if (files) files.push(file);
    else writers.set(file.writer, [file]);
  }
  return [...writers].map(([writer, files]) => ({
    writer,
    files: files.toSorted((a, b) => a.part - b.part || (a.name < b.name ? -1 : 1)),
  }));
}

export function pathOf(directory: string, file: LedgerFileName): string {
  return join(directory, file.name);
}
