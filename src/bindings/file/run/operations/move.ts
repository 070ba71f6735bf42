import { changeFile } from "../../../../runtime/files/change-file.js";
import { openEntry } from "../../../../runtime/files/open-judged.js";
import type { AnyResult } from "../../../../runtime/result.js";
import type { MoveRequest } from "../contract.js";
import { digestOf, type FileAttempt, fileFault, fileSuccess } from "../file-attempt.js";
import { inParent } from "./write.js";

/** Gives a file another name, also in another folder. */
export function moveFile(
  { createDirectories, overwrite, path, to }: MoveRequest,
  { attempt, judge: { judge, shown } }: FileAttempt,
): Promise<AnyResult> {
  const source = judge(path);
  const target = judge(to);
  return inParent(source, false, async (parent) => {
    const handle = await openEntry(parent, parent.name);
    try {
      const facts = await digestOf(handle, attempt.signal);
      const moved = { path: shown(target.path), ...facts };
      // The file has this name already.
      if (source.path === target.path) return fileSuccess(moved);
      return await inParent(target, createDirectories === true, async (into) => {
        const refusal = await changeFile({
          kind: "move",
          parent,
          to: into,
          overwrite: overwrite === true,
        });
        return refusal === undefined ? fileSuccess(moved) : fileFault(refusal);
      });
    } finally {
      await handle.close();
    }
  });
}
