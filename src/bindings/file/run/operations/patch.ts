import { ifMissing } from "../../../../runtime/call/missing-package.js";
import { RefusedValue } from "../../../../runtime/call/refused-value.js";
import { changeFile } from "../../../../runtime/files/change-file.js";
import type { AnyResult } from "../../../../runtime/result.js";
import { changed, changing, requireRoom, untilFitting } from "../changing.js";
import { type FileAttempt, fileFault, maxBytesOf } from "../file-attempt.js";
import type { FilePath } from "../file-path.js";
import { oldContent } from "../old-content.js";
import { textOf } from "./read.js";

/** Applies a unified diff to a file: whole, or not at all. */
export async function patchFile(
  { patch, path }: { readonly path: FilePath; readonly patch: string },
  { attempt: { keeper }, contract, judge: { judge, shown }, wait }: FileAttempt,
): Promise<AnyResult> {
  const judged = judge(path);
  const most = maxBytesOf(contract);
  const apply = await readPatch(patch);
  return changing(judged, { create: false, wait }, (parent, lock) =>
    untilFitting(async () => {
      const old = await oldContent(parent, most);
      if (old === undefined) return fileFault("not_found");
      if (old === "too_large") return fileFault(old);
      const text = textOf(old.bytes);
      if (text === undefined) return fileFault("not_text");
      const patched = apply(text);
      if (patched === undefined) return fileFault("conflict");
      const bytes = Buffer.from(patched);
      if (bytes.byteLength > most) return fileFault("too_large");
      const change = { kind: "write", parent, bytes, from: old.state, overwrite: true } as const;
      await requireRoom(judged, parent, bytes.byteLength);
      const refusal = await changeFile(lock, change, keeper);
      if (refusal === undefined) return changed(shown(judged.path), bytes);
      return refusal === "conflict" ? "again" : fileFault(refusal);
    }),
  );
}

/**
 * Reads a patch.
 *
 * @returns a function that applies it; undefined from that if it does not fit
 * @throws RefusedValue if the text is no unified diff of one file
 */
async function readPatch(patch: string): Promise<(text: string) => string | undefined> {
  const { applyPatch, parsePatch } = await import("diff").catch(ifMissing("diff"));
  const refused = (message: string) =>
    new RefusedValue("", "patch", message, (value) => value === patch);
  const read = () => {
    try {
      return parsePatch(patch);
    } catch {
      // The parser's message contains lines of the patch.
      throw refused("is not a unified diff");
    }
  };
  const [only, ...others] = read().filter(({ hunks }) => hunks.length > 0);
  if (only === undefined) throw refused("is not a unified diff: it has no hunk (`@@ -1 +1 @@`)");
  if (others.length > 0)
    throw refused(`changes ${others.length + 1} files, but a call changes one file`);
  return (text) => {
    const patched = applyPatch(text, only);
    return patched === false ? undefined : patched;
  };
}
