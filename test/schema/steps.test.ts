/**
 * Validators take a number of steps that is linear in the value. Steps are counted: reads of a
 * property, items that are copied.
 */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { equal, equalItems, formats } from "../../src/runtime/validation/ajv.js";
import { isUrl } from "../../src/runtime/validation/formats.js";
import { mustRead } from "./read.js";
import { validatorOf } from "./validators.js";
import { runs } from "../support/runs.js";

describe("uniqueItems", () => {
  const item = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 2 },
      fc.constantFrom<unknown>(
        0,
        -0,
        1,
        1.5,
        "1",
        "",
        "a",
        true,
        false,
        null,
        "null",
        1e21,
        "__proto__",
      ),
      fc.array(tie("value"), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom("a", "b", "__proto__", "toString"), tie("value"), {
        maxKeys: 2,
      }),
    ),
  })).value;

  test("finds the items that comparing each with each would find", () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 6 }), (items) => {
        const pairs = items.flatMap((a, i) =>
          items.slice(0, i).map((b, j) => ({ i, j, same: equal(a, b) })),
        );
        const { i, j } = pairs.findLast(({ same }) => same) ?? {};
        expect(equalItems(items)).toEqual(i === undefined ? undefined : { i, j });
      }),
      { numRuns: 2000 },
    );
  });

  test.each([{}, { items: { type: "object" } }, { items: { type: "string" } }])(
    "reads each item a bounded number of times under %j",
    (more) => {
      const validate = validatorOf(mustRead({ type: "array", uniqueItems: true, ...more }));
      const readsOf = (count: number): number => {
        let reads = 0;
        const items = Array.from({ length: count }, (_, index) => ({
          get a() {
            reads += 1;
            return index;
          },
        }));
        validate(items);
        return reads;
      };
      expect(readsOf(2000)).toBeLessThanOrEqual(2 * readsOf(1000));
      expect(readsOf(1000)).toBeLessThanOrEqual(2000);
    },
  );

  test("reports which items are equal", () => {
    const validate = validatorOf(mustRead({ type: "array", uniqueItems: true }));
    expect(validate([{ a: 1, b: 2 }, 1, { b: 2, a: 1 }])).toBe(false);
    expect(validate.errors).toMatchObject([{ keyword: "uniqueItems", params: { i: 2, j: 0 } }]);
    expect(validate([1, "1", true, [1], { 0: 1 }])).toBe(true);
    expect(validate("no list")).toBe(false);
  });
});

test("errors of a referenced schema are not copied again for each item of a list", () => {
  const node = {
    type: "object",
    properties: { next: { $ref: "#/$defs/node" }, n: { type: "integer" } },
  };
  const validate = validatorOf(
    mustRead({ type: "array", items: { $ref: "#/$defs/node" }, $defs: { node } }),
  );
  const { concat } = Array.prototype;
  let copied = 0;
  Object.assign(Array.prototype, {
    concat(this: unknown[], ...more: unknown[]) {
      copied += this.length;
      return concat.apply(this, more);
    },
  });
  try {
    expect(validate(Array.from({ length: 500 }, () => ({ n: "1" })))).toBe(false);
  } finally {
    Object.assign(Array.prototype, { concat });
  }
  expect(copied).toBeLessThan(1000);
  expect(validate.errors).toHaveLength(500);
  expect(validate.errors?.at(-1)).toMatchObject({ instancePath: "/499/n", keyword: "type" });
});

describe("the format url", () => {
  const { url } = fullFormats;
  const parts = [
    "http://",
    "HTTPS://",
    "ftp:/",
    "ftp://",
    "@",
    "a",
    "b.co",
    ".",
    "-",
    ":",
    "80",
    "/",
    " ",
    "\u3000",
    "\u2028",
    "\n",
    "10.1.1.1",
    "172.16.0.1",
    "223.255.1.254",
    "1.2.3.4",
    "é",
    "\u212a",
    "ſſ",
    "😀",
    "%",
    "?q",
  ];

  test("takes the texts that ajv-formats takes", () => {
    let taken = 0;
    const text = fc
      .tuple(
        fc.constantFrom("http://", "ftp://", "https:/", ""),
        fc.array(fc.constantFrom(...parts), { maxLength: 7 }),
      )
      .map(([start, rest]) => start + rest.join(""));
    fc.assert(
      fc.property(text, (value) => {
        const expected = (url as RegExp).test(value);
        if (expected) taken += 1;
        expect([value, isUrl(value)]).toEqual([value, expected]);
      }),
      { numRuns: runs(20_000) },
    );
    expect(taken).toBeGreaterThan(runs(200));
    expect(formats["url"]?.validate).toBe(isUrl);
  });
});
