/**
 * The door between a rollback and the calls that it makes. `rollbackCall` passes an `Undoing` in the
 * options of a call, by a symbol. Models choose parameters and no options, so they can't pass one.
 */
import type { CallOptions } from "./call-options.js";

/** A call that undoes another. */
export interface Undoing {
  /** Id of the call that is undone. */
  readonly of: string;
}

/** Key of an undoing call in options; the same for every copy of this package. */
const key = Symbol.for("skillc.undoing");

/** Returns options of a call that undoes another. */
export function withUndoing(options: CallOptions, undoing: Undoing): CallOptions {
  // Stores find the call by its parent.
  return { ...options, parent: undoing.of, [key]: undoing } as CallOptions;
}

/** Returns what the call undoes, if it undoes another call. */
export function undoingOf(options: CallOptions): Undoing | undefined {
  // Only `withUndoing` sets this key.
  return (options as { readonly [key]?: Undoing })[key];
}
