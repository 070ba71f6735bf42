import { openRegularHandle } from "../../files/regular-file.js";
import { longestLine } from "../chain/line.js";

/** A line of a file, without its line feed. */
export interface RawLine {
  /** Line number, from 1. */
  readonly number: number;
  readonly bytes: Buffer;
  /** False if there is no line feed after the line. */
  readonly ended: boolean;
  /**
   * Set if the line is longer than any that a writer writes. `bytes` then holds only its beginning.
   */
  readonly tooLong: boolean;
}

const forwardBlock = 256 * 1024;
/**
 * The first block from the end is small, because with many files each is opened for its last lines.
 */
const firstBackwardBlock = 16 * 1024;
const backwardBlock = 64 * 1024;
/** Large enough to read most parts of a file at once. */
const wholeBlock = 128 * 1024;
const lineFeed = 0x0a;

/**
 * Yields the lines of a file in order, a block at a time. It holds one block and one line in
 * memory.
 */
export async function* readLines(path: string): AsyncGenerator<readonly RawLine[]> {
  let rest: readonly Buffer[] = [];
  let restBytes = 0;
  let number = 1;
  for await (const block of readBlocks(path)) {
    const lines: RawLine[] = [];
    let start = 0;
    for (let end = block.indexOf(lineFeed); end >= 0; end = block.indexOf(lineFeed, start)) {
      const piece = block.subarray(start, end);
      const bytes = rest.length === 0 ? piece : Buffer.concat([...rest, piece]);
      lines.push({ number, bytes, ended: true, tooLong: restBytes + piece.length > longestLine });
      number += 1;
      rest = [];
      restBytes = 0;
      start = end + 1;
    }
    const piece = block.subarray(start);
    if (piece.length > 0 && restBytes <= longestLine) rest = [...rest, piece];
    restBytes += piece.length;
    yield lines;
  }
  if (restBytes > 0) {
    yield [{ number, bytes: Buffer.concat(rest), ended: false, tooLong: restBytes > longestLine }];
  }
}

async function* readBlocks(path: string): AsyncGenerator<Buffer> {
  const file = await openRegularHandle(path);
  try {
    // Ignore lines that a live writer adds from now on.
    const { size } = await file.stat();
    for (let at = 0; at < size;) {
      const block = Buffer.allocUnsafe(Math.min(forwardBlock, size - at));
      const { bytesRead } = await file.read(block, 0, block.length, at);
      if (bytesRead === 0) return;
      yield block.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}

/**
 * Yields the lines of a file from the last to the first, as text, a block at a time. It keeps no
 * file open between blocks, so that thousands of files can be read side by side. It leaves out
 * lines that are longer than any that a writer writes.
 *
 * @param part only this part, which begins and ends at line ends
 */
export async function* readLinesBackwards(
  path: string,
  part?: { readonly start: number; readonly end: number },
): AsyncGenerator<readonly string[]> {
  const from = part?.start ?? 0;
  let end = part?.end ?? (await sizeOf(path));
  let rest: readonly Buffer[] = [];
  let restBytes = 0;
  for (let length = part ? wholeBlock : firstBackwardBlock; end > from; length = backwardBlock) {
    const start = Math.max(from, end - length);
    const block = await readBlock(path, start, end - start);
    end = start;
    const lines: string[] = [];
    let to = block.length;
    for (let at = lastLineFeed(block, to); at >= 0; at = lastLineFeed(block, to)) {
      if (restBytes <= longestLine) lines.push(textOf([block.subarray(at + 1, to), ...rest]));
      rest = [];
      restBytes = 0;
      to = at;
    }
    restBytes += to;
    rest = restBytes <= longestLine ? [block.subarray(0, to), ...rest] : [];
    yield lines;
  }
  if (restBytes > 0 && restBytes <= longestLine) yield [textOf(rest)];
}

function lastLineFeed(block: Buffer, before: number): number {
  return before === 0 ? -1 : block.lastIndexOf(lineFeed, before - 1);
}

function textOf(pieces: readonly Buffer[]): string {
  return pieces.length === 1 && pieces[0]
    ? pieces[0].toString("utf8")
    : Buffer.concat(pieces).toString("utf8");
}

async function sizeOf(path: string): Promise<number> {
  const file = await openRegularHandle(path);
  try {
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

async function readBlock(path: string, start: number, length: number): Promise<Buffer> {
  const file = await openRegularHandle(path);
  try {
    const block = Buffer.allocUnsafe(length);
    const { bytesRead } = await file.read(block, 0, length, start);
    return block.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
