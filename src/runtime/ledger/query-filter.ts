import type { Mode } from "../tool.js";
import { type LedgerCall, statusOf, wasUnknown } from "./ledger-call.js";

/** Filters of calls. A call must match all of them. */
export interface QueryFilter {
  /** `tool` or `skill/tool`. */
  readonly tool?: string;
  /** Name of the skill. */
  readonly skill?: string;
  /** Mode of the call. */
  readonly mode?: Mode;
  /**
   * Status of the result. `unknown`: writes that may have been carried out. `settled-done` and
   * `settled-not-done`: such writes that a person has settled. `denied`: calls that governance
   * denied. `failed`: other calls that threw.
   */
  readonly status?: string;
  /** Tenant of a governed call. */
  readonly tenant?: string;
  /** Subject of a governed call. */
  readonly subject?: string;
  /** Trace that the call belongs to. */
  readonly trace?: string;
  /** Whole id of the parent call. */
  readonly parent?: string;
  /** Id of the call, or its beginning. */
  readonly id?: string;
  /** Earliest time: a date, or text that `Date` parses. */
  readonly since?: Date | string;
  /** Calls from before this time. */
  readonly until?: Date | string;
}

/** Filters of the records that a store returns. */
export interface RecordFilter extends QueryFilter {
  /**
   * The `cursor` of a call: return only older calls. Records added later don't change its position.
   */
  readonly cursor?: string;
}

/** Text that the records of matching calls contain. */
export interface FilterTerm {
  readonly field: "skill" | "tool" | "mode" | "status";
  /** The record contains one of these texts, such as `"status":"success"`. */
  readonly texts: readonly string[];
  /** True if a begin record without an end matches too. */
  readonly orOpen: boolean;
}

/** A filter prepared for many calls. */
export interface PreparedFilter {
  /** Earliest time, in milliseconds since 1970. */
  readonly sinceMs: number;
  readonly untilMs: number;
  /** Records of matching calls contain all of them. */
  readonly terms: readonly FilterTerm[];
  /** Texts of `trace` and `parent`, which have nearly as many values as there are calls. */
  readonly links: readonly string[];
  /** Beginning of the id, escaped as in JSON. */
  readonly idStart: string | undefined;
  /** Returns whether a line may hold a record of a matching call. Faster than parsing the line. */
  mayHold(line: string): boolean;
  wants(call: LedgerCall): boolean;
}

/**
 * Prepares a filter.
 *
 * @throws RangeError if a time is not valid
 */
export function prepareFilter(filter: QueryFilter): PreparedFilter {
  const { skill, tool } = namesOf(filter);
  const sinceMs =
    filter.since === undefined ? Number.NEGATIVE_INFINITY : timeOf("since", filter.since);
  const untilMs =
    filter.until === undefined ? Number.POSITIVE_INFINITY : timeOf("until", filter.until);
  const { mode, parent, status, subject, tenant, trace } = filter;
  // A begin record has no status. It matters only in searches for calls without an end.
  const orOpen = status !== undefined && wasUnknown(status);
  const terms = [
    ...termsOf("skill", skill),
    ...termsOf("tool", tool),
    ...termsOf("mode", mode),
    ...(orOpen ? termsOf("status", status, "unknown") : termsOf("status", status)),
  ].map((term) => ({ ...term, orOpen: orOpen && term.field === "status" }));
  const idStart = filter.id === undefined ? undefined : JSON.stringify(filter.id).slice(1, -1);
  const links = [...textsOf("trace", trace), ...textsOf("parent", parent)];
  const needles = [
    ...links,
    ...terms.filter((term) => !term.orOpen).flatMap(({ texts }) => texts),
    ...(idStart === undefined ? [] : [`"id":"${idStart}`]),
    // Summaries of files don't contain these fields.
    ...textsOf("tenant", tenant),
    ...textsOf("subject", subject),
  ];
  return {
    sinceMs,
    untilMs,
    terms,
    links,
    idStart,
    mayHold: (line) => needles.every((needle) => line.includes(needle)),
    wants(call) {
      const timeMs = Date.parse(call.time);
      return (
        (skill === undefined || call.skill === skill) &&
        (tool === undefined || call.tool === tool) &&
        (filter.mode === undefined || call.mode === filter.mode) &&
        (filter.status === undefined || statusOf(call) === filter.status) &&
        (filter.id === undefined || call.id.startsWith(filter.id)) &&
        (trace === undefined || call.trace === trace) &&
        (parent === undefined || call.parent === parent) &&
        (tenant === undefined || call.caller?.tenant === tenant) &&
        (subject === undefined || call.caller?.subject === subject) &&
        timeMs >= sinceMs &&
        timeMs < untilMs
      );
    },
  };
}

/** Returns a field as JSON writes it. */
function textsOf(field: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`"${field}":${JSON.stringify(value)}`];
}

function termsOf(
  field: FilterTerm["field"],
  value: string | undefined,
  ...others: readonly string[]
): readonly Omit<FilterTerm, "orOpen">[] {
  if (value === undefined) return [];
  const texts = [value, ...others].flatMap((each) => textsOf(field, each));
  return [{ field, texts }];
}

/**
 * Splits `skill/tool` into both names. If `skill` differs from a given `skill`, nothing matches.
 */
export function namesOf(filter: QueryFilter): {
  skill: string | undefined;
  tool: string | undefined;
} {
  const slash = filter.tool?.indexOf("/") ?? -1;
  if (filter.tool === undefined || slash < 0) return { skill: filter.skill, tool: filter.tool };
  const skill = filter.tool.slice(0, slash);
  const tool = filter.tool.slice(slash + 1);
  return filter.skill === undefined || filter.skill === skill
    ? { skill, tool }
    : { skill: filter.skill, tool: filter.tool };
}

/**
 * Returns a time in milliseconds since 1970.
 *
 * @throws RangeError if it is not a time
 */
export function timeOf(name: string, time: Date | string): number {
  const ms = typeof time === "string" ? Date.parse(time) : time.getTime();
  if (Number.isNaN(ms))
    throw new RangeError(`\`${name}\` is not a time: ${String(time).slice(0, 80)}`);
  return ms;
}
