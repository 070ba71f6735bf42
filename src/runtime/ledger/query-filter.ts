import type { Mode } from "../tool.js";
import { type LedgerCall, statusOf, wasUnknown } from "./ledger-call.js";

/** Which calls are wanted; all that is given must hold. */
export interface QueryFilter {
  /** `tool` or `skill/tool`. */
  readonly tool?: string;
  readonly skill?: string;
  readonly mode?: Mode;
  /**
   * A result's status; `unknown` for writes that may or may not have been carried out, `settled-done` and `settled-not-done` for those of which a person found that out, `failed` for
   * other calls that threw.
   */
  readonly status?: string;
  /** The call's id, or how it begins. */
  readonly id?: string;
  /** From this time on: a date, or text that `Date` reads. */
  readonly since?: Date | string;
  /** Before this time. */
  readonly until?: Date | string;
}

/** A filter made ready for many calls. */
export interface PreparedFilter {
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
  /** Whether a line can hold a record of a wanted call: cheaper than parsing it. */
  mayHold(line: string): boolean;
  wants(call: LedgerCall): boolean;
}

/** @throws RangeError when a time is not one */
export function prepareFilter(filter: QueryFilter): PreparedFilter {
  const { skill, tool } = namesOf(filter);
  const sinceMs = timeOf("since", filter.since) ?? Number.NEGATIVE_INFINITY;
  const untilMs = timeOf("until", filter.until) ?? Number.POSITIVE_INFINITY;
  const needles = [
    ...(skill === undefined ? [] : [`"skill":${JSON.stringify(skill)}`]),
    ...(tool === undefined ? [] : [`"tool":${JSON.stringify(tool)}`]),
    ...(filter.mode === undefined ? [] : [`"mode":${JSON.stringify(filter.mode)}`]),
    // A begin record has no status; it only matters to those who look for what has no end.
    ...(filter.status === undefined || wasUnknown(filter.status)
      ? []
      : [`"status":${JSON.stringify(filter.status)}`]),
    ...(filter.id === undefined ? [] : [`"id":${JSON.stringify(filter.id).slice(0, -1)}`]),
  ];
  return {
    sinceMs,
    mayHold: (line) => needles.every((needle) => line.includes(needle)),
    wants(call) {
      const timeMs = Date.parse(call.time);
      return (
        (skill === undefined || call.skill === skill) &&
        (tool === undefined || call.tool === tool) &&
        (filter.mode === undefined || call.mode === filter.mode) &&
        (filter.status === undefined || statusOf(call) === filter.status) &&
        (filter.id === undefined || call.id.startsWith(filter.id)) &&
        timeMs >= sinceMs &&
        timeMs < untilMs
      );
    },
  };
}

/** `skill/tool` names both; a `skill` given as well must then be the same to match anything. */
function namesOf(filter: QueryFilter): { skill: string | undefined; tool: string | undefined } {
  const slash = filter.tool?.indexOf("/") ?? -1;
  if (filter.tool === undefined || slash < 0) return { skill: filter.skill, tool: filter.tool };
  const skill = filter.tool.slice(0, slash);
  const tool = filter.tool.slice(slash + 1);
  return filter.skill === undefined || filter.skill === skill
    ? { skill, tool }
    : { skill: filter.skill, tool: filter.tool };
}

function timeOf(name: string, time: Date | string | undefined): number | undefined {
  if (time === undefined) return undefined;
  const ms = typeof time === "string" ? Date.parse(time) : time.getTime();
  if (Number.isNaN(ms))
    throw new RangeError(`\`${name}\` is not a time: ${String(time).slice(0, 80)}`);
  return ms;
}
