/* oxlint-disable unicorn/no-thenable -- JSON Schema has a keyword of that name */
import { expect, test } from "vitest";
import { printCode } from "../../src/core/code.js";
import type { JsonObject, JsonValue } from "../../src/core/json.js";
import { emitTypes } from "../../src/schema/emit-types.js";
import { propertyNames } from "../../src/schema/look-up.js";
import { tryAssign } from "./assignability.js";
import { choices } from "./derive-values.js";
import { mustRead } from "./read.js";
import { validatorOf } from "./validators.js";

type Pick = (count: number) => number;

const three = [0, 1, 2];

/** Choices beside each other: 3 to the power of `count` ways to fit. */
function groups(count: number, inner: JsonValue = { type: "string" }): JsonObject {
  return {
    type: "object",
    allOf: numbers(count).map((group) => ({
      anyOf: three.map((at) => ({
        properties: { [`p${group}_${at}`]: inner },
        required: [`p${group}_${at}`],
      })),
    })),
  };
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

const names = numbers(24).map((index) => `p${index}`);
const closed: JsonObject = {
  type: "object",
  additionalProperties: false,
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  allOf: numbers(8).map((group) => ({
    anyOf: three.map((at) => ({ required: [`p${group * 3 + at}`] })),
  })),
};
const byReference: JsonObject = {
  type: "object",
  allOf: numbers(10).map((group) => ({
    anyOf: three.map((at) => ({ $ref: `#/$defs/d${group}_${at}` })),
  })),
  $defs: Object.fromEntries(
    numbers(10).flatMap((group) =>
      three.map((at) => [
        `d${group}_${at}`,
        {
          type: "object",
          properties: { [`p${group}_${at}`]: { type: "string" } },
          required: [`p${group}_${at}`],
        },
      ]),
    ),
  ),
};
const conditions: JsonObject = {
  type: "object",
  allOf: numbers(14).map((at) => ({
    if: { properties: { kind: { const: at } }, required: ["kind"] },
    then: { required: [`q${at}`] },
    else: { properties: { [`z${at}`]: { type: "string" } } },
  })),
};

async function typesOf(schema: JsonObject): Promise<string> {
  const { declarations } = await emitTypes({
    schema: mustRead(schema),
    name: "Root",
    form: "input",
  });
  return printCode(declarations);
}

test.each([
  ["12 groups of three", groups(12), 100_000],
  ["three required names in each of 8 groups, closed", closed, 50_000],
  ["10 groups of three references", byReference, 100_000],
  ["14 conditions", conditions, 50_000],
  ["groups within groups", groups(4, groups(4)), 100_000],
] as const)("%s don't multiply beyond what a type can hold", async (_, schema, most) => {
  expect((await typesOf(schema)).length).toBeLessThan(most);
});

test("up to the budget, every way to fit has a type of its own", async () => {
  const text = await typesOf(groups(3));
  const [refused] = tryAssign([
    {
      declarations: text,
      values: [
        { p0_0: "x", p1_1: "x", p2_2: "x" },
        { p0_0: "x", p1_1: "x" },
      ],
    },
  ]);
  expect(refused?.refusals.map((each) => each === undefined)).toEqual([true, false]);
});

test("unions with a discriminating property are kept, however long", async () => {
  const variants = numbers(80).map((kind) => ({
    type: "object",
    properties: { kind: { const: kind } },
    required: ["kind"],
  }));
  const text = await typesOf({ allOf: [{ oneOf: variants }, { anyOf: variants }] });
  expect(
    numbers(80).filter(
      (kind) => !text.includes(`kind: ${kind}\n`) && !text.includes(`kind: ${kind};`),
    ),
  ).toEqual([]);
});

test("beyond the budget, every value that fits is still assignable, and every name is known", async () => {
  const inGroup = (group: number, at: number) => `p${group}_${at}`;
  const cases: readonly (readonly [JsonObject, (pick: Pick) => JsonValue])[] = [
    [groups(12), named(12, inGroup)],
    [closed, named(8, (group, at) => `p${group * 3 + at}`)],
    [byReference, named(10, inGroup)],
    [
      conditions,
      (pick) => ({
        kind: pick(20),
        z3: "x",
        ...Object.fromEntries(numbers(14).map((at) => [`q${at}`, pick(3)])),
      }),
    ],
    [groups(4, groups(4)), named(4, inGroup, named(4, inGroup))],
  ];
  const trials = await Promise.all(
    cases.map(async ([schema, valueFor], index) => ({
      declarations: await typesOf(schema),
      values: numbers(20).map((each) => valueFor(choices(index * 100 + each))),
    })),
  );
  trials.forEach(({ values }, index) => {
    const validate = validatorOf(mustRead(cases[index]?.[0] ?? true));
    expect(values.filter((each) => !validate(each))).toEqual([]);
  });
  const faults = tryAssign(trials).flatMap(({ faults: own, refusals }) => [
    ...own,
    ...refusals.filter((each) => each !== undefined),
  ]);
  expect(faults).toEqual([]);
  expect(propertyNames(mustRead(groups(12)), []).toSorted()).toEqual(
    numbers(12)
      .flatMap((group) => three.map((at) => `p${group}_${at}`))
      .toSorted(),
  );
});

/** One name of each group, at random. */
function named(
  count: number,
  nameOf: (group: number, at: number) => string,
  value: (pick: Pick) => JsonValue = () => "x",
): (pick: Pick) => JsonValue {
  return (pick) =>
    Object.fromEntries(numbers(count).map((group) => [nameOf(group, pick(3)), value(pick)]));
}

test("TypeScript comes to an end with a recursion of objects that two schemas describe at once", async () => {
  const next = (at: number) => ({ properties: { a: { $ref: `#/$defs/d${at % 4}` } } });
  const $defs = Object.fromEntries(
    numbers(4).map((at) => [
      `d${at}`,
      {
        type: "object",
        allOf: [next(at + 1), next(at + 2)],
        anyOf: [{ required: [`x${at}`] }, { required: [`y${at}`] }],
      },
    ]),
  );
  const all = Object.fromEntries(numbers(4).map((at) => [`x${at}`, 1]));
  const deep = numbers(6).reduce<JsonValue>((inner) => ({ ...all, a: inner }), all);
  const declarations = await typesOf({ $ref: "#/$defs/d0", $defs });
  const [tried] = tryAssign([{ declarations, values: [deep] }]);
  expect(tried?.faults).toEqual([]);
  expect(tried?.refusals).toEqual([undefined]);
});
