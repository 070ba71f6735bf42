import type { IncomingHttpHeaders } from "node:http";
import { describe, expect, test } from "vitest";
import { requestedPauseMs } from "../../../src/runtime/http/requested-pause.js";

const now = Date.parse("2026-03-01T12:00:00Z");
const asked = (headers: IncomingHttpHeaders, status = 200) =>
  requestedPauseMs(status, headers, now);

describe("the pause that an answer asks for", () => {
  test.each([429, 503])("the pause is its Retry-After if it has the status %i", (status) => {
    expect(asked({ "retry-after": "7" }, status)).toBe(7000);
    expect(asked({ "retry-after": "Sun, 01 Mar 2026 12:00:30 GMT" }, status)).toBe(30_000);
  });

  test("ignores the Retry-After of any other status, which concerns that answer alone", () => {
    expect(asked({ "retry-after": "7" }, 202)).toBeUndefined();
    expect(asked({ "retry-after": "7" }, 301)).toBeUndefined();
  });

  test.each<[string, IncomingHttpHeaders, number | undefined]>([
    ["a list of limits", { ratelimit: '"minute";r=0;t=30' }, 30_000],
    [
      "the longest of several limits",
      { ratelimit: '"a";r=0;t=3, "b";r=0;t=9, "c";r=5;t=99' },
      9000,
    ],
    ["parameters in another order", { ratelimit: '"a";t=4;pk=:c2s=:;r=0' }, 4000],
    [
      "a limit's name that looks like parameters",
      { ratelimit: '"x;r=0;t=50, y";r=3;t=1' },
      undefined,
    ],
    ["a limit's name with quotes in it", { ratelimit: '"a\\\";r=0;t=50";r=0;t=7' }, 7000],
    ["a limit of which something is left", { ratelimit: '"minute";r=1;t=30' }, undefined],
    ["a limit that doesn't say when it begins anew", { ratelimit: '"minute";r=0' }, undefined],
    ["a dictionary", { ratelimit: "limit=10, remaining=0, reset=12" }, 12_000],
    [
      "a dictionary with something left",
      { ratelimit: "limit=10, remaining=2, reset=12" },
      undefined,
    ],
    [
      "three headers",
      { "ratelimit-limit": "10", "ratelimit-remaining": "0", "ratelimit-reset": "5" },
      5000,
    ],
    [
      "three headers with something left",
      { "ratelimit-remaining": "1", "ratelimit-reset": "5" },
      undefined,
    ],
    ["X-RateLimit in seconds", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "8" }, 8000],
    [
      "X-RateLimit in seconds since 1970",
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(now / 1000 + 20) },
      20_000,
    ],
    [
      "a time that is over",
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(now / 1000 - 20) },
      0,
    ],
    ["an invalid number", { "ratelimit-remaining": "0", "ratelimit-reset": "soon" }, undefined],
    ["an invalid list", { ratelimit: '";;r=0,t=' }, undefined],
  ])("reads the pause from %s", (_, headers, expected) => {
    expect(asked(headers)).toBe(expected);
  });

  test("the pause is the longest of several headers", () => {
    const headers = {
      "retry-after": "3",
      ratelimit: '"a";r=0;t=9',
      "ratelimit-remaining": "0",
      "ratelimit-reset": "5",
    };
    expect(asked(headers, 429)).toBe(9000);
  });
});
