/** Where no misfit is found, every value of the one schema is a value of the other; and a schema fits itself, and those that ask for less. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonSchema } from "../../src/core/json.js";
import { acceptor } from "../../src/schema/fit/accepts-value.js";
import { misfits } from "../../src/schema/fit/misfits.js";
import { root } from "./arbitrary-fitting.js";
import { pair, wider } from "./arbitrary-pairs.js";
import { choices, derive } from "./derive-values.js";
import { runs } from "../support/runs.js";

const numRuns = runs(2500);

const between = (given: JsonSchema, wanted: JsonSchema) =>
  misfits({ schema: given, root: given }, { schema: wanted, root: wanted });

/** What the fitting schemas said, so that each kind of them is known to be reached. */
const reached = [
  "patternProperties",
  "unevaluatedItems",
  "unevaluatedProperties",
  "format",
  "enum",
];

test("what has no misfit fits", () => {
  const fitting = new Map<string, number>();
  fc.assert(
    fc.property(pair, fc.nat(), ([given, wanted], seed) => {
      if (between(given, wanted).length > 0) return;
      const [isGiven, isWanted] = [given, wanted].map((each) =>
        acceptor({ schema: each, root: each }),
      );
      const pick = choices(seed);
      const text = JSON.stringify(wanted);
      for (let count = 0; count < 10; count += 1) {
        const value = derive(given, given, pick);
        if (isGiven?.(value) !== true) continue;
        expect([value, isWanted?.(value)]).toEqual([value, true]);
        for (const name of reached)
          if (text.includes(`"${name}"`)) fitting.set(name, (fitting.get(name) ?? 0) + 1);
      }
    }),
    { numRuns },
  );
  for (const name of reached)
    expect([name, fitting.get(name) ?? 0]).toEqual([
      name,
      expect.toSatisfy((count: number) => count > runs(10)),
    ]);
});

test("a schema fits itself", () => {
  fc.assert(
    fc.property(root, (schema) => {
      expect(between(schema, structuredClone(schema))).toEqual([]);
    }),
    { numRuns },
  );
});

test("no error is made of a schema that asks for less", () => {
  fc.assert(
    fc.property(wider, ([given, wanted]) => {
      expect(between(given, wanted).filter(({ fit }) => fit === "no")).toEqual([]);
    }),
    { numRuns },
  );
});
