import type { CallOptions } from "../call/call-options.js";
import type { BoundCaller } from "../caller.js";
import type { AnyResult } from "../result.js";
import type { CompensatedBy } from "./tool-rollback.js";

/**
 * Declares that a call of another tool undoes a call.
 *
 * @param tool id of the other tool: `skill/tool`
 * @param parameters returns the other tool's parameters, from the arguments of a call, its success
 *   and its caller; undefined if the compiler found no value for a required one
 * @param other returns the other tool's function. Modules may import each other, so the function
 *   may not exist yet when this module is loaded.
 */
export function compensate<Arguments, Success extends AnyResult, Params>(
  tool: string,
  parameters:
    ((args: Arguments, result: Success, caller: BoundCaller) => NoInfer<Params>) | undefined,
  other: () => (params: Params, options?: CallOptions) => Promise<AnyResult>,
): CompensatedBy<Arguments> {
  return {
    strategy: "compensate",
    tool,
    ...(parameters && {
      // The runtime passes only successes of the tool in whose contract this stands.
      parameters: (args, result, caller) => parameters(args, result as Success, caller),
    }),
    // The runtime passes what `parameters` returned.
    call: (params, options) => other()(params as Params, options),
  };
}

/** The parameters of a tool, as its function takes them. */
export type ParametersOf<Tool> = Tool extends (params: infer Params, ...rest: never) => unknown
  ? Exclude<Params, undefined>
  : never;

/** The answers of a tool that carry data. */
export type SuccessOf<Result> = Extract<Result, { readonly data: unknown }>;
