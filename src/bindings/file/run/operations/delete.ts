import { changeFile } from "../../../../runtime/files/change-file.js";
import { openEntry } from "../../../../runtime/files/open-judged.js";
import type { AnyResult } from "../../../../runtime/result.js";
import { digestOf, type FileAttempt, fileFault, fileSuccess } from "../file-attempt.js";
import type { FilePath } from "../file-path.js";
import { inParent } from "./write.js";

/** Deletes a file. */
export function deleteFile(
  { path }: { readonly path: FilePath },
  { attempt, judge: { judge, shown } }: FileAttempt,
): Promise<AnyResult> {
  const judged = judge(path);
  return inParent(judged, false, async (parent) => {
    const handle = await openEntry(parent, parent.name);
    try {
      const facts = await digestOf(handle, attempt.signal);
      const refusal = await changeFile({ kind: "delete", parent });
      if (refusal !== undefined) return fileFault(refusal);
      return fileSuccess({ path: shown(judged.path), ...facts });
    } finally {
      await handle.close();
    }
  });
}
