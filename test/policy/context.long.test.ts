import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../src/core/json.js";
import { cedarType } from "../../src/policy/cedar-schema.js";
import { contextFieldOf, contextMapping } from "../../src/policy/context-field.js";
import { withDefaults } from "../../src/runtime/call/defaults.js";
import { cedarValue, roundedPlaces } from "../../src/runtime/governance/cedar/context.js";
import { openCedar } from "../../src/runtime/governance/cedar/engine.js";
import type { ContextField } from "../../src/runtime/governance/policy.js";
import { defaultsOf } from "../../src/schema/defaults.js";
import type { Dialect } from "../../src/schema/keywords.js";
import { schemaOf } from "../schema/arbitrary-schema.js";
import { schema as fittingSchema } from "../schema/arbitrary-fitting.js";
import { choices, derive } from "../schema/derive-values.js";
import { mustRead, read } from "../schema/read.js";
import { validatorOf } from "../schema/validators.js";
import { runs } from "../support/runs.js";
import { parametersAndArguments } from "./arbitrary-parameters.js";

/** What Cedar says of a call with these arguments, by a schema that says no more than they. */
async function engineFor(field: ContextField) {
  const schema: JsonValue = {
    "": {
      entityTypes: { Caller: { memberOfTypes: ["Role", "Tenant"] }, Role: {}, Tenant: {} },
      actions: {
        "a/b": {
          appliesTo: {
            principalTypes: ["Caller"],
            resourceTypes: ["Tenant"],
            context: { type: "Record", attributes: { args: cedarType(field) } },
          },
        },
      },
    },
  };
  const policies = { all: "permit(principal, action, resource);" };
  const engine = await openCedar({ schema, policies, approvals: {} });
  return (args: unknown) => {
    const value = cedarValue(field, args);
    return engine.decide({
      principal: "",
      roles: [],
      tenant: "",
      action: "a/b",
      context: value === undefined ? {} : { args: value },
    });
  };
}

/** Loads Cedar before anything is timed. */
beforeAll(() => engineFor({ as: "record", fields: [] }));

const allowed = { decision: "allow", policies: ["all"] };

describe("the context of a call", () => {
  const dialects: readonly Dialect[] = ["draft-07", "2019-09", "2020-12"];
  const schemas = fc.oneof(...dialects.map(schemaOf), fittingSchema).map((schema): JsonValue => {
    const root = typeof schema === "object" && schema !== null ? (schema as JsonObject) : {};
    return { ...root, type: "object" };
  });

  test(
    "gets accepted by Cedar for every valid schema and all valid arguments",
    async () => {
      let accepted = 0;
      let said = 0;
      await fc.assert(
        fc.asyncProperty(schemas, fc.nat(), async (schema, seed) => {
          const { model, lines } = read(schema);
          if (model === undefined || lines.some((line) => line.startsWith("error"))) return;
          const validate = validatorOf(model);
          const field = contextFieldOf(model);
          const decide = await engineFor(field);
          const defaults = defaultsOf(model);
          const pick = choices(seed);
          for (let count = 0; count < 8; count += 1) {
            const params = derive(model.schema, model.schema, pick);
            // Tools take objects.
            if (typeof params !== "object" || params === null || Array.isArray(params)) continue;
            if (!validate(params)) continue;
            const args = defaults === undefined ? params : withDefaults(params, defaults);
            accepted += 1;
            if (field.as === "record" && field.fields.length > 0) said += 1;
            expect([decide(args), args, field]).toEqual([allowed, args, field]);
          }
        }),
        { numRuns: runs(2000), seed: 13 },
      );
      expect(accepted).toBeGreaterThan(runs(1000));
      expect(said).toBeGreaterThan(runs(300));
    },
    runs(600_000),
  );

  test(
    "gets accepted by Cedar for the parameters of real tools and arguments of every kind",
    async () => {
      let count = 0;
      await fc.assert(
        fc.asyncProperty(parametersAndArguments, async ({ args, schema }) => {
          const { model } = read(schema);
          if (model === undefined || !validatorOf(model)(args)) return;
          count += 1;
          const field = contextFieldOf(model);
          const decide = await engineFor(field);
          expect([decide(args), args, field]).toEqual([allowed, args, field]);
        }),
        { numRuns: runs(1500), seed: 14 },
      );
      expect(count).toBeGreaterThan(runs(1200));
    },
    runs(600_000),
  );
});

/** A tool's parameters, closed, all required. */
function parameters(properties: JsonObject, more: JsonObject = {}): JsonValue {
  return { type: "object", properties, required: Object.keys(properties), ...more };
}

function mapped(schema: JsonValue) {
  const { field, unsaid } = contextMapping(mustRead(schema));
  const names = field.fields.map(({ name, field: of, required }) => [name, of, required]);
  return {
    fields: names,
    unsaid: Object.fromEntries(unsaid.map((each) => [each.path.join("."), each.what])),
  };
}

describe("a parameter with a type in Cedar", () => {
  test("gets that type", () => {
    const { fields, unsaid } = mapped(
      parameters({
        text: { type: "string" },
        choice: { enum: ["a", "b"] },
        flag: { type: "boolean" },
        count: { type: "integer" },
        rate: { type: "number" },
        labels: { type: "array", items: { type: ["string", "null"] } },
        pair: { prefixItems: [{ type: "integer" }, { const: 2 }], items: false, type: "array" },
        owner: { type: "object", properties: { id: { type: "string" } } },
        maybe: { type: ["string", "null"] },
      }),
    );
    expect(fields).toEqual([
      ["text", { as: "string" }, true],
      ["choice", { as: "string" }, true],
      ["flag", { as: "boolean" }, true],
      ["count", { as: "long" }, true],
      ["rate", { as: "decimal" }, true],
      ["labels", { as: "set", of: { as: "string" } }, true],
      ["pair", { as: "set", of: { as: "long" } }, true],
      [
        "owner",
        { as: "record", fields: [{ name: "id", field: { as: "string" }, required: false }] },
        true,
      ],
      ["maybe", { as: "string" }, false],
    ]);
    expect(unsaid).toEqual({});
  });

  test("counts as required if it has a default", () => {
    const { fields } = mapped({
      type: "object",
      properties: { limit: { type: "integer", default: 10 } },
    });
    expect(fields).toEqual([["limit", { as: "long" }, true]]);
  });

  test("includes the common properties of all variants of an object if others forbid the rest", () => {
    const variant = (properties: JsonObject): JsonValue => ({
      ...(parameters(properties) as JsonObject),
      additionalProperties: false,
    });
    const { fields } = mapped({
      type: "object",
      oneOf: [
        variant({ kind: { const: "card" }, number: { type: "string" } }),
        variant({ kind: { const: "cash" }, amount: { type: "integer" } }),
      ],
    });
    expect(fields).toEqual([
      ["kind", { as: "string" }, true],
      ["number", { as: "string" }, false],
      ["amount", { as: "long" }, false],
    ]);
  });
});

describe("a parameter without a type in Cedar", () => {
  test("gets omitted, with the reason", () => {
    const { fields, unsaid } = mapped(
      parameters(
        {
          amount: { type: ["string", "number"] },
          any: true,
          empty: { type: "null" },
          map: { type: "object", additionalProperties: { type: "string" } },
          tree: { $ref: "#/$defs/tree" },
          mixed: { type: "array", items: { type: ["string", "integer"] } },
          __entity: { type: "string" },
        },
        {
          $defs: {
            tree: parameters({
              name: { type: "string" },
              children: { type: "array", items: { $ref: "#/$defs/tree" } },
            }),
          },
        },
      ),
    );
    expect(fields.map(([name]) => name)).toEqual(["tree"]);
    expect(unsaid).toEqual({
      amount: "a union of text, number",
      any: "a value of any type",
      empty: "always null",
      map: "an object whose properties the schema doesn't name",
      "tree.children":
        "a list whose items are each a part of a recursive schema, or deeper than policies can read",
      mixed: "a list whose items are each a union of text, number",
      __entity: "a name that Cedar reserves",
    });
  });

  test("does not grow endlessly if schemas fan out", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 15 }, (_, index) => {
        const $ref = `#/$defs/d${index + 1}`;
        const next: JsonValue = index === 14 ? { type: "string" } : { $ref };
        return [`d${index}`, parameters({ a: next, b: next, c: next })];
      }),
    );
    const { field, unsaid } = contextMapping(
      mustRead(parameters({ all: { $ref: "#/$defs/d0" } }, { $defs })),
    );
    expect(JSON.stringify(field).length).toBeLessThan(200_000);
    expect(unsaid.some(({ what }) => what.includes("beyond the maximum number"))).toBe(true);
  });
});

describe("a value that Cedar can't represent", () => {
  test("becomes the largest possible value, so that no limit is passed by a huge one", () => {
    const long = (value: number) => cedarValue({ as: "long" }, value);
    expect(long(1e300)).toBe(Number.MAX_SAFE_INTEGER);
    expect(long(-(2 ** 63))).toBe(-Number.MAX_SAFE_INTEGER);
    const decimal = (value: number) => cedarValue({ as: "decimal" }, value);
    expect(decimal(1e300)).toEqual({ __extn: { fn: "decimal", arg: "922337203685477.0000" } });
    expect(decimal(-Infinity)).toEqual({ __extn: { fn: "decimal", arg: "-922337203685477.0000" } });
    expect(decimal(0.00009)).toEqual({ __extn: { fn: "decimal", arg: "0.0001" } });
  });

  test("reports the place of a value that Cedar can't hold, and keeps all other values exact", () => {
    const field: ContextField = {
      as: "record",
      fields: [
        { name: "rate", field: { as: "decimal" }, required: false },
        { name: "rates", field: { as: "set", of: { as: "decimal" } }, required: false },
        { name: "note", field: { as: "string" }, required: false },
      ],
    };
    for (const rate of [0, 1, -1.5, 0.1, 922337203685477, -123456.7891, 99999999999.99]) {
      expect(roundedPlaces(field, { rate, rates: [rate], note: "😀" })).toEqual([]);
      const text = String(rate).includes(".") ? String(rate) : `${rate}.0`;
      expect(cedarValue({ as: "decimal" }, rate)).toEqual({ __extn: { fn: "decimal", arg: text } });
    }
    for (const rate of [0.00001, 100.00004, 1e-7, 1e15, -1e300, 922337203685478, 0.1 + 0.2]) {
      expect(roundedPlaces(field, { rate })).toEqual([["rate"]]);
      expect(roundedPlaces(field, { rates: [1, rate] })).toEqual([["rates"]]);
    }
    expect(roundedPlaces(field, { note: "\ud800" })).toEqual([["note"]]);
  });

  test("loses the halves of surrogate pairs in a text", async () => {
    const decide = await engineFor({
      as: "record",
      fields: [{ name: "note", field: { as: "string" }, required: true }],
    });
    expect(decide({ note: "\ud800" })).toEqual(allowed);
  });

  test("fails the whole call if it has another type than its field", async () => {
    const decide = await engineFor({
      as: "record",
      fields: [{ name: "note", field: { as: "string" }, required: false }],
    });
    expect(decide({ note: 3 })).toMatchObject({ decision: "failed" });
    expect(decide({ note: null })).toEqual(allowed);
    expect(decide("note")).toMatchObject({ decision: "failed" });
  });
});

describe("arguments that look like Cedar's own JSON escapes", () => {
  test("become records and texts like any other", async () => {
    const text: ContextField = { as: "string" };
    const pair: ContextField = {
      as: "record",
      fields: ["type", "id"].map((name) => ({ name, field: text, required: true })),
    };
    const decide = await engineFor({
      as: "record",
      fields: [
        { name: "who", field: pair, required: true },
        { name: "all", field: { as: "set", of: pair }, required: true },
        { name: "__proto__", field: text, required: true },
      ],
    });
    const who = { type: "Role", id: "admin", __entity: { type: "Role", id: "admin" } };
    const args = JSON.parse(
      `{"__proto__": "x", "who": ${JSON.stringify(who)}, "all": [${JSON.stringify(who)}]}`,
    ) as unknown;
    expect(decide(args)).toEqual(allowed);
  });

  test("stay out of sets and records whose schemas don't name them", () => {
    const { field } = contextMapping(
      mustRead(
        parameters({
          note: { type: "string" },
          tags: { type: "array", items: { type: "string" } },
        }),
      ),
    );
    const hostile = { note: "x", tags: [], __entity: { type: "Caller", id: "root" }, __extn: {} };
    expect(cedarValue(field, hostile)).toEqual({ note: "x", tags: [] });
    expect(cedarValue(field, { note: { __entity: { type: "Role", id: "a" } }, tags: [] })).toBe(
      undefined,
    );
  });
});
