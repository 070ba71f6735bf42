import * as fc from "fast-check";
import { expect, test } from "vitest";
import { masked } from "../../../src/runtime/call/mask.js";

test("masking puts stars in place of what stands at the paths, whatever it is", () => {
  const card = { number: "4111", holder: { name: "Ada" }, codes: [1, 2], note: null };
  expect(masked({ card, id: 7 }, [["card", "number"]])).toEqual({
    card: { ...card, number: "***" },
    id: 7,
  });
  expect(masked({ card, id: 7 }, [["card"], ["id"]])).toEqual({ card: "***", id: "***" });
  expect(masked({ card }, [["card", "codes", "*"]])).toMatchObject({
    card: { codes: ["***", "***"] },
  });
  expect(masked({ card }, [["card", "*"]])).toEqual({
    card: { number: "***", holder: "***", codes: "***", note: "***" },
  });
  expect(masked("4111", [[]])).toBe("***");
});

test("a path that leads nowhere masks nothing", () => {
  const value = { a: 1, list: [{ b: 2 }] };
  const paths = [["b"], ["a", "b"], ["list", "b"], ["toString"], ["__proto__", "x"]];
  expect(masked(value, paths)).toEqual(value);
  expect(masked(value, undefined)).toBe(value);
});

test("a step into a list is `*`, and a property may be called so", () => {
  expect(masked({ list: [{ pin: 1 }, { pin: 2, x: 3 }] }, [["list", "*", "pin"]])).toEqual({
    list: [{ pin: "***" }, { pin: "***", x: 3 }],
  });
  expect(masked({ "*": 1 }, [["*"]])).toEqual({ "*": "***" });
});

test("`__proto__` is a property like any other", () => {
  const value: unknown = JSON.parse('{"__proto__": {"pin": 1}, "a": 2}');
  expect(JSON.stringify(masked(value, [["__proto__", "pin"]]))).toBe(
    '{"__proto__":{"pin":"***"},"a":2}',
  );
});

test("masking never changes the value itself", () => {
  const path = fc.array(fc.constantFrom("a", "b", "*", "__proto__"), { maxLength: 4 });
  const value = fc.object({ key: fc.constantFrom("a", "b", "__proto__"), maxDepth: 3 });
  fc.assert(
    fc.property(value, fc.array(path, { maxLength: 3 }), (given, paths) => {
      const before = JSON.stringify(given);
      masked(given, paths);
      expect(JSON.stringify(given)).toBe(before);
    }),
  );
});
