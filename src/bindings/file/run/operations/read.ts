import { openJudged } from "../../../../runtime/files/open-judged.js";
import type { AnyResult } from "../../../../runtime/result.js";
import type { ReadRequest } from "../contract.js";
import {
  type FileAttempt,
  fileFault,
  fileSuccess,
  maxBytesOf,
  readBytes,
  sha256Of,
} from "../file-attempt.js";
import { countOf } from "../request.js";

/** Reads a file, or a part of one. */
export async function readFile(
  { length, offset, path }: ReadRequest,
  { contract, judge: { judge } }: FileAttempt,
): Promise<AnyResult> {
  const most = maxBytesOf(contract);
  const from = countOf(offset, { name: "offset", usual: 0, most: Number.MAX_SAFE_INTEGER - most });
  const wanted = countOf(length, { name: "length", usual: most, most });
  const handle = await openJudged(judge(path));
  try {
    // One more byte shows whether the file goes on.
    const read = await readBytes(handle, from, wanted + 1);
    const more = read.byteLength > wanted;
    const bytes = read.subarray(0, wanted);
    if (contract.encoding === "base64")
      return fileSuccess({ base64: bytes.toString("base64"), ...factsOf(bytes, more) });
    const whole = more ? wholeCharacters(bytes) : bytes;
    const text = textOf(whole);
    return text === undefined
      ? fileFault("not_text")
      : fileSuccess({ text, ...factsOf(whole, more) });
  } finally {
    await handle.close();
  }
}

function factsOf(bytes: Uint8Array, more: boolean): object {
  return { bytes: bytes.byteLength, sha256: sha256Of(bytes), more };
}

/** Returns undefined if the bytes are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Leaves out a character of which only the beginning was read. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.byteLength); back += 1) {
    const byte = bytes[bytes.byteLength - back] ?? 0;
    if (byte < 0x80) return bytes;
    // The first byte of a character tells its length.
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 0;
    if (size > 0) return size > back ? bytes.subarray(0, bytes.byteLength - back) : bytes;
  }
  return bytes;
}
