import { type Code, code, join, literal, member, nothing } from "../../core/code.js";
import { getOwn, isJsonObject, type JsonSchema } from "../../core/json.js";
import type { SchemaModel } from "../../core/skill-model.js";
import { lookUp, propertyNames, type ValueFacts } from "../../schema/look-up.js";
import { stepsOf } from "../../schema/pointer.js";

export type Steps = readonly (string | number)[];

/** A value with a known schema, from which code can access parts. */
export interface Reachable {
  readonly schema: SchemaModel;
  readonly form: "stated" | "filled";
}

/**
 * Code that reads a path in a value: `root.customer?.id` if the type always has that property, else
 * `pick(root, …)`, which checks each value at run time. Names that every object inherits also use
 * `pick`: a missing `constructor` must not find that of `Object`.
 */
export function accessCode(
  root: Code,
  from: Reachable | undefined,
  steps: Steps,
  pick: () => Code,
): Code {
  if (from === undefined || !isPlain(from, steps)) {
    return code`${pick()}(${join([root, ...steps.map((step) => literal(step))], code`, `)})`;
  }
  return steps.reduce<Code>((at, step, index) => {
    const optional = index > 0 && mayBeMissing(from, steps.slice(0, index));
    return join([at, typeof step === "string" ? member(step, optional) : itemCode(step, optional)]);
  }, root);
}

function itemCode(index: number, optional: boolean): Code {
  if (index < 0) return code`${optional ? code`?.` : code`.`}at(${literal(index)})`;
  return code`${optional ? code`?.` : nothing}[${literal(index)}]`;
}

/**
 * Makes the type of a place in a value of type `root`, without undefined; undefined if the type
 * doesn't show it.
 */
export function accessType(root: Code, from: Reachable, steps: Steps): Code | undefined {
  if (!isPlain(from, steps)) return undefined;
  const type = steps.reduce<Code>((at, step, index) => {
    const owner = mayBeNothing(from, steps.slice(0, index)) ? code`NonNullable<${at}>` : at;
    return code`${owner}[${typeof step === "string" ? literal(step) : code`number`}]`;
  }, root);
  const isThere = factsAt(from, steps).presence === "always";
  return isThere || typeof steps.at(-1) === "number" ? type : code`Exclude<${type}, undefined>`;
}

function mayBeMissing(from: Reachable, steps: Steps): boolean {
  const facts = factsAt(from, steps);
  return (
    typeof steps.at(-1) === "number" || facts.presence !== "always" || facts.types.includes("null")
  );
}

/**
 * Checks if the value at the path may be null or undefined. The type of an item doesn't show that
 * the list may be shorter.
 */
function mayBeNothing(from: Reachable, steps: Steps): boolean {
  if (steps.length === 0) return false;
  return typeof steps.at(-1) === "number"
    ? factsAt(from, steps).types.includes("null")
    : mayBeMissing(from, steps);
}

/**
 * All items of a list without positional types are alike, so an index from the end is the same as
 * one from the start.
 */
function factsAt({ schema, form }: Reachable, steps: Steps): ValueFacts {
  return lookUp(schema, fromStart(steps), form);
}

function fromStart(steps: Steps): Steps {
  return steps.map((step) => (typeof step === "number" ? Math.max(step, 0) : step));
}

/** Checks if every step is declared by an object or an array that can only otherwise be null. */
function isPlain(from: Reachable, steps: Steps): boolean {
  const { schema, form } = from;
  let at: JsonSchema | undefined = schema.schema;
  for (const [index, step] of steps.entries()) {
    const above = fromStart(steps.slice(0, index));
    const types = factsAt(from, above).types.filter((type) => type !== "null");
    const owner = typeof step === "string" ? "object" : "array";
    if (types.length !== 1 || types[0] !== owner) return false;
    if (
      typeof step === "string" &&
      (step in Object.prototype || !propertyNames(schema, above, form).includes(step))
    ) {
      return false;
    }
    at = declared(schema.schema, at, step, 0);
    if (at === undefined) return false;
  }
  return true;
}

const maxReferences = 50;

/** Keywords that make a value's type a union. */
const branching = ["anyOf", "oneOf", "if", "dependentSchemas", "const", "enum"];

/** The subschema that declares the step, if it doesn't depend on the value. */
function declared(
  document: JsonSchema,
  at: JsonSchema | undefined,
  step: string | number,
  depth: number,
): JsonSchema | undefined {
  if (typeof at !== "object" || depth > maxReferences) return undefined;
  if (branching.some((keyword) => Object.hasOwn(at, keyword))) return undefined;
  const { properties, items, prefixItems, allOf, $ref } = at;
  if (typeof step === "string" && isJsonObject(properties) && Object.hasOwn(properties, step)) {
    return asSchema(getOwn(properties, step));
  }
  if (typeof step === "number" && items !== undefined && prefixItems === undefined)
    return asSchema(items);
  const others = [
    ...(typeof $ref === "string" ? [referenced(document, $ref)] : []),
    ...(Array.isArray(allOf) ? allOf.map(asSchema) : []),
  ];
  return others
    .map((each) => declared(document, each, step, depth + 1))
    .find((each) => each !== undefined);
}

function referenced(document: JsonSchema, reference: string): JsonSchema | undefined {
  const steps = reference.startsWith("#")
    ? stepsOf(decodeURIComponent(reference.slice(1)))
    : undefined;
  return steps?.reduce<JsonSchema | undefined>(
    (at, step) => (typeof at === "object" ? asSchema(getOwn(at, step)) : undefined),
    document,
  );
}

/** Accepts containers of schemas too, because pointers lead through them. */
function asSchema(value: unknown): JsonSchema | undefined {
  if (typeof value === "boolean") return value;
  // A schema document contains only JSON.
  return typeof value === "object" && value !== null ? (value as JsonSchema) : undefined;
}
