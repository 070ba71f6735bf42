import type { Remedy } from "./harmless.js";

/**
 * The checks of a `domain`, what reading a `table` needs, what planning that needs (`plan`), what reads, prints or orders values of a `type`, or the `default`s of
 * a function's arguments.
 */
type Unasked = "domain" | "table" | "plan" | "type" | "default";

/** Why a statement is a write. */
export interface EffectReason {
  readonly kind:
    | "modifies"
    | "into"
    | "lock"
    | "function"
    | "operator"
    | "cast"
    | "sample"
    | "program"
    | "not-understood";
  /** What it is about: `INSERT`, `FOR UPDATE`, a function's or operator's name, a cast's types, the kind of a node. */
  readonly name: string;
  /** Of an operator or cast: the functions behind it that are not known to be harmless, as `schema.name`. */
  readonly functions?: readonly string[];
  /** What would make a read of it. */
  readonly remedy?: Remedy;
  /** UTF-8 bytes into the statement; undefined where the tree has no place for it. */
  readonly location?: number;
  /** The view in whose definition it stands, as `schema.name`: then the location is where the statement names the view. */
  readonly view?: string;
  /** What PostgreSQL evaluates unasked and in which it stands. */
  readonly within?: { readonly kind: Unasked; readonly name: string };
}
