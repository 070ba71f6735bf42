import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../../../../src/core/json.js";
import { avro } from "../../../../src/bindings/queue/send/avro/avro.js";
import { RefusedValue } from "../../../../src/runtime/call/refused-value.js";
import { faultsOf, written } from "../compile/written-message.js";
import { messageFor } from "./arbitrary-messages.js";
import { recordSchema } from "./arbitrary-schemas.js";
import { isSame, typeOfSchema } from "./decode.js";
import { pointersOf, unionsIn } from "./named-unions.js";
import { odd, withOdd } from "./odd-values.js";
import { read, validatorOf } from "./support.js";
import { runs } from "../../../support/runs.js";

/** Codes for schemas that skillc rejects and the library accepts. */
const known = new Set(["queue/endless-record", "queue/ignored-logical-type"]);

const schemaAndMessage = recordSchema
  .filter((schema) => {
    const { schema: found, diagnostics } = read(schema);
    const other = diagnostics.find((each) => !known.has(each.code));
    if (other !== undefined) throw new Error(`${other.message}: ${JSON.stringify(schema)}`);
    return found !== undefined;
  })
  .chain((schema) =>
    fc.tuple(fc.constant(schema), fc.array(messages(schema), { minLength: 8, maxLength: 8 })),
  );

function messages(schema: JsonValue): fc.Arbitrary<JsonValue> {
  const fitting = messageFor(schema, unionsIn(schema, pointersOf(schema)));
  return fc.oneof(
    fitting,
    fc
      .tuple(fitting, fc.nat(), fc.option(odd, { nil: undefined }))
      .map(([message, at, value]) => withOdd(message, at, value)),
  );
}

/** Outcome of encoding a message that the validator accepts or rejects. */
function outcomeOf(schema: JsonValue, isAccepted: boolean, message: JsonValue): string {
  const named = pointersOf(schema);
  const encoder = avro(schema, named);
  const type = typeOfSchema(schema);
  try {
    const decoded: unknown = type.fromBuffer(Buffer.from(encoder.encode(message)));
    if (!isAccepted) return "encoded, though it was rejected";
    return isSame(schema, type, unionsIn(schema, named), [message, decoded])
      ? "kept"
      : `became ${type.toString(decoded)}`;
  } catch (error) {
    if (!(error instanceof RefusedValue)) throw error;
    return isAccepted ? `refused, though it was accepted: ${error.message}` : "refused";
  }
}

test("a message encodes and decodes to itself exactly if the JSON form's schema accepts it", () => {
  const counts = { accepted: 0, rejected: 0, naming: 0 };
  fc.assert(
    fc.property(schemaAndMessage, ([schema, given]) => {
      const { schema: found } = read(schema);
      if (found === undefined) throw new Error("read before");
      const accepts = validatorOf(found);
      counts.naming += pointersOf(schema).length > 0 ? 1 : 0;
      for (const message of given) {
        // A validator can't tell half a surrogate pair.
        if (/\\ud[89a-f]/.test(JSON.stringify(message))) continue;
        const isAccepted = accepts(message);
        counts[isAccepted ? "accepted" : "rejected"] += 1;
        const outcome = outcomeOf(schema, isAccepted, message);
        expect([outcome, message]).toEqual([isAccepted ? "kept" : "refused", message]);
        const faults = faultsOf(found, written(message)).map((each) => each.message);
        expect([faults.length === 0, message, faults]).toEqual([isAccepted, message, faults]);
      }
    }),
    { numRuns: runs(100) },
  );
  expect(Math.min(counts.accepted, counts.rejected)).toBeGreaterThan(runs(100));
  expect(counts.naming).toBeGreaterThan(0);
});
