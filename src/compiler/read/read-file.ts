import { readUpTo } from "@skillc/runtime/internal";
import { isUtf8 } from "node:buffer";
import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import { mergeMarker } from "../../core/merge-markers.js";
import type { SourceFile } from "../../core/source-file.js";

/** Maximum size in bytes. Larger files are data, and not written by a person for a compiler. */
export const maxBytes = 2 * 1024 * 1024;

/** Text of a file, or the reason why there is none. */
type ReadFile =
  | { readonly kind: "file"; readonly file: SourceFile }
  | { readonly kind: "absent" }
  | { readonly kind: "unread"; readonly diagnostic: UnratedDiagnostic };

/**
 * Reads one file as UTF-8, with its byte order mark.
 *
 * @param location path on disk
 * @param path path in diagnostics
 */
export function readTextFile(location: string, path: string): ReadFile {
  const diagnostic = (code: UnratedDiagnostic["code"], message: string, at = 0): ReadFile => ({
    kind: "unread",
    diagnostic: { code, message, span: { file: path, start: at, end: at } },
  });
  try {
    const bytes = readUpTo(location, maxBytes);
    if (bytes === undefined)
      return diagnostic(
        "read/too-large",
        `\`${path}\` is larger than ${maxBytes / 1024 / 1024} MiB`,
      );
    const decoded = decodeUtf8(bytes);
    if (decoded.kind === "text") return textOrConflict({ path, text: decoded.text });
    return diagnostic(
      "read/not-utf-8",
      `byte ${decoded.byte} of \`${path}\` is not UTF-8`,
      decoded.offset,
    );
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "absent" };
    if (code === "ENOTFILE") return diagnostic("read/unreadable", `\`${path}\` is not a file`);
    return diagnostic("read/unreadable", `\`${path}\` can't be read: ${code}`);
  }
}

/** Rejects unresolved merge conflicts, in any language. */
function textOrConflict(file: SourceFile): ReadFile {
  const diagnostic = mergeConflictIn(file);
  return diagnostic === undefined ? { kind: "file", file } : { kind: "unread", diagnostic };
}

/** Finds the first unresolved merge conflict in a file. */
export function mergeConflictIn(source: SourceFile): UnratedDiagnostic | undefined {
  const { path, text } = source;
  const marker = mergeMarker(text, path.toLowerCase().endsWith(".md"));
  if (marker === undefined) return undefined;
  return {
    code: "read/merge-conflict",
    span: { file: path, ...marker },
    message: `\`${path}\` has a merge conflict that is not resolved`,
    source,
    help: "keep one of the two sides, and remove the lines of `<<<<<<<`, `=======` and `>>>>>>>`",
  };
}

/** Returns the system's code of an error: `EACCES`. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "unknown error";
}

type Decoded =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "invalid";
      /** Offset of the first invalid byte, from 0. */
      readonly byte: number;
      /** UTF-16 offset of the same place, in the text before it. */
      readonly offset: number;
    };

/** Decodes bytes, and keeps a byte order mark. */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  if (isUtf8(bytes)) {
    const { buffer, byteLength, byteOffset } = bytes;
    return { kind: "text", text: Buffer.from(buffer, byteOffset, byteLength).toString("utf8") };
  }
  const byte = firstInvalidByte(bytes);
  return {
    kind: "invalid",
    byte,
    offset: decodePrefix(bytes.subarray(0, byte), true)?.length ?? 0,
  };
}

/**
 * Offset of the first byte that is not valid UTF-8. Validity of a prefix is monotonic, so binary
 * search works.
 */
function firstInvalidByte(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (decodePrefix(bytes.subarray(0, middle), true) === undefined) bad = middle;
    else good = middle;
  }
  return good;
}

/**
 * Decodes a prefix; undefined if it is not UTF-8. With `unfinished`, the last character may be
 * incomplete.
 */
function decodePrefix(bytes: Uint8Array, unfinished: boolean): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, {
      stream: unfinished,
    });
  } catch {
    return undefined;
  }
}
