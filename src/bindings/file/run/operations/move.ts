import { changeFile } from "../../../../runtime/files/change-file.js";
import { whileLocked } from "../../../../runtime/files/change-lock.js";
import { openEntry } from "../../../../runtime/files/open-judged.js";
import type { AnyResult } from "../../../../runtime/result.js";
import { inParent } from "../changing.js";
import type { MoveRequest } from "../contract.js";
import { digestOf, type FileAttempt, fileFault, fileSuccess } from "../file-attempt.js";

/** Gives a file another name, also in another folder. */
export function moveFile(
  { createDirectories, overwrite, path, to }: MoveRequest,
  { attempt, judge: { judge, shown }, wait }: FileAttempt,
): Promise<AnyResult> {
  const source = judge(path);
  const target = judge(to);
  const create = createDirectories === true;
  const { keeper } = attempt;
  return inParent(source, { create: false }, async (parent) => {
    // No folder is created for a file that is missing.
    await (await openEntry(parent, parent.name)).close();
    return inParent(target, { create, keeper }, (into) =>
      whileLocked([parent, into], { wait }, async (lock) => {
        const handle = await openEntry(parent, parent.name);
        try {
          const facts = await digestOf(handle, attempt.signal);
          const moved = fileSuccess({ path: shown(target.path), ...facts });
          // The file has this name already.
          if (source.path === target.path) return moved;
          const change = { kind: "move", parent, to: into, overwrite: overwrite === true } as const;
          const refusal = await changeFile(lock, change, keeper);
          return refusal === undefined ? moved : fileFault(refusal);
        } finally {
          await handle.close();
        }
      }),
    );
  });
}
