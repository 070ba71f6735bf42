import { _, type Code, type KeywordCxt, Name } from "ajv";
import type { Ajv2020 } from "ajv/dist/2020.js";
import { isJsonObject, type JsonObject, type JsonSchema } from "../core/json.js";
import { childrenOf, everySchema, type Subschema } from "./schema-tree.js";

/**
 * `true` in schemas whose evaluated names and items count, `false` in the others. No author's
 * keyword: extensions are left out before.
 */
const marker = "x-evaluated";

/**
 * Has Ajv start each schema that is looked at with no name and no item evaluated. By itself it
 * declares what is evaluated where the first branch turns out to fit, so that in a loop the next
 * item finds what the last one left, and keeps it in an object that inherits names.
 */
export function startEvaluatedAfresh(ajv: Ajv2020): void {
  ajv.addKeyword({
    keyword: marker,
    before: "$ref",
    code({ gen, it, schema }) {
      // Where all is evaluated, Ajv keeps no book.
      it.props = schema === false || gen.var("props", _`{__proto__: null}`);
      it.items = schema === false || gen.var("items", 0);
    },
  });
  wrap(ajv, "if", whereValid);
  wrap(ajv, "unevaluatedItems", withCount);
}

/** Has the keyword's code work on the context that `change` makes of its own. */
function wrap(ajv: Ajv2020, keyword: string, change: (context: KeywordCxt) => KeywordCxt): void {
  const definition = ajv.getKeyword(keyword);
  if (typeof definition !== "object" || !("code" in definition))
    throw new Error(`ajv has no keyword ${keyword}`);
  const { code } = definition;
  // Each Ajv has copies of the definitions, so this changes no other.
  definition.code = (context, ruleType) => code.call(definition, change(context), ruleType);
}

/** Ajv compares with the length what may be `true`: all items are evaluated. */
function withCount(context: KeywordCxt): KeywordCxt {
  const { gen, data, it } = context;
  const { items } = it;
  if (items instanceof Name)
    gen.if(_`${items} === true`, () => gen.assign(items, _`${data}.length`));
  return context;
}

/** Ajv counts what `if` evaluated even where it doesn't hold. */
function whereValid(context: KeywordCxt): KeywordCxt {
  const subschema = context.subschema.bind(context);
  const merge = context.mergeEvaluated.bind(context);
  let valid: Code = _`true`;
  context.subschema = (applied, name) => {
    valid = name;
    return subschema(applied, name);
  };
  context.mergeEvaluated = (inner) => void context.gen.if(valid, () => merge(inner, Name));
  return context;
}

/**
 * Pointers of the schemas of a document that an `unevaluated…` keyword looks at: those that have
 * one, and what applies to the same value.
 */
export function placesLookedAt(root: JsonSchema): ReadonlySet<string> {
  const places = new Set<string>();
  const waiting: Subschema[] = everySchema(root).filter(({ schema }) => looksAtEvaluated(schema));
  for (const each of waiting) {
    if (places.has(each.pointer)) continue;
    places.add(each.pointer);
    waiting.push(...childrenOf(each, root).filter((child) => child.inPlace));
  }
  return places;
}

function looksAtEvaluated(schema: JsonSchema): boolean {
  return (
    isJsonObject(schema) &&
    (schema["unevaluatedProperties"] !== undefined || schema["unevaluatedItems"] !== undefined)
  );
}

/**
 * The schema, marked as looked at. A bare `if` evaluates too, and Ajv passes over it unless
 * something follows.
 */
export function lookedAt(schema: JsonObject): JsonObject {
  const then = schema["then"] ?? true;
  const follows = schema["if"] !== undefined && then === true;
  // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema has a keyword of that name
  return { ...schema, [marker]: true, ...(follows && { then: { [marker]: true } }) };
}

/** The schema, marked as one that no `unevaluated…` keyword looks at. */
export function notLookedAt(schema: JsonObject): JsonObject {
  return { ...schema, [marker]: false };
}

/** Whether a keyword of the schema, or of one below it, depends on what others evaluated. */
export function usesUnevaluated(schema: JsonSchema): boolean {
  return JSON.stringify(schema).includes('"unevaluated');
}
