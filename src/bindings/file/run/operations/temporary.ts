import { RefusedValue } from "../../../../runtime/call/refused-value.js";
import {
  createTemporary,
  maxTemporaryBytes,
  removeOldTemporary,
  TemporaryFault,
  usualTemporaryBytes,
} from "../../../../runtime/files/temporary-folders.js";
import type { AnyResult } from "../../../../runtime/result.js";
import type { FileRequests, TemporaryFolder } from "../contract.js";
import { type FileAttempt, fileSuccess } from "../file-attempt.js";
import { countOf } from "../request.js";

/** Makes a temporary folder for the tools of the call's plan, parent or trace. */
export async function makeTemporary(
  { sizeBytes }: FileRequests["temporary"],
  { attempt, owner }: FileAttempt,
): Promise<AnyResult> {
  const limits = { name: "size_bytes", usual: usualTemporaryBytes, most: Infinity };
  const wanted = countOf(sizeBytes, limits);
  if (wanted > maxTemporaryBytes)
    throw new RefusedValue(
      "",
      "maximum",
      `must be at most ${maxTemporaryBytes} for \`size_bytes\``,
      (each) => each === sizeBytes,
    );
  if (owner === undefined)
    throw new TemporaryFault(
      "NO_OWNER",
      "nobody could share the folder: call the tool in a plan, or with a `trace` or a `parent`",
    );
  await removeOldTemporary();
  attempt.signal.throwIfAborted();
  const { bytes, expiresMs, path } = createTemporary(owner, wanted);
  const data: TemporaryFolder = {
    path,
    size_bytes: bytes,
    expires: new Date(expiresMs).toISOString(),
  };
  return fileSuccess(data);
}
