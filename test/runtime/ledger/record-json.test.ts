import fc from "fast-check";
import { expect, test } from "vitest";
import type { BeginRecord, EndRecord } from "../../../src/runtime/ledger/record.js";
import { recordJson } from "../../../src/runtime/ledger/record-json.js";

const text = fc.string({ unit: "binary" });
const version = { skill: "8f14e45fceea167a", binding: "c9f0f895fb98ab91" };

const begin: fc.Arbitrary<BeginRecord> = fc.record(
  {
    type: fc.constant("begin" as const),
    id: fc.uuid(),
    time: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    skill: fc.constant('a "skill"'),
    tool: fc.constant("tool"),
    kind: fc.constantFrom("http", "handler"),
    mode: fc.constantFrom("active" as const, "shadow" as const),
    effect: fc.constant("write" as const),
    parameters: fc.jsonValue(),
    version: fc.constant(version),
    trace: text,
    parent: text,
  },
  { requiredKeys: ["type", "id", "time", "skill", "tool", "kind", "mode", "effect", "parameters", "version"] },
) as fc.Arbitrary<BeginRecord>;

const end: fc.Arbitrary<EndRecord> = fc
  .tuple(
    begin,
    fc.record({
      type: fc.constant("end" as const),
      status: text,
      result: fc.option(text),
      error: fc.option(fc.record({ code: fc.constant("PROVIDER.TIMEOUT" as const), message: text })),
      attempts: fc.nat(),
      durationMs: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
    }),
    fc.option(fc.jsonValue(), { nil: undefined }),
  )
  .map(([facts, rest, request]) => ({
    ...facts,
    ...rest,
    ...(request === undefined ? {} : { request: JSON.parse(JSON.stringify(request)) }),
  }));

test("a record's JSON says what JSON.stringify would say", () => {
  fc.assert(
    fc.property(fc.oneof(begin, end), (record) => {
      const json = recordJson(record, JSON.stringify(record.parameters));
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(record)));
    }),
  );
});
