import { getOwn, type JsonObject, type JsonSchema, type JsonValue } from "../core/json.js";
import type { SchemaModel } from "../core/skill-model.js";
import { equal } from "@skillc/runtime/internal/equal";
import { looseBranches, typeOf } from "./compare/normal-form.js";
import { type JsonType, lookUp } from "./look-up.js";
import { schemaAt } from "./schema-tree.js";

/**
 * Facts that a schema's own keywords state about one value, as far as its target type needs them.
 */
export interface StatedFacts {
  readonly types: readonly JsonType[];
  /** All values, if the schema lists them. */
  readonly values?: readonly JsonValue[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Minimum number of items, including items for `contains`. */
  readonly minItems?: number;
  /** Minimum number of properties, including names in `required`. */
  readonly minProperties?: number;
  /** Inclusive minimum. */
  readonly minimum?: number;
  /** Facts about the items of an array; absent if the schema doesn't describe them. */
  readonly items?: StatedFacts;
}

/** Maximum depth of nested arrays. */
const deepest = 16;

/** @param path path of a parameter, or of a part of it */
export function statedFacts(
  model: SchemaModel,
  path: readonly (string | number)[],
  depth = 0,
): StatedFacts {
  const { types, enum: values, schema: pointer } = lookUp(model, path);
  const stated =
    pointer === undefined ? {} : statedIn(schemaAt(model.schema, pointer), model.schema);
  const hasItems = types.includes("array") && depth < deepest && lookUp(model, [...path, 0]).known;
  return {
    types,
    ...(values === undefined ? {} : { values }),
    ...textOf(stated, "format"),
    ...textOf(stated, "pattern"),
    ...numberOf(stated, "minLength"),
    ...numberOf(stated, "maxLength"),
    ...leastOf(
      stated,
      "minItems",
      Object.hasOwn(stated, "contains") ? (stated["minContains"] ?? 1) : 0,
    ),
    ...leastOf(
      stated,
      "minProperties",
      Array.isArray(stated["required"]) ? stated["required"].length : 0,
    ),
    ...minimumOf(stated),
    ...(hasItems ? { items: statedFacts(model, [...path, 0], depth + 1) } : {}),
  };
}

/** Facts about the innermost items of an array. */
export function itemFacts(facts: StatedFacts | undefined): StatedFacts | undefined {
  const isList = facts?.types.every((each) => each === "array" || each === "null") === true;
  return isList ? itemFacts(facts.items) : facts;
}

/**
 * Returns the keywords that always apply to a value other than null: those that all its branches
 * share.
 */
function statedIn(schema: JsonSchema, root: JsonSchema): JsonObject {
  const branches = looseBranches(schema, root).filter((each) => typeOf(each) !== "null");
  const [first, ...others] = branches.map((each): JsonObject => (each === true ? {} : each));
  const alike = Object.entries(first ?? {}).filter(([keyword, value]) =>
    others.every((each) => equal(getOwn(each, keyword), value)),
  );
  return Object.fromEntries(alike);
}

function textOf<Name extends string>(
  schema: JsonObject,
  name: Name,
): { readonly [N in Name]?: string } {
  const value = schema[name];
  // The computed key is the only one.
  return typeof value === "string" ? ({ [name]: value } as { [N in Name]: string }) : {};
}

function numberOf<Name extends string>(
  schema: JsonObject,
  name: Name,
): { readonly [N in Name]?: number } {
  const value = schema[name];
  // The key is `name`, so the record has that type.
  return typeof value === "number" ? ({ [name]: value } as { [N in Name]: number }) : {};
}

/** The larger of a keyword's value and another minimum. */
function leastOf<Name extends string>(
  schema: JsonObject,
  name: Name,
  other: JsonValue,
): { readonly [N in Name]?: number } {
  const asked = [schema[name], other].filter((each) => typeof each === "number");
  const least = Math.max(0, ...asked);
  // The key is `name`, so the record has that type.
  return least > 0 ? ({ [name]: least } as { [N in Name]: number }) : {};
}

/** For integers, an exclusive bound becomes the next inclusive one. */
function minimumOf({ exclusiveMinimum, minimum }: JsonObject): Pick<StatedFacts, "minimum"> {
  const open = typeof exclusiveMinimum === "number" ? [Math.floor(exclusiveMinimum) + 1] : [];
  const stated = typeof minimum === "number" ? [minimum] : [];
  const all = [...open, ...stated];
  return all.length > 0 ? { minimum: Math.max(...all) } : {};
}
