/** The comparison of schemas evaluates values itself, with the same results as Ajv. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../src/core/json.js";
import { acceptor } from "../../../src/schema/compare/values.js";
import { schemaOf, value } from "../arbitrary-schema.js";
import { root } from "../arbitrary-fitting.js";
import { choices, derive } from "../derive-values.js";
import { read } from "../read.js";
import { runs } from "../../support/runs.js";
import { ajvAcceptor } from "./ajv-acceptor.js";

describe("the evaluator of the comparison", () => {
  test.each([
    ["of every keyword", schemaOf("2020-12")],
    ["that are compared", root],
  ] as const)("agrees with Ajv on schemas %s", (_, schemas) => {
    const told = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(schemas, fc.nat(), fc.array(value, { maxLength: 4 }), (schema, seed, some) => {
        const { model } = read(schema);
        if (model === undefined) return;
        const [own, ajv] = [
          acceptor({ schema: model.schema, root: model.schema }),
          ajvAcceptor(model.schema),
        ];
        const pick = choices(seed);
        const made = Array.from({ length: 20 }, () => derive(model.schema, model.schema, pick));
        for (const each of [...made, ...some]) {
          const isAccepted = ajv(each);
          expect([each, own(each)]).toEqual([each, isAccepted]);
          told[isAccepted ? "accepted" : "refused"] += 1;
        }
      }),
      { numRuns: runs(1000) },
    );
    expect(Math.min(told.accepted, told.refused)).toBeGreaterThan(runs(1000));
  });

  test.each<[schema: JsonValue, value: JsonValue, isAccepted: boolean]>([
    [{ const: 0 }, -0, true],
    [{ enum: [{ a: 1, b: [2] }] }, { b: [2], a: 1 }, true],
    [{ type: "integer" }, 1e300, true],
    [{ type: "number", format: "int64" }, 1.5, false],
    [{ minLength: 2 }, "😀", false],
    [{ multipleOf: 0.1 }, 0.3, true],
    [{ format: "date" }, "2026-02-30", false],
    [{ format: "unheard-of" }, "x", true],
    [{ properties: { ["__proto__"]: { type: "string" } } }, JSON.parse('{"__proto__": 1}'), false],
  ])("decides %j and %j: %s", (schema, each, isAccepted) => {
    const document = JSON.parse(JSON.stringify(schema)) as never;
    expect(acceptor({ schema: document, root: document })(each)).toBe(isAccepted);
  });
});

test("a value or a schema that is too large counts as fitting", () => {
  const deep = JSON.parse(`${"[".repeat(2000)}${"]".repeat(2000)}`) as JsonValue;
  const schema = { type: "array", items: { $ref: "#" } };
  expect(acceptor({ schema, root: schema })(deep)).toBe(true);
});
