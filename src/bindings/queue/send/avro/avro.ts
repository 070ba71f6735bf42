import { deepestJson, type JsonValue } from "../../../../runtime/json/json.js";
import { pointerStep } from "../../../../runtime/json/pointer.js";
import { RefusedValue } from "../../../../runtime/executor.js";
import type { MessageEncoder } from "../../contract.js";
import { type CompiledSchema, compileSchema } from "./compile-schema.js";
import type { ReadProblem } from "./readers.js";

/**
 * Encodes messages in Avro's binary encoding, without a header. This is the entry point
 * `@skillc/runtime/v1/avro`.
 *
 * It takes JSON: a `long` as a number or its digits, `decimal` and dates as text, `bytes` and
 * `fixed` in base64, and a union's value without its branch. It leaves out unknown fields, and
 * absent fields get their default.
 *
 * @param schema a record in Avro's own JSON
 * @param named JSON pointers to unions whose values name their branch: `{ "string": "a" }`
 */
export function avro<Message>(
  schema: JsonValue,
  named: readonly string[] = [],
): MessageEncoder<Message> {
  let compiled: CompiledSchema | undefined;
  return {
    contentType: "avro/binary",
    schema: { type: "AVRO", text: JSON.stringify(schema) },
    encode(message) {
      compiled ??= compileSchema(schema, named);
      try {
        return encodeBy(compiled, message);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        throw new RefusedValue("", "depth", `must not nest deeper than ${deepestJson} levels`);
      }
    },
  };
}

function encodeBy({ type, reader }: CompiledSchema, message: unknown): Uint8Array {
  const problem: ReadProblem = { keyword: "", message: "", steps: [] };
  const value = reader.read(message, problem);
  if (value === undefined)
    throw new RefusedValue(pointerTo(problem), problem.keyword, problem.message);
  return type.toBuffer(value);
}

function pointerTo({ steps }: ReadProblem): string {
  return steps.toReversed().map(pointerStep).join("");
}
