import { decisionOf } from "../../governance/governor.js";
import { repaired } from "../../governance/repair.js";
import type { AnyResult } from "../../result.js";
import type { Validator } from "../../validation/validation.js";
import type { Call } from "../call.js";
import { maskedPlace } from "../mask.js";
import { openStream } from "../open-stream.js";

/** Limits of recorded places. The service chooses the property names, of any length and number. */
const longestPlace = 200;
const maxPlaces = 20;

/**
 * Drops undeclared properties from an answer before it is validated. Only their places are
 * recorded.
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
  // The same answer with less data.
  if (data !== answered.data) call.answered = { ...answered, data } as AnyResult;
  return undefined;
}

/** Returns the same data if nothing is dropped. */
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
