/** Tools that the processes of a race call, and the policy for them. */
import type { ProjectPolicy } from "../../../../src/runtime/governance/policy.js";
import type { PreparedCall } from "../../../../src/runtime/call/binding.js";
import type { ToolContract } from "../../../../src/runtime/tool.js";
import { type Params, paramsValidator, type Result } from "../../example-tool.js";
import { governedTool, policyOf } from "../governed.js";

export const toolNames = ["costly", "other", "narrow", "once", "serial", "lookup"] as const;
export type ToolName = (typeof toolNames)[number];

/** Limits of each tenant. */
export const limits = { cost: 30, calls: 45, atOnce: 6 } as const;

const tools: ProjectPolicy["tools"] = {
  "desk/costly": governedTool,
  "desk/other": governedTool,
  "desk/narrow": { ...governedTool, limits: { concurrent: limits.atOnce } },
  "desk/once": { ...governedTool, idempotency: "keyed" },
  "desk/serial": { ...governedTool, concurrency: "serial" },
  "desk/lookup": { ...governedTool, effect: "read", limits: { callsPerMinute: 1_000_000 } },
};

/** `costly` uses both budgets. If the first is used up, a call must not change the second. */
export const policy = policyOf(
  {},
  {
    tools,
    quotas: [
      { name: "cost", per: ["tenant"], tools: ["desk/costly"], costPerDay: limits.cost },
      {
        name: "calls",
        per: ["tenant"],
        tools: ["desk/costly", "desk/other"],
        callsPerDay: limits.calls,
      },
    ],
  },
);

type Send = PreparedCall<Result>["send"];

/** @param send gets the call's id, which is not part of the fingerprint */
export function toolOf(
  name: ToolName,
  send: (id: string, args: Params, ...rest: Parameters<Send>) => ReturnType<Send>,
): ToolContract<Params, Params, Result> {
  return {
    skill: "desk",
    name,
    version: { skill: "s1", binding: "b1", manifest: governedTool.manifest },
    effect: name === "lookup" ? "read" : "write",
    mode: "active",
    // A key whose call is gone is found to be unknown when that is over.
    timeoutMs: name === "once" ? 4000 : 30_000,
    retry: { maxAttempts: 1, backoffMs: 1, backoffMultiplier: 1 },
    params: paramsValidator,
    binding: {
      kind: "example",
      prepare: (args, { id }) => ({
        credentials: [],
        reach: () => [],
        describe: () => ({ id: args.id }),
        send: (attempt) => send(id, args, attempt),
      }),
    },
  };
}
