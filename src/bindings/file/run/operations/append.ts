import { changeFile } from "../../../../runtime/files/change-file.js";
import type { AnyResult } from "../../../../runtime/result.js";
import { changed, changing, requireRoom, untilFitting } from "../changing.js";
import type { AppendRequest } from "../contract.js";
import { type FileAttempt, fileFault, maxBytesOf } from "../file-attempt.js";
import { oldContent } from "../old-content.js";

/** Adds content at the end of a file. A missing file is created. */
export function appendFile(
  { createDirectories, path }: AppendRequest,
  { attempt: { keeper }, content, contract, judge: { judge, shown }, wait }: FileAttempt,
): Promise<AnyResult> {
  const judged = judge(path);
  const most = maxBytesOf(contract);
  const create = createDirectories === true;
  const options = { bytes: content.byteLength, create, keeper, wait };
  return changing(judged, options, (parent, lock) =>
    untilFitting(async () => {
      const old = await oldContent(parent, most);
      if (old === "too_large") return fileFault(old);
      const bytes = Buffer.concat([old?.bytes ?? new Uint8Array(), content]);
      if (bytes.byteLength > most) return fileFault("too_large");
      const from = old?.state;
      const change = { kind: "write", parent, bytes, from, overwrite: false } as const;
      await requireRoom(judged, parent, bytes.byteLength);
      const refusal = await changeFile(lock, change, keeper);
      if (refusal === undefined) return changed(shown(judged.path), bytes);
      // Another program, which takes no lock, created or changed the file.
      return refusal === "conflict" || refusal === "exists" ? "again" : fileFault(refusal);
    }),
  );
}
