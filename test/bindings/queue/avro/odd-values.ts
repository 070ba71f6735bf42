import fc from "fast-check";
import type { JsonValue } from "../../../../src/core/json.js";

/** Values of wrong types. */
export const odd: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(
    null,
    true,
    0,
    -0,
    1,
    1.5,
    128,
    2 ** 31,
    -(2 ** 31) - 1,
    2 ** 53,
    2 ** 53 - 1,
    1e39,
    3.4028234663852886e38,
    1e300,
    "",
    "0",
    "-0",
    "007",
    "123",
    "1234",
    "12.5",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "aGk=",
    "aGl=",
    "a-_=",
    "aGk",
    "AAAA",
    "OPEN",
    "open",
    "NEWS",
    "P1Y",
    "P",
    "PT",
    "P1.5D",
    "2023-02-29",
    "2024-02-29",
    "0000-02-29",
    "1900-02-29",
    "2026-1-02",
    "24:00:00",
    "23:59:60",
    "12:00",
    "12:00:00.1234567",
    "2026-01-02T03:04:05",
    "2026-01-02T03:04:05Z",
    "2026-01-02T03:04:05+24:00",
    "2026-01-02t03:04:05z",
    "2026-01-02 03:04:05Z",
    "1677-12-31T23:59:59Z",
    "2262-01-01T00:00:00Z",
    "2026-01-02T03:04:05.123456789Z",
    "2026-01-02T23:59:60Z",
    "urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8",
    "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
    "a\nb",
    "\u0000",
    "P99999999Y999999999M",
    "PT999H9999M9999.999S",
    "PT1000H",
    [],
    {},
    [null],
    { a: 1 },
    { id: 1 },
    { toString: 1 },
    { kind: "A" },
  ),
  anyJson(),
);

/** Replaces one value in the message, or removes it. */
export function withOdd(message: JsonValue, at: number, value: JsonValue | undefined): JsonValue {
  let left = at % countOf(message);
  const replaced = (each: JsonValue): JsonValue | undefined => {
    if (left-- === 0) return value;
    if (Array.isArray(each)) return each.map((item: JsonValue) => replaced(item) ?? null);
    if (typeof each !== "object" || each === null) return each;
    return Object.fromEntries(
      Object.entries(each).flatMap(([key, inner]) => {
        const now = replaced(inner as JsonValue);
        return now === undefined ? [] : [[key, now]];
      }),
    );
  };
  return replaced(message) ?? null;
}

function countOf(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>(
    (count, each) => count + countOf(each as JsonValue),
    1,
  );
}

function anyJson(): fc.Arbitrary<JsonValue> {
  // The declared type has mutable lists.
  return fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>;
}
