import type { JsonValue } from "../../../../src/core/json.js";
import { stepsOf } from "../../../../src/schema/pointer.js";
import { read } from "./support.js";

/** Returns pointers to the unions whose values name their branch. */
export function pointersOf(schema: JsonValue): readonly string[] {
  const encoding = read(schema).schema?.encoding;
  return encoding?.kind === "avro" ? encoding.named : [];
}

export function unionsIn(schema: JsonValue, pointers: readonly string[]): ReadonlySet<unknown> {
  return new Set(
    pointers.map((pointer) =>
      // Objects and arrays contain only JSON.
      (stepsOf(pointer) ?? []).reduce<unknown>((at, step) => Object(at)[step] as unknown, schema),
    ),
  );
}
