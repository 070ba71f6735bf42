import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { UnreadableAnswer } from "../../../runtime/executor.js";
import type { SavedFile } from "../contract.js";

/** The file could not be written: the disk is full, or the folder can't be made. */
export class NotSaved extends Error {
  override readonly name = "NotSaved";
}

/**
 * Writes a body to a new file in a folder, with a name that the runtime chooses. During writing the
 * name ends with `.part`. An incomplete file is removed.
 *
 * @param folder absolute path; the folder is made if it doesn't exist
 * @param most limit in bytes
 * @throws UnreadableAnswer for a longer body
 * @throws NotSaved for errors of the file system
 * @throws errors of the body
 */
export async function saveBody(
  body: Readable,
  {
    folder,
    most,
    type,
  }: { readonly folder: string; readonly most: number; readonly type: string | null },
): Promise<SavedFile> {
  const path = join(folder, randomUUID());
  const part = `${path}.part`;
  const sha256 = createHash("sha256");
  let size = 0;
  await written(mkdir(folder, { recursive: true }));
  // `wx` follows no link and overwrites no file.
  const file = await written(open(part, "wx", 0o600));
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > most) throw UnreadableAnswer.tooLong(most);
      sha256.update(chunk);
      await written(file.appendFile(chunk));
    }
    await written(file.close());
    await written(rename(part, path));
  } catch (error) {
    await file.close().catch(() => {});
    await rm(part, { force: true });
    throw error;
  }
  return { path, size, sha256: sha256.digest("hex"), type };
}

async function written<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (cause) {
    throw new NotSaved("a file could not be written", { cause });
  }
}
