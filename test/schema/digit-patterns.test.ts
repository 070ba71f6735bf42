import fc from "fast-check";
import { expect, test } from "vitest";
import { digitsBetween } from "../../src/schema/digit-patterns.js";

const integer = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n });
const small = fc.bigInt({ min: -1200n, max: 1200n });

test("a pattern of integers matches those from its least to its most, and no others", () => {
  const range = fc.oneof(fc.tuple(integer, integer, integer), fc.tuple(small, small, small));
  fc.assert(
    fc.property(range, ([one, other, value]) => {
      const [least, most] = one < other ? [one, other] : [other, one];
      const pattern = new RegExp(`^(?:${digitsBetween(least, most)})$`, "u");
      const near = [value, least, most, least - 1n, most + 1n, (least + most) / 2n];
      for (const each of near)
        expect(pattern.test(String(each)), `${each} in ${least}..${most}`).toBe(
          each >= least && each <= most,
        );
      expect(pattern.test(`0${value}`)).toBe(false);
    }),
  );
});
