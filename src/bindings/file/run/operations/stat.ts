import fs from "node:fs/promises";
import { openParent } from "../../../../runtime/files/open-judged.js";
import type { AnyResult } from "../../../../runtime/result.js";
import { entryOf } from "../entry.js";
import { type FileAttempt, fileSuccess } from "../file-attempt.js";
import type { FilePath } from "../file-path.js";

/** Describes a file or folder. */
export async function statFile(
  { path }: { readonly path: FilePath },
  { judge: { judge, shown } }: FileAttempt,
): Promise<AnyResult> {
  const judged = judge(path);
  const name = shown(judged.path);
  // The folder above an allowed folder is not the tool's to open.
  if (judged.path === judged.folder.real)
    return fileSuccess(entryOf(name, await fs.lstat(judged.path)));
  const parent = await openParent(judged);
  try {
    return fileSuccess(entryOf(name, await fs.lstat(parent.at(parent.name))));
  } finally {
    await parent.close();
  }
}
