import type { JsonObject, JsonSchema } from "../../core/json.js";

/** The schemas that were put together, each once, in the order of their numbers. */
const partsOf = new WeakMap<JsonObject, readonly JsonObject[]>();
const numbers = new WeakMap<JsonObject, number>();
let lastNumber = 0;

/** By the first of the parts, and the numbers of all. */
const known = new WeakMap<JsonObject, Map<string, JsonObject>>();

/** What both ask of one value. The same for the same schemas each time, however often they meet: recursion is known by it. */
export function bothSchemas(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (one === false || other === false) return false;
  if (one === true || one === other) return other;
  if (other === true) return one;
  const all = new Set([one, other].flatMap((each) => partsOf.get(each) ?? [each]));
  const parts = [...all].toSorted((a, b) => numberOf(a) - numberOf(b));
  const [first] = parts;
  if (first === undefined || parts.length === 1) return first ?? true;
  const ofFirst = known.get(first) ?? new Map<string, JsonObject>();
  const key = parts.map(numberOf).join(" ");
  const joined = ofFirst.get(key) ?? { allOf: parts };
  known.set(first, ofFirst.set(key, joined));
  partsOf.set(joined, parts);
  return joined;
}

function numberOf(schema: JsonObject): number {
  const number = numbers.get(schema) ?? (lastNumber += 1);
  numbers.set(schema, number);
  return number;
}
