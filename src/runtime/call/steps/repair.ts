import { decisionOf } from "../../governance/governor.js";
import { repaired } from "../../governance/repair.js";
import type { AnyResult } from "../../result.js";
import type { Validator } from "../../validation/validation.js";
import type { Call } from "../call.js";
import { maskedPlace } from "../mask.js";
import { openStream } from "../open-stream.js";

/** Names of properties are the other side's, of any length and number. */
const longestPlace = 200;
const maxPlaces = 20;

/**
 * Drops from an answer what its schema doesn't declare, before it is checked. What was dropped is
 * told by its place alone.
 */
export function repair(call: Call): undefined {
  const { answered, tool } = call;
  if (tool.returns === undefined || answered === undefined || !("data" in answered))
    return undefined;
  const { returns } = tool;
  const stream = openStream(call);
  if (stream !== undefined) {
    stream.through((value) => repairedData(call, returns, value));
    return undefined;
  }
  const data = repairedData(call, returns, answered.data);
  // The same answer, with less in its data.
  if (data !== answered.data) call.answered = { ...answered, data } as AnyResult;
  return undefined;
}

/** The same data where nothing is dropped. */
function repairedData(call: Call, returns: Validator, data: unknown): unknown {
  const found = repaired(returns, data);
  if (found === undefined) return data;
  const decision = decisionOf(call);
  const { scrubber } = call.runtime.credentials;
  const shown = maskedPlace(call.tool.maskedResult ?? []);
  const dropped = found.dropped.map((place) => scrubber.scrub(shown(place)).slice(0, longestPlace));
  decision.repaired = [...new Set([...(decision.repaired ?? []), ...dropped])].slice(0, maxPlaces);
  return found.data;
}
