import type { Caller } from "../../caller.js";
import type { GovernedTool } from "../policy.js";
import { cedarValue, type Rounded, roundedPlaces } from "./context.js";
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
 *
 * @param held the scopes that the caller holds
 */
export function cedarRequest(
  { args, caller, toolId }: JudgedCall,
  tool: GovernedTool,
  held: Iterable<string>,
): CedarRequest {
  const rounded: Rounded = { any: false };
  const values = cedarValue(tool.context, args, rounded);
  const request = requestWithoutArguments(caller, toolId, tool, held);
  // A context without arguments is refused by Cedar, whatever policies there are.
  if (values === undefined) return request;
  const context = { args: values, ...request.context };
  return rounded.any
    ? { ...request, context, rounded: roundedPlaces(tool.context, args) }
    : { ...request, context };
}

/** The same before there are any arguments. */
export function requestWithoutArguments(
  caller: Caller | undefined,
  toolId: string,
  { capabilities, effect, risk }: GovernedTool,
  held: Iterable<string>,
): CedarRequest {
  return {
    principal: caller?.subject ?? nobody,
    roles: caller?.roles ?? [],
    tenant: caller?.tenant ?? nobody,
    action: toolId,
    context: {
      origin: caller?.origin ?? "none",
      scopes: [...held],
      risk,
      effect,
      capabilities,
    },
  };
}
