/**
 * Entries of a run as lines: the sealed part in base64, a tab, and the header. JSON has no tab, so
 * the header of the last line can be read without the rest of the line.
 */
import { openRegularHandle } from "../../files/regular-file.js";
import { changed, type SealedEntry } from "../sealed-run.js";

/** A line of a file, without its line feed. */
interface Line {
  readonly bytes: Buffer;
  /** Position behind the line feed. */
  readonly end: number;
}

/** The whole lines of a file. */
export interface Lines {
  readonly lines: readonly Line[];
  /** True if a crash left the last line incomplete. `lines` leaves it out. */
  readonly isTorn: boolean;
}

const lineFeed = 0x0a;
const tab = 0x09;
const blockBytes = 256 * 1024;
const firstTailBytes = 8 * 1024;

export function lineOf({ header, sealed }: SealedEntry): Buffer {
  return Buffer.from(`${Buffer.from(sealed).toString("base64")}\t${header}\n`);
}

/**
 * Parses a line.
 *
 * @throws RunStoreError if it holds no entry
 */
export function entryOf({ bytes }: Line, where: string): SealedEntry {
  const at = bytes.indexOf(tab);
  if (at < 0) throw changed(where);
  const sealed = Buffer.from(bytes.toString("latin1", 0, at), "base64");
  return { sealed, header: bytes.toString("utf8", at + 1) };
}

/** Reads the lines of a file. It follows no link. */
export async function readLines(path: string): Promise<Lines> {
  const handle = await openRegularHandle(path, { links: false });
  try {
    const lines: Line[] = [];
    let rest: Buffer[] = [];
    let position = 0;
    for (;;) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(blockBytes), {
        position,
      });
      if (bytesRead === 0) break;
      const block = buffer.subarray(0, bytesRead);
      let start = 0;
      for (let end = block.indexOf(lineFeed); end >= 0; end = block.indexOf(lineFeed, start)) {
        const bytes = Buffer.concat([...rest, block.subarray(start, end)]);
        lines.push({ bytes, end: position + end + 1 });
        rest = [];
        start = end + 1;
      }
      if (start < bytesRead) rest.push(block.subarray(start));
      position += bytesRead;
    }
    // After a power failure, a part of the last line may be zeros. skillc writes none.
    const hasHole = lines.at(-1)?.bytes.includes(0) === true && rest.length === 0;
    return { lines: hasHole ? lines.slice(0, -1) : lines, isTorn: hasHole || rest.length > 0 };
  } finally {
    await handle.close();
  }
}

/** Returns the header of the last whole line; undefined if there is none. It follows no link. */
export async function readLastHeader(path: string): Promise<string | undefined> {
  const handle = await openRegularHandle(path, { links: false });
  try {
    const { size } = await handle.stat();
    for (let bytes = firstTailBytes; ; bytes *= 2) {
      const start = Math.max(0, size - bytes);
      const buffer = Buffer.alloc(size - start);
      const { bytesRead } = await handle.read(buffer, { position: start });
      const tail = buffer.subarray(0, bytesRead);
      const end = tail.lastIndexOf(lineFeed);
      const from = end < 0 ? -1 : tail.lastIndexOf(tab, end);
      // A torn line may follow.
      if (from >= 0) return tail.toString("utf8", from + 1, tail.indexOf(lineFeed, from));
      if (start === 0) return undefined;
    }
  } finally {
    await handle.close();
  }
}
