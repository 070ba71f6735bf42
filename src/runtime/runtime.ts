import { resolve } from "node:path";
import { type Caller, ownCaller } from "./caller.js";
import type { ApprovalRequest } from "./errors.js";
import type { Approver, Denier, Governance } from "./governance/governance.js";
import type { StoredRequest } from "./governance/store/store.js";
import type { JsonValue } from "./json/json.js";
import type { CredentialFunction } from "./credentials/function-credential.js";
import { whenIdle } from "./call/calls-in-flight.js";
import { type Credentials, createCredentials } from "./credentials/credentials.js";
import type { FakeBindings } from "./call/handler-binding.js";
import type { AnyHandlers } from "./handler.js";
import { type HttpOptions, setHttpOptions } from "./http/http-options.js";
import { createFileLedger, type FileLedgerOptions } from "./ledger/files/file-store.js";
import { type LedgerStore, noLedger } from "./ledger/store.js";
import type { LedgerVerification } from "./ledger/verification.js";
import type { LedgerCall } from "./ledger/ledger-call.js";
import { discardLayers } from "./rollback/kept-layers.js";
import { queryStore, type StoreQuery } from "./ledger/query.js";
import type { Surroundings } from "./call/prerequisites.js";
import { removeOldTemporary } from "./files/temporary-folders.js";
import { closeParts } from "./on-close.js";
import type { ParameterPlanner } from "./planner.js";
import type { RunStore } from "./runs/store.js";
import { type Misfits, type Mode, requireMisfits, requireMode } from "./tool.js";
import type { Telemetry } from "./telemetry/telemetry.js";
import { onShutdownLast, type ShutdownOptions, waitForCalls } from "./shutdown.js";

/**
 * Options of a runtime. Every option has a default; generated tools work without any of them.
 *
 * @typeParam Handlers the `Handlers` type of generated/handlers.ts
 * @typeParam Name the `CredentialName` type of generated/credentials.ts
 */
export interface RuntimeOptions<Handlers = AnyHandlers, Name extends string = string> {
  /**
   * Values for `${NAME}`, or functions that return them. They come before every other source.
   * Values and getters are read once.
   */
  readonly credentials?: { readonly [N in Name]?: string | CredentialFunction };
  /**
   * Functions for tools, by `"skill/tool"`. A handler for a tool with a binding replaces the
   * binding.
   */
  readonly handlers?: Handlers;
  /**
   * A store of your own, options of the default store (files in `.skillc/ledger/`), or false for no
   * ledger.
   */
  readonly ledger?: LedgerStore | FileLedgerOptions | false;
  /** Mode of all calls. By default each tool has its own mode. */
  readonly mode?: Mode;
  /**
   * Handling of a service's answer that doesn't match its schema. `refuse` (the default): the call
   * throws. `report`: the call returns the answer unchanged, and the ledger and spans report the
   * mismatch.
   */
  readonly misfits?: Misfits;
  /**
   * The application's configuration. The runtime looks up `prerequisites.config` of skills in it.
   */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Environment variables; `process.env` by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folder of `.env`, skillc.yaml and `.skillc/`; the working directory by default. */
  readonly directory?: string;
  /**
   * Folder for the answers of tools with `save: true`, relative to `directory`. The runtime creates
   * it if needed. Without it, calls of these tools are denied.
   */
  readonly downloads?: string;
  /** Caller of calls for which neither `CallOptions.caller` nor `withCaller` names one. */
  readonly caller?: Caller;
  /**
   * Set if nobody checks who the callers are, as on the command line. The ledger then marks each
   * caller as `claimed`.
   */
  readonly callersAreClaimed?: true;
  /**
   * Decides who may call a tool, how often, and which targets it may reach: `governance(…)` of
   * `@skillc/runtime/governance`. By default every call is made.
   */
  readonly governance?: Governance;
  /** Records spans and metrics: `telemetry()` of `@skillc/runtime/telemetry`. Off by default. */
  readonly telemetry?: Telemetry;
  /**
   * Store that keeps the runs of plans: `folderRuns(…)` or `postgresRuns(…)`. Without it, plans take
   * no `run`.
   */
  readonly runs?: RunStore;
  /**
   * Finds parameters of plans that say `planner: true`: `createBindingPlanner(…)` of
   * `skillc/planner`. Without it, these plans are refused.
   */
  readonly planner?: ParameterPlanner;
  /** Options of the copies that undo calls. */
  readonly backups?: BackupOptions;
  /** Options of HTTP requests: limits by origin, a proxy, HTTP/2. */
  readonly http?: HttpOptions;
  /**
   * If false, `${NAME}` comes only from `credentials`, so that a tenant's call never uses the
   * server's own environment. True by default.
   */
  readonly inherit?: boolean;
}

/** Options of the copies of files, in `.skillc/backups`, by which calls are undone. */
export interface BackupOptions {
  /**
   * Maximum size of the copies of one call, in bytes; 1 GiB by default. A call that would need more
   * is not made.
   */
  readonly maxBytes?: number;
}

/**
 * Holds everything that calls share: credentials, handlers, the ledger. Make it with
 * `createRuntime`. Pass it in a call's options, or use `configure` to make a default one.
 */
export interface Runtime {
  /** Source of credentials and settings. */
  readonly credentials: Credentials;
  /** Functions for tools, by id. */
  readonly handlers: AnyHandlers;
  /** Store that keeps a record of each call. */
  readonly ledger: LedgerStore;
  /** Mode of all calls; undefined if each tool has its own. */
  readonly mode: Mode | undefined;
  /** Handling of answers that don't match their schema. */
  readonly misfits?: Misfits | undefined;
  /** Caller of calls that name none. */
  readonly caller?: Caller | undefined;
  /** Set if nobody checks who the callers are. */
  readonly callersAreClaimed?: true | undefined;
  /** Governance of the calls; undefined if every call is made. */
  readonly governance?: Governance | undefined;
  /** Spans and metrics; undefined if they are off. */
  readonly telemetry?: Telemetry | undefined;
  /** Store of runs of plans; undefined if runs are not kept. */
  readonly runs?: RunStore | undefined;
  /** Finds parameters of plans; undefined if no plan asks a model. */
  readonly planner?: ParameterPlanner | undefined;
  /** Options of the copies that undo calls. */
  readonly backups?: BackupOptions | undefined;
  /** Absolute path of the project's folder. */
  readonly directory: string;
  /** Absolute path of the folder for saved answers. */
  readonly downloads?: string | undefined;
  /** Facts about the process that prerequisites are checked against. */
  readonly surroundings: Surroundings;
  /** Skills whose prerequisites are met. They are not checked again. */
  readonly availableSkills: Set<string>;
  /** Fake bindings of a test. If set, no call of this runtime sends a request. */
  readonly fakes?: FakeBindings;
  /**
   * Approves one call.
   *
   * @param request the `failure.request` of an `AUTH.APPROVAL_REQUIRED` error, or its `id`
   * @param by the approver, who must not be the subject of the call, unless the tool says
   * `by: person` and `by.channel` is one of `approval_channels`
   * @returns the id of the approval, which a call may also pass as `approval`
   * @throws TypeError if there is no approver, if the approver may not approve this call, or if the
   * runtime has no governance
   */
  approve(request: ApprovalRequest | StoredRequest | string, by: Approver): Promise<string>;
  /**
   * Denies a request for approval. Until it expires, equal calls are refused with the note.
   *
   * @param request the `failure.request` of an `AUTH.APPROVAL_REQUIRED` error, or its `id`
   * @throws TypeError if there is no such request, it was approved, or the runtime has no governance
   */
  deny(request: ApprovalRequest | string, by: Denier): Promise<void>;
  /**
   * Returns the whole request behind a stored one of `governance.requests()`. The stored one is
   * masked, and has at most 64 KiB. Credentials stay names.
   *
   * @throws TypeError if the whole request was not kept, or the runtime has no governance
   */
  openRequest(request: StoredRequest): Promise<JsonValue>;
  /**
   * Waits for calls in progress, closes HTTP connections, writes what the ledger still buffers, and
   * releases the ledger's files. The governance store stays open, because other runtimes may use
   * it. Close it yourself, or call `shutdown`.
   */
  close(options?: ShutdownOptions): Promise<void>;
}

/**
 * Creates a runtime, for example one for each tenant of a server. In tests, use `createTestRuntime`
 * of `@skillc/runtime/testing`.
 *
 * @throws TypeError if `mode`, `misfits`, `caller` or `http` is not valid
 */
export function createRuntime<Handlers extends object = AnyHandlers, Name extends string = string>(
  options: RuntimeOptions<Handlers, Name> = {},
): Runtime {
  requireMode(options.mode);
  requireMisfits(options.misfits);
  const directory = options.directory ?? process.cwd();
  const env = options.env ?? process.env;
  const credentials = createCredentials({
    given: options.credentials ?? {},
    ...(options.inherit === false ? {} : { env, directory }),
  });
  const ledger = chooseLedger(options.ledger, directory);
  const runtime: Runtime = {
    credentials,
    // The application's own code has the exact handler types. The call path passes only parameters
    // that the tool's validator accepted.
    handlers: (options.handlers ?? {}) as AnyHandlers,
    ledger,
    mode: options.mode,
    misfits: options.misfits,
    caller: options.caller && ownCaller(options.caller),
    callersAreClaimed: options.callersAreClaimed,
    governance: options.governance,
    telemetry: options.telemetry,
    runs: options.runs?.inDirectory?.(directory) ?? options.runs,
    planner: options.planner,
    backups: options.backups,
    directory,
    downloads: options.downloads === undefined ? undefined : resolve(directory, options.downloads),
    availableSkills: new Set(),
    surroundings: {
      credentials,
      config: options.config ?? {},
      path: env["PATH"] ?? "",
      platform: process.platform,
    },
    async approve(request, by) {
      if (options.governance === undefined)
        throw new TypeError("a runtime without `governance` needs no approvals");
      return options.governance.approve(request, by);
    },
    deny: (request, by) => denyRequest(runtime, request, by),
    async openRequest(request) {
      if (options.governance === undefined)
        throw new TypeError("a runtime without `governance` has no requests for approval");
      return options.governance.openRequest(request, ledger);
    },
    close(closing = {}) {
      const idle = whenIdle(runtime);
      const close = () =>
        Promise.all([closeParts(runtime), removeOldTemporary()])
          .then(() => undefined)
          .finally(() => ledger.close());
      return idle === undefined ? close() : waitForCalls(idle, closing).then(close);
    },
  };
  if (options.http !== undefined) setHttpOptions(runtime, options.http);
  return runtime;
}

/** Denies a request, and removes what its trial has kept on this machine. */
async function denyRequest(
  { directory, governance }: Runtime,
  request: ApprovalRequest | string,
  by: Denier,
): Promise<void> {
  if (governance === undefined)
    throw new TypeError("a runtime without `governance` has no requests for approval");
  await governance.deny(request, by);
  const id = typeof request === "string" ? request : request.id;
  // The request is denied, even if the store can't be reached any more.
  const denied = await Promise.resolve(governance.store.readRequest(id)).catch(() => undefined);
  await discardLayers(directory, denied?.details?.trial);
}

function chooseLedger(choice: RuntimeOptions["ledger"], directory: string): LedgerStore {
  if (choice === false) return noLedger;
  if (choice !== undefined && "append" in choice) return choice;
  return createFileLedger(choice, directory);
}

let chosen: Runtime | undefined;
/**
 * The default runtime that this module made, and therefore closes. Others are closed by whoever
 * made them.
 */
let own: Runtime | undefined;

/**
 * Creates the default runtime, which calls use if they name none. Call it once, before the first
 * tool.
 *
 * @returns the new default runtime
 * @throws TypeError as `createRuntime` does
 */
export function configure<Handlers extends object = AnyHandlers, Name extends string = string>(
  options: RuntimeOptions<Handlers, Name>,
): Runtime {
  const before = own;
  own = createRuntime(options);
  chosen = own;
  // The replaced runtime gets no new calls. It closes after the ledger has the outcomes of its
  // calls in progress.
  if (before !== undefined) closeWhenIdle(before);
  return own;
}

/**
 * Makes an existing runtime the default, for example a test's. The previous default stays open, and
 * can be set again.
 *
 * @throws TypeError if the value is not a runtime. For options, use `configure`.
 */
export function setDefaultRuntime(runtime: Runtime): void {
  if (!isRuntime(runtime))
    throw new TypeError("`setDefaultRuntime` needs a runtime from `createRuntime`");
  chosen = runtime;
}

/** Returns whether a value is a runtime, rather than options for one. */
export function isRuntime(value: unknown): value is Runtime {
  return typeof value === "object" && value !== null && "surroundings" in value;
}

/** Waits without a deadline, because the process goes on. */
function closeWhenIdle(runtime: Runtime): void {
  const idle = whenIdle(runtime);
  if (idle === undefined) void runtime.close();
  else void idle.then(() => runtime.close());
}

/** Names a ledger: a folder or a store. By default the ledger of the default runtime. */
export interface LedgerChoice {
  /** Folder of ledger files. */
  readonly directory?: string;
  /** Store of your own. It comes before `directory`. */
  readonly ledger?: LedgerStore;
}

/** Filters of `queryLedger`, and the ledger to read. */
export interface LedgerQuery extends StoreQuery, LedgerChoice {}

/**
 * Yields the calls in the ledger, newest first, from all processes. It skips lines that are torn or
 * hold no record; `verifyLedger` reports them.
 *
 * @throws RangeError if the cursor, a time or the limit is not valid
 */
export async function* queryLedger({
  directory,
  ledger,
  ...query
}: LedgerQuery = {}): AsyncGenerator<LedgerCall, void, undefined> {
  yield* queryStore(storeOf({ directory, ledger }), query);
}

/**
 * Checks every record of a ledger, and lists the writes whose outcome is unknown. It reads the
 * ledger as a stream: memory grows only with the number of problems and unknown outcomes. It never
 * throws because of the ledger's content.
 */
export function verifyLedger(choice: LedgerChoice = {}): Promise<LedgerVerification> {
  return storeOf(choice).verify();
}

function storeOf({
  directory,
  ledger,
}: {
  readonly [Name in keyof LedgerChoice]: LedgerChoice[Name] | undefined;
}): LedgerStore {
  if (ledger !== undefined) return ledger;
  // The default runtime keeps no ledger, so read the files that an earlier run wrote.
  const current = chosen?.ledger === noLedger ? undefined : chosen?.ledger;
  if (directory === undefined) return current ?? createFileLedger();
  // Only the current store has the records that this process still buffers.
  const isCurrent =
    current !== undefined && "directory" in current && current.directory === resolve(directory);
  return isCurrent ? current : createFileLedger({ directory });
}

let findScoped: (() => Runtime | undefined) | undefined;

/** Lets tests give each asynchronous flow its own default runtime. */
export function scopeDefaultRuntime(find: () => Runtime | undefined): void {
  findScoped = find;
}

/** Returns the runtime of calls that name none: the configured one, or a new one with defaults. */
export function defaultRuntime(): Runtime {
  const scoped = findScoped?.();
  if (scoped !== undefined) return scoped;
  chosen ??= own = createRuntime();
  return chosen;
}

onShutdownLast(async () => {
  await Promise.all([...new Set([own, chosen])].map((each) => each?.ledger.close()));
});
