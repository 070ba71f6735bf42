/**
 * The entry point `@skillc/runtime/governance/postgres`: a governance store in PostgreSQL, for many
 * processes. `migrations` has the operations, and `connection` connects to PostgreSQL.
 */
import { digestOf, stateKey } from "../digest.js";
import { tellEndsLater } from "../late-ends.js";
import { closedByShutdown } from "../../../open-stores.js";
import { quotedSchema } from "../../../postgres/migrate-schema.js";
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
  type RequestRow,
  stateOf,
} from "../stored-request.js";
import { requireTimeout, usualTimeoutMs } from "../within.js";
import { PostgresConnection } from "./connection.js";
import { governanceNames } from "./migrate.js";
import { requireMigrated } from "./migrate-store.js";
import { migrations } from "./migrations.js";
import { type PostgresStoreOptions, usualSchema } from "./options.js";

export type { Migrated } from "../../../postgres/migrate-schema.js";
export { migrateGovernance } from "./migrate.js";
export type { PostgresStoreOptions };

/**
 * Creates a governance store in PostgreSQL 13 or later. It connects with the first call. While
 * PostgreSQL can't be reached, every operation fails within the time limit. The store is open until
 * `close()` or `shutdown()`; runtimes don't close it.
 *
 * @throws UnusableUrl if the URL is not valid
 * @throws TypeError if `schema` is not valid; RangeError if `timeoutMs` is not
 */
export function createPostgresStore(options: PostgresStoreOptions): GovernanceStore {
  const { schema = usualSchema, timeoutMs = usualTimeoutMs, url } = options;
  const quoted = quotedSchema(schema);
  const connection = new PostgresConnection(url, requireTimeout(timeoutMs), governanceNames);
  return closedByShutdown(tellEndsLater(new PostgresStore(connection, quoted)));
}

/**
 * Interval at which expired rows are removed, in milliseconds, and maximum number of rows at once.
 */
const sweepMs = 60_000;
const maxSwept = 1000;

class PostgresStore implements GovernanceStore {
  readonly kind = "postgres";
  readonly durable = true;
  readonly #connection: PostgresConnection;
  /** Quoted name of the schema. */
  readonly #schema: string;
  #migrated: Promise<void> | undefined;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #sweeping: Promise<void> | undefined;

  constructor(connection: PostgresConnection, schema: string) {
    this.#connection = connection;
    this.#schema = schema;
  }

  async register(tools: readonly ToolVersionSeen[]): Promise<readonly ToolVersionChange[]> {
    if (tools.length === 0) return [];
    const args = [
      tools.map(({ tool }) => JSON.stringify(tool)),
      tools.map((each) => each.manifest),
    ];
    const before = await this.#call("register", args);
    if (!Array.isArray(before)) throw strange();
    return tools
      .map((each, at) => ({ ...each, before: textOrNone(before[at]) }))
      .filter(({ before, manifest }) => before !== manifest);
  }

  async states(): Promise<readonly ToolStateChange[]> {
    const rows = await this.#rows(`SELECT change, at FROM ${this.#schema}.tool_state`, []);
    return rows.map(({ at, change }) => ({
      // `setState` wrote it.
      ...(JSON.parse(textOf(change)) as Omit<ToolStateChange, "at">),
      at: numberOf(at),
    }));
  }

  async setState(change: Omit<ToolStateChange, "at">): Promise<void> {
    const whose = stateKey(change.tool, change.tenant);
    await this.#call("set_state", [whose, JSON.stringify(change)]);
  }

  async resetState(tool: string, tenant: string): Promise<boolean> {
    // If a crash undoes this, the tenant keeps its earlier state.
    const sql = `DELETE FROM ${this.#schema}.tool_state WHERE whose = $1 RETURNING whose`;
    return (await this.#rows(sql, [stateKey(tool, tenant)])).length > 0;
  }

  take(uses: readonly BudgetUse[], { callId, ttlMs }: Hold): Promise<Taken> {
    this.#sweep();
    return this.#ask(uses, callId, ttlMs);
  }

  peek(uses: readonly BudgetUse[]): Promise<Taken> {
    return this.#ask(uses, null, 0);
  }

  async #ask(uses: readonly BudgetUse[], callId: string | null, ttlMs: number): Promise<Taken> {
    const answer = await this.#call("take", [
      uses.map(({ key }) => digestOf(key)),
      uses.map(({ limit }) => limit),
      uses.map(({ amount }) => amount),
      uses.map(({ needs }) => needs),
      uses.map(({ windowMs = 0 }) => windowMs),
      callId,
      Math.ceil(ttlMs),
    ]);
    // The SQL function returns this object.
    const taken = answer as
      | { readonly taken: true; readonly left: readonly number[]; readonly time: number }
      | { readonly taken: false; readonly at: number; readonly wait: number | null };
    if (taken.taken) return taken;
    return { taken: false, at: taken.at, retryAfterMs: taken.wait ?? undefined };
  }

  async add(uses: readonly BudgetUse[]): Promise<void> {
    const counted = uses.filter(({ windowMs }) => windowMs !== undefined);
    if (counted.length === 0) return;
    await this.#call("add", [
      counted.map(({ key }) => digestOf(key)),
      counted.map(({ amount }) => amount),
      counted.map(({ windowMs }) => windowMs),
      null,
    ]);
  }

  async giveBack(uses: readonly BudgetUse[], { callId }: Hold, time?: number): Promise<void> {
    await this.#call("give_back", [
      uses.map(({ key }) => digestOf(key)),
      uses.map(({ amount }) => amount),
      uses.map(({ windowMs = 0 }) => windowMs),
      callId,
      time ?? null,
    ]);
  }

  async renewHold(uses: readonly BudgetUse[], { callId, ttlMs }: Hold): Promise<void> {
    const held = uses.filter(({ windowMs }) => windowMs === undefined);
    if (held.length === 0) return;
    const keys = held.map(({ key }) => digestOf(key));
    await this.#call("renew_hold", [keys, callId, Math.ceil(ttlMs)]);
  }

  async release(uses: readonly BudgetUse[], { callId }: Hold): Promise<void> {
    const held = uses.filter(({ windowMs }) => windowMs === undefined);
    if (held.length > 0)
      await this.#call("release", [held.map(({ key }) => digestOf(key)), callId]);
  }

  async saveRequest({
    ttlMs,
    ...request
  }: NewStoredRequest): Promise<{ readonly request: StoredRequest; readonly isNew: boolean }> {
    this.#sweep();
    const answer = await this.#call("save_request", [...requestColumns(request), Math.ceil(ttlMs)]);
    // The SQL function returns this object.
    const { isNew, row } = answer as { readonly isNew: boolean; readonly row: Row };
    return { request: requestOf(row), isNew };
  }

  async readRequest(id: string): Promise<StoredRequest | undefined> {
    const row = await this.#call("read_request", [digestOf(id)]);
    // The SQL function returns this object.
    return row === null ? undefined : requestOf(row as Row);
  }

  async requests(filter: RequestFilter): Promise<readonly StoredRequest[]> {
    const { state, subject, tenant, tool } = filter;
    const values: unknown[] = [limitOf(filter)];
    const wanted = Object.entries({
      state,
      tool: digestOrNone(tool),
      tenant: digestOrNone(tenant),
      subject: digestOrNone(subject),
    }).flatMap(([column, value]) =>
      value === null || value === undefined ? [] : [`AND r.${column} = $${values.push(value)}`],
    );
    const rows = await this.#rows(
      `SELECT ${this.#schema}.request_row(r) AS value FROM ${this.#schema}.request r
      WHERE r.ends_at > (SELECT ${this.#schema}.now_ms()) ${wanted.join(" ")}
      ORDER BY r.at DESC LIMIT $1`,
      values,
    );
    // The SQL function returns this object.
    return rows.map(({ value }) => requestOf(value as Row));
  }

  async denyRequest(id: string, decision: NewRequestDecision): Promise<RequestState | "none"> {
    const state = await this.#call("deny_request", [digestOf(id), decisionText(decision)]);
    return state === "none" ? state : stateOf(state);
  }

  async saveApproval({ ttlMs, ...approval }: NewApproval): Promise<SavedApproval> {
    const isSaved = await this.#call("approve_request", [
      digestOf(approval.id),
      JSON.stringify(approval),
      Math.ceil(ttlMs),
      decisionText(decisionOfApproval(approval), approval.id),
      ...requestColumns(requestOfApproval(approval)),
    ]);
    if (isSaved === null) return "known";
    return isSaved === true ? "saved" : "denied";
  }

  async readApproval(id: string): Promise<Approval | undefined> {
    const answer = await this.#call("read_approval", [digestOf(id)]);
    if (answer === null) return undefined;
    // The SQL function returns this object.
    const { approval, at, call, ends, isExpired } = answer as ApprovalRow;
    return {
      ...approvalFacts(approval),
      at,
      expiresAt: ends,
      isExpired,
      ...(call !== null && { usedBy: JSON.parse(call) as string }),
    };
  }

  async useApproval(id: string, callId: string): Promise<"used" | "spent" | "expired" | "none"> {
    const outcome = await this.#call("use_approval", [digestOf(id), JSON.stringify(callId)]);
    if (outcome === "used" || outcome === "spent" || outcome === "expired") return outcome;
    return "none";
  }

  async returnApproval(id: string, callId: string): Promise<void> {
    // If a crash undoes this, the approval stays used, which is safe.
    const sql = `UPDATE ${this.#schema}.approval SET used_by = NULL WHERE id = $1 AND used_by = $2`;
    await this.#rows(sql, [digestOf(id), JSON.stringify(callId)]);
  }

  async begin(keyed: KeyedCall): Promise<KeyState> {
    this.#sweep();
    const { callId, fingerprint, key, settled = null, ttlMs } = keyed;
    const sql = `SELECT * FROM ${this.#schema}.begin_call($1, $2, $3, $4, $5)`;
    const values = [digestOf(key), fingerprint, callId, Math.ceil(ttlMs), settled];
    const [row] = await this.#rows(sql, values);
    const state = row?.["state"];
    if (state === "begun") return { state };
    const known = { callId: textOf(row?.["other"]) };
    if (state === "done") {
      const kept = row?.["kept"];
      return { state, ...known, answer: Buffer.isBuffer(kept) ? kept : undefined };
    }
    if (state === "running" || state === "unknown" || state === "other") return { state, ...known };
    throw strange();
  }

  async finish(
    key: string,
    callId: string,
    answer: Uint8Array | undefined,
    ttlMs: number,
  ): Promise<void> {
    const kept = answer === undefined ? null : Buffer.from(answer);
    await this.#call("finish_call", [digestOf(key), callId, kept, Math.ceil(ttlMs)]);
  }

  async free(key: string, callId: string): Promise<void> {
    await this.#call("free_call", [digestOf(key), callId]);
  }

  async abandon(key: string, callId: string): Promise<void> {
    await this.#call("abandon_call", [digestOf(key), callId]);
  }

  async lease(name: string, holder: string, ttlMs: number): Promise<Lease | undefined> {
    const fence = await this.#call("take_lease", [digestOf(name), holder, Math.ceil(ttlMs)]);
    return fence === null ? undefined : { name, holder, fence: numberOf(fence) };
  }

  async renew({ fence, name }: Lease, ttlMs: number): Promise<boolean> {
    return (await this.#call("renew_lease", [digestOf(name), fence, Math.ceil(ttlMs)])) === true;
  }

  async unlease({ fence, name }: Lease): Promise<void> {
    await this.#call("give_lease_back", [digestOf(name), fence]);
  }

  async leaveLine(name: string, holder: string): Promise<void> {
    await this.#call("leave_line", [digestOf(name), holder]);
  }

  async close(): Promise<void> {
    await this.#sweeping;
    await this.#connection.close();
  }

  async #call(operation: string, values: readonly unknown[]): Promise<unknown> {
    await this.#requireTables();
    const places = values.map((_, at) => `$${at + 1}`).join(", ");
    return this.#connection.value(
      `SELECT ${this.#schema}.${operation}(${places}) AS value`,
      values,
    );
  }

  async #rows(sql: string, values: readonly unknown[]) {
    await this.#requireTables();
    return this.#connection.rows(sql, values);
  }

  /** Checks the tables once. If that fails, the next operation checks again. */
  #requireTables(): Promise<void> {
    const tables = { schema: this.#schema, migrations };
    this.#migrated ??= requireMigrated(this.#connection, tables).catch((error: unknown) => {
      this.#migrated = undefined;
      throw error;
    });
    return this.#migrated;
  }

  async #sweepSome(): Promise<void> {
    try {
      const hasMore = await this.#call("sweep_all", [maxSwept]);
      // The next call continues with it.
      if (hasMore === true) this.#sweptAt = Number.NEGATIVE_INFINITY;
    } catch {
      // A later call tries again.
    }
  }

  /** Removes expired rows in the background. No call waits for it or fails with it. */
  #sweep(): void {
    const now = performance.now();
    if (this.#sweeping !== undefined || now - this.#sweptAt < sweepMs) return;
    this.#sweptAt = now;
    this.#sweeping = this.#sweepSome().finally(() => (this.#sweeping = undefined));
  }
}

/** A request, as the SQL function `request_row` returns it. */
type Row = Omit<RequestRow, "decision" | "decidedAt"> & {
  readonly decision: string | null;
  readonly decidedAt: number | null;
};

function requestOf({ decidedAt, decision, ...row }: Row): StoredRequest {
  return requestOfRow({
    ...row,
    decision: decision ?? undefined,
    decidedAt: decidedAt ?? undefined,
  });
}

/** The arguments `id_`, `request_`, `tool_`, `tenant_` and `subject_` of a SQL function. */
function requestColumns(request: Omit<NewStoredRequest, "ttlMs">): readonly (string | null)[] {
  const { id, subject, tenant, tool } = request;
  return [
    digestOf(id),
    JSON.stringify(request),
    digestOf(tool),
    digestOrNone(tenant),
    digestOrNone(subject),
  ];
}

function digestOrNone(text: string | undefined): string | null {
  return text === undefined ? null : digestOf(text);
}

interface ApprovalRow {
  readonly approval: string;
  readonly at: number;
  readonly ends: number;
  readonly isExpired: boolean;
  readonly call: string | null;
}

function textOf(value: unknown): string {
  if (typeof value !== "string") throw strange();
  return value;
}

function textOrNone(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : textOf(value);
}

/** Converts an integer. The driver returns 64-bit integers as text. */
function numberOf(value: unknown): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw strange();
  return number;
}

function strange(): StoreUnavailable {
  return new StoreUnavailable("PostgreSQL returned an unexpected value");
}
