/**
 * The entries of a run: its beginning, then its events. An entry has a header that anyone may read
 * (ids, times, states) and a sealed text with everything else. The header is authenticated too. An
 * event is sealed for its run, its position and the entry before it. So entries can't be changed,
 * swapped, dropped in the middle or moved to another run. Whoever may write the store can still
 * remove the last entries, or the whole run.
 */
import { createHash } from "node:crypto";
import { deriveSeal, keyName, requireKey, type Seal, tagOf } from "../seal.js";
import { isRunState, stateAfter, type RunStateAt } from "./run-state.js";
import {
  type KeptEvent,
  type RunBeginning,
  type RunEvent,
  type RunId,
  RunStoreError,
  type RunSummary,
} from "./store.js";

/** An entry as a store keeps it. */
export interface SealedEntry {
  /** JSON on one line. */
  readonly header: string;
  readonly sealed: Uint8Array;
}

/** The part of a run that anyone may read. */
interface RunHeader {
  /** Version of the format. */
  readonly v: number;
  /** Name of the key. */
  readonly key: string;
  readonly id: string;
  readonly tenant?: string | undefined;
  readonly tool: string;
  readonly subject?: string | undefined;
  readonly trace: string;
  readonly at: string;
}

/** The part of an event that anyone may read. */
interface EventHeader extends RunStateAt {
  readonly n: number;
  readonly type: RunEvent["type"];
  readonly at: string;
}

/** The end of a run, where the next event is added. */
export interface RunEnd extends RunStateAt {
  readonly run: RunId;
  /** Number of events. */
  readonly count: number;
  /** Tag of the last entry. */
  readonly tag: string;
}

const version = 1;
const purpose = "runs";

/**
 * Returns a digest of a run's name, which can name a file. The digest hides nothing: ids are
 * readable in the entries.
 */
export function digestOfRun({ id, tenant }: RunId): string {
  return createHash("sha256")
    .update(JSON.stringify([tenant ?? null, id]))
    .digest("hex");
}

/** Quotes a run's id for a message. */
export function quotedRun({ id }: RunId): string {
  return `the run ${JSON.stringify(id)}`;
}

/** Seals and opens the entries of runs. */
export class RunSeal {
  readonly #seal: Seal;
  readonly #keyName: string;

  /**
   * @param owner name of the function that the application called, in messages
   * @throws TypeError if the key is missing or has another length
   */
  constructor(key: Uint8Array | string | undefined, owner: string) {
    const secret = requireKey(key, owner, "runs");
    this.#seal = deriveSeal(secret, purpose);
    this.#keyName = keyName(secret, purpose);
  }

  sealBeginning(run: RunId, beginning: RunBeginning, at: string): SealedEntry {
    const { driver, files, manifests, params, subject, tool, trace } = beginning;
    const { id, tenant } = run;
    const fields: RunHeader = {
      v: version,
      key: this.#keyName,
      id,
      tenant,
      tool,
      subject,
      trace,
      at,
    };
    const header = JSON.stringify(fields);
    const context = contextOf("beginning", run, header);
    const text = storedText(
      { params, manifests, files, driver },
      `the parameters of ${quotedRun(run)}`,
    );
    return { header, sealed: this.#seal.seal(text.json, context) };
  }

  /**
   * Opens a beginning, and returns the end of a run without events.
   *
   * @param where place of the entry, in messages
   * @throws RunStoreError if it was changed, or sealed with another key
   */
  openBeginning(
    run: RunId,
    { header, sealed }: SealedEntry,
    where: string,
  ): { readonly beginning: RunBeginning; readonly begunAt: string; readonly end: RunEnd } {
    const { at, key, subject, tool, trace } = readRunHeader(header, where);
    if (key !== this.#keyName)
      throw new RunStoreError(
        "other-key",
        `${where} was stored with another key`,
        "open the store with the key that it was written with",
      );
    const text = this.#open(sealed, contextOf("beginning", run, header), where);
    // `sealBeginning` wrote the text.
    const own = JSON.parse(text) as Pick<RunBeginning, "driver" | "files" | "manifests" | "params">;
    const end: RunEnd = { run, count: 0, tag: tagOf(sealed), state: "unfinished" };
    return { beginning: { tool, subject, trace, ...own }, begunAt: at, end };
  }

  /**
   * Seals an event behind the end of a run.
   *
   * @param event the event, as JSON
   */
  sealEvent(
    before: RunEnd,
    event: PreparedEvent,
    at: string,
  ): { readonly entry: SealedEntry; readonly end: RunEnd } {
    const { count, run, tag } = before;
    const { state, status } = stateAfter(before, event);
    const fields: EventHeader = { n: count, type: event.type, at, state, status };
    const header = JSON.stringify(fields);
    const sealed = this.#seal.seal(event.json, contextOf("event", run, header, count, tag));
    return {
      entry: { header, sealed },
      end: { run, count: count + 1, tag: tagOf(sealed), state, status },
    };
  }

  /**
   * Opens the event behind the end of a run.
   *
   * @throws RunStoreError if it was changed, or belongs to another place
   */
  openEvent(
    before: RunEnd,
    { header, sealed }: SealedEntry,
    where: string,
  ): { readonly event: KeptEvent; readonly end: RunEnd } {
    const { count, run, tag } = before;
    const { at, state, status } = readEventHeader(header, where);
    const text = this.#open(sealed, contextOf("event", run, header, count, tag), where);
    // `sealEvent` wrote the text.
    const event = JSON.parse(text) as RunEvent;
    return {
      event: { ...event, at },
      end: { run, count: count + 1, tag: tagOf(sealed), state, status },
    };
  }

  #open(sealed: Uint8Array, context: string, where: string): string {
    try {
      return this.#seal.open(sealed, context);
    } catch {
      throw changed(where);
    }
  }
}

/** An event that waits to be sealed. */
export interface PreparedEvent {
  readonly type: RunEvent["type"];
  /** Status of an `ended` event. */
  readonly status?: string;
  readonly json: string;
  /** Length of `json` in UTF-8. */
  readonly bytes: number;
}

/**
 * Copies an event, which the application may change later.
 *
 * @throws RunStoreError if the event is too large
 */
export function prepareEvent(run: RunId, event: RunEvent): PreparedEvent {
  const { type } = event;
  const what = `the event \`${type}\` of ${quotedRun(run)}`;
  return { type, ...storedText(event, what), ...(type === "ended" && { status: event.status }) };
}

/**
 * Maximum length of a stored text, in bytes. Its base64 text must fit into a string of JavaScript,
 * and into a value of PostgreSQL.
 */
const maxTextBytes = 256 * 1024 * 1024;

function storedText(
  value: object,
  what: string,
): { readonly json: string; readonly bytes: number } {
  const json = jsonOrNothing(value);
  const bytes = json === undefined ? Number.POSITIVE_INFINITY : Buffer.byteLength(json);
  if (json !== undefined && bytes <= maxTextBytes) return { json, bytes };
  throw new RunStoreError(
    "too-large",
    `${what} can't be stored: it has more than 256 MiB as JSON, or is nested too deeply`,
    "let the tool give a shorter answer, such as a page, or a reference to the data",
  );
}

/** Returns undefined if the text is too long for JavaScript, or the value is nested too deeply. */
function jsonOrNothing(value: object): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Returns what a list shows of a run.
 *
 * @param last header of the last event; undefined if there is none
 * @throws RunStoreError if a header was changed
 */
export function summaryOf(header: string, last: string | undefined, where: string): RunSummary {
  const { at: begunAt, id, subject, tenant, tool, trace } = readRunHeader(header, where);
  const known = last === undefined ? undefined : readEventHeader(last, where);
  return {
    run: { id, ...(tenant !== undefined && { tenant }) },
    tool,
    ...(subject !== undefined && { subject }),
    trace,
    state: known?.state ?? "unfinished",
    ...(known?.status !== undefined && { status: known.status }),
    begunAt,
    changedAt: known?.at ?? begunAt,
  };
}

function readRunHeader(header: string, where: string): RunHeader {
  const fields = readHeader(header, where);
  if (typeof fields.v === "number" && fields.v > version)
    throw new RunStoreError(
      "newer",
      `${where} was stored by a later version of skillc`,
      "update `@skillc/runtime`",
    );
  if (!isRunHeader(fields)) throw changed(where);
  return fields;
}

function isRunHeader(fields: Fields<RunHeader>): fields is RunHeader {
  const { at, id, key, subject, tenant, tool, trace, v } = fields;
  const areTexts = [at, id, key, tool, trace].every((each) => typeof each === "string");
  return typeof v === "number" && areTexts && isTextOrAbsent(subject) && isTextOrAbsent(tenant);
}

function readEventHeader(header: string, where: string): ReadEventHeader {
  const fields = readHeader(header, where);
  if (!isEventHeader(fields)) throw changed(where);
  return fields;
}

/** The part of an event's header that a reader needs. */
type ReadEventHeader = Pick<EventHeader, "at" | "state" | "status">;

function isEventHeader(fields: Fields<ReadEventHeader>): fields is ReadEventHeader {
  const { at, state, status } = fields;
  return typeof at === "string" && isRunState(state) && isTextOrAbsent(status);
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

/** The fields of a header before anybody has checked them. */
type Fields<Header> = { readonly [Name in keyof Header]?: unknown };

function readHeader(header: string, where: string): Fields<RunHeader & EventHeader> {
  try {
    const fields: unknown = JSON.parse(header);
    if (typeof fields === "object" && fields !== null) return fields;
  } catch {
    // Reported below.
  }
  throw changed(where);
}

/** Makes the error for an entry that doesn't open. */
export function changed(where: string): RunStoreError {
  return new RunStoreError(
    "changed",
    `${where} was changed, or is damaged`,
    "restore it from a backup, or begin a new run with another id after you have checked in the ledger what this run has done",
  );
}

function contextOf(
  kind: "beginning" | "event",
  { id, tenant = null }: { readonly id: string; readonly tenant?: string | null | undefined },
  header: string,
  ...place: readonly (string | number)[]
): string {
  return JSON.stringify([kind, tenant, id, header, ...place]);
}
