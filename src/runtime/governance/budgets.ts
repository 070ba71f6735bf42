/** Which budgets a call spends, and how much of each. */
import type { Call } from "../call/call.js";
import type { GovernedTool, ProjectPolicy, Quota } from "./policy.js";
import type { BudgetUse } from "./store/store.js";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Of the tool's own limits, and of every quota that it is under. */
export function budgetsOf(
  policy: ProjectPolicy,
  tool: GovernedTool,
  call: Call,
): readonly BudgetUse[] {
  const { callsPerMinute, concurrent, cost = 1 } = tool.limits;
  const own = whom(call, ["tenant", "tool"]);
  const uses = [
    ...budget("calls_per_minute", own, callsPerMinute, 1, minuteMs),
    ...budget("concurrent", own, concurrent, 1, undefined),
  ];
  for (const quota of quotasOf(policy, call)) {
    const of = whom(call, quota.per, quota.name);
    uses.push(
      ...budget("calls_per_minute", of, quota.callsPerMinute, 1, minuteMs),
      ...budget("calls_per_day", of, quota.callsPerDay, 1, dayMs),
      ...budget("cost_per_day", of, quota.costPerDay, cost, dayMs),
      ...budget("concurrent", of, quota.concurrent, 1, undefined),
    );
    if (quota.bytesInPerDay !== undefined)
      uses.push(...budget("bytes_in_per_day", of, quota.bytesInPerDay, bytesOf(call.args), dayMs));
    // Known only afterwards: a call is refused once the budget is used up.
    uses.push(...budget("bytes_out_per_day", of, quota.bytesOutPerDay, 0, dayMs, 1));
  }
  return uses;
}

/** Those that count an answer's bytes. */
export function outBudgetsOf(policy: ProjectPolicy, call: Call): readonly BudgetUse[] {
  return quotasOf(policy, call).flatMap((quota) =>
    budget("bytes_out_per_day", whom(call, quota.per, quota.name), quota.bytesOutPerDay, 0, dayMs),
  );
}

function quotasOf({ quotas }: ProjectPolicy, { toolId }: Call): readonly Quota[] {
  return quotas.filter(({ tools }) => tools === undefined || tools.includes(toolId));
}

interface Whom {
  readonly key: string;
  readonly shown: string;
}

/** For whom a budget is counted. Its parts are JSON: no name reaches into another. */
function whom({ caller, toolId }: Call, per: Quota["per"], quota = ""): Whom {
  const parts = per.map((each) => {
    if (each === "tool") return [each, toolId] as const;
    return [each, (each === "tenant" ? caller?.tenant : caller?.subject) ?? null] as const;
  });
  const shown = parts.map(([each, name]) =>
    each === "tool" ? toolId : `${each} ${name ?? "none"}`,
  );
  return {
    key: JSON.stringify([quota, ...parts]),
    shown: [...(quota === "" ? [] : [quota]), ...shown].join(", "),
  };
}

function budget(
  what: string,
  { key, shown }: Whom,
  limit: number | undefined,
  amount: number,
  windowMs: number | undefined,
  /** What has to be left though nothing of it is taken. */
  reserve = 0,
): readonly BudgetUse[] {
  if (limit === undefined) return [];
  return [
    {
      key: `${what} ${key}`,
      name: `${what} of ${shown}`,
      limit: limit - reserve,
      amount,
      isCount: /^(?:calls|concurrent)/.test(what),
      windowMs,
    },
  ];
}

/** Of a value's JSON, as UTF-8. */
export function bytesOf(value: unknown): number {
  const json = JSON.stringify(value) as string | undefined;
  return json === undefined ? 0 : Buffer.byteLength(json);
}
