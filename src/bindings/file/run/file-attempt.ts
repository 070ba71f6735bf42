import { createHash } from "node:crypto";
import type fs from "node:fs/promises";
import { ToolError } from "../../../runtime/errors.js";
import type { ChangeRefusal } from "../../../runtime/files/change-file.js";
import { type ChangeWait, FileLocked } from "../../../runtime/files/change-lock.js";
import { PathChanged } from "../../../runtime/files/open-judged.js";
import { systemCode } from "../../../runtime/files/system-code.js";
import { TemporaryFault, type TemporaryOwner } from "../../../runtime/files/temporary-folders.js";
import type { AnyResult, Success } from "../../../runtime/result.js";
import type { Attempt } from "../../../runtime/call/attempt.js";
import { type FileContract, usualFileBytes } from "./contract.js";
import type { Judging } from "./judging.js";
import type { FileCall } from "./request.js";

/** One attempt of a file tool. */
export interface FileAttempt {
  readonly request: FileCall;
  /** Bytes to write, or the bytes of a patch; empty for other operations. */
  readonly content: Uint8Array;
  readonly contract: Pick<FileContract<never>, "encoding" | "maxBytes">;
  readonly attempt: Attempt;
  readonly judge: Judging;
  readonly wait: ChangeWait;
  /** Who shares the temporary folders of the call; undefined if nobody does. */
  readonly owner: TemporaryOwner | undefined;
}

/** Makes the waiting for locks of an attempt. Nothing is changed before `begin`. */
export function waitOf(attempt: Attempt): ChangeWait {
  let hasBegun = false;
  attempt.onAbort(() => (hasBegun ? "unknown" : "not-done"));
  return {
    get signal() {
      return attempt.signal;
    },
    get remainingMs() {
      return attempt.remainingMs;
    },
    begin: () => {
      hasBegun = true;
    },
  };
}

/** Reasons of answers without data. */
const reasons = {
  not_found: "there is no such file or folder",
  exists: "there is a file with this name already",
  wrong_kind: "the path leads to something else than this tool works with",
  too_large: "the file would exceed the tool's limit",
  not_text: "the file is not text in UTF-8",
  conflict: "the content of the file does not fit",
} as const satisfies { readonly [status in ChangeRefusal | "not_text" | "too_large"]: string };

/** Makes an answer without data. */
export function fileFault(status: keyof typeof reasons): AnyResult {
  return { status, error: { reason: reasons[status] } } as AnyResult;
}

/** Makes the answer of a success. */
export function fileSuccess(data: object): AnyResult {
  const success: Success<"success", object> = { status: "success", data };
  return success;
}

/** Makes the error of a file system that failed; undefined for other errors. */
export function unavailable(tool: string, error: unknown): ToolError | undefined {
  const reason = reasonOf(error);
  if (reason === undefined) return undefined;
  const isOwn =
    error instanceof PathChanged || error instanceof FileLocked || error instanceof TemporaryFault;
  // The message of the file system's error contains the path.
  return new ToolError(
    tool,
    { code: "PROVIDER.UNAVAILABLE", reason },
    `\`${tool}\` could not use the file: ${isOwn ? error.message : `the file system reports ${reason}`}`,
    { outcome: "not-done" },
  );
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof PathChanged) return "PATH_CHANGED";
  if (error instanceof TemporaryFault) return error.reason;
  return error instanceof FileLocked ? "LOCKED" : systemCode(error);
}

/** Returns the maximum size of a content, in bytes. */
export function maxBytesOf({ maxBytes = usualFileBytes }: FileAttempt["contract"]): number {
  return maxBytes;
}

/** Returns the SHA-256 of bytes in hexadecimal. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * Computes size and SHA-256 of an open file, in chunks.
 *
 * @param signal stops the reading
 */
export async function digestOf(
  handle: fs.FileHandle,
  signal: AbortSignal,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(256 * 1024);
  let bytes = 0;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, bytes);
    if (bytesRead === 0) return { bytes, sha256: hash.digest("hex") };
    hash.update(chunk.subarray(0, bytesRead));
    bytes += bytesRead;
  }
}

/** Reads up to `most` bytes of an open file, from an offset. */
export async function readBytes(
  handle: fs.FileHandle,
  offset: number,
  most: number,
): Promise<Buffer> {
  const { size } = await handle.stat();
  // Some files, as in /proc, report no size.
  const expected = size === 0 ? most : Math.max(0, Math.min(most, size - offset));
  const buffer = Buffer.alloc(expected);
  let length = 0;
  while (length < expected) {
    const { bytesRead } = await handle.read(buffer, length, expected - length, offset + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}
