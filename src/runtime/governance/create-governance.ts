import { namedSteps, type Step } from "../call/call.js";
import { announce, announceEnd, tellEvent } from "../call/steps/announce.js";
import { answer } from "../call/steps/answer.js";
import { approval } from "../call/steps/approval.js";
import { attempt } from "../call/steps/attempt.js";
import { authorize } from "../call/steps/authorize.js";
import { authorizeSteps } from "../call/steps/authorize-steps.js";
import { available } from "../call/steps/available.js";
import { credentials } from "../call/steps/credentials.js";
import { discover } from "../call/steps/discover.js";
import { guard } from "../call/steps/guard.js";
import { obligations } from "../call/steps/obligations.js";
import { nameOnce, once } from "../call/steps/once.js";
import { prepare } from "../call/steps/prepare.js";
import { readFiles } from "../call/steps/read-files.js";
import { rulesByTool, countAnswer, quota } from "../call/steps/quota.js";
import { repair } from "../call/steps/repair.js";
import { receive } from "../call/steps/receive.js";
import { record } from "../call/steps/record.js";
import { shadow } from "../call/steps/shadow.js";
import { handOver, recall, undo } from "../call/steps/undo.js";
import { turnPage } from "../call/steps/turn-page.js";
import { validate } from "../call/steps/validate.js";
import { type CedarEngine, openCedar } from "./cedar/engine.js";
import { denyApproval, giveApproval, withdrawApproval } from "./decide-approvals.js";
import { createDigests } from "./digests.js";
import type { EventSink } from "./events.js";
import type { Governance } from "./governance.js";
import type { Governor } from "./governor.js";
import { obligationKinds } from "./obligations/obligation-action.js";
import { offersTo } from "./offers.js";
import type { ProjectPolicy } from "./policy.js";
import { registration, setToolState } from "./registry.js";
import { openSealedRequest, requestPurpose } from "./sealed-request.js";
import { createSeal, deriveKey, deriveSeal, readKey } from "../seal.js";
import { wayBackPurpose } from "../rollback/record-way-back.js";
import { isInProcess } from "./store/in-process.js";
import { createMemoryStore } from "./store/memory.js";
import type { GovernanceStore } from "./store/store.js";
import { createToolStates } from "./tool-states.js";

/** Options of `governance`. */
export interface GovernanceOptions<ToolId extends string = string> {
  /** The policy of `generated/policy.ts`. */
  readonly policy: ProjectPolicy<ToolId>;
  /**
   * Store that processes share. By default each process has its own store in memory. Several
   * runtimes may use one store; none of them closes it.
   */
  readonly store?: GovernanceStore;
  /**
   * Secret key of 32 bytes, or their base64 text. Processes that share a store need the same key.
   * It encrypts stored answers of keyed calls and the `next` of pages, and it keys digests of
   * requests with masked parameters: an approval of such a request is valid only in processes with
   * the same key. Some obligations need it too. Each purpose uses its own derived key.
   */
  readonly key?: Uint8Array | string;
  /**
   * Handling of a read while the store can't be reached; `refused` by default. A write is
   * always denied.
   */
  readonly readsWithoutStore?: "made" | "refused";
  /**
   * Time for which the answer of a keyed call is returned again, in milliseconds; one day by
   * default.
   */
  readonly keepAnswersMs?: number;
  /** Maximum size of a stored answer, in bytes; 256 KiB by default. */
  readonly largestAnswer?: number;
  /**
   * `drop-undeclared` removes undeclared properties from closed objects in an answer before the
   * answer is validated, and records their places. By default nothing is repaired.
   */
  readonly repair?: "drop-undeclared";
  /** Receives events about tools and calls. */
  readonly events?: EventSink;
}

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Creates the governance of a runtime: `configure({ governance: governance({ policy }) })`.
 *
 * @throws TypeError if the key has another length; if it is missing although an obligation needs
 * one, or tools are keyed and the store is not in memory
 */
export function governance<ToolId extends string>(options: GovernanceOptions<ToolId>): Governance {
  const governor = governorOf(options);
  const { policy, store } = governor;
  const rulesOf = rulesByTool(governor);
  const { events } = options;
  const eventHooks = events === undefined ? undefined : eventSteps(governor, events);
  const oblige = obligations(governor);
  const states = createToolStates(governor);
  const engine = engineOf(policy);
  const deciding = {
    discover: discover(governor, states),
    available,
    validate,
    turnPage,
    authorize: authorize(governor, engine),
    authorizeSteps: authorizeSteps(governor, states, engine),
    name: nameOnce(governor),
    readFiles,
    quota: quota(governor, rulesOf),
    prepare,
    once: once(governor),
    credentials,
    guard: guard(governor),
    shadow,
  };
  return {
    policy,
    store,
    ...sealsOf(governor),
    ...undoStepsOf(deciding, eventHooks),
    steps: namedSteps({
      // The first step, so that the end of every call is announced.
      ...eventHooks?.first,
      receive,
      ...eventHooks?.known,
      ...deciding,
      approval: approval(governor),
      record,
      ...eventHooks?.last,
      attempt,
      ...(options.repair === "drop-undeclared" && { repair }),
      answer,
    }),
    drySteps: namedSteps({ receive, ...deciding, obligations: oblige }),
    resultSteps: namedSteps({
      countAnswer: countAnswer(governor, rulesOf),
      obligations: oblige,
    }),
    setToolState: (tool, state, change) =>
      setToolState({ policy, store, tell: events }, tool, state, change),
    approve: (request, by) => giveApproval(governor, request, by),
    deny: (request, by) => denyApproval(governor, request, by),
    requests: async (filter = {}) => store.requests(filter),
    openRequest: (request, ledger) => openSealedRequest(request, ledger, governor.requestSeal),
    withdraw: (approval, by) => withdrawApproval(store, approval, by),
    offersTo: (caller) => offersTo(governor, states, engine, caller),
  };
}

/** Returns the seals and keys that are used without asking governance. */
function sealsOf({ key }: Governor): SealsOf {
  if (key === undefined) return {};
  return {
    pageSeal: deriveSeal(key, "pages"),
    wayBackSeal: deriveSeal(key, wayBackPurpose),
    confirmationKey: () => deriveKey(key, "confirmations"),
  };
}

type SealsOf = Pick<Governance, "confirmationKey" | "pageSeal" | "wayBackSeal">;

/** Returns the steps of a call that undoes an earlier one. They decide by the same rules. */
function undoStepsOf(
  {
    authorize: authorized,
    discover: discovered,
  }: { readonly [S in "authorize" | "discover"]: Step },
  events: ReturnType<typeof eventSteps> | undefined,
): Pick<Governance, "undoDrySteps" | "undoSteps"> {
  const deciding = { recall, discover: discovered, available, authorize: authorized };
  return {
    undoSteps: namedSteps({
      ...events?.first,
      ...deciding,
      ...events?.known,
      handOver,
      record,
      ...events?.last,
      undo,
    }),
    undoDrySteps: namedSteps(deciding),
  };
}

function governorOf(options: GovernanceOptions): Governor {
  const { events, key, policy, store = createMemoryStore() } = options;
  const isKeyed = Object.values<{ readonly idempotency?: "keyed" }>(policy.tools).some(
    ({ idempotency }) => idempotency === "keyed",
  );
  if (isKeyed && key === undefined && !isInProcess(store))
    throw new TypeError(
      "`key` is missing: this project has keyed tools, and a store outside this process keeps their answers",
    );
  requireKeyFor(policy, key);
  const secret = key === undefined ? undefined : readKey(key);
  return {
    policy,
    store,
    seal: secret && createSeal(secret),
    key: secret,
    digest: createDigests(secret),
    requestSeal: secret && deriveSeal(secret, requestPurpose),
    readsWithoutStore: options.readsWithoutStore ?? "refused",
    tell: events && ((event) => tellEvent(events, event)),
    keepAnswersMs: options.keepAnswersMs ?? dayMs,
    largestAnswer: options.largestAnswer ?? 256 * 1024,
  };
}

function requireKeyFor({ obligations }: ProjectPolicy, key: GovernanceOptions["key"]): void {
  const needing = obligations.find(({ action }) => obligationKinds[action.do].needsKey);
  if (key !== undefined || needing === undefined) return;
  const { action, name } = needing;
  throw new TypeError(
    `\`key\` is missing: the obligation \`${name}\` of skillc.yaml does \`${action.do}\`, which needs a key. Set \`key\` of \`governance()\` to 32 random bytes in base64, the same for all processes`,
  );
}

function eventSteps(governor: Governor, tell: EventSink) {
  const { policy, store } = governor;
  const begin = registration({ policy, store, tell });
  const register: Step = () => {
    begin();
    return undefined;
  };
  return {
    first: { announceEnd: announceEnd(governor, tell) },
    known: { register },
    last: { announce: announce(governor, tell) },
  };
}

/** Opens the engine at the first call. If that fails, the next call tries again. */
function engineOf({ cedar }: ProjectPolicy): (() => Promise<CedarEngine>) | undefined {
  if (cedar === undefined) return undefined;
  let opening: Promise<CedarEngine> | undefined;
  return () => {
    opening ??= openCedar(cedar).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
}
