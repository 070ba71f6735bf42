/**
 * Random messages with parameters in them, under random schemas. Messages without any are in the
 * fuzz tests of each format.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { MessageSchema } from "../../../../src/bindings/queue/message-schema.js";
import type { Diagnostic } from "../../../../src/core/diagnostic.js";
import type { JsonValue } from "../../../../src/core/json.js";
import { messageFor as avroMessage } from "../avro/arbitrary-messages.js";
import { recordSchema } from "../avro/arbitrary-schemas.js";
import { pointersOf, unionsIn } from "../avro/named-unions.js";
import { read as readAvro, validatorOf } from "../avro/support.js";
import { everyName, messageFor as protobufMessage } from "../protobuf/arbitrary-messages.js";
import { schemaText } from "../protobuf/arbitrary-schemas.js";
import { read as readProtobuf, reflected } from "../protobuf/support.js";
import { type Draft, draftOf } from "./arbitrary-parameters.js";
import { faultsOf } from "./written-message.js";
import { runs } from "../../../support/runs.js";

type Case = readonly [MessageSchema, readonly Draft[]];

function casesOf(
  schema: MessageSchema | undefined,
  message: fc.Arbitrary<JsonValue>,
): fc.Arbitrary<Case> {
  // Nothing is said of messages whose schema is refused.
  if (schema === undefined) return fc.constant([{} as MessageSchema, []]);
  const drafts = fc.array(draftOf(message), { minLength: 6, maxLength: 6 });
  return fc.tuple(fc.constant(schema), drafts);
}

const formats: readonly (readonly [string, fc.Arbitrary<Case>])[] = [
  [
    "Avro",
    recordSchema.chain((each) => {
      const message = avroMessage(each, unionsIn(each, pointersOf(each)));
      return casesOf(readAvro(each).schema, message);
    }),
  ],
  [
    "Protobuf",
    schemaText.chain((text) => {
      const type = reflected(text);
      const message = fc.oneof(protobufMessage(type), protobufMessage(type, 0, everyName));
      return casesOf(readProtobuf(text).schema, message);
    }),
  ],
];

test.each(formats)(
  "for %s, a parameter without a diagnostic always fits, and one with an error never does",
  (_, arbitrary) => {
    const counts = { silent: 0, warned: 0, refused: 0 };
    fc.assert(
      fc.property(arbitrary, ([schema, drafts]) => {
        for (const draft of drafts.filter(canBeTold)) {
          const faults = faultsOf(schema, draft.node, draft.parameters);
          const verdict = verdictOf(faults);
          counts[verdict] += 1;
          const messages = faults.map(({ message }) => message);
          expect({ messages, draft, ...contradiction(verdict, schema, draft) }).toEqual({
            messages,
            draft,
          });
        }
      }),
      { numRuns: runs(200) },
    );
    expect(Math.min(counts.silent, counts.refused)).toBeGreaterThan(runs(50));
  },
);

type Verdict = "silent" | "warned" | "refused";

function verdictOf(faults: readonly Diagnostic[]): Verdict {
  if (faults.some(({ severity }) => severity === "error")) return "refused";
  return faults.length > 0 ? "warned" : "silent";
}

/** Messages for which the compiler's verdict is wrong. */
function contradiction(verdict: Verdict, schema: MessageSchema, { messages }: Draft) {
  const fits = validatorOf(schema);
  const fitting = messages.filter((each) => fits(each));
  if (verdict === "refused") return fitting.length === messages.length ? { fitting } : undefined;
  if (verdict === "warned") return undefined;
  if (fitting.length === 0) return { fitting };
  // Of two fields of one `oneof`, callers may choose.
  const mayFit = validatorOf(withoutOneofs(schema));
  const unfit = messages.filter((each) => !mayFit(each));
  return unfit.length > 0 ? { unfit } : undefined;
}

function withoutOneofs({ json, ...others }: MessageSchema): MessageSchema {
  const text = JSON.stringify(json, (key, value: unknown) => (key === "not" ? undefined : value));
  return { ...others, json: JSON.parse(text) as MessageSchema["json"] };
}

/** A validator can't tell half a surrogate pair. */
function canBeTold({ messages }: Draft): boolean {
  return !/\\ud[89a-f]/.test(JSON.stringify(messages));
}
