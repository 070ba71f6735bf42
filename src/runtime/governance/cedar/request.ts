import type { Caller } from "../../caller.js";
import type { GovernedTool } from "../policy.js";
import { cedarValue } from "./context.js";
import type { CedarRequest } from "./engine.js";

/** As much of a call as is judged. */
export interface JudgedCall {
  /** `skill/tool`. */
  readonly toolId: string;
  /** Checked, with their defaults. */
  readonly args: unknown;
  readonly caller: Caller | undefined;
}

/** For callers without a name, and calls of no tenant: no caller can be called so. */
const nobody = "";

/**
 * What Cedar is asked of a call: the arguments with their types, and what the manifest says of the
 * tool.
 */
export function cedarRequest(call: JudgedCall, tool: GovernedTool): CedarRequest {
  const { args, caller, toolId } = call;
  const { capabilities, context, effect, risk } = tool;
  const values = cedarValue(context, args);
  return {
    principal: caller?.subject ?? nobody,
    roles: caller?.roles ?? [],
    tenant: caller?.tenant ?? nobody,
    action: toolId,
    context: {
      // A context without arguments is refused by Cedar, whatever policies there are.
      ...(values !== undefined && { args: values }),
      origin: caller?.origin ?? "none",
      scopes: caller?.scopes ?? [],
      risk,
      effect,
      capabilities,
    },
  };
}
