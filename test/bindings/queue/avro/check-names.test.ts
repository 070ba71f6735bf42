import fc from "fast-check";
import { expect, test } from "vitest";
import { checkNames } from "../../../../src/bindings/queue/avro/check-names.js";
import { cleanSchema } from "../../../../src/bindings/queue/avro/clean-schema.js";
import { libraryType } from "../../../../src/bindings/queue/avro/library-type.js";
import { avroDiagnosticEntries } from "../../../../src/bindings/queue/diagnostics/avro.js";
import type { JsonValue } from "../../../../src/core/json.js";
import { createReport } from "../../../../src/core/report.js";
import { jsonNode } from "../../../support/parse.js";
import { runs } from "../../../support/runs.js";

const names = fc.constantFrom("A", "B", "acme.A", "x.A", ".A", "int", "acme.int", "x.y.B");
const namespace = fc.option(fc.constantFrom("", "acme", "x", "x.y"), { nil: undefined });

function withoutUndefined(schema: object): JsonValue {
  // What JSON prints is JSON.
  return JSON.parse(JSON.stringify(schema)) as JsonValue;
}

const schemas = fc.letrec<{ schema: JsonValue }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(names, fc.constantFrom("string", "long", "null")),
    fc.constantFrom<JsonValue>({ type: "int" }, { type: "string" }),
    fc.record({ type: fc.constant("array"), items: tie("schema") }),
    fc.record({ type: fc.constant("map"), values: tie("schema") }),
    fc.array(tie("schema"), { minLength: 1, maxLength: 4 }),
    fc
      .record({ type: fc.constant("fixed"), name: names, namespace, size: fc.constant(2) })
      .map(withoutUndefined),
    fc
      .record({ type: fc.constant("enum"), name: names, namespace, symbols: fc.constant(["S"]) })
      .map(withoutUndefined),
    fc
      .record({
        type: fc.constantFrom("record", "error"),
        name: names,
        namespace,
        fields: fc
          .array(tie("schema"), { maxLength: 4 })
          .map((types) => types.map((type, index) => ({ name: `f${index}`, type }))),
      })
      .map(withoutUndefined),
  ),
}));

test("reports a name exactly if avsc throws on it", () => {
  const counts = { good: 0, bad: 0 };
  fc.assert(
    fc.property(schemas.schema, (schema) => {
      const { node } = jsonNode(JSON.stringify(schema), "order.avsc");
      if (node === undefined) throw new Error("not JSON that is read");
      const report = createReport(avroDiagnosticEntries);
      const cleaned = cleanSchema(node, false, report);
      if (cleaned === undefined) return;
      const isGood = checkNames(node, report);
      counts[isGood ? "good" : "bad"] += 1;
      expect(isGood).toBe("type" in libraryType(cleaned, node));
    }),
    { numRuns: runs(1000) },
  );
  expect(counts.good).toBeGreaterThan(runs(100));
  expect(counts.bad).toBeGreaterThan(runs(100));
});
