import { posix } from "node:path";
import type { Code } from "./code.js";

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
