/**
 * Computes which budgets a call spends, and how much of each, by rules that are built once for each
 * tool.
 */
import { filesIn, maxBytesOf } from "../files/tool-file.js";
import type { Call } from "../call/call.js";
import type { Decision } from "./decision.js";
import type { GovernedTool, ProjectPolicy, Quota } from "./policy.js";
import type { BudgetUse } from "./store/store.js";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** One kind of budget: its limit in the policy, and the amount that a call takes. */
interface BudgetKind {
  /** Word for denials and stores. */
  readonly word: string;
  readonly limit: keyof Quota & `${string}`;
  readonly windowMs: number | undefined;
  /** `bytesOut` is counted when the answer has arrived. Before that, at least 1 must be left. */
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

/** A budget that counts a tool's calls. */
interface ToolBudget {
  readonly kind: (typeof kinds)[number];
  readonly quota: string;
  readonly per: Quota["per"];
  readonly limit: number;
  readonly cost: number;
}

/** A call's uses of its budgets, also by the budgets' names. */
export interface Uses {
  readonly uses: readonly BudgetUse[];
  readonly spent: Decision["spent"];
}

export interface BudgetRules {
  /** Returns what a call takes before it is made. */
  uses(call: Call): Uses;
  /** Returns what the call's answer takes. */
  answerUses(call: Call, bytes: number): Uses;
  /** True if answers' bytes are counted. */
  readonly countsAnswers: boolean;
}

/**
 * Builds the rules of a tool from its own limits, which hold for each tenant, and all quotas that
 * count it.
 */
export function budgetRules(policy: ProjectPolicy, tool: GovernedTool, id: string): BudgetRules {
  const { cost = 1 } = tool.limits;
  const own = { ...tool.limits, name: "", per: ["tenant", "tool"] } as const;
  const quotas = policy.quotas.filter(({ tools }) => tools === undefined || tools.includes(id));
  const budgets = [own, ...quotas].flatMap((quota: Quota) =>
    kinds.flatMap((kind): readonly ToolBudget[] => {
      const limit = quota[kind.limit];
      return limit === undefined ? [] : [{ kind, quota: quota.name, per: quota.per, limit, cost }];
    }),
  );
  const ofAnswers = budgets.filter(({ kind }) => kind.takes === "bytesOut");
  const countsArguments = budgets.some(({ kind }) => kind.takes === "bytesIn");
  const usesOf = byCaller((caller) => withSpent(budgets.map((each) => useOf(each, caller, id))));
  return {
    uses(call) {
      const { caller } = call;
      const known = usesOf(caller);
      if (!countsArguments) return known;
      return withSpent(known.uses.map((each, at) => withBytes(each, budgets[at], call)));
    },
    answerUses: ({ caller }, bytes) =>
      withSpent(ofAnswers.map((each) => ({ ...useOf(each, caller, id), amount: bytes }))),
    countsAnswers: ofAnswers.length > 0,
  };
}

function withSpent(uses: readonly BudgetUse[]): Uses {
  return { uses, spent: spentOf(uses) };
}

/** Returns the amounts by the budgets' names. */
export function spentOf(uses: readonly BudgetUse[]): Decision["spent"] {
  return Object.fromEntries(uses.map(({ amount, name }) => [name, amount]));
}

type MaybeCaller = Call["caller"];

/** Computes a value once for each caller, which is a frozen object. */
function byCaller<Value>(make: (caller: MaybeCaller) => Value): (caller: MaybeCaller) => Value {
  const nobody = {};
  const known = new WeakMap<object, Value>();
  return (caller) => {
    let value = known.get(caller ?? nobody);
    if (value === undefined) known.set(caller ?? nobody, (value = make(caller)));
    return value;
  };
}

function withBytes(use: BudgetUse, budget: ToolBudget | undefined, call: Call): BudgetUse {
  return budget?.kind.takes === "bytesIn" ? { ...use, amount: bytesIn(call) } : use;
}

/** Returns the use of a budget, without the bytes, which differ for each call. */
function useOf(
  { cost, kind, limit, per, quota }: ToolBudget,
  caller: MaybeCaller,
  toolId: string,
): BudgetUse {
  const { takes, windowMs, word } = kind;
  let key = `${word} ${JSON.stringify(quota)}`;
  let name = quota === "" ? `${word} of ` : `${word} of ${quota}, `;
  for (const [at, each] of per.entries()) {
    const whose = each === "tool" ? toolId : each === "tenant" ? caller?.tenant : caller?.subject;
    // JSON keeps the parts apart: an absent name is `null`, which no text is. A subject belongs to
    // its tenant, because two tenants may have subjects with the same name.
    const of = each === "caller" ? [caller?.tenant ?? null, whose ?? null] : (whose ?? null);
    key += `,${each}:${JSON.stringify(of)}`;
    name += `${at === 0 ? "" : ", "}${each === "tool" ? "" : `${each} `}${whose ?? "none"}`;
  }
  return {
    key,
    name,
    limit,
    amount: takes === "one" ? 1 : takes === "cost" ? cost : 0,
    needs: takes === "bytesOut" ? 1 : 0,
    isCount: takes === "one",
    windowMs,
  };
}

/**
 * Returns the size of a call's input in bytes: its arguments as JSON, and its files. A stream
 * counts with the maximum size, because its size is unknown.
 */
export function bytesIn({ args, tool: { files } }: Pick<Call, "args" | "tool">): number {
  const bytes = bytesOf(args);
  if (files === undefined) return bytes;
  const most = maxBytesOf(files);
  return filesIn(args, files).reduce((sum, { size = most }) => sum + size, bytes);
}

/** Returns the size of a value's JSON, in bytes of UTF-8. */
export function bytesOf(value: unknown): number {
  const json = JSON.stringify(value) as string | undefined;
  return json === undefined ? 0 : Buffer.byteLength(json);
}
