/**
 * The door between a rollback and the calls that it makes. `rollbackCall` passes an `Undoing` in the
 * options of a call, by a symbol. Models choose parameters and no options, so they can't pass one.
 */
import type { JsonValue } from "../json/json.js";
import type { AnyResult } from "../result.js";
import type { WayBack } from "../rollback/way-back.js";
import type { CallOptions } from "./call-options.js";

/** A call that undoes another. */
export interface Undoing {
  /** Id of the call that is undone. */
  readonly of: string;
  /** Why a person lets the call undo the other one although something has changed since. */
  readonly forced?: string;
  /** Set if only some files are restored, so that the other call is not undone as a whole. */
  readonly isPart?: boolean;
  /** Set if it is a call of the same tool. It is decided anew, and doesn't reach the tool's binding. */
  readonly own?: OwnUndoing;
  /** Id of the call that undoes the other. The call sets it. */
  by?: string;
}

/** What a call of the same tool does in place of its binding. */
export interface OwnUndoing {
  /** Parameters of the undone call from its record; `***` replaces masked values. */
  readonly parameters: JsonValue;
  /** Restores what the call changed. Absent if the call only decides, and another tool undoes. */
  readonly restore?: (by: RestoringCall) => Promise<Restoration>;
}

/** The call that restores. */
export interface RestoringCall {
  readonly id: string;
  /** True in shadow mode: the call only reports what it would restore. */
  readonly isDry: boolean;
}

/** What a call has restored. */
export interface Restoration {
  readonly answer: AnyResult;
  /** Copies of what the call replaced. */
  readonly wayBack?: WayBack;
  /** What would be restored, in shadow mode. */
  readonly request?: JsonValue;
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

/**
 * Returns whether a call only decides. The call of another tool that it permits has a record and
 * events of its own, so only a denial is recorded and announced.
 */
export function isOnlyDecided({ undoing }: { readonly undoing: Undoing | undefined }): boolean {
  return undoing?.own !== undefined && undoing.own.restore === undefined;
}
