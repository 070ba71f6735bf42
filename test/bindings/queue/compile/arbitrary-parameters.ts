/** Random messages with parameters in two places, and all messages that they may become. */
import fc from "fast-check";
import type { ValueNode } from "../../../../src/kit/values/model.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../src/core/json.js";
import { exactSchema } from "../../../../src/schema/compare/values.js";
import { odd, withOdd } from "../avro/odd-values.js";
import { type Path, written } from "./written-message.js";

export interface Draft {
  readonly node: ValueNode;
  readonly parameters: JsonObject;
  /** The messages for all relevant values of the parameters. */
  readonly messages: readonly JsonValue[];
}

/**
 * Replaces two parts of a message with parameters. Most of the messages fit the schema. The schema
 * of the first parameter lists its values; that of the second does not.
 */
export function draftOf(message: fc.Arbitrary<JsonValue>): fc.Arbitrary<Draft> {
  const mostlyFit = fc.oneof(
    { weight: 3, arbitrary: message },
    {
      weight: 1,
      arbitrary: fc
        .tuple(message, fc.nat(), odd)
        .map(([each, at, value]) => withOdd(each, at, value)),
    },
  );
  return fc
    .tuple(mostlyFit, odd, fc.tuple(fc.nat(), fc.nat(), fc.nat()))
    .map(([each, other, picks]) => {
      // JSON has no -0.
      const [plain, more] = JSON.parse(JSON.stringify([each, other])) as [JsonValue, JsonValue];
      return draftWith(plain, more, picks);
    });
}

function draftWith(
  message: JsonValue,
  other: JsonValue,
  [first, second, pick]: readonly [number, number, number],
): Draft {
  const places = placesIn(message);
  const [p = [], q = []] = [first, second].map((each) => places[each % places.length]);
  const vague = vagueOf(valueAt(message, q), pick);
  const messages = vague.values.map((value) => withValue(message, q, value));
  if (isWithin(p, q) || isWithin(q, p))
    return { node: written(message, [["q", q]]), parameters: { q: vague.schema }, messages };
  const values = pick % 3 === 0 ? [valueAt(message, p), other] : [valueAt(message, p)];
  return {
    node: written(message, [
      ["p", p],
      ["q", q],
    ]),
    parameters: { p: { anyOf: values.map((each) => exactSchema(each)) }, q: vague.schema },
    messages: messages.flatMap((each) => values.map((value) => withValue(each, p, value))),
  };
}

interface Vague {
  readonly schema: JsonObject;
  readonly values: readonly JsonValue[];
}

/** Makes a schema that accepts the value and others, or accepts only it without listing it. */
function vagueOf(value: JsonValue, pick: number): Vague {
  if (typeof value === "boolean") return { schema: { type: "boolean" }, values: [true, false] };
  if (typeof value === "number") {
    const type = Number.isInteger(value) ? "integer" : "number";
    return { schema: { type, minimum: value, maximum: value }, values: [value] };
  }
  if (Array.isArray(value)) return vagueList(value, pick % 2);
  if (isJsonObject(value)) return vagueObject(value, pick);
  return { schema: { anyOf: [exactSchema(value), { type: "null" }] }, values: [value, null] };
}

/** Adds keywords without effect, so that the schema does not list its values. */
function vagueList(value: readonly JsonValue[], less: number): Vague {
  const minItems = Math.max(0, value.length - less);
  return {
    schema: { ...exactSchema(value), minItems, uniqueItems: false },
    values: [value, value.slice(0, minItems)],
  };
}

/** Makes values with one property less, or with another property. */
function vagueObject(value: JsonObject, pick: number): Vague {
  const required = Object.keys(value).slice(0, pick % 2 === 0 ? undefined : -1);
  const less = Object.fromEntries(required.map((name) => [name, value[name] as JsonValue]));
  if (pick % 4 > 1) {
    const schema = { ...exactSchema(value), required, additionalProperties: { type: "null" } };
    return { schema, values: [value, less, { ...value, zz: null }] };
  }
  return { schema: { ...exactSchema(value), required, minProperties: 0 }, values: [value, less] };
}

function placesIn(value: JsonValue, path: Path = []): readonly Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const parts = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...parts.flatMap(([step, each]) => placesIn(each as JsonValue, [...path, step]))];
}

function isWithin(inner: Path, outer: Path): boolean {
  return outer.every((step, index) => step === inner[index]);
}

function valueAt(value: JsonValue, path: Path): JsonValue {
  return path.reduce<JsonValue>((at, step) => (at as JsonObject)[step] as JsonValue, value);
}

function withValue(value: JsonValue, [step, ...rest]: Path, instead: JsonValue): JsonValue {
  if (step === undefined) return instead;
  if (Array.isArray(value))
    return value.map((each: JsonValue, index) =>
      index === step ? withValue(each, rest, instead) : each,
    );
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, each]) => [
      name,
      name === step ? withValue(each, rest, instead) : each,
    ]),
  );
}
