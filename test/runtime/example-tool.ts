import type { AnyResult } from "../../src/runtime/result.js";
import type { Attempt, AttemptOutcome } from "../../src/runtime/call/attempt.js";
import type { ToolContract } from "../../src/runtime/tool.js";
import type { Validator } from "../../src/runtime/validation/validation.js";

export interface Params {
  readonly id: string;
  readonly limit?: number;
}

export type Result =
  | { readonly status: "success"; readonly data: unknown }
  | { readonly status: "rate_limited"; readonly error: unknown }
  | { readonly status: "shadow"; readonly request: unknown };

/** A validator like Ajv's. It requires `id` to be text, and allows anything else. */
export const paramsValidator: Validator<Params> = Object.assign(
  (value: unknown): value is Params => {
    const fits =
      typeof value === "object" && value !== null && "id" in value && typeof value.id === "string";
    paramsValidator.errors = fits
      ? null
      : [{ instancePath: "/id", keyword: "type", message: "must be string" }];
    return fits;
  },
  { errors: null },
);

export type Contract = ToolContract<Params, Params, Result>;

/** Makes a tool with a binding that calls `send`. */
export function exampleTool(
  send: (attempt: Attempt, args: Params) => Promise<AttemptOutcome<Result>>,
  changes: Partial<Contract> & { readonly credentials?: readonly string[] } = {},
): Contract {
  const { credentials = [], ...rest } = changes;
  return {
    skill: "desk",
    name: "do-it",
    version: { skill: "s1", binding: "b1", manifest: "t1" },
    effect: "write",
    mode: "active",
    timeoutMs: 1000,
    retry: { maxAttempts: 1, backoffMs: 1, backoffMultiplier: 1 },
    params: paramsValidator,
    binding: {
      kind: "example",
      prepare: (args) => ({
        credentials,
        reach: () => [],
        describe: () => ({ id: args.id, limit: args.limit ?? null }),
        send: (attempt) => send(attempt, args),
      }),
    },
    ...rest,
  };
}

export const succeed = async (): Promise<AttemptOutcome<Result>> => ({
  result: { status: "success", data: { ok: true } },
});

export type { AnyResult };
