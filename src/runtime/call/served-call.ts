import type { CallIdentity, Mode, ToolContract } from "../tool.js";
import type { AnyResult } from "../result.js";

/** As much of a call as is known to what answers it in a binding's place. */
export interface ServedCall extends CallIdentity {
  readonly tool: Pick<
    ToolContract<never, never, AnyResult>,
    "effect" | "name" | "returns" | "skill"
  >;
  readonly mode: Mode;
  /** Attempts so far, the one under way included. */
  readonly attempts: number;
  readonly options: { readonly trace?: string; readonly parent?: string };
}
