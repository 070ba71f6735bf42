/** What a verdict promises, for any two schemas: nothing breaks where none is major. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  compareParameters,
  compareResults,
} from "../../../src/compiler/compare-tools/compare-schemas.js";
import type { FieldDifference } from "../../../src/compiler/compare-tools/difference.js";
import { changeRules } from "../../../src/compiler/compare-tools/rules.js";
import { pair } from "../../schema/arbitrary-pairs.js";
import { ajvAcceptor } from "../../schema/compare/ajv-acceptor.js";
import { choices, derive } from "../../schema/derive-values.js";
import { runs } from "../../support/runs.js";

const numRuns = runs(1500);

const isMajor = ({ rule }: FieldDifference) => changeRules[rule].verdict === "major";
const isAdded = ({ rule }: FieldDifference) => rule === "parameter-added";

test("arguments that were right stay right where no change of parameters is major", () => {
  let seen = 0;
  fc.assert(
    fc.property(pair, fc.nat(), ([old, now], seed) => {
      const found = compareParameters(old, now);
      // In an open object the new one's name could hold anything: told as a parameter more.
      if (found.some((each) => isMajor(each) || isAdded(each))) return;
      const [wasRight, isRight] = [old, now].map((each) => ajvAcceptor(each));
      const pick = choices(seed);
      for (let count = 0; count < 10; count += 1) {
        const value = derive(old, old, pick);
        if (wasRight?.(value) !== true) continue;
        seen += 1;
        expect([value, isRight?.(value)]).toEqual([value, true]);
      }
    }),
    { numRuns },
  );
  expect(seen).toBeGreaterThan(runs(100));
});

test("results are what readers were promised where no change of results is major", () => {
  let seen = 0;
  fc.assert(
    fc.property(pair, fc.nat(), ([now, old], seed) => {
      if (compareResults(old, now).some(isMajor)) return;
      const [isGiven, wasPromised] = [now, old].map((each) => ajvAcceptor(each));
      const pick = choices(seed);
      for (let count = 0; count < 10; count += 1) {
        const value = derive(now, now, pick);
        if (isGiven?.(value) !== true) continue;
        seen += 1;
        expect([value, wasPromised?.(value)]).toEqual([value, true]);
      }
    }),
    { numRuns },
  );
  expect(seen).toBeGreaterThan(runs(100));
});

test("a schema doesn't differ from itself", () => {
  fc.assert(
    fc.property(pair, ([schema]) => {
      const copy = structuredClone(schema);
      expect(compareParameters(schema, copy)).toEqual([]);
      expect(compareResults(schema, copy)).toEqual([]);
    }),
    { numRuns },
  );
});

test.each([
  ["that others could have", { additionalProperties: { type: "integer" } }],
  ["of a pattern", { patternProperties: { "^x": { type: "integer" } } }],
])("a name %s was not free for a parameter of another type", (_, others) => {
  const old = { type: "object", ...others };
  const now = { ...old, properties: { x: { type: "string" } } };
  const found = compareParameters(old, now).filter(isMajor);
  expect(found.map(({ at }) => at)).toEqual(["/x"]);
});

test("a new property of another type breaks callers if other names were allowed before", () => {
  const old = { type: "object", additionalProperties: { type: "integer" } };
  const now = { ...old, properties: { x: { type: "string" } } };
  const found = compareResults(old, now).filter(isMajor);
  expect(found.map(({ at, rule }) => [rule, at])).toEqual([["result-wider", "/x"]]);
});

test("an object that is closed takes less, and one that is opened gives more", () => {
  const open = { type: "object", properties: { a: { type: "string" } } };
  const closed = { ...open, additionalProperties: false };
  expect(compareParameters(open, closed).map(({ rule }) => rule)).toEqual(["parameter-narrower"]);
  expect(compareParameters(closed, open).map(({ rule }) => rule)).toEqual(["parameter-wider"]);
  expect(compareResults(closed, open).map(({ rule }) => rule)).toEqual(["result-wider"]);
  expect(compareResults(open, closed).map(({ rule }) => rule)).toEqual(["result-narrower"]);
});
