import type { Mode } from "../tool.js";
import { type LedgerCall, statusOf, wasUnknown } from "./ledger-call.js";

/** Which calls are wanted; all that is given must hold. */
export interface QueryFilter {
  /** `tool` or `skill/tool`. */
  readonly tool?: string;
  readonly skill?: string;
  readonly mode?: Mode;
  /**
   * A result's status; `unknown` for writes that may or may not have been carried out,
   * `settled-done` and `settled-not-done` for those of which a person found that out, `denied` for
   * those that governance refused, `failed` for other calls that threw.
   */
  readonly status?: string;
  /** Whom it was for, of calls that were governed. */
  readonly tenant?: string;
  /** Who made it, of calls that were governed. */
  readonly subject?: string;
  /** The trace that it belongs to. */
  readonly trace?: string;
  /** The id of the call that made it, as a whole. */
  readonly parent?: string;
  /** The call's id, or how it begins. */
  readonly id?: string;
  /** From this time on: a date, or text that `Date` reads. */
  readonly since?: Date | string;
  /** Before this time. */
  readonly until?: Date | string;
}

/** Which records a store is asked for. */
export interface RecordFilter extends QueryFilter {
  /**
   * The `cursor` of a call: only calls older than that one. Records added meanwhile don't shift it.
   */
  readonly cursor?: string;
}

/** Text that a record of a wanted call has. */
export interface FilterTerm {
  readonly field: "skill" | "tool" | "mode" | "status";
  /** One of these, as `"status":"success"`. */
  readonly texts: readonly string[];
  /** A begin record without an end will do as well. */
  readonly orOpen: boolean;
}

/** A filter made ready for many calls. */
export interface PreparedFilter {
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
  readonly untilMs: number;
  /** Each of them stands in the records of wanted calls. */
  readonly terms: readonly FilterTerm[];
  /** The same of fields that nearly every call has another value of. */
  readonly links: readonly string[];
  /** How their id begins, as JSON has it. */
  readonly idStart: string | undefined;
  /** Whether a line can hold a record of a wanted call: cheaper than parsing it. */
  mayHold(line: string): boolean;
  wants(call: LedgerCall): boolean;
}

/** @throws RangeError when a time is not one */
export function prepareFilter(filter: QueryFilter): PreparedFilter {
  const { skill, tool } = namesOf(filter);
  const sinceMs =
    filter.since === undefined ? Number.NEGATIVE_INFINITY : timeOf("since", filter.since);
  const untilMs =
    filter.until === undefined ? Number.POSITIVE_INFINITY : timeOf("until", filter.until);
  const { mode, parent, status, subject, tenant, trace } = filter;
  // A begin record has no status; it only matters to those who look for what has no end.
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
    // Summaries of files don't have these: whoever made calls is told by each.
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

/** A field as it stands in a record. */
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

/** `skill/tool` names both; a `skill` given as well must then be the same to match anything. */
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

/** Milliseconds since 1970. @throws RangeError when it is no time */
export function timeOf(name: string, time: Date | string): number {
  const ms = typeof time === "string" ? Date.parse(time) : time.getTime();
  if (Number.isNaN(ms))
    throw new RangeError(`\`${name}\` is not a time: ${String(time).slice(0, 80)}`);
  return ms;
}
