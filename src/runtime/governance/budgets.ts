/** Which budgets a call spends, and how much of each: by a plan for each tool, made once. */
import type { Call } from "../call/call.js";
import type { GovernedTool, ProjectPolicy, Quota } from "./policy.js";
import type { BudgetUse } from "./store/store.js";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** One kind of budget: the limit that a policy gives it, and what a call takes. */
interface BudgetKind {
  /** As refusals and stores have it. */
  readonly word: string;
  readonly limit: keyof Quota & `${string}`;
  readonly windowMs: number | undefined;
  /** `bytesOut` is counted when the answer has come: before, there must be some left. */
  readonly takes: "one" | "cost" | "bytesIn" | "bytesOut";
}

const kinds = [
  { word: "calls_per_minute", limit: "callsPerMinute", windowMs: minuteMs, takes: "one" },
  { word: "calls_per_day", limit: "callsPerDay", windowMs: dayMs, takes: "one" },
  { word: "cost_per_day", limit: "costPerDay", windowMs: dayMs, takes: "cost" },
  { word: "concurrent", limit: "concurrent", windowMs: undefined, takes: "one" },
  { word: "bytes_in_per_day", limit: "bytesInPerDay", windowMs: dayMs, takes: "bytesIn" },
  { word: "bytes_out_per_day", limit: "bytesOutPerDay", windowMs: dayMs, takes: "bytesOut" },
] as const satisfies readonly BudgetKind[];

/** A budget that a tool's calls are under. */
interface PlannedBudget {
  readonly kind: (typeof kinds)[number];
  readonly quota: string;
  readonly per: Quota["per"];
  readonly limit: number;
  readonly cost: number;
}

export interface BudgetPlan {
  /** What a call takes before it is made. */
  uses(call: Call): readonly BudgetUse[];
  /** What its answer takes. */
  answerUses(call: Call, bytes: number): readonly BudgetUse[];
  /** Whether an answer's bytes are counted. */
  readonly countsAnswers: boolean;
}

/** Of the tool's own limits, per tenant, and of every quota that it is under. */
export function planBudgets(policy: ProjectPolicy, tool: GovernedTool, id: string): BudgetPlan {
  const { cost = 1 } = tool.limits;
  const own = { ...tool.limits, name: "", per: ["tenant", "tool"] } as const;
  const quotas = policy.quotas.filter(({ tools }) => tools === undefined || tools.includes(id));
  const planned = [own, ...quotas].flatMap((quota: Quota) =>
    kinds.flatMap((kind): readonly PlannedBudget[] => {
      const limit = quota[kind.limit];
      return limit === undefined ? [] : [{ kind, quota: quota.name, per: quota.per, limit, cost }];
    }),
  );
  const ofAnswers = planned.filter(({ kind }) => kind.takes === "bytesOut");
  return {
    uses: (call) => planned.map((each) => useOf(each, call)),
    answerUses: (call, bytes) => ofAnswers.map((each) => ({ ...useOf(each, call), amount: bytes })),
    countsAnswers: ofAnswers.length > 0,
  };
}

function useOf({ cost, kind, limit, per, quota }: PlannedBudget, call: Call): BudgetUse {
  const { takes, windowMs, word } = kind;
  let key = `${word} ${JSON.stringify(quota)}`;
  let name = quota === "" ? `${word} of ` : `${word} of ${quota}, `;
  for (const [at, each] of per.entries()) {
    const whose = nameOf(each, call);
    // JSON, so that no name reaches into another; nobody is `null`, and no text. Two tenants may
    // have a subject of one name each.
    const of = each === "caller" ? [call.caller?.tenant ?? null, whose ?? null] : (whose ?? null);
    key += `,${each}:${JSON.stringify(of)}`;
    name += `${at === 0 ? "" : ", "}${each === "tool" ? "" : `${each} `}${whose ?? "none"}`;
  }
  const amount = takes === "one" ? 1 : takes === "cost" ? cost : 0;
  return {
    key,
    name,
    limit,
    amount: takes === "bytesIn" ? bytesOf(call.args) : amount,
    needs: takes === "bytesOut" ? 1 : 0,
    isCount: takes === "one",
    windowMs,
  };
}

function nameOf(per: Quota["per"][number], { caller, toolId }: Call): string | undefined {
  if (per === "tool") return toolId;
  return per === "tenant" ? caller?.tenant : caller?.subject;
}

/** Of a value's JSON, as UTF-8. */
export function bytesOf(value: unknown): number {
  const json = JSON.stringify(value) as string | undefined;
  return json === undefined ? 0 : Buffer.byteLength(json);
}
