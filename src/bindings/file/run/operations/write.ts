import { changeFile } from "../../../../runtime/files/change-file.js";
import type { AnyResult } from "../../../../runtime/result.js";
import { changed, changing, requireRoom } from "../changing.js";
import type { WriteRequest } from "../contract.js";
import { type FileAttempt, fileFault } from "../file-attempt.js";

/** Writes a file. */
export function writeFile(
  { createDirectories, overwrite, path }: WriteRequest,
  { attempt: { keeper }, content, judge: { judge, shown }, wait }: FileAttempt,
): Promise<AnyResult> {
  const judged = judge(path);
  const create = createDirectories === true;
  const bytes = content.byteLength;
  return changing(judged, { bytes, create, keeper, wait }, async (parent, lock) => {
    const change = {
      kind: "write",
      parent,
      bytes: content,
      overwrite: overwrite === true,
    } as const;
    await requireRoom(judged, parent, bytes);
    const refusal = await changeFile(lock, change, keeper);
    return refusal === undefined ? changed(shown(judged.path), content) : fileFault(refusal);
  });
}
