/**
 * Implements `skillc ledger`, command by command. Each command queries the store and returns text,
 * data or a failure, and `cli/commands/ledger.ts` prints it. `render-list.ts`, `render-call.ts` and
 * `render-verify.ts` lay out text. `settle.ts` has the command that also writes to kept runs.
 * `report/` compares shadow calls with active ones.
 */
import { isUtf8 } from "node:buffer";
import { PlaceTaken } from "@skillc/runtime/internal";
import {
  earlierRollback,
  isKept,
  type LedgerCall,
  type LedgerStore,
  LedgerUnavailable,
  pruneBackups,
  type Pruning,
  queryStore,
  sealedType,
  type StoreQuery,
} from "@skillc/runtime/internal/ledger";
import { timeOption } from "../console/time-option.js";
import { reportLedger } from "./report/report.js";
import type { ConsoleStyle } from "./console-style.js";
import { printable } from "./console-style.js";
import { renderReportHtml } from "./report/html/page.js";
import { type Content, renderLedgerCall } from "./render-call.js";
import { renderLedgerList } from "./render-list.js";
import { renderReport } from "./report/render.js";
import { renderPruning, renderVerify } from "./render-verify.js";
import { unmatchedNames } from "./unmatched.js";

/** Result of a command: text for people, data for `JSON.stringify`, or a failure for people. */
export type CommandOutput = (
  { readonly text: string } | { readonly json: unknown } | { readonly failure: Failure }
) & {
  /** 0: success. 1: the ledger has problems, or lacks the requested call. 2: an option is wrong. */
  readonly exitCode: 0 | 1 | 2;
  /** Notes for the output: names in the query that never occur. */
  readonly notes?: readonly string[];
};

export interface Failure {
  readonly message: string;
  /** Right usage, on one or several lines. */
  readonly help?: string;
}

export interface LedgerOptions extends ConsoleStyle {
  readonly store: LedgerStore;
  /** Name of the store in messages: its folder, or the `${NAME}` of its URL. */
  readonly where: string;
  readonly json: boolean;
}

/**
 * Filters of `ledger list`. A time is any text that `Date` parses, or an age: `90s`, `15m`, `2h`,
 * `7d`.
 */
export type LedgerListOptions = LedgerOptions & ListFilter;

type ListFilter = Pick<
  StoreQuery,
  | "tool"
  | "skill"
  | "mode"
  | "status"
  | "limit"
  | "cursor"
  | "trace"
  | "parent"
  | keyof CallerFilter
> &
  TimeRange;

type CallerFilter = Pick<StoreQuery, "subject" | "tenant">;

interface TimeRange {
  readonly since?: string;
  readonly until?: string;
}

const defaultLimit = 20;

/**
 * Runs `skillc ledger list`: the newest calls. JSON: `{calls, cursor}`. `cursor` is null if there
 * are no more.
 */
export function ledgerList(options: LedgerListOptions): Promise<CommandOutput> {
  return orComplaint(options, async () => {
    const limit = options.limit ?? defaultLimit;
    // One more than the list shows, to find out if there are more.
    const found = await collect(options.store, queryOf(options, limit + 1));
    const calls = found.slice(0, limit);
    const cursor = found.length > limit ? calls.at(-1)?.cursor : undefined;
    const notes = await notesOn(calls, options);
    if (options.json) return { json: { calls, cursor: cursor ?? null }, exitCode: 0, ...notes };
    return { text: renderLedgerList(calls, options, cursor), exitCode: 0, ...notes };
  });
}

export type LedgerShowOptions = LedgerOptions & {
  /** Id of a call, or its beginning. */
  readonly id: string;
};

/** Runs `skillc ledger show ID`: everything about one call. JSON: the call, or `{error}`. */
export function ledgerShow(options: LedgerShowOptions): Promise<CommandOutput> {
  return orComplaint(options, async () => {
    if (options.id === "") return complaint(options, emptyId, 2);
    const found = await findCall(options);
    return "message" in found ? complaint(options, found, 1) : shown(found, options);
  });
}

/** Prints everything about one call. */
export async function shown(call: LedgerCall, options: LedgerOptions): Promise<CommandOutput> {
  const attached = await attachedTo(call, options.store);
  const contents = await contentsOf(call, options.store);
  const rollback = await earlierRollback({ ledger: options.store }, call.id);
  if (!options.json)
    return {
      text: renderLedgerCall(call, options, { attached, contents, rollback }),
      exitCode: 0,
    };
  const json = {
    ...call,
    ...(attached !== undefined && { attached: JSON.parse(attached) as unknown }),
    ...(contents.length > 0 && { contents }),
    ...(rollback !== undefined && { rolledBack: rollback }),
  };
  return { json, exitCode: 0 };
}

/** Returns the stored bytes that a call produced, as text or in base64. */
async function contentsOf(call: LedgerCall, store: LedgerStore): Promise<readonly Content[]> {
  const contents: Content[] = [];
  for (const each of call.attachments ?? []) {
    // `skillc approvals show --full` and `skillc rollback` decrypt them.
    if (each.type === sealedType) continue;
    const bytes = isKept(each) ? await store.attachments?.readBytes?.(each) : undefined;
    if (bytes === undefined) continue;
    const { name } = each;
    const buffer = Buffer.from(bytes);
    contents.push(
      isUtf8(buffer)
        ? { name, text: buffer.toString("utf8") }
        : { name, base64: buffer.toString("base64") },
    );
  }
  return contents;
}

/** Returns the whole result as JSON, if it was stored. */
async function attachedTo(call: LedgerCall, store: LedgerStore): Promise<string | undefined> {
  const attachment = call.outcome === "ended" ? call.attachment : undefined;
  return isKept(attachment) ? store.attachments?.read(attachment) : undefined;
}

/**
 * Rejects an empty id, for example from an unset variable in a script, because every id begins with
 * it.
 */
export const emptyId: Failure = {
  message: "the id is empty",
  help: "`skillc ledger list` shows ids; you can shorten an id as long as only one call begins with it",
};

/**
 * Failure for errors that the user can fix: errors of the system, and an obstacle at the folder's
 * path.
 */
export function whyNotWritten(error: unknown): Failure {
  if (error instanceof LedgerUnavailable) return failureOf(error);
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const isTheirs = cause instanceof PlaceTaken || (cause instanceof Error && "syscall" in cause);
  if (!isTheirs) throw error;
  return { message: `the ledger can't be written: ${cause.message}` };
}

function failureOf({ help, message }: LedgerUnavailable): Failure {
  return { message, ...(help !== undefined && { help }) };
}

/** Maximum number of calls to list if ids share a beginning. */
const maxMatches = 10;

/** Finds the call with this id, or the only one whose id begins with it. */
async function findCall(options: LedgerShowOptions): Promise<LedgerCall | Failure> {
  return (await findAnyCall(options)) ?? noCall(options);
}

/** Does the same; undefined if there is no such call. */
export async function findAnyCall({
  id,
  store,
}: LedgerShowOptions): Promise<LedgerCall | Failure | undefined> {
  const found = await collect(store, { id, limit: maxMatches });
  const exact = found.filter((call) => call.id === id);
  const [call, ...others] = exact.length > 0 ? exact : found;
  return others.length > 0 ? ambiguous(id, found) : call;
}

/** Says that a ledger has no such call. */
export function noCall({ id, where }: LedgerShowOptions): Failure & { readonly help: string } {
  return {
    message: `no call has an id that begins with ${quoted(id)} in ${where}`,
    help: "`skillc ledger list` shows the newest calls",
  };
}

export function quoted(text: string): string {
  return `\`${printable(text, 80)}\``;
}

function ambiguous(id: string, calls: readonly LedgerCall[]): Failure {
  return ambiguousId(
    id,
    calls.map((call) => `${quoted(call.id)} ${printable(`${call.skill}/${call.tool}`, 80)}`),
  );
}

/** @param list the calls, one a line */
export function ambiguousId(id: string, list: readonly string[]): Failure {
  return {
    message: `the ids of several calls begin with ${quoted(id)}`,
    help: ["write more characters of the id:", ...list].join("\n"),
  };
}

/**
 * Runs `skillc ledger verify`. JSON: a `LedgerVerification`. The exit code is 1 if there are
 * problems. Unknown outcomes and torn lines don't count as problems.
 */
export function ledgerVerify(options: LedgerOptions): Promise<CommandOutput> {
  return orComplaint(options, async () => {
    const found = await options.store.verify();
    const exitCode = found.problems.length === 0 ? 0 : 1;
    return options.json
      ? { json: found, exitCode }
      : { text: renderVerify(found, options), exitCode };
  });
}

export type LedgerPruneOptions = LedgerOptions & {
  /** Same format as `since` and `until`. */
  readonly before: string;
  readonly dryRun: boolean;
  readonly includeUnknown: boolean;
  /** The project's folder, which has the copies of files. */
  readonly directory: string;
};

/**
 * Runs `skillc ledger prune --before …`: removes old records, and copies of files from that time. JSON: a
 * `Pruning`. The exit code is 1
 * if the removal was rejected.
 */
export function ledgerPrune(options: LedgerPruneOptions): Promise<CommandOutput> {
  return orComplaint(options, async () => {
    const { directory, dryRun, includeUnknown, store } = options;
    if (store.prune === undefined)
      return complaint(options, { message: "this ledger's store removes no records" }, 1);
    const asked = { before: timeOption(options.before), dryRun, includeUnknown };
    const found = await store.prune(asked).catch(whyNotPruned);
    if ("message" in found) return complaint(options, found, 1);
    const failure = pruningFailure(found, options);
    if (failure !== undefined)
      return options.json ? { json: found, exitCode: 1 } : { failure, exitCode: 1 };
    const beforeMs = Date.parse(found.before);
    const copies = await pruneBackups(directory, { beforeMs, dryRun }).catch(whyNotPruned);
    if (typeof copies !== "number") return complaint(options, copies, 1);
    const pruning = { ...found, copies };
    const exitCode = 0;
    if (options.json) return { json: pruning, exitCode };
    return { text: renderPruning(pruning, options), exitCode };
  });
}

function whyNotPruned(error: unknown): Failure {
  if (error instanceof RangeError) throw error;
  return whyNotWritten(error);
}

/** Reason why nothing was removed; undefined if the removal succeeded. */
function pruningFailure(
  { problems, unknownOutcomes }: Pruning,
  { includeUnknown }: LedgerPruneOptions,
): Failure | undefined {
  if (problems > 0) {
    const what = problems === 1 ? "a problem" : `${problems} problems`;
    return {
      message: `nothing was removed: the ledger has ${what}`,
      help: "`skillc ledger verify` shows the problems; you cannot examine a record after it is removed",
    };
  }
  if (unknownOutcomes.length === 0 || includeUnknown) return undefined;
  const count = unknownOutcomes.length;
  const shown = unknownOutcomes.slice(0, maxMatches);
  const list = shown.map(
    ({ id, skill, tool }) => `${quoted(id)} ${printable(`${skill}/${tool}`, 80)}`,
  );
  return {
    message: `nothing was removed: ${count === 1 ? "a write" : `${count} writes`} of unknown outcome would be removed`,
    help: ["settle them with `skillc ledger settle`, or add `--include-unknown`:", ...list].join(
      "\n",
    ),
  };
}

export type LedgerReportOptions = Omit<LedgerOptions, "json"> &
  CallerFilter &
  TimeRange & {
    /** `tool` or `skill/tool`; all tools by default. */
    readonly tool?: string;
    readonly skill?: string;
    readonly format: "table" | "json" | "html";
  };

/**
 * Runs `skillc ledger report [TOOL]`: compares shadow calls with active ones. JSON:
 * `LedgerReport[]`. HTML: the text of one self-contained page.
 */
export function ledgerReport(options: LedgerReportOptions): Promise<CommandOutput> {
  const json = options.format === "json";
  return orComplaint({ json }, async () => {
    const reports = await reportLedger(queryStore(options.store, queryOf(options)));
    const notes = await notesOn(reports, options);
    if (json) return { json: reports, exitCode: 0, ...notes };
    const text =
      options.format === "html"
        ? renderReportHtml(reports, { made: new Date() })
        : renderReport(reports, options);
    return { text, exitCode: 0, ...notes };
  });
}

async function notesOn(
  found: readonly unknown[],
  options: ListFilter & Pick<LedgerOptions, "store">,
): Promise<Pick<CommandOutput, "notes">> {
  const notes = found.length > 0 ? [] : await unmatchedNames(options.store, options);
  return notes.length === 0 ? {} : { notes };
}

/**
 * Makes a query for a store. Unset options must be absent because of `exactOptionalPropertyTypes`.
 */
function queryOf(options: ListFilter, limit?: number): StoreQuery {
  const { cursor, mode, parent, skill, status, subject, tenant, tool, trace } = options;
  return {
    ...(cursor !== undefined && { cursor }),
    ...(limit !== undefined && { limit }),
    ...(mode !== undefined && { mode }),
    ...(skill !== undefined && { skill }),
    ...(status !== undefined && { status }),
    ...(subject !== undefined && { subject }),
    ...(tenant !== undefined && { tenant }),
    ...(tool !== undefined && { tool }),
    ...(trace !== undefined && { trace }),
    ...(parent !== undefined && { parent }),
    ...timesOf(options),
  };
}

async function collect(store: LedgerStore, query: StoreQuery): Promise<readonly LedgerCall[]> {
  const calls: LedgerCall[] = [];
  for await (const call of queryStore(store, query)) calls.push(call);
  return calls;
}

function timesOf({ since, until }: TimeRange): { since?: Date | string; until?: Date | string } {
  return {
    ...(since === undefined ? {} : { since: timeOption(since) }),
    ...(until === undefined ? {} : { until: timeOption(until) }),
  };
}

/** Wrong options and unreadable directories are the user's to mend, not bugs. */
export async function orComplaint(
  options: { readonly json: boolean },
  run: () => Promise<CommandOutput>,
): Promise<CommandOutput> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof RangeError && error.message.startsWith("`"))
      return complaint(options, wrongOption(error.message), 2);
    if (error instanceof LedgerUnavailable) return complaint(options, failureOf(error), 1);
    if (error instanceof Error && "syscall" in error)
      return complaint(options, { message: `the ledger can't be read: ${error.message}` }, 1);
    throw error;
  }
}

function wrongOption(message: string): Failure {
  if (/^`(?:before|since|until)`/.test(message))
    return { message, help: "write 2025-01-31T12:00:00Z, or how long ago: 90s, 15m, 2h, 7d" };
  return message.startsWith("`cursor`")
    ? { message, help: "copy the cursor at the end of an earlier list" }
    : { message };
}

/** Prints a failure, as JSON if the user wants JSON. */
export function complaint(
  options: { readonly json: boolean },
  failure: Failure,
  exitCode: 1 | 2,
): CommandOutput {
  const { message: error, ...help } = failure;
  return options.json ? { json: { error, ...help }, exitCode } : { failure, exitCode };
}
