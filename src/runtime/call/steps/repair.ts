import { decisionOf } from "../../governance/governor.js";
import { repaired } from "../../governance/repair.js";
import type { AnyResult } from "../../result.js";
import type { Call } from "../call.js";

/** Names of properties are the other side's, of any length and number. */
const longestPlace = 200;
const mostPlaces = 20;

/**
 * Drops from an answer what its schema doesn't declare, before it is checked. What was dropped is
 * told by its place alone.
 */
export function repair(call: Call): undefined {
  const { answered, runtime, tool } = call;
  if (tool.returns === undefined || answered === undefined || !("data" in answered))
    return undefined;
  const found = repaired(tool.returns, answered.data);
  if (found === undefined) return undefined;
  // The same answer, with less in its data.
  call.answered = { ...answered, data: found.data } as AnyResult;
  decisionOf(call).repaired = found.dropped
    .slice(0, mostPlaces)
    .map((place) => runtime.credentials.scrubber.scrub(place).slice(0, longestPlace));
}
