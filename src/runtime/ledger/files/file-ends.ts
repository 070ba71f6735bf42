/** Reads only the first and the last line of a file. */
import fs from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { openRegularFile } from "../../files/regular-file.js";
import { isRunning } from "../../process.js";
import { type LedgerFileName, groupByWriter } from "./file-name.js";
import {
  type ChainRecord,
  type OpenRecord,
  parseRecord,
  type SeenHead,
} from "../chain/chain-record.js";
import { isIntact, type Link, readLink } from "../chain/line.js";

/**
 * Number of bytes read, enough for the first or last line of most files. Longer lines are ignored,
 * because a writer must start fast.
 */
const endBytes = 64 * 1024;
/** Number of other writers whose heads an opening record contains. */
const maxSeen = 8;

/** Returns the heads of the chains that began last. It leaves out files that can't be read. */
export function seenHeads(directory: string): readonly SeenHead[] {
  const writers = groupByWriter(fs.readdirSync(directory));
  return writers
    .flatMap((each) => each.files.at(-1) ?? [])
    .toSorted((a, b) => b.startMs - a.startMs)
    .slice(0, maxSeen)
    .flatMap(({ name }) => {
      const last = lastLine(join(directory, name));
      return last ? { file: name, seq: last.link.seq, hash: last.link.hash } : [];
    });
}

/** Returns whether nobody writes the file any more: it was closed, or its process is gone. */
export function isLeft(path: string, { writer }: LedgerFileName): boolean {
  if (lastLine(path)?.record?.type === "close") return true;
  const opening = openingOf(path);
  return (
    opening !== undefined &&
    opening.writer === writer &&
    opening.host === hostname() &&
    !isRunning(opening.pid)
  );
}

/** Returns the last complete line, if it is unchanged. */
export function lastLine(
  path: string,
): { readonly link: Link; readonly record: ChainRecord | undefined } | undefined {
  const tail = readEnd(path, "last");
  const end = tail.lastIndexOf(0x0a);
  if (end < 0) return undefined;
  const line = tail.subarray(end === 0 ? 0 : tail.lastIndexOf(0x0a, end - 1) + 1, end);
  const link = readLink(line);
  if (!link || !isIntact(line, link)) return undefined;
  return { link, record: parseRecord(line.toString("utf8")) };
}

/** Returns the opening record of a file. */
function openingOf(path: string): OpenRecord | undefined {
  const head = readEnd(path, "first");
  const record = parseRecord(head.toString("utf8", 0, Math.max(0, head.indexOf(0x0a))));
  return record?.type === "open" ? record : undefined;
}

function readEnd(path: string, which: "first" | "last"): Buffer {
  let fd: number | undefined;
  try {
    fd = openRegularFile(path);
    const { size } = fs.fstatSync(fd);
    const end = Buffer.alloc(Math.min(size, endBytes));
    const at = which === "first" ? 0 : size - end.length;
    return end.subarray(0, fs.readSync(fd, end, 0, end.length, at));
  } catch {
    return Buffer.alloc(0);
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}
