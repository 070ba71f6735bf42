import type { AnyTool } from "../call/call.js";
import type { ToolMap } from "../model/dispatch.js";
import type { UndoableCall } from "./find-undoable.js";
import type { RollbackPreview, RollbackResult } from "./rollback-result.js";
import type { OwnRollbackOptions } from "./rollback-options.js";

/** Everything that a strategy needs to undo a call. */
export interface UndoRequest {
  readonly call: UndoableCall;
  /** The tool of the call. */
  readonly run: Awaited<ReturnType<ToolMap[string]>>;
  readonly contract: AnyTool;
  readonly options: OwnRollbackOptions;
}

/** A way to undo one call. */
export interface Undo {
  /** Reports what would be undone. Changes and records nothing. */
  preview(): Promise<RollbackPreview>;
  make(): Promise<RollbackResult>;
}
