import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson, readJson, requireExact, UnheldNumber } from "../../../src/runtime/json/json.js";

/** What `parseJson` says of text that it refuses. */
function refusal(text: string): string {
  try {
    return `read as ${JSON.stringify(parseJson(text))}`;
  } catch (error) {
    if (error instanceof UnheldNumber) return error.message;
    throw error;
  }
}

const digitsLost =
  "is an integer beyond ±9007199254740991, which a JavaScript number can't represent exactly";

describe("parseJson", () => {
  test.each([
    ["653247040368672768", `the value ${digitsLost}`],
    ["-653247040368672768", `the value ${digitsLost}`],
    ['{"a": [1, {"b/c": 9007199254740993}]}', `/a/1/b~1c ${digitsLost}`],
    ['{"__proto__": 9007199254740993}', `/__proto__ ${digitsLost}`],
    ['{"a": 9007199254740993, "a": "last"}', 'read as {"a":"last"}'],
    ['{"a": "last", "a": 9007199254740993}', `/a ${digitsLost}`],
    ["[9.007199254740993e15]", `/0 ${digitsLost}`],
    ["[9007199254740993.0]", `/0 ${digitsLost}`],
    ["[9007199254740993000e-3]", `/0 ${digitsLost}`],
    ["[18446744073709551615]", `/0 ${digitsLost}`],
    ["[1e400]", "/0 is a number that is too large for JavaScript"],
    [`[${"9".repeat(400)}]`, "/0 is a number that is too large for JavaScript"],
  ])("refuses an integer that would be rounded, at its place: %s", (text, message) => {
    expect(refusal(text)).toBe(message);
  });

  test.each([
    ["9007199254740991"],
    ["9007199254740992"],
    ["-9007199254740992"],
    ["1000000000000000000000"],
    ["1e300"],
    ["9007199254740993.5"],
    ["0.12345678901234567890"],
    ['{"9007199254740993": "9007199254740993", "\\"": 1e17}'],
  ])("reads what a number holds, and fractions, as JSON.parse does: %s", (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  test("any integer comes back with the digits that it was written with, or is refused", () => {
    const bits = fc.bigInt({ min: -(2n ** 69n), max: 2n ** 69n });
    const written = fc.array(bits.map(String), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(written, fc.string(), (digits, text) => {
        const json = `{${JSON.stringify(text)}: ["\\"12", ${digits.join(" ,")}]}`;
        const isRounded = digits.map((each) => BigInt(String(Number(each))) !== BigInt(each));
        const { value, exact = value } = readJson(json);
        const [, ...read] = Object.values(exact as Record<string, unknown[]>)[0] ?? [];
        expect(read.map(String).map(BigInt)).toEqual(digits.map(BigInt));
        expect(read.map((each) => typeof each === "string")).toEqual(isRounded);
      }),
    );
  });

  test("reads a long text of digits in linear time", () => {
    const zeros = `1.${"0".repeat(2_000_000)}1`;
    expect(parseJson(`[${zeros}, 1e17]`)).toEqual([1, 1e17]);
  });
});

describe("requireExact", () => {
  const body = readJson('{"id": 653247040368672768, "id_str": "653247040368672768", "n": 5}');
  const { id, id_str, n } = body.value as Record<string, unknown>;

  test.each([[{ found: [id] }], [id], [body.value]])(
    "refuses a part with a rounded integer, and names its place in the whole: %j",
    (part) => expect(() => requireExact(part, body)).toThrow(`/id ${digitsLost}`),
  );

  test("takes a part without one", () => {
    expect(() => requireExact({ id_str, n }, body)).not.toThrow();
  });
});
