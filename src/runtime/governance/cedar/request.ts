import type { Caller } from "../../caller.js";
import type { PathSets } from "../call-paths.js";
import type { MaskedPaths } from "../../tool.js";
import type { GovernedTool } from "../policy.js";
import { cedarValue, type Rounded, roundedPlaces } from "./context.js";
import type { CedarRequest } from "./engine.js";

/** The parts of a call that policies use. */
export interface JudgedCall {
  /** Id of the tool: `skill/tool`. */
  readonly toolId: string;
  /** Validated arguments, with defaults. */
  readonly args: unknown;
  readonly caller: Caller | undefined;
  /** Paths of the call, if its tool uses files. */
  readonly paths?: PathSets;
  /** Paths into the context whose values are unknown; `*` for every item. Absent if there are none. */
  readonly unknown?: MaskedPaths;
}

/** Name for callers without a subject, and for calls without a tenant. No caller can have it. */
const nobody = "";

/**
 * Builds the request to Cedar from the typed arguments and the tool's manifest.
 *
 * @param held scopes that the caller holds
 */
export function cedarRequest(
  call: JudgedCall,
  tool: GovernedTool,
  held: Iterable<string>,
): CedarRequest {
  const { args, caller, toolId } = call;
  const rounded: Rounded = { any: false };
  const values = cedarValue(tool.context, args, rounded);
  const request = requestWithoutArguments(caller, toolId, tool, held);
  // Cedar rejects a context without arguments, whatever the policies are.
  if (values === undefined) return request;
  const { unknown = [] } = call;
  const { paths = [], within = [] } = call.paths ?? {};
  const sets = tool.namesPaths === true ? { paths, within } : {};
  return {
    ...request,
    context: { args: values, ...request.context, ...sets },
    ...(rounded.any && { rounded: roundedPlaces(tool.context, args) }),
    // Policies see a list as one value.
    ...(unknown.length > 0 && {
      unknown: unknown.map((path) => path.filter((each) => each !== "*")),
    }),
  };
}

/** Builds the request without arguments. */
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
