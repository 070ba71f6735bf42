/**
 * The entry point `@skillc/runtime/governance/redis`: a governance store in Redis, for many
 * processes. `scripts` has the operations, and `connection` connects to Redis.
 */
import { digestOf, stateKey } from "../digest.js";
import { tellEndsLater } from "../late-ends.js";
import { closedByShutdown } from "../../../open-stores.js";
import type {
  Approval,
  BudgetUse,
  GovernanceStore,
  Hold,
  KeyedCall,
  KeyState,
  Lease,
  NewApproval,
  NewRequestDecision,
  NewStoredRequest,
  RequestFacts,
  RequestFilter,
  RequestState,
  SavedApproval,
  StoredRequest,
  Taken,
  ToolStateChange,
  ToolVersionChange,
  ToolVersionSeen,
} from "../store.js";
import { StoreUnavailable } from "../store-unavailable.js";
import {
  approvalFacts,
  decisionOfApproval,
  decisionText,
  limitOf,
  requestOfApproval,
  requestOfRow,
  stateOf,
} from "../stored-request.js";
import { requireTimeout, usualTimeoutMs } from "../within.js";
import {
  borrowClient,
  openConnection,
  type RedisArgument,
  type RedisClient,
  type RedisConnection,
} from "./connection.js";
import {
  type LuaClock,
  type Operation,
  type Scripts,
  scriptsWith,
  serverClock,
} from "./scripts.js";

export type { RedisClient };

/** Options of a Redis store. */
export interface RedisStoreOptions {
  /**
   * URL `redis://user:password@host:port/database` or `rediss://…`; or an ioredis client, for a
   * cluster or sentinels. You configure and close your own client.
   */
  readonly server: string | RedisClient;
  /**
   * Prefix of every key, `skillc` by default. It is put in braces, so that a cluster keeps all keys
   * on one node. Use one for each application if applications share a Redis and not their budgets.
   */
  readonly namespace?: string;
  /** Time limit of one operation, in milliseconds; 5000 by default. */
  readonly timeoutMs?: number;
}

/**
 * Creates a governance store in Redis 6.2 or later. It connects with the first call, and again
 * after a loss. While Redis can't be reached, every operation fails within the time limit. The
 * store is open until `close()` or `shutdown()`; runtimes don't close it.
 *
 * @throws UnusableUrl if the URL is not valid
 * @throws TypeError if `namespace` is not valid; RangeError if `timeoutMs` is not
 */
export function createRedisStore(options: RedisStoreOptions): GovernanceStore {
  return createRedisStoreBy(serverClock, options);
}

/** Creates a store with another clock, for tests. */
export function createRedisStoreBy(
  clock: LuaClock,
  { namespace = "skillc", server, timeoutMs = usualTimeoutMs }: RedisStoreOptions,
): GovernanceStore {
  if (!/^[\w.:/-]{1,100}$/.test(namespace))
    throw new TypeError("`namespace` must be at most 100 letters, digits and any of `_ - . : /`");
  const ms = requireTimeout(timeoutMs);
  const connection =
    typeof server === "string" ? openConnection(server, ms) : borrowClient(server, ms);
  return closedByShutdown(tellEndsLater(new RedisStore(connection, namespace, scriptsWith(clock))));
}

class RedisStore implements GovernanceStore {
  readonly kind = "redis";
  readonly #connection: RedisConnection;
  readonly #namespace: string;
  readonly #scripts: Scripts;
  #hasWarned = false;

  constructor(connection: RedisConnection, namespace: string, scripts: Scripts) {
    this.#connection = connection;
    this.#namespace = namespace;
    this.#scripts = scripts;
  }

  get durable(): boolean {
    const { settings } = this.#connection;
    return settings?.appendonly === "yes" && settings.appendfsync === "always";
  }

  async register(tools: readonly ToolVersionSeen[]): Promise<readonly ToolVersionChange[]> {
    if (tools.length === 0) return [];
    const args = tools.flatMap(({ manifest, tool }) => [JSON.stringify(tool), manifest]);
    const before = listOf(await this.#run("register", ["tools"], args));
    return tools
      .map((each, at) => ({ ...each, before: textOrNone(before[at]) }))
      .filter(({ before, manifest }) => before !== manifest);
  }

  async states(): Promise<readonly ToolStateChange[]> {
    return listOf(await this.#run("states", ["states"], [])).map((each) => {
      const text = textOf(each);
      const space = text.indexOf(" ");
      // `setState` wrote it.
      const change = JSON.parse(text.slice(space + 1)) as Omit<ToolStateChange, "at">;
      return { ...change, at: Number(text.slice(0, space)) };
    });
  }

  async setState(change: Omit<ToolStateChange, "at">): Promise<void> {
    const whose = stateKey(change.tool, change.tenant);
    await this.#run("setState", ["states"], [whose, JSON.stringify(change)]);
  }

  async resetState(tool: string, tenant: string): Promise<boolean> {
    return numberOf(await this.#run("resetState", ["states"], [stateKey(tool, tenant)])) === 1;
  }

  take(uses: readonly BudgetUse[], { callId, ttlMs }: Hold): Promise<Taken> {
    return this.#ask("take", uses, [callId, Math.ceil(ttlMs)]);
  }

  peek(uses: readonly BudgetUse[]): Promise<Taken> {
    return this.#ask("peek", uses, ["", 0]);
  }

  async #ask(
    operation: "take" | "peek",
    uses: readonly BudgetUse[],
    hold: readonly RedisArgument[],
  ): Promise<Taken> {
    const args = uses.flatMap(useArguments);
    const keys = [...budgetKeys(uses), takenKey(String(hold[0]))];
    const answer = await this.#run(operation, keys, [...hold, ...args]);
    const [said, first, ...rest] = listOf(answer);
    if (textOf(said) === "taken")
      return { taken: true, left: rest.map(numberOf), time: numberOf(first) };
    const [wait] = rest;
    const retryAfterMs = textOf(wait) === "" ? undefined : numberOf(wait);
    return { taken: false, at: numberOf(first), retryAfterMs };
  }

  async add(uses: readonly BudgetUse[]): Promise<void> {
    const counted = uses.filter(({ windowMs }) => windowMs !== undefined);
    if (counted.length === 0) return;
    const args = counted.flatMap(({ amount, windowMs = 0 }) => [amount, windowMs]);
    await this.#run("add", budgetKeys(counted), args);
  }

  async giveBack(uses: readonly BudgetUse[], { callId }: Hold, time?: number): Promise<void> {
    const args = uses.flatMap(({ amount, windowMs = 0 }) => [amount, windowMs]);
    const keys = [...budgetKeys(uses), takenKey(callId)];
    await this.#run("giveBack", keys, [callId, time ?? "", ...args]);
  }

  async renewHold(uses: readonly BudgetUse[], { callId, ttlMs }: Hold): Promise<void> {
    const held = uses.filter(({ windowMs }) => windowMs === undefined);
    if (held.length > 0) await this.#run("renewHold", budgetKeys(held), [callId, Math.ceil(ttlMs)]);
  }

  async release(uses: readonly BudgetUse[], { callId }: Hold): Promise<void> {
    const held = uses.filter(({ windowMs }) => windowMs === undefined);
    if (held.length > 0) await this.#run("release", budgetKeys(held), [callId]);
  }

  async saveRequest({
    ttlMs,
    ...request
  }: NewStoredRequest): Promise<{ readonly request: StoredRequest; readonly isNew: boolean }> {
    const args = [digestOf(request.id), JSON.stringify(request), Math.ceil(ttlMs)];
    const facts = [digestOrNone(request.tool), ...whoseWords(request)];
    for (let approval = ""; ;) {
      const keys = [...requestKeys, ...(approval === "" ? [] : [`approval:${approval}`])];
      const answer = await this.#run("saveRequest", keys, [...args, approval, ...facts]);
      const [said, row] = listOf(answer);
      // The script reads only the approval that it was given.
      if (textOf(said) === "look") approval = textOf(row);
      else return { request: requestOf(row), isNew: textOf(said) === "new" };
    }
  }

  async readRequest(id: string): Promise<StoredRequest | undefined> {
    const row = await this.#run("readRequest", requestKeys, [digestOf(id)]);
    return row === null ? undefined : requestOf(row);
  }

  async requests(filter: RequestFilter): Promise<readonly StoredRequest[]> {
    const { state = "", subject, tenant, tool } = filter;
    const wanted = [tool, tenant, subject].map((each) =>
      each === undefined ? "" : digestOf(each),
    );
    const args = [limitOf(filter), state, ...wanted];
    return listOf(await this.#run("listRequests", requestKeys, args)).map(requestOf);
  }

  async denyRequest(id: string, decision: NewRequestDecision): Promise<RequestState | "none"> {
    const args = [digestOf(id), decisionText(decision)];
    const state = textOf(await this.#run("denyRequest", requestKeys, args));
    return state === "none" ? state : stateOf(state);
  }

  async saveApproval({ ttlMs, ...approval }: NewApproval): Promise<SavedApproval> {
    const id = digestOf(approval.id);
    const request = requestOfApproval(approval);
    const answer = await this.#run(
      "saveApproval",
      [...requestKeys, `approval:${id}`],
      [
        JSON.stringify(approval),
        Math.ceil(ttlMs),
        decisionText(decisionOfApproval(approval), approval.id),
        id,
        digestOf(request.id),
        JSON.stringify(request),
        digestOrNone(request.tool),
        ...whoseWords(request),
      ],
    );
    const said = textOf(answer);
    return said === "denied" || said === "known" ? said : "saved";
  }

  async readApproval(id: string): Promise<Approval | undefined> {
    const answer = await this.#run("readApproval", [`approval:${digestOf(id)}`], []);
    if (answer === null) return undefined;
    const [text, at, ends, isExpired, call] = listOf(answer);
    const usedBy = textOrNone(call);
    return {
      ...approvalFacts(textOf(text)),
      at: numberOf(at),
      expiresAt: numberOf(ends),
      isExpired: isExpired === 1,
      ...(usedBy !== undefined && { usedBy: JSON.parse(usedBy) as string }),
    };
  }

  async useApproval(id: string, callId: string): Promise<"used" | "spent" | "expired" | "none"> {
    const key = `approval:${digestOf(id)}`;
    const said = textOf(await this.#run("useApproval", [key], [JSON.stringify(callId)]));
    if (said === "used" || said === "spent" || said === "expired") return said;
    return "none";
  }

  async returnApproval(id: string, callId: string): Promise<void> {
    await this.#run("returnApproval", [`approval:${digestOf(id)}`], [JSON.stringify(callId)]);
  }

  async begin(keyed: KeyedCall): Promise<KeyState> {
    const { callId, fingerprint, key, settled = "", ttlMs } = keyed;
    const args = [fingerprint, callId, Math.ceil(ttlMs), settled];
    const answer = listOf(await this.#run("begin", [keyOf(key)], args));
    this.#warnOnce();
    const state = textOf(answer[0]);
    if (state === "begun") return { state };
    const known = { callId: textOf(answer[1]) };
    if (state === "done") return { state, ...known, answer: bytesOrNone(answer[2]) };
    if (state === "running" || state === "unknown" || state === "other") return { state, ...known };
    throw strange();
  }

  async finish(
    key: string,
    callId: string,
    answer: Uint8Array | undefined,
    ttlMs: number,
  ): Promise<void> {
    const kept = answer === undefined ? [] : [Buffer.from(answer)];
    await this.#run("finish", [keyOf(key)], [callId, Math.ceil(ttlMs), ...kept]);
  }

  async free(key: string, callId: string): Promise<void> {
    await this.#run("free", [keyOf(key)], [callId]);
  }

  async abandon(key: string, callId: string): Promise<void> {
    await this.#run("abandon", [keyOf(key)], [callId]);
  }

  async lease(name: string, holder: string, ttlMs: number): Promise<Lease | undefined> {
    const keys = [`lease:${digestOf(name)}`, "fence", ...lineKeys(name)];
    const fence = await this.#run("lease", keys, [holder, Math.ceil(ttlMs)]);
    this.#warnOnce();
    return fence === null ? undefined : { name, holder, fence: numberOf(fence) };
  }

  async renew({ fence, name }: Lease, ttlMs: number): Promise<boolean> {
    const key = `lease:${digestOf(name)}`;
    return numberOf(await this.#run("renew", [key], [fence, Math.ceil(ttlMs)])) === 1;
  }

  async unlease({ fence, name }: Lease): Promise<void> {
    await this.#run("unlease", [`lease:${digestOf(name)}`], [fence]);
  }

  async leaveLine(name: string, holder: string): Promise<void> {
    await this.#run("leaveLine", lineKeys(name), [holder]);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  #run(
    operation: Operation,
    keys: readonly string[],
    args: readonly RedisArgument[],
  ): Promise<unknown> {
    const named = keys.map((key) => `{${this.#namespace}}:${key}`);
    return this.#connection.run(this.#scripts[operation], named, args);
  }

  /** Warns if Redis may forget what it confirmed, because a keyed call could then be made twice. */
  #warnOnce(): void {
    const { settings } = this.#connection;
    if (this.#hasWarned || settings === undefined) return;
    this.#hasWarned = true;
    const { "maxmemory-policy": policy = "noeviction" } = settings;
    const wrong = [
      ...(this.durable ? [] : ["may lose confirmed writes (`appendfsync always` prevents that)"]),
      ...(policy === "noeviction" ? [] : [`evicts entries if its memory is full (\`${policy}\`)`]),
    ];
    if (wrong.length === 0) return;
    process.emitWarning(
      `calls with a key and calls of serial tools may run twice: the Redis of their governance ${wrong.join(", and ")}`,
      { type: "SkillcGovernanceWarning" },
    );
  }
}

function useArguments({ amount, limit, needs, windowMs = 0 }: BudgetUse): readonly number[] {
  return [limit, amount, needs, windowMs];
}

function budgetKeys(uses: readonly BudgetUse[]): readonly string[] {
  return uses.map(
    ({ key, windowMs }) => `${windowMs === undefined ? "held" : "budget"}:${digestOf(key)}`,
  );
}

function takenKey(callId: string): string {
  return `taken:${digestOf(callId)}`;
}

/** Keys of everything that is stored about requests for approval. */
const requestKeys = ["requests", "requests-by-time", "requests-by-end"];

function digestOrNone(text: string | undefined): string {
  return text === undefined ? "-" : digestOf(text);
}

function whoseWords({ subject, tenant }: RequestFacts): readonly string[] {
  return [digestOrNone(tenant), digestOrNone(subject)];
}

function requestOf(row: unknown): StoredRequest {
  const [state, at, ends, decidedAt, request, decision] = listOf(row);
  const decided = textOf(decidedAt);
  return requestOfRow({
    request: textOf(request),
    state: textOf(state),
    at: numberOf(at),
    ends: numberOf(ends),
    decision: textOrNone(decision),
    decidedAt: decided === "-" ? undefined : Number(decided),
  });
}

function lineKeys(name: string): readonly string[] {
  return [`line:${digestOf(name)}`, `seen:${digestOf(name)}`];
}

function keyOf(key: string): string {
  return `key:${digestOf(key)}`;
}

function listOf(answer: unknown): readonly unknown[] {
  if (!Array.isArray(answer)) throw strange();
  return answer;
}

function textOf(answer: unknown): string {
  if (!Buffer.isBuffer(answer)) throw strange();
  return answer.toString();
}

function textOrNone(answer: unknown): string | undefined {
  return answer === null || answer === undefined ? undefined : textOf(answer);
}

function bytesOrNone(answer: unknown): Uint8Array | undefined {
  return Buffer.isBuffer(answer) ? answer : undefined;
}

function numberOf(answer: unknown): number {
  const number = typeof answer === "number" ? answer : Number(textOf(answer));
  if (!Number.isFinite(number)) throw strange();
  return number;
}

function strange(): StoreUnavailable {
  return new StoreUnavailable("Redis returned an unexpected value");
}
