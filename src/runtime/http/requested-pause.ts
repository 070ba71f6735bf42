import type { IncomingHttpHeaders } from "node:http";
import { retryAfterMs } from "./retry-after.js";

/** Maximum number of characters that are read of a header. Servers' own limits are lower. */
const longest = 4096;

/**
 * Returns the pause that an answer asks for, in milliseconds; undefined if it asks for none. It
 * reads `Retry-After` of 429 and 503, and headers that report a used-up limit: `RateLimit` as a
 * list or dictionary, `RateLimit-Remaining` and `X-RateLimit-Remaining` (drafts of
 * draft-ietf-httpapi-ratelimit-headers, and their predecessors).
 *
 * @param now milliseconds since 1970
 */
export function requestedPauseMs(
  status: number,
  headers: IncomingHttpHeaders,
  now: number,
): number | undefined {
  const isRefused = status === 429 || status === 503;
  if (!isRefused && !saysWhatIsLeft(headers)) return undefined;
  const text = (name: string): string | undefined => {
    const value = headers[name];
    return (typeof value === "object" ? value.join(", ") : value)?.slice(0, longest);
  };
  const waits = [
    isRefused ? retryAfterMs(text("retry-after"), now) : undefined,
    ...listedWaits(text("ratelimit")),
    waitWhenSpent(text("ratelimit-remaining"), text("ratelimit-reset"), now),
    waitWhenSpent(text("x-ratelimit-remaining"), text("x-ratelimit-reset"), now),
  ].filter((each) => each !== undefined);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** Returns whether a header reports a rate limit; most answers have none. */
function saysWhatIsLeft(headers: IncomingHttpHeaders): boolean {
  return (
    headers["ratelimit"] !== undefined ||
    headers["ratelimit-remaining"] !== undefined ||
    headers["x-ratelimit-remaining"] !== undefined
  );
}

/** Reads `"minute";r=0;t=30, "day";r=7;t=900` or `limit=10, remaining=0, reset=30`. */
function listedWaits(header: string | undefined): readonly (number | undefined)[] {
  if (header === undefined) return [];
  // The name of a limit may be any text.
  const members = withoutTexts(header).split(",");
  const single = waitWhenSpent(
    numberIn(members, /^\s*remaining\s*=\s*(\d+)/),
    numberIn(members, /^\s*reset\s*=\s*(\d+)/),
  );
  const several = members.map((member) =>
    waitWhenSpent(numberIn([member], /;\s*r=(\d+)/), numberIn([member], /;\s*t=(\d+)/)),
  );
  return [single, ...several];
}

/** Removes quoted strings (RFC 9651, 3.3.3). A string without an end takes the rest. */
function withoutTexts(header: string): string {
  let kept = "";
  let isText = false;
  for (let at = 0; at < header.length; at += 1) {
    const character = header.charAt(at);
    if (isText && character === "\\") at += 1;
    else if (character === '"') isText = !isText;
    else if (!isText) kept += character;
  }
  return kept;
}

function numberIn(members: readonly string[], pattern: RegExp): string | undefined {
  for (const member of members) {
    const found = pattern.exec(member)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Larger numbers are a time in seconds since 1970, which some servers send in place of a duration.
 */
const firstTime = 1_000_000_000;

/** @param now if absent, the reset is always a duration in seconds */
function waitWhenSpent(
  remaining: string | undefined,
  reset: string | undefined,
  now?: number,
): number | undefined {
  if (remaining?.trim() !== "0" || reset === undefined) return undefined;
  if (!/^\s*\d+(?:\.\d+)?\s*$/.test(reset)) return undefined;
  const seconds = Number(reset);
  const isTime = now !== undefined && seconds >= firstTime;
  return isTime ? Math.max(seconds * 1000 - now, 0) : seconds * 1000;
}
