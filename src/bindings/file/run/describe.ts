import type { FileContract, FileRecord } from "./contract.js";
import { sha256Of } from "./file-attempt.js";
import { FilePath } from "./file-path.js";
import type { FileCall } from "./request.js";

/** Keys of a request that are no options. */
const apart: ReadonlySet<string> = new Set(["content", "patch", "path", "to"]);

/**
 * Describes a request for shadow mode and approvals, without its content.
 *
 * @param content bytes that the call writes, also if the request shows them masked
 */
export function describeFile(
  { operation, value }: FileCall,
  content: Uint8Array,
  { hidesDigest }: Pick<FileContract<never>, "hidesDigest">,
): FileRecord {
  const hasContent = "content" in value || "patch" in value;
  const options = Object.entries(value).filter(
    (entry): entry is [string, boolean | number | string] =>
      !apart.has(entry[0]) && entry[1] !== undefined && entry[1] !== null,
  );
  return {
    operation,
    ...("path" in value && { path: value.path.shown() }),
    ...("to" in value && value.to instanceof FilePath && { to: value.to.shown() }),
    ...(hasContent && { bytes: content.byteLength }),
    ...(hasContent && hidesDigest !== true && { sha256: sha256Of(content) }),
    ...(options.length > 0 && { options: Object.fromEntries(options) }),
  };
}
