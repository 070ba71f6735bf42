import { resolve } from "node:path";
import { type Caller, ownCaller } from "./caller.js";
import type { ApprovalRequest } from "./errors.js";
import type { Governance } from "./governance/governance.js";
import type { CredentialFunction } from "./credentials/asked-credential.js";
import { whenIdle } from "./call/calls-in-flight.js";
import { type Credentials, createCredentials } from "./credentials/credentials.js";
import type { FakeBindings } from "./call/handler-binding.js";
import type { AnyHandlers } from "./handler.js";
import { type HttpOptions, setHttpOptions } from "./http/http-options.js";
import { createFileLedger, type FileLedgerOptions } from "./ledger/files/file-store.js";
import { type LedgerStore, noLedger } from "./ledger/store.js";
import type { LedgerVerification } from "./ledger/verification.js";
import type { LedgerCall } from "./ledger/ledger-call.js";
import { queryStore, type StoreQuery } from "./ledger/query.js";
import type { Surroundings } from "./call/prerequisites.js";
import { closeParts } from "./on-close.js";
import { type Misfits, type Mode, requireMisfits, requireMode } from "./tool.js";
import type { Telemetry } from "./telemetry/telemetry.js";
import { onShutdownLast, type ShutdownOptions, waitForCalls } from "./shutdown.js";

/**
 * How calls are made. Everything has a default, so that generated tools work without any of it.
 *
 * @typeParam Handlers the `Handlers` type of generated/handlers.ts
 * @typeParam Name the `CredentialName` type of generated/credentials.ts
 */
export interface RuntimeOptions<Handlers = AnyHandlers, Name extends string = string> {
  /**
   * Values for `${NAME}`, before any other source, or functions that give them. Values and getters
   * are read once.
   */
  readonly credentials?: { readonly [N in Name]?: string | CredentialFunction };
  /**
   * Functions for tools, by `"skill/tool"`; one for a tool that has a binding takes the binding's
   * place.
   */
  readonly handlers?: Handlers;
  /**
   * A store of your own, options for the default one (files in `.skillc/ledger/`), or false to keep
   * no ledger.
   */
  readonly ledger?: LedgerStore | FileLedgerOptions | false;
  /** Overrides the mode of every tool. */
  readonly mode?: Mode;
  /**
   * What becomes of an answer of a service that doesn't fit its schema. `refuse`: the call throws, and
   * so it is when not given. `report`: it is given as it came, and told of in the ledger and in spans.
   */
  readonly misfits?: Misfits;
  /** The application's configuration: what skills' `prerequisites.config` is looked up in. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Stands in for `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folder of `.env`, skillc.yaml and `.skillc/`; the working directory by default. */
  readonly directory?: string;
  /**
   * The folder that answers are saved in whose skill says `save: true`; relative to `directory`. Made
   * where it is not there. Not given, such tools are refused.
   */
  readonly downloads?: string;
  /** Who makes the calls that say nothing of it, and that nothing else says it of. */
  readonly caller?: Caller;
  /** Who may call what, how often and where to: `governance(…)` of `@skillc/runtime/governance`. Without it every call is made. */
  readonly governance?: Governance;
  /** Spans and metrics: `telemetry()` of `@skillc/runtime/telemetry`. */
  readonly telemetry?: Telemetry;
  /** How requests over HTTP are sent: limits by origin, a proxy, HTTP/2. */
  readonly http?: HttpOptions;
  /** False: `${NAME}` comes from `credentials` alone, so that one tenant's call never sees the server's own. True by default. */
  readonly inherit?: boolean;
}

/**
 * Where calls run. Made by `createRuntime`; pass it in a call's options, or make it the default
 * with `configure`.
 */
export interface Runtime {
  readonly credentials: Credentials;
  readonly handlers: AnyHandlers;
  readonly ledger: LedgerStore;
  readonly mode: Mode | undefined;
  readonly misfits?: Misfits | undefined;
  readonly caller?: Caller | undefined;
  readonly governance?: Governance | undefined;
  readonly telemetry?: Telemetry | undefined;
  /** The project's folder. */
  readonly directory: string;
  /** The folder that answers are saved in; absolute. */
  readonly downloads?: string | undefined;
  readonly surroundings: Surroundings;
  /** Skills whose prerequisites were found to be met; they are not looked at again. */
  readonly availableSkills: Set<string>;
  /** A test's: no call of this runtime sends anything. */
  readonly fakes?: FakeBindings;
  /**
   * Approves one call: what `failure.request` of `AUTH.APPROVAL_REQUIRED` says.
   *
   * @param by who approves; never the subject that the call is made for
   * @returns the id to pass as the call's `approval`
   * @throws TypeError when nobody approves, or the caller itself; and without governance
   */
  approve(request: ApprovalRequest, by: Pick<Caller, "subject">): Promise<string>;
  /**
   * Waits for its calls under way, closes its connections over HTTP, hands over what the ledger still
   * buffers, and releases its files. The store of its governance stays open, since other runtimes may use it: whoever opened
   * it closes it, or `shutdown`.
   */
  close(options?: ShutdownOptions): Promise<void>;
}

/**
 * A runtime of its own, such as one for each tenant of a server. Tests have `createTestRuntime`, of
 * `@skillc/runtime/testing`.
 *
 * @throws TypeError for a mode that is none, or `misfits`, and for what `http` can't mean
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
    // Exact handler types are checked where the application writes them; the call path passes what
    // the tool's validator accepted.
    handlers: (options.handlers ?? {}) as AnyHandlers,
    ledger,
    mode: options.mode,
    misfits: options.misfits,
    caller: options.caller && ownCaller(options.caller),
    governance: options.governance,
    telemetry: options.telemetry,
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
        throw new TypeError("a runtime without `governance` asks for no approvals");
      return options.governance.approve(request, by);
    },
    close(closing = {}) {
      const idle = whenIdle(runtime);
      const close = () => closeParts(runtime).finally(() => ledger.close());
      return idle === undefined ? close() : waitForCalls(idle, closing).then(close);
    },
  };
  if (options.http !== undefined) setHttpOptions(runtime, options.http);
  return runtime;
}

function chooseLedger(choice: RuntimeOptions["ledger"], directory: string): LedgerStore {
  if (choice === false) return noLedger;
  if (choice !== undefined && "append" in choice) return choice;
  return createFileLedger(choice, directory);
}

let chosen: Runtime | undefined;
/** The one that was made here, and is closed here: others are their makers' to close. */
let own: Runtime | undefined;

/** Sets what calls use that name no runtime of their own. Call it once, before the first tool. */
export function configure<Handlers extends object = AnyHandlers, Name extends string = string>(
  options: RuntimeOptions<Handlers, Name>,
): Runtime {
  const before = own;
  own = createRuntime(options);
  chosen = own;
  // The runtime it replaces takes no more calls: the outcomes of those under way are recorded, then
  // what it buffered is handed over.
  if (before !== undefined) closeWhenIdle(before);
  return own;
}

/**
 * The same with a runtime that there is, such as a test's: the calls of application code, which
 * names none, use it from now on. The one before stays open, and can be set again.
 *
 * @throws TypeError for what is no runtime: options are for `configure`
 */
export function setDefaultRuntime(runtime: Runtime): void {
  if (!isRuntime(runtime))
    throw new TypeError("`setDefaultRuntime` takes a runtime, which `createRuntime` gives");
  chosen = runtime;
}

/** Whether a value that a caller passed is a runtime, and no options for one. */
export function isRuntime(value: unknown): value is Runtime {
  return typeof value === "object" && value !== null && "surroundings" in value;
}

/** However long its calls take: the process goes on. */
function closeWhenIdle(runtime: Runtime): void {
  const idle = whenIdle(runtime);
  if (idle === undefined) void runtime.close();
  else void idle.then(() => runtime.close());
}

/** Which ledger is meant. */
export interface LedgerChoice {
  /** A folder of ledger files. When neither is given: the ledger of calls that name no runtime. */
  readonly directory?: string;
  /** A store of your own. */
  readonly ledger?: LedgerStore;
}

export interface LedgerQuery extends StoreQuery, LedgerChoice {}

/**
 * The calls in the ledger, newest first, those of this process and of every other. Lines that are
 * torn or hold no record are passed over; `verifyLedger` reports them.
 *
 * @throws RangeError when the cursor, a time or the limit is not one
 */
export async function* queryLedger({
  directory,
  ledger,
  ...query
}: LedgerQuery = {}): AsyncGenerator<LedgerCall, void, undefined> {
  yield* queryStore(storeOf({ directory, ledger }), query);
}

/**
 * Checks every record of a ledger, and lists the writes whose outcome is unknown. Streams; memory
 * depends on how many problems and unknown outcomes there are. Never throws for what is in the
 * ledger.
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
  // One that keeps nothing has nothing to be asked for: what is meant are the files of before.
  const current = chosen?.ledger === noLedger ? undefined : chosen?.ledger;
  if (directory === undefined) return current ?? createFileLedger();
  // What this process still buffers is only in its own store.
  const isCurrent =
    current !== undefined && "directory" in current && current.directory === resolve(directory);
  return isCurrent ? current : createFileLedger({ directory });
}

let findScoped: (() => Runtime | undefined) | undefined;

/** Lets tests give each flow of asynchronous calls a default runtime of its own. */
export function scopeDefaultRuntime(find: () => Runtime | undefined): void {
  findScoped = find;
}

/** The runtime of calls that name none: the configured one, or one with every default. */
export function defaultRuntime(): Runtime {
  const scoped = findScoped?.();
  if (scoped !== undefined) return scoped;
  chosen ??= own = createRuntime();
  return chosen;
}

onShutdownLast(async () => {
  await Promise.all([...new Set([own, chosen])].map((each) => each?.ledger.close()));
});
