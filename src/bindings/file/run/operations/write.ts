import { type ChangeRefusal, changeFile } from "../../../../runtime/files/change-file.js";
import type { JudgedPath } from "../../../../runtime/files/judged-path.js";
import { type OpenParent, openParent } from "../../../../runtime/files/open-judged.js";
import type { AnyResult } from "../../../../runtime/result.js";
import type { WriteRequest } from "../contract.js";
import { type FileAttempt, fileFault, fileSuccess, sha256Of } from "../file-attempt.js";

/** Writes a file. */
export function writeFile(
  { createDirectories, overwrite, path }: WriteRequest,
  { content, judge: { judge, shown } }: FileAttempt,
): Promise<AnyResult> {
  const judged = judge(path);
  return inParent(judged, createDirectories === true, async (parent) => {
    const change = {
      kind: "write",
      parent,
      bytes: content,
      overwrite: overwrite === true,
    } as const;
    const refusal = await changeFile(change);
    return refusal === undefined ? changed(shown(judged.path), content) : fileFault(refusal);
  });
}

/**
 * Opens the parent folder of a file for a change.
 *
 * @param create creates missing folders
 */
export async function inParent(
  judged: JudgedPath,
  create: boolean,
  run: (parent: OpenParent) => Promise<AnyResult>,
): Promise<AnyResult> {
  // An allowed folder itself is no file.
  if (judged.path === judged.folder.real) return fileFault("wrong_kind");
  const parent = await openParent(judged, { create });
  try {
    return await run(parent);
  } finally {
    await parent.close();
  }
}

/** Makes the answer of a changed file with this content. */
export function changed(path: string, bytes: Uint8Array): AnyResult {
  return fileSuccess({ path, bytes: bytes.byteLength, sha256: sha256Of(bytes) });
}

/** Tries a change again while other processes write the file: the last refusal is the answer. */
export async function untilFitting(
  attempt: () => Promise<AnyResult | "again">,
): Promise<AnyResult> {
  for (let left = 5; left > 0; left -= 1) {
    const result = await attempt();
    if (result !== "again") return result;
  }
  return fileFault("conflict" satisfies ChangeRefusal);
}
