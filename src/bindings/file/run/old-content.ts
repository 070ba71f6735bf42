import { type FileState, stateOf } from "../../../runtime/files/change-file.js";
import { openEntry, type OpenParent } from "../../../runtime/files/open-judged.js";
import { systemCode } from "../../../runtime/files/system-code.js";
import { readBytes } from "./file-attempt.js";

/** Content of a file before a change. */
export interface OldContent {
  readonly bytes: Buffer;
  /** State of the file; another write changes it. */
  readonly state: FileState;
}

/**
 * Reads a file that a change is made from; undefined if there is none.
 *
 * @param most maximum size in bytes
 */
export async function oldContent(
  parent: OpenParent,
  most: number,
): Promise<OldContent | "too_large" | undefined> {
  const handle = await openEntry(parent, parent.name).catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  try {
    const state = await stateOf(handle);
    const bytes = await readBytes(handle, 0, most + 1);
    return bytes.byteLength > most ? "too_large" : { bytes, state };
  } finally {
    await handle.close();
  }
}
