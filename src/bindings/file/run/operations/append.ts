import { changeFile } from "../../../../runtime/files/change-file.js";
import type { AnyResult } from "../../../../runtime/result.js";
import type { AppendRequest } from "../contract.js";
import { type FileAttempt, fileFault, maxBytesOf } from "../file-attempt.js";
import { oldContent } from "../old-content.js";
import { oneAtATime } from "../turns.js";
import { changed, inParent, untilFitting } from "./write.js";

/** Adds content at the end of a file. A missing file is created. */
export function appendFile(
  { createDirectories, path }: AppendRequest,
  { content, contract, judge: { judge, shown } }: FileAttempt,
): Promise<AnyResult> {
  const judged = judge(path);
  const most = maxBytesOf(contract);
  return inParent(judged, createDirectories === true, (parent) =>
    oneAtATime(judged.path, () =>
      untilFitting(async () => {
        const old = await oldContent(parent, most);
        if (old === "too_large") return fileFault(old);
        const bytes = Buffer.concat([old?.bytes ?? new Uint8Array(), content]);
        if (bytes.byteLength > most) return fileFault("too_large");
        const refusal = await changeFile({
          kind: "write",
          parent,
          bytes,
          from: old?.state,
          overwrite: false,
        });
        if (refusal === undefined) return changed(shown(judged.path), bytes);
        // Another process created or changed the file.
        return refusal === "conflict" || refusal === "exists" ? "again" : fileFault(refusal);
      }),
    ),
  );
}
