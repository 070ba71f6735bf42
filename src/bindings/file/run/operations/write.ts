import { changeFile } from "../../../../runtime/files/change-file.js";
import type { AnyResult } from "../../../../runtime/result.js";
import { changed, changing } from "../changing.js";
import type { WriteRequest } from "../contract.js";
import { type FileAttempt, fileFault } from "../file-attempt.js";

/** Writes a file. */
export function writeFile(
  { createDirectories, overwrite, path }: WriteRequest,
  { content, judge: { judge, shown }, wait }: FileAttempt,
): Promise<AnyResult> {
  const judged = judge(path);
  return changing(judged, { create: createDirectories === true, wait }, async (parent, lock) => {
    const refusal = await changeFile(lock, {
      kind: "write",
      parent,
      bytes: content,
      overwrite: overwrite === true,
    });
    return refusal === undefined ? changed(shown(judged.path), content) : fileFault(refusal);
  });
}
