import fc from "fast-check";
import type protobuf from "protobufjs";
import protojson from "protobufjs/ext/protojson.js";
import { expect, test } from "vitest";
import type { JsonValue } from "../../../../src/core/json.js";
import { odd, withOdd } from "../avro/odd-values.js";
import { validatorOf } from "../avro/support.js";
import { faultsOf, written } from "../compile/written-message.js";
import { everyName, messageFor } from "./arbitrary-messages.js";
import { schemaText } from "./arbitrary-schemas.js";
import { isSameMessage } from "./same-value.js";
import { encodeOf, read, reflected } from "./support.js";
import { runs } from "../../../support/runs.js";

/** Schemas that are taken, and messages that mostly fit. */
const schemaAndMessages = schemaText
  .filter((text) => {
    const { diagnostics, schema } = read(text);
    const other = diagnostics.find(({ code }) => code !== "queue/endless-message");
    if (other !== undefined) throw new Error(`${other.message}: ${text}`);
    return schema !== undefined;
  })
  .chain((text) =>
    fc.tuple(
      fc.constant(text),
      fc.array(messages(reflected(text)), { minLength: 8, maxLength: 8 }),
    ),
  );

function messages(type: protobuf.Type): fc.Arbitrary<JsonValue> {
  return fc.oneof(
    messageFor(type),
    messageFor(type, 0, everyName),
    fc
      .tuple(messageFor(type), fc.nat(), fc.option(odd, { nil: undefined }))
      .map(([message, at, value]) => withOdd(message, at, value)),
  );
}

/**
 * What the library's own JSON mapping makes of a message: bytes, and the JSON that they are decoded
 * to; undefined when it refuses it.
 */
function byReflection(type: protobuf.Type, message: JsonValue) {
  try {
    const read = protojson.fromJson(type, message, { ignoreUnknownFields: false });
    const missing = type.verify(read);
    if (missing !== null) return undefined;
    const bytes = type.encode(read).finish();
    const back: unknown = protojson.toJson(type, type.decode(bytes));
    return { hex: Buffer.from(bytes).toString("hex"), back };
  } catch {
    return undefined;
  }
}

test("a message encodes as the library encodes it exactly if the JSON form's schema accepts it", () => {
  const counts = { accepted: 0, rejected: 0 };
  fc.assert(
    fc.property(schemaAndMessages, ([text, given]) => {
      const { schema } = read(text);
      if (schema === undefined) throw new Error("read before");
      const [accepts, encode, type] = [validatorOf(schema), encodeOf(schema), reflected(text)];
      // The library's JSON mapping drops a zero's sign, which JSON text does too.
      for (const message of JSON.parse(JSON.stringify(given)) as readonly JsonValue[]) {
        // A validator can't tell half a surrogate pair.
        if (/\\ud[89a-f]/.test(JSON.stringify(message))) continue;
        const library = byReflection(type, message);
        const isKept = library !== undefined && isSameMessage(type, message, library.back);
        const isAccepted = accepts(message);
        counts[isAccepted ? "accepted" : "rejected"] += 1;
        expect([isKept, message]).toEqual([isAccepted, message]);
        const hex = isAccepted ? Buffer.from(encode(message)).toString("hex") : library?.hex;
        expect(hex).toBe(library?.hex);
        const faults = faultsOf(schema, written(message)).map((each) => each.message);
        expect([faults.length === 0, message, faults]).toEqual([isAccepted, message, faults]);
      }
    }),
    { numRuns: runs(100) },
  );
  expect(Math.min(counts.accepted, counts.rejected)).toBeGreaterThan(runs(100));
});
