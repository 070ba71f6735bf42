/** Finds how long a text is that a transform makes around a value. */
import type { JsonObject, JsonValue } from "../../../core/json.js";
import type { SchemaPlace } from "../../../schema/certain-mismatches.js";
import type { JsonType } from "../../../schema/look-up.js";
import { type StatedFacts, statedFacts } from "../../../schema/stated-facts.js";
import type { PathValue } from "./model.js";

/** Numbers of characters; `max` is infinite if nothing limits the text. */
interface Length {
  readonly min: number;
  readonly max: number;
}

/** Length of the longest number as JavaScript writes it: `-0.0000012345678901234567`. */
const longestNumber = 25;

/**
 * Returns a schema of the texts that a transform makes.
 *
 * @param places places of the value, which is a text, number or boolean
 */
export function transformedSchema(
  { fallback, transform }: PathValue,
  places: readonly SchemaPlace[],
): JsonObject {
  const around = transform?.around ?? [];
  const ofValues = places.map(({ at, model }) => lengthOf(statedFacts(model, at)));
  const { max, min } = union([...ofValues, ...(fallback ? [lengthOfValue(fallback.value)] : [])]);
  const fixed = around.reduce((sum, text) => sum + lengthOfText(text), 0);
  const times = around.length - 1;
  return {
    type: "string",
    minLength: fixed + times * min,
    ...(max !== Number.POSITIVE_INFINITY && { maxLength: fixed + times * max }),
  };
}

function lengthOf(facts: StatedFacts): Length {
  // A fallback replaces null.
  const listed = facts.values?.filter((each) => each !== null) ?? [];
  if (listed.length > 0) return union(listed.map(lengthOfValue));
  return union(facts.types.flatMap((type) => lengthOfType(type, facts) ?? []));
}

function lengthOfType(
  type: JsonType,
  { maxLength = Number.POSITIVE_INFINITY, minLength = 0 }: StatedFacts,
): Length | undefined {
  if (type === "null") return undefined;
  if (type === "boolean") return union([true, false].map(lengthOfValue));
  if (type === "string") return { min: minLength, max: maxLength };
  return { min: 1, max: longestNumber };
}

function lengthOfValue(value: JsonValue): Length {
  const length = lengthOfText(String(value));
  return { min: length, max: length };
}

/** JSON Schema counts code points. */
function lengthOfText(text: string): number {
  return [...text].length;
}

function union(lengths: readonly Length[]): Length {
  if (lengths.length === 0) return { min: 0, max: Number.POSITIVE_INFINITY };
  return {
    min: Math.min(...lengths.map(({ min }) => min)),
    max: Math.max(...lengths.map(({ max }) => max)),
  };
}
