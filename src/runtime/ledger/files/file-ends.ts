/** What the first and the last line of a file tell, without reading the rest. */
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
 * Enough for the first or last line of most files. A longer one is not looked for: a writer must
 * start fast. In bytes.
 */
const endBytes = 64 * 1024;
/** How many other writers are looked at. */
const maxSeen = 8;

/** Where the chains of the writers that began last stand. Files that can't be read are left out. */
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

/** Whether nobody writes the file any more: it was closed, or its process is gone. */
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

/** The last whole line, if it is what its writer wrote. */
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

/** What the writer said of itself. */
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
