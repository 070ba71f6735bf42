import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonSchema, JsonValue } from "../../src/core/json.js";
import { oblige } from "../../src/runtime/governance/oblige.js";
import type { ObligationAction } from "../../src/runtime/governance/obligations/obligation-action.js";
import { publishedSchema } from "../../src/schema/as-published.js";
import { joinDefinitions } from "../../src/schema/joined-definitions.js";
import { obligedShape, type ValueChange } from "../../src/schema/obliged-shape.js";
import { shapesOf } from "../../src/schema/shape-of-schema.js";
import { runs } from "../support/runs.js";
import { propertyName, schemaOf } from "./arbitrary-schema.js";
import { choices, derive } from "./derive-values.js";
import { mustRead, read } from "./read.js";
import { validatorOf } from "./validators.js";

const ajv = () =>
  new Ajv2020({ ownProperties: true, strict: false, validateFormats: false, logger: false });

/** Milliseconds; more runs take longer. */
const timeout = runs(300_000);

/** The action of the runtime, and what the compiler knows about it. */
const actions: readonly [(at: readonly string[]) => ObligationAction, ValueChange["leaves"]][] = [
  [(at) => ({ do: "mask", at }), "text"],
  [(at) => ({ do: "hash", at }), "text-or-null"],
  [(at) => ({ do: "redact", at, pattern: "[a-z]" }), "texts-inside"],
  [(at) => ({ do: "drop", at }), "nothing"],
];

function afterwards(schema: JsonSchema, changes: readonly ValueChange[]): JsonSchema {
  const shapes = shapesOf(schema, "stated");
  const joined = joinDefinitions();
  const shape = changes.reduce((each, change) => obligedShape(each, change, shapes), shapes.root);
  const root = joined.takeShape(shape, shapes);
  const $defs = joined.definitions();
  return typeof root === "boolean" ? root : { ...root, ...($defs && { $defs }) };
}

const step = fc.oneof(fc.constant("*"), propertyName);
const change = fc.record({
  at: fc.array(step, { minLength: 1, maxLength: 3 }),
  action: fc.constantFrom(...actions),
  isConditional: fc.boolean(),
});

test(
  "data fit the changed schema after the obligations of the runtime",
  () => {
    let changed = 0;
    fc.assert(
      fc.property(
        schemaOf("2020-12"),
        fc.array(change, { minLength: 1, maxLength: 2 }),
        fc.nat(),
        (written, list, seed) => {
          // Ajv takes `__proto__` for no property.
          if (JSON.stringify(written).includes("__proto__")) return;
          const { lines, model } = read(written);
          if (model === undefined || lines.some((line) => line.startsWith("error"))) return;
          const changes = list.map(({ action: [, leaves], at, isConditional }) => ({
            at,
            leaves,
            isConditional,
          }));
          const accepts = ajv().compile(afterwards(model.schema, changes));
          const validate = validatorOf(model, "stated");
          const pick = choices(seed);
          for (let count = 0; count < 10; count += 1) {
            const data = derive(model.schema, model.schema, pick);
            if (!validate(data)) continue;
            const applied = list.filter(({ isConditional }) => !isConditional || pick(2) === 0);
            const after = applied.reduce(
              (result, { action: [make], at }) =>
                oblige(result, make(at), { key: new Uint8Array(32) }),
              { status: "success", data } as { readonly status: string },
            );
            const shown: unknown = "data" in after ? after.data : undefined;
            if (JSON.stringify(shown) !== JSON.stringify(data)) changed += 1;
            expect({ shown, fits: accepts(shown), errors: accepts.errors }).toMatchObject({
              fits: true,
            });
          }
        },
      ),
      { numRuns: runs(2000) },
    );
    expect(changed).toBeGreaterThan(0);
  },
  timeout,
);

const owner: JsonValue = {
  type: "object",
  additionalProperties: false,
  required: ["name", "friends"],
  properties: {
    name: { type: "string", enum: ["ada", "grace"] },
    age: { type: "integer" },
    friends: { type: "array", items: { $ref: "#" } },
  },
};

test.each<readonly [ValueChange, unknown]>([
  [{ at: ["name"], leaves: "text", isConditional: false }, { type: "string" }],
  [{ at: ["name"], leaves: "text", isConditional: true }, { type: "string" }],
  [
    { at: ["name"], leaves: "text-or-null", isConditional: false },
    { anyOf: [{ type: "string" }, { type: "null" }] },
  ],
  [{ at: ["name"], leaves: "texts-inside", isConditional: false }, { type: "string" }],
])("states the changed type precisely: %j", (each, name) => {
  const { schema } = mustRead(owner);
  expect(afterwards(schema, [each])).toMatchObject({
    type: "object",
    additionalProperties: false,
    required: ["name", "friends"],
    properties: { name, age: { type: "integer" } },
  });
});

test("a dropped property is optional, and others stay required", () => {
  const { schema } = mustRead(owner);
  const dropped = { at: ["name"], leaves: "nothing", isConditional: false } as const;
  expect(afterwards(schema, [dropped])).toMatchObject({ required: ["friends"] });
});

test("a published schema keeps what no obligation changes", () => {
  const model = mustRead(owner);
  const document = publishedSchema(model, { id: "", form: "stated" });
  const joined = joinDefinitions();
  const taken = joined.take(document, document);
  expect(taken).toMatchObject({ properties: { friends: { items: { $ref: "#/$defs/data" } } } });
  expect(joined.definitions()).toMatchObject({ data: { type: "object" } });
  expect(ajv().compile({ ...Object(taken), $defs: joined.definitions() })).toBeTypeOf("function");
});
