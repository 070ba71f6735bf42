import { deepestJson, type JsonValue } from "../../../../runtime/json/json.js";
import { pointerStep } from "../../../../runtime/json/pointer.js";
import { RefusedValue } from "../../../../runtime/executor.js";
import type { MessageEncoder } from "../../contract.js";
import { type CompiledSchema, compileSchema } from "./compile-schema.js";
import type { ReadProblem } from "./readers.js";

/**
 * Messages in Avro's binary encoding, without a header.
 *
 * Takes JSON: a `long` as a number or its digits, `decimal` and dates as text, `bytes` and `fixed`
 * in base64, a union's value as it is. Fields that the schema does not know are left out, and
 * absent ones are their default.
 *
 * @param schema in Avro's own JSON, of a record
 * @param named JSON pointers to the unions in it whose values name their branch: `{ "string": "a"
 *   }`
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
