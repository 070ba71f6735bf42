import { type BudgetPlan, bytesOf, planBudgets, spentOf } from "../../governance/budgets.js";
import {
  askStore,
  decisionOf,
  governedTool,
  type Governor,
  quietly,
  refused,
  whenKnown,
} from "../../governance/governor.js";
import type { BudgetUse, Hold, Taken } from "../../governance/store/store.js";
import { answerJson } from "../answer-json.js";
import type { Call, Step } from "../call.js";
import { callError } from "../call-error.js";
import { longestTimeOf } from "../longest-time.js";
import type { BudgetNote } from "../preflight-notes.js";
import { sendsNothing } from "./shadow.js";

/**
 * How long a call counts as running that never says it has ended, in milliseconds: its process has
 * died. It may wait for another call with its key, then for its turn, before it is made.
 */
function longestRunOf({ tool }: Call): number {
  return tool.timeoutMs === undefined ? hourMs : 4 * longestTimeOf(tool) + minuteMs;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

type PlanOf = (call: Call) => BudgetPlan;

/** The plan of each tool, made with its first call. */
export function budgetPlans(governor: Governor): PlanOf {
  const plans = new Map<string, BudgetPlan>();
  return (call) => {
    let plan = plans.get(call.toolId);
    if (plan === undefined) {
      plan = planBudgets(governor.policy, governedTool(governor, call), call.toolId);
      plans.set(call.toolId, plan);
    }
    return plan;
  };
}

/**
 * Takes what the call spends of all its budgets in one step, or refuses it and takes nothing.
 * Shadow mode and a dry run only look. All attempts of a call are one.
 */
export function quota(governor: Governor, planOf: PlanOf): Step {
  return (call) => {
    requireSize(call, governedTool(governor, call).limits.bytesIn);
    const { spent, uses } = planOf(call).uses(call);
    if (uses.length === 0) return undefined;
    const hold = { callId: call.id, ttlMs: longestRunOf(call) };
    const isPeek = sendsNothing(call);
    return whenKnown(
      askStore(
        governor,
        call,
        (store) => (isPeek ? store.peek(uses) : store.take(uses, hold)),
        async (taken, store) => {
          if (isPeek || !taken.taken) return;
          await store.release(uses, hold);
          await store.add(uses.map(giving), taken.time);
        },
      ),
      (taken) => {
        // A read whose store can't be asked goes on, where the application wants it so.
        if (taken === undefined) return undefined;
        if (call.preflight !== undefined) call.preflight.budget = notesOf(uses, taken);
        if (!taken.taken) throw overBudget(call, uses, taken);
        if (isPeek) return undefined;
        decisionOf(call).spent = spent;
        const { time } = taken;
        (call.endings ??= []).push(() => settle(governor, call, { uses, hold, time }));
        return undefined;
      },
    );
  };
}

/** What a call has taken, and when by the store's clock. */
interface Spent {
  readonly uses: readonly BudgetUse[];
  readonly hold: Hold;
  readonly time: number;
}

/**
 * Gives back what the call held while it ran, and, of one that was answered from the store, what it
 * didn't cost.
 */
function settle(
  { store }: Governor,
  call: Call,
  { hold, time, uses }: Spent,
): undefined | Promise<void> {
  const held = uses.filter(({ windowMs }) => windowMs === undefined);
  const decision = decisionOf(call);
  const isReplay = decision.replayOf !== undefined;
  const unspent = isReplay ? uses.filter(({ isCount }) => !isCount) : [];
  if (isReplay) decision.spent = spentOf(uses.filter(({ isCount }) => isCount));
  const released = held.length === 0 ? undefined : quietly(() => store.release(held, hold));
  if (unspent.length === 0) return released;
  return whenKnown(released, () => quietly(() => store.add(unspent.map(giving), time)));
}

function notesOf(uses: readonly BudgetUse[], taken: Taken): readonly BudgetNote[] {
  return uses.map(({ amount, limit, name }, at) => {
    const left = taken.taken ? taken.left[at] : undefined;
    return { name, limit, takes: amount, ...(left !== undefined && { left }) };
  });
}

function giving(use: BudgetUse): BudgetUse {
  return { ...use, amount: -use.amount };
}

/**
 * Counts an answer's bytes, and refuses one that is too large: the call was made, and its outcome
 * is what it is.
 */
export function countAnswer(governor: Governor, planOf: PlanOf): Step {
  return (call) => {
    const { limits } = governedTool(governor, call);
    if (call.result === undefined || call.answered === undefined) return undefined;
    // The call whose stored answer it is has taken it.
    if (decisionOf(call).replayOf !== undefined) return undefined;
    const plan = planOf(call);
    if (!plan.countsAnswers && limits.bytesOut === undefined) return undefined;
    const bytes = Buffer.byteLength(answerJson(call) ?? "");
    if (limits.bytesOut !== undefined && bytes > limits.bytesOut) {
      const budget = `bytes_out of ${call.toolId}`;
      throw callError(
        call,
        { code: "QUOTA.BUDGET_EXCEEDED", budget, limit: limits.bytesOut },
        `the answer of \`${call.toolId}\` has ${bytes} bytes, and may have ${limits.bytesOut}`,
        // A write has been made.
        { outcome: call.tool.effect === "read" ? "not-done" : "unknown" },
      );
    }
    if (!plan.countsAnswers) return undefined;
    const { spent, uses } = plan.answerUses(call, bytes);
    return quietly(() =>
      whenKnown(governor.store.add(uses), () => {
        const decision = decisionOf(call);
        decision.spent = { ...decision.spent, ...spent };
      }),
    );
  };
}

function requireSize(call: Call, most: number | undefined): void {
  if (most === undefined) return;
  const bytes = bytesOf(call.args);
  if (bytes <= most) return;
  throw refused(
    call,
    { code: "QUOTA.BUDGET_EXCEEDED", budget: `bytes_in of ${call.toolId}`, limit: most },
    `the arguments of \`${call.toolId}\` have ${bytes} bytes, and may have ${most}`,
    ["bytes_in"],
  );
}

/** A minute's budget and calls at a time come back soon; a day's does not. */
export function overBudget(
  call: Call,
  uses: readonly BudgetUse[],
  { at, retryAfterMs }: Extract<Taken, { readonly taken: false }>,
) {
  const use = uses[at];
  const budget = use?.name ?? "";
  const later = retryAfterMs === undefined ? {} : { retryAfterMs };
  const isRate = use !== undefined && (use.windowMs === undefined || use.windowMs <= minuteMs);
  const when =
    retryAfterMs === undefined ? "" : `; again in ${Math.max(1, Math.ceil(retryAfterMs / 1000))} s`;
  return refused(
    call,
    isRate
      ? { code: "QUOTA.RATE_LIMITED", budget, ...later }
      : { code: "QUOTA.BUDGET_EXCEEDED", budget, limit: use?.limit ?? 0, ...later },
    `\`${call.toolId}\` was not called: ${budget} is used up${when}`,
    [budget],
  );
}
