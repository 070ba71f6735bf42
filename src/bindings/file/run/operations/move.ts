import { changeFile } from "../../../../runtime/files/change-file.js";
import { openEntry, type OpenParent } from "../../../../runtime/files/open-judged.js";
import type { AnyResult } from "../../../../runtime/result.js";
import { inParent, lockingFiles, requireRoom } from "../changing.js";
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
  return inParent(source, { create: false, wait }, async (parent) => {
    // No folder is created for a file that is missing.
    const size = await sizeOf(parent);
    // Within one folder the file takes no more room.
    const isWithin = source.folder.real === target.folder.real;
    const bytes = isWithin ? undefined : size;
    return inParent(target, { bytes, create, keeper, wait }, (into) => {
      const files = [
        { judged: source, parent },
        { judged: target, parent: into },
      ];
      return lockingFiles(files, { wait }, async (lock) => {
        const handle = await openEntry(parent, parent.name);
        try {
          const facts = await digestOf(handle, attempt.signal);
          const moved = fileSuccess({ path: shown(target.path), ...facts });
          // The file has this name already.
          if (source.path === target.path) return moved;
          if (!isWithin) await requireRoom(target, into, facts.bytes);
          const change = { kind: "move", parent, to: into, overwrite: overwrite === true } as const;
          const refusal = await changeFile(lock, change, keeper);
          return refusal === undefined ? moved : fileFault(refusal);
        } finally {
          await handle.close();
        }
      });
    });
  });
}

async function sizeOf(parent: OpenParent): Promise<number> {
  const handle = await openEntry(parent, parent.name);
  try {
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}
