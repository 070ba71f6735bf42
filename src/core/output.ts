import { posix } from "node:path";
import type { Code } from "./code.js";
import { sha256 } from "./hash.js";

/** A generated file before it is formatted. */
export interface DraftFile {
  /** Path relative to the output folder, with `/`. */
  readonly path: string;
  readonly body: DraftBody;
  /** Source that the header names: `skills/order-desk/SKILL.md`. */
  readonly source: string;
}

export type DraftBody =
  | CodeBody
  /** JSON that begins with `jsonStart`. */
  | { readonly kind: "data"; readonly text: string }
  /** A file of the skill, unchanged and without a header. Its path is one of `isCarriedPath`. */
  | { readonly kind: "carried"; readonly text: string };

/** Code that is printed and read back. */
export type CodeBody =
  /** Formatted by prettier. */
  | { readonly kind: "typescript"; readonly code: Code }
  /** Code of another generator. A comment makes prettier ignore it. */
  | {
      readonly kind: "verbatim";
      readonly code: Code;
      /** True if the file is type-checked. */
      readonly isChecked?: true;
    };

/** A generated file, final. */
export interface OutputFile {
  /** Path relative to the output folder, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** Folder below a skill's output for files of the skill that calls need. */
export const carriedFolder = "files";

/**
 * Checks if a path of the output folder is that of a file copied from a skill, such as
 * `repository/files/scripts/count.py`. Such a file has no header and may be run.
 */
export function isCarriedPath(path: string): boolean {
  return path.split("/").indexOf(carriedFolder) === 1 && path.split("/").length > 2;
}

const hashes = new WeakMap<OutputFile, string>();

/** SHA-256 of the file's text. */
export function hashOfOutput(file: OutputFile): string {
  const hash = hashes.get(file) ?? sha256(file.text);
  hashes.set(file, hash);
  return hash;
}

/** A file whose text is known to have that hash. */
export function fileWithHash(file: OutputFile, hash: string): OutputFile {
  hashes.set(file, hash);
  return file;
}

/**
 * Checks if a text is a valid path of a generated file on every system: below the output folder,
 * and in no hidden folder.
 */
export function isOutputPath(path: string): boolean {
  return (
    posix.normalize(path) === path &&
    !/[\\:\p{Cc}]/u.test(path) &&
    path.split("/").every((part) => part !== "" && !part.startsWith("."))
  );
}
