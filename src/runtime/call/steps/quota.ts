import {
  type BudgetRules,
  bytesIn,
  bytesOf,
  budgetRules,
  spentOf,
  type Uses,
} from "../../governance/budgets.js";
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
import { longestTimeOf } from "../longest-time.js";
import { unfit, withheld } from "../withheld.js";
import type { BudgetNote } from "../preflight-notes.js";
import { isShadowed, sendsNothing } from "./shadow.js";

/**
 * Returns the lifetime of a call's hold, in milliseconds. A running call renews its hold, also
 * while it waits for another call; if it doesn't, its process has died.
 */
function holdMsOf({ tool }: Call): number {
  // The length of a stream is unknown.
  return tool.timeoutMs === undefined || tool.binding.streams !== undefined
    ? minuteMs
    : Math.min(longestTimeOf(tool) + graceMs, minuteMs);
}

const minuteMs = 60_000;
/** Time for credentials and the ledger, beside the attempts, in milliseconds. */
const graceMs = 5000;

type RulesOf = (call: Call) => BudgetRules;

/** Returns the budget rules of each tool, built at its first call. */
export function rulesByTool(governor: Governor): RulesOf {
  const known = new Map<string, BudgetRules>();
  return (call) => {
    let rules = known.get(call.toolId);
    if (rules === undefined) {
      rules = budgetRules(governor.policy, governedTool(governor, call), call.toolId);
      known.set(call.toolId, rules);
    }
    return rules;
  };
}

/**
 * Takes what a call spends from all its budgets in one step, or denies the call and takes nothing.
 * Shadow mode and dry runs only look. All attempts of a call count as one call. A keyed call may
 * still be answered from the store at no cost; `once` denies it otherwise.
 */
export function quota(governor: Governor, rulesOf: RulesOf): Step {
  return (call) => {
    const { idempotency, limits } = governedTool(governor, call);
    requireSize(call, limits.bytesIn);
    const used = rulesOf(call).uses(call);
    if (sendsNothing(call)) return look(governor, call, used.uses);
    return take(governor, call, used, (taken) => {
      const refusal = () => overBudget(call, used.uses, taken);
      if (idempotency !== "keyed") throw refusal();
      call.refusal ??= refusal;
    });
  };
}

function look(
  governor: Governor,
  call: Call,
  uses: readonly BudgetUse[],
): undefined | Promise<void> {
  if (uses.length === 0) return undefined;
  return whenKnown(
    askStore(governor, call, (store) => store.peek(uses)),
    (found) => {
      // A read goes on without the store if the application allows that.
      if (found === undefined) return undefined;
      if (call.preflight !== undefined) call.preflight.budget = notesOf(uses, found);
      if (!found.taken) throw overBudget(call, uses, found);
      return undefined;
    },
  );
}

type Refused = Extract<Taken, { readonly taken: false }>;

function take(
  governor: Governor,
  call: Call,
  { spent, uses }: Uses,
  refuse: (taken: Refused) => void,
): undefined | Promise<void> {
  if (uses.length === 0) return undefined;
  const hold = { callId: call.id, ttlMs: holdMsOf(call) };
  return whenKnown(
    askStore(
      governor,
      call,
      (store) => store.take(uses, hold),
      (taken, store) => (taken.taken ? store.giveBack(uses, hold, taken.time) : undefined),
    ),
    (taken) => {
      // `look` handles the same case.
      if (taken === undefined) return undefined;
      if (!taken.taken) return void refuse(taken);
      decisionOf(call).spent = spent;
      const { time } = taken;
      const held = uses.filter(({ windowMs }) => windowMs === undefined);
      const stopRenewing = held.length === 0 ? undefined : keepHold(governor, held, hold);
      (call.endings ??= []).push(() => {
        stopRenewing?.();
        return settle(governor, call, { uses, held, hold, time });
      });
      return undefined;
    },
  );
}

/**
 * Renews the call's holds while it runs.
 *
 * @returns a function that stops renewing
 */
function keepHold({ store }: Governor, held: readonly BudgetUse[], hold: Hold): () => void {
  const timer = setInterval(
    () => void quietly(() => store.renewHold(held, hold)),
    hold.ttlMs / 2,
  ).unref();
  return () => clearInterval(timer);
}

/** Budgets that a call has taken, and the store's time at which it did. */
interface Spent {
  readonly uses: readonly BudgetUse[];
  /** Uses that the call holds while it runs. */
  readonly held: readonly BudgetUse[];
  readonly hold: Hold;
  readonly time: number;
}

/** Releases the call's holds. If it was answered from the store, also returns its cost. */
function settle(
  { store }: Governor,
  call: Call,
  { held, hold, time, uses }: Spent,
): undefined | Promise<void> {
  const decision = decisionOf(call);
  const isReplay = decision.replayOf !== undefined;
  const unspent = isReplay ? uses.filter(({ isCount }) => !isCount) : [];
  if (isReplay) decision.spent = spentOf(uses.filter(({ isCount }) => isCount));
  if (unspent.length > 0) return quietly(() => store.giveBack([...held, ...unspent], hold, time));
  return held.length === 0 ? undefined : quietly(() => store.release(held, hold));
}

function notesOf(uses: readonly BudgetUse[], taken: Taken): readonly BudgetNote[] {
  return uses.map(({ amount, limit, name }, at) => {
    const left = taken.taken ? taken.left[at] : undefined;
    return { name, limit, takes: amount, ...(left !== undefined && { left }) };
  });
}

/**
 * Counts an answer's bytes in the daily budgets, and withholds an answer that is too large. Its
 * bytes are counted first, because it was received and the call was made.
 */
export function countAnswer(governor: Governor, rulesOf: RulesOf): Step {
  return (call) => {
    const { limits } = governedTool(governor, call);
    if (call.result === undefined || call.answered === undefined || isShadowed(call))
      return undefined;
    const rules = rulesOf(call);
    // The bytes were counted for the call that got the answer first.
    if (decisionOf(call).replayOf !== undefined) return countReplay(governor, call, rules);
    if (!rules.countsAnswers && limits.bytesOut === undefined) return undefined;
    if (call.stream !== undefined) return countItems(governor, call, rules, limits.bytesOut);
    const bytes = answerBytes(call);
    const counting = rules.countsAnswers ? spend(governor, call, rules, bytes) : undefined;
    const { bytesOut } = limits;
    if (bytesOut === undefined || bytes <= bytesOut) return counting;
    const tooLarge = tooManyBytes(call, bytes, bytesOut);
    if (counting === undefined) throw tooLarge;
    return counting.then(() => {
      throw tooLarge;
    });
  };
}

function tooManyBytes(call: Call, bytes: number, most: number) {
  return withheld(
    call,
    { code: "QUOTA.BUDGET_EXCEEDED", budget: `bytes_out of ${call.toolId}`, limit: most },
    `the answer of \`${call.toolId}\` has ${bytes} bytes, but at most ${most} are allowed`,
  );
}

/** Counts the JSON of a stream's items. An item that exceeds the limit ends the stream. */
function countItems(
  governor: Governor,
  call: Call,
  rules: BudgetRules,
  most: number | undefined,
): undefined {
  let bytes = 0;
  call.stream?.through((value) => {
    bytes += bytesOf(value);
    if (most !== undefined && bytes > most) throw tooManyBytes(call, bytes, most);
    return value;
  });
  if (rules.countsAnswers) (call.endings ??= []).push(() => spend(governor, call, rules, bytes));
  return undefined;
}

/** Counts a call that got a stored answer although its cost would have exceeded a budget. */
function countReplay(
  governor: Governor,
  call: Call,
  rules: BudgetRules,
): undefined | Promise<void> {
  const isCounted = Object.keys(decisionOf(call).spent).length > 0;
  const uses = isCounted ? [] : rules.uses(call).uses.filter(({ isCount }) => isCount);
  return take(governor, call, { uses, spent: spentOf(uses) }, (taken) => {
    // The stored answer is not returned, and the call that got it first was made.
    delete decisionOf(call).replayOf;
    call.outcome = "unknown";
    throw overBudget(call, uses, taken);
  });
}

/**
 * Returns the size of the answer in bytes.
 *
 * @throws ToolError if a handler's value is not JSON
 */
function answerBytes(call: Call): number {
  const { answerBytes: saved, answered } = call;
  if (saved !== undefined) return saved;
  if (answered !== undefined && "data" in answered && answered.data instanceof Uint8Array)
    return answered.data.byteLength;
  try {
    return Buffer.byteLength(answerJson(call) ?? "");
  } catch {
    throw unfit(
      call,
      "json",
      "is not a JSON value, or is nested too deeply, so its bytes can't be counted",
    );
  }
}

/**
 * Counts bytes of an answer. If the store fails, they are not counted, because the call has its
 * answer.
 */
function spend(
  { store }: Governor,
  call: Call,
  rules: BudgetRules,
  bytes: number,
): undefined | Promise<void> {
  const { spent, uses } = rules.answerUses(call, bytes);
  return quietly(() =>
    whenKnown(store.add(uses), () => {
      const decision = decisionOf(call);
      decision.spent = { ...decision.spent, ...spent };
    }),
  );
}

function requireSize(call: Call, most: number | undefined): void {
  if (most === undefined) return;
  const bytes = bytesIn(call);
  if (bytes <= most) return;
  throw refused(
    call,
    { code: "QUOTA.BUDGET_EXCEEDED", budget: `bytes_in of ${call.toolId}`, limit: most },
    `the arguments of \`${call.toolId}\` have ${bytes} bytes, but at most ${most} are allowed`,
    ["bytes_in"],
  );
}

/**
 * Makes the denial. Budgets per minute and of concurrent calls recover soon; daily budgets don't.
 */
function overBudget(call: Call, uses: readonly BudgetUse[], { at, retryAfterMs }: Refused) {
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
