import { RefusedValue } from "../../../runtime/call/refused-value.js";
import type { BoundCaller } from "../../../runtime/caller.js";
import type { PathAccess } from "../../../runtime/files/judged-path.js";
import {
  type FileContract,
  type FileOperation,
  type FileRequests,
  readOperations,
  usualFileBytes,
} from "./contract.js";

/** The request of a call, with its operation. */
export type FileCall = {
  readonly [Operation in FileOperation]: {
    readonly operation: Operation;
    readonly value: FileRequests[Operation];
  };
}[FileOperation];

/**
 * Builds the request of a call.
 *
 * @throws RefusedValue if a value can't stand in its place
 */
export function requestOf<Arguments>(
  { operation, request }: FileContract<Arguments>,
  args: Arguments,
  caller: BoundCaller,
): FileCall {
  // Operation and request come from one member of the contract's union.
  return { operation, value: request(args, caller) } as FileCall;
}

/** Returns the access that an operation needs. */
export function accessOf(operation: FileOperation): PathAccess {
  return readOperations.includes(operation) ? "read" : "write";
}

/**
 * Returns the bytes that a call writes, or the bytes of its patch; none for other operations.
 *
 * @throws RefusedValue if the content is too large, or not in its encoding
 */
export function contentOf(
  call: FileCall,
  {
    encoding = "utf-8",
    maxBytes = usualFileBytes,
  }: Pick<FileContract<never>, "encoding" | "maxBytes">,
): Uint8Array {
  switch (call.operation) {
    case "write":
    case "append":
      return bytesOf(call.value.content, encoding, maxBytes);
    case "patch":
      return bytesOf(call.value.patch, "utf-8", maxBytes);
    default:
      return new Uint8Array();
  }
}

function bytesOf(
  content: string,
  encoding: NonNullable<FileContract<never>["encoding"]>,
  maxBytes: number,
): Uint8Array {
  const refused = (message: string) =>
    new RefusedValue("", "content", message, (value) => value === content);
  const tooLong = `exceeds the limit of ${maxBytes} bytes`;
  // Four characters of base64 are three bytes, and no character is less than a byte of UTF-8.
  if (content.length > (encoding === "base64" ? Math.ceil(maxBytes / 3) * 4 : maxBytes))
    throw refused(tooLong);
  if (!content.isWellFormed()) throw refused("contains half of a surrogate pair");
  const bytes = Buffer.from(content, encoding === "base64" ? "base64" : "utf8");
  if (encoding === "base64" && bytes.toString("base64") !== content)
    throw refused("must be base64 of RFC 4648, padded, without line ends");
  if (bytes.byteLength > maxBytes) throw refused(tooLong);
  return bytes;
}

/**
 * Returns a number of the request.
 *
 * @param usual number if the value is absent
 * @param most highest number; a higher value counts as this
 * @throws RefusedValue if it is not a whole number from 0 on
 */
export function countOf(
  value: number | null | undefined,
  { most, name, usual }: { readonly name: string; readonly usual: number; readonly most: number },
): number {
  if (value === undefined || value === null) return usual;
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RefusedValue(
      "",
      "minimum",
      `must be a whole number from 0 on for \`${name}\``,
      (each) => each === value,
    );
  return Math.min(value, most);
}
