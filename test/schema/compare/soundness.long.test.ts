/**
 * Where no mismatch is found, every value of the one schema is a value of the other; and a schema
 * fits itself, and those that ask for less.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../../src/core/json.js";
import { ajvAcceptor } from "./ajv-acceptor.js";
import { areDisjoint, compare } from "../../../src/schema/compare/compare.js";
import { root } from "../arbitrary-fitting.js";
import { pair, wider } from "../arbitrary-pairs.js";
import { schemaOf } from "../arbitrary-schema.js";
import { choices, derive } from "../derive-values.js";
import { read } from "../read.js";
import { runs } from "../../support/runs.js";

const numRuns = runs(2500);
const anySchema = schemaOf("2020-12");

const between = (given: JsonSchema, wanted: JsonSchema) =>
  compare({ schema: given, root: given }, { schema: wanted, root: wanted });

/** What the fitting schemas said, so that each kind of them is known to be reached. */
const reached = [
  "patternProperties",
  "unevaluatedItems",
  "unevaluatedProperties",
  "format",
  "enum",
];

test("every value fits if no mismatch is found", () => {
  const fitting = new Map<string, number>();
  fc.assert(
    fc.property(pair, fc.nat(), ([given, wanted], seed) => {
      if (between(given, wanted).length > 0) return;
      const [isGiven, isWanted] = [given, wanted].map((each) => ajvAcceptor(each));
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

/** Pairs over every keyword, of which the second often takes what the first gives. */
const related = fc
  .tuple(anySchema, anySchema, fc.nat(5))
  .map(([one, other, how]): readonly [JsonValue, JsonValue] => {
    const [a, b] = [one, other].map((each) => (isJsonObject(each) ? each : {}));
    const { $schema, $defs, ...own } = a ?? {};
    const { $schema: _, $defs: others, ...rest } = b ?? {};
    const document = (schema: JsonObject): JsonValue => ({
      ...schema,
      $defs: { ...(isJsonObject(others) ? others : {}), ...(isJsonObject($defs) ? $defs : {}) },
      ...($schema !== undefined && { $schema }),
    });
    switch (how) {
      case 0:
        return [document(own), document({ anyOf: [rest, own] })];
      case 1:
        return [document({ allOf: [own, rest] }), document(own)];
      case 2:
        return [document(own), document({ oneOf: [own, rest] })];
      case 3:
        return [document({ ...own, ...rest }), document(rest)];
      case 4:
        return [document(own), document({ not: { not: own } })];
      default:
        return [document({ not: rest, ...own }), document(own)];
    }
  });

/** The two documents as they are read, where both can be. */
function readPair([given, wanted]: readonly [JsonValue, JsonValue]): readonly JsonSchema[] {
  return [given, wanted].flatMap((each): readonly JsonSchema[] => {
    const { model } = read(each);
    return model === undefined ? [] : [model.schema];
  });
}

test(
  "a schema that fits fits with ten thousand random values",
  () => {
    const many = runs(10_000);
    const wrong: JsonValue[] = [];
    let pairs = 0;
    let values = 0;
    for (const [index, each] of fc.sample(related, { numRuns: runs(500), seed: 2020 }).entries()) {
      const [given, wanted] = readPair(each);
      if (given === undefined || wanted === undefined) continue;
      if (between(given, wanted).length > 0) continue;
      const [isGiven, isWanted] = [ajvAcceptor(given), ajvAcceptor(wanted)];
      const pick = choices(index);
      pairs += 1;
      for (let left = many; left > 0; left -= 1) {
        const value = derive(given, given, pick);
        if (!isGiven(value)) continue;
        values += 1;
        if (!isWanted(value)) wrong.push({ given, wanted, value });
      }
    }
    expect(wrong).toEqual([]);
    expect(pairs).toBeGreaterThan(runs(30));
    expect(values).toBeGreaterThan((pairs * many) / 10);
  },
  runs(600_000),
);

test("no value belongs to two schemas that are reported as disjoint", () => {
  let disjoint = 0;
  fc.assert(
    fc.property(fc.oneof(related, fc.tuple(anySchema, anySchema)), fc.nat(), (both, seed) => {
      const [one, other] = readPair(both);
      if (one === undefined || other === undefined) return;
      if (!areDisjoint({ schema: one, root: one }, { schema: other, root: other })) return;
      disjoint += 1;
      const [isOne, isOther] = [ajvAcceptor(one), ajvAcceptor(other)];
      const pick = choices(seed);
      for (let count = 0; count < 40; count += 1) {
        const schema = count % 2 === 0 ? one : other;
        const value = derive(schema, schema, pick);
        expect([value, isOne(value) && isOther(value)]).toEqual([value, false]);
      }
    }),
    { numRuns },
  );
  expect(disjoint).toBeGreaterThan(runs(100));
});

test("a mismatch of the whole value leaves no value but null", () => {
  let certain = 0;
  fc.assert(
    fc.property(fc.oneof(related, fc.tuple(anySchema, anySchema)), fc.nat(), (both, seed) => {
      const [given, wanted] = readPair(both);
      if (given === undefined || wanted === undefined) return;
      const all = between(given, wanted);
      const isNone = all.some(
        ({ fits, kind, ofNull, path }) =>
          path.length === 0 && kind === "value" && fits === "no" && !ofNull,
      );
      if (!isNone) return;
      certain += 1;
      const [isGiven, isWanted] = [ajvAcceptor(given), ajvAcceptor(wanted)];
      const pick = choices(seed);
      for (let count = 0; count < 40; count += 1) {
        const value = derive(
          count % 2 === 0 ? given : wanted,
          count % 2 === 0 ? given : wanted,
          pick,
        );
        if (value === null) continue;
        expect([value, isGiven(value) && isWanted(value)]).toEqual([value, false]);
      }
    }),
    { numRuns },
  );
  expect(certain).toBeGreaterThan(runs(50));
});

test("a schema fits itself", () => {
  fc.assert(
    fc.property(root, (schema) => {
      expect(between(schema, structuredClone(schema))).toEqual([]);
    }),
    { numRuns },
  );
});

test("a schema with fewer rules causes no error", () => {
  fc.assert(
    fc.property(wider, ([given, wanted]) => {
      expect(between(given, wanted).filter(({ fits }) => fits === "no")).toEqual([]);
    }),
    { numRuns },
  );
});
