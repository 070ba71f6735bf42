import { posix } from "node:path";
import type { Code } from "./code.js";
import { sha256 } from "./hash.js";

/** A generated file before it is formatted. */
export interface DraftFile {
  /** Relative to the output folder, with `/`. */
  readonly path: string;
  readonly body: DraftBody;
  /** What the header says it was made from: `skills/order-desk/SKILL.md`. */
  readonly source: string;
}

export type DraftBody =
  /** Formatted by prettier. */
  | { readonly kind: "typescript"; readonly code: Code }
  /** Another tool's code, kept as it is: prettier is told to leave it alone. */
  | {
      readonly kind: "verbatim";
      readonly code: Code;
      /** Whether it is to be type-checked. */
      readonly isChecked?: true;
    };

/** A generated file, final. */
export interface OutputFile {
  /** Relative to the output folder, with `/`. */
  readonly path: string;
  readonly text: string;
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
 * Whether a text is the path of a generated file: below the output folder on every system, and in
 * no hidden folder.
 */
export function isOutputPath(path: string): boolean {
  return (
    posix.normalize(path) === path &&
    !/[\\:\p{Cc}]/u.test(path) &&
    path.split("/").every((part) => part !== "" && !part.startsWith("."))
  );
}
