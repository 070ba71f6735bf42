import { changeFile } from "../../../../runtime/files/change-file.js";
import { openEntry } from "../../../../runtime/files/open-judged.js";
import type { AnyResult } from "../../../../runtime/result.js";
import { changing } from "../changing.js";
import { digestOf, type FileAttempt, fileFault, fileSuccess } from "../file-attempt.js";
import type { FilePath } from "../file-path.js";

/** Deletes a file. */
export function deleteFile(
  { path }: { readonly path: FilePath },
  { attempt, judge: { judge, shown }, wait }: FileAttempt,
): Promise<AnyResult> {
  const judged = judge(path);
  const options = { create: false, freesSpace: true, wait };
  return changing(judged, options, async (parent, lock) => {
    const handle = await openEntry(parent, parent.name);
    try {
      const facts = await digestOf(handle, attempt.signal);
      const refusal = await changeFile(lock, { kind: "delete", parent }, attempt.keeper);
      if (refusal !== undefined) return fileFault(refusal);
      return fileSuccess({ path: shown(judged.path), ...facts });
    } finally {
      await handle.close();
    }
  });
}
