import fs from "node:fs";
import { join } from "node:path";

import { openRegularFile } from "../files/regular-file.js";
import { groupByWriter } from "./file-name.js";
import { isIntact, readLink } from "./line.js";
import type { SeenHead } from "./stored-record.js";

/** Enough for the last line of most files. A longer one is not looked for: a writer must start fast. In bytes. */
const tailBytes = 64 * 1024;
/** How many other writers are looked at. */
const mostSeen = 8;

/** Where the chains of the writers that began last stand. Files that can't be read are left out. */
export function seenHeads(directory: string): readonly SeenHead[] {
  const writers = groupByWriter(fs.readdirSync(directory));
  return writers
    .flatMap((each) => each.files.at(-1) ?? [])
    .toSorted((a, b) => b.startMs - a.startMs)
    .slice(0, mostSeen)
    .flatMap(({ name }) => headOf(directory, name) ?? []);
}

function headOf(directory: string, name: string): SeenHead | undefined {
  const tail = readTail(join(directory, name));
  const end = tail.lastIndexOf(0x0a);
  if (end < 0) return undefined;
  const line = tail.subarray(end === 0 ? 0 : tail.lastIndexOf(0x0a, end - 1) + 1, end);
  const link = readLink(line);
  return link && isIntact(line, link) ? { file: name, seq: link.seq, hash: link.hash } : undefined;
}

function readTail(path: string): Buffer {
  let fd: number | undefined;
  try {
    fd = openRegularFile(path);
    const { size } = fs.fstatSync(fd);
    const tail = Buffer.alloc(Math.min(size, tailBytes));
    return tail.subarray(0, fs.readSync(fd, tail, 0, tail.length, size - tail.length));
  } catch {
    return Buffer.alloc(0);
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}
