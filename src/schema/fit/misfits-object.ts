import { getOwn, isJsonObject, type JsonObject, type JsonSchema } from "../../core/json.js";
import type { Misfit } from "./misfit.js";
import { asSchema, schemaMapUnder, textsUnder } from "../schema-tree.js";
import { timedRegExp } from "../timed-reg-exp.js";

type Go = (name: string, given: JsonSchema, wanted: JsonSchema) => readonly Misfit[];

/** Objects of one schema as objects of another: what is missing, what has no place, what doesn't fit. */
export function objectMisfits(given: JsonObject, wanted: JsonObject, go: Go): readonly Misfit[] {
  const inside = schemaMapUnder(given, "properties").flatMap(([name, schema]) => {
    const field = fieldOf(wanted, name);
    return field === undefined ? [unknown(name)] : go(name, schema, field);
  });
  const others = [...byPattern(given, wanted, go), ...undeclared(given, wanted, go)];
  return [...missing(given, wanted), ...inside, ...others];
}

function missing(given: JsonObject, wanted: JsonObject): readonly Misfit[] {
  const declared = new Set(schemaMapUnder(given, "properties").map(([name]) => name));
  const certain = new Set(textsUnder(given, "required"));
  return textsUnder(wanted, "required").flatMap((name): readonly Misfit[] => {
    const at = { path: [name], fit: "no", wanted: "is required" } as const;
    if (!declared.has(name))
      return [
        { ...at, kind: "missing", given: "is not among its properties", help: "declare it there" },
      ];
    return certain.has(name)
      ? []
      : [{ ...at, kind: "absent", given: "may be absent", help: "make it required" }];
  });
}

function unknown(name: string): Misfit {
  return {
    path: [name],
    kind: "unknown",
    fit: "no",
    given: "is declared",
    wanted: "is not a field",
  };
}

/** Undefined when there is no place for it: in a closed object, or in an open one whose own name it would be but for its case. */
function fieldOf(wanted: JsonObject, name: string): JsonSchema | undefined {
  const { properties } = wanted;
  const own = isJsonObject(properties) ? getOwn(properties, name) : undefined;
  if (own !== undefined) return asSchema(own);
  for (const [pattern, schema] of schemaMapUnder(wanted, "patternProperties"))
    if (timedRegExp(pattern, "u").test(name)) return schema;
  const rest = restOf(wanted);
  if (rest === false) return undefined;
  if (rest !== undefined) return rest;
  const isMeant = schemaMapUnder(wanted, "properties").some(([each]) => isSpeltAlike(each, name));
  return isMeant ? undefined : true;
}

function restOf(schema: JsonObject): JsonSchema | undefined {
  const rest = schema["additionalProperties"] ?? schema["unevaluatedProperties"];
  return rest === undefined ? undefined : asSchema(rest);
}

/** But for case and underscores: `orderID` for `order_id`. */
export function isSpeltAlike(one: string, other: string): boolean {
  const letters = (name: string) => name.toLowerCase().replaceAll("_", "");
  return letters(one) === letters(other);
}

const mayHoldOthers: Misfit = {
  path: [],
  kind: "value",
  fit: "unsure",
  given: "may hold other properties than those that it declares",
  wanted: "has no place for them",
  state: { additionalProperties: false },
};

/** What stands under names that only a pattern tells. Where patterns are wanted too, they have to be the same, which is seen elsewhere. */
function byPattern(given: JsonObject, wanted: JsonObject, go: Go): readonly Misfit[] {
  const patterns = schemaMapUnder(given, "patternProperties");
  const rest = restOf(wanted);
  if (patterns.length === 0 || wanted["patternProperties"] !== undefined) return [];
  if (rest === false) return [mayHoldOthers];
  const declared = new Set(schemaMapUnder(given, "properties").map(([name]) => name));
  const named = schemaMapUnder(wanted, "properties").filter(([name]) => !declared.has(name));
  return patterns.flatMap(([pattern, own]) => [
    ...named
      .filter(([name]) => timedRegExp(pattern, "u").test(name))
      .flatMap(([name, schema]) => go(name, own, schema).map(asUnsure)),
    ...(rest === undefined ? [] : go("*", own, rest)),
  ]);
}

function asUnsure(misfit: Misfit): Misfit {
  return { ...misfit, fit: "unsure", help: "declare it there" };
}

/** What an open object may hold: under the other's names, and as a map's values. */
function undeclared(given: JsonObject, wanted: JsonObject, go: Go): readonly Misfit[] {
  const [own = true, others] = [restOf(given), restOf(wanted)];
  if (own === false) return [];
  if (others === false) return [mayHoldOthers];
  const declared = new Set(schemaMapUnder(given, "properties").map(([name]) => name));
  const required = new Set(textsUnder(wanted, "required"));
  const named = schemaMapUnder(wanted, "properties")
    .filter(([name]) => !declared.has(name) && !required.has(name))
    .flatMap(([name, schema]) => go(name, own, schema))
    .map(asUnsure);
  return [...named.slice(0, 1), ...(others === undefined ? [] : go("*", own, others))];
}
