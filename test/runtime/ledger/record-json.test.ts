import fc from "fast-check";
import { expect, test } from "vitest";
import {
  beginJson,
  type RecordableCall,
  endJson,
} from "../../../src/runtime/ledger/record-json.js";
import { unicodeText } from "../../support/unicode-text.js";

const text = unicodeText();

const call = fc
  .record({
    id: fc.uuid(),
    attempts: fc.nat(),
    kind: fc.constantFrom("http", "handler"),
    mode: fc.constantFrom("active" as const, "shadow" as const),
    undoing: fc.option(fc.record({ of: text, forced: text }, { requiredKeys: ["of"] }), {
      nil: undefined,
    }),
    options: fc.record({ trace: text, parent: text, step: text }, { requiredKeys: [] }),
    skill: text,
    name: text,
  })
  .map(({ kind, name, skill, ...rest }): RecordableCall => ({
    ...rest,
    binding: { kind },
    tool: {
      skill,
      name,
      version: { skill: "8f14e45fceea167a", binding: "c9f0f895fb98ab91", manifest: "t1" },
      effect: "write",
    },
  }));

const outcome = fc.record({
  status: text,
  result: fc.option(text),
  error: fc.option(fc.record({ code: fc.constant("PROVIDER.TIMEOUT" as const), message: text })),
  request: fc.option(fc.json(), { nil: undefined }),
  accepted: fc.option(fc.json(), { nil: undefined }),
  misfits: fc.option(fc.json(), { nil: undefined }),
  attachments: fc.option(
    fc.array(
      fc.record({
        name: text,
        type: text,
        bytes: fc.nat(),
        omitted: fc.constant("too-large" as const),
      }),
    ),
    { nil: undefined },
  ),
  undone: fc.constantFrom(true as const, undefined),
  rollback: fc.option(fc.record({ strategy: fc.constant("none" as const), reason: text }), {
    nil: undefined,
  }),
  durationMs: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
  attachment: fc.option(
    fc.oneof(
      fc.record({ sha256: text, bytes: fc.nat(), folder: text }),
      fc.record({ bytes: fc.nat(), omitted: fc.constant("too-large" as const) }),
    ),
    { nil: undefined },
  ),
});

function factsOf(
  { binding: { kind }, id, mode, options, tool, undoing }: RecordableCall,
  time: number,
  parameters: string,
) {
  const { effect, name, skill, version } = tool;
  const facts = {
    id,
    time: new Date(time).toISOString(),
    skill,
    tool: name,
    kind,
    mode,
    effect,
    version,
  };
  return {
    ...facts,
    parameters: JSON.parse(parameters),
    ...options,
    ...(undoing !== undefined && { rollbackOf: undoing.of }),
    ...(undoing?.forced !== undefined && { forced: undoing.forced }),
  };
}

const time = fc.date({ noInvalidDate: true }).map(Number);

test("a begin record contains exactly the fields that it is made from", () => {
  fc.assert(
    fc.property(call, time, fc.json(), fc.option(fc.json()), (made, at, parameters, accepted) => {
      const record: unknown = JSON.parse(beginJson(made, at, parameters, accepted ?? undefined));
      expect(record).toEqual({
        type: "begin",
        ...factsOf(made, at, parameters),
        ...(accepted !== null && { accepted: JSON.parse(accepted) }),
      });
    }),
  );
});

test("an end record contains exactly the fields that it is made from and the call's end", () => {
  fc.assert(
    fc.property(call, time, fc.json(), outcome, (made, at, parameters, ended) => {
      const { accepted, misfits, request, ...rest } = ended;
      const record: unknown = JSON.parse(endJson(made, at, parameters, ended));
      const asked = {
        ...(request !== undefined && { request: JSON.parse(request) }),
        ...(accepted !== undefined && { accepted: JSON.parse(accepted) }),
        ...(misfits !== undefined && { misfits: JSON.parse(misfits) }),
      };
      const facts = { type: "end", ...factsOf(made, at, parameters), attempts: made.attempts };
      expect(record).toEqual(JSON.parse(JSON.stringify({ ...facts, ...rest, ...asked })));
    }),
  );
});
