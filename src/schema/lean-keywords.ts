/**
 * Keywords for which generated modules call the runtime (`checks.ts` there) instead of Ajv's longer
 * code: required and unknown names, plain properties and lists, enums, validators of other modules.
 * Ajv's own code stays where Ajv stops at the first error or records evaluated parts.
 */
import { _, type Code, type KeywordCxt, Name } from "ajv";
import type { Ajv2020 } from "ajv/dist/2020.js";
import type { KeywordErrorCxt } from "ajv/dist/types/index.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.js";
import {
  callByName,
  codeOf,
  errorsSoFar,
  formatOf,
  hoisted,
  hoistedList,
  placeOf,
  placeOfObject,
  printed,
  printedItems,
  redefine,
} from "./ajv-internals.js";
import { isChecked } from "./formats.js";
import { callKeyword } from "./validator-schema.js";

/** Makes Ajv print calls of the runtime where possible. */
export function leanKeywords(ajv: Ajv2020): void {
  callByName(ajv, callKeyword);
  lean(ajv, "required", requiredNames);
  lean(ajv, "additionalProperties", unknownNames);
  lean(ajv, "properties", properties);
  lean(ajv, "items", items);
  lean(
    ajv,
    callKeyword,
    ({ data, it, schema }) =>
      _`call(${errorsSoFar}, ${new Name(String(schema))}, ${data}, ${placeOf(it)})`,
  );
  enums(ajv);
}

/**
 * Replaces the code of a keyword with the result of `call`: the errors after the call, or
 * `"printed"` if `call` printed everything itself. If `call` returns undefined, Ajv's own code
 * stays.
 */
function lean(
  ajv: Ajv2020,
  keyword: string,
  call: (context: KeywordCxt) => Code | "printed" | undefined,
): void {
  const own = codeOf(ajv, keyword);
  redefine(ajv, keyword, {
    code(context: KeywordCxt, ruleType?: string) {
      const { gen, it } = context;
      const isPlain = it.allErrors === true && it.opts.unevaluated !== true;
      const after = isPlain ? call(context) : undefined;
      if (after === undefined) own(context, ruleType);
      else if (after !== "printed") gen.assign(errorsSoFar, after);
    },
  });
}

function requiredNames(context: KeywordCxt): Code | "printed" {
  const { data, it, schema } = context;
  if (!Array.isArray(schema) || schema.length === 0) return "printed";
  const values = printedItems(data, schema.map(String));
  return _`required(${errorsSoFar}, ${data}, ${placeOfObject(it)}, ${hoisted(context, schema)}, [${values}])`;
}

function unknownNames(context: KeywordCxt): Code | undefined {
  const { data, it, parentSchema, schema } = context;
  if (schema !== false || Object.keys(parentSchema["patternProperties"] ?? {}).length > 0)
    return undefined;
  it.props = true;
  const known = Object.keys(parentSchema["properties"] ?? {});
  return _`unknown(${errorsSoFar}, ${data}, ${placeOfObject(it)}, ${hoisted(context, known)})`;
}

function properties(context: KeywordCxt): "printed" {
  const { data, gen, schema } = context;
  let run: Member[] = [];
  const printRun = () => {
    if (run.length < manyMembers) for (const each of run) printCheck(context, each);
    else printMembers(context, run);
    run = [];
  };
  for (const [name, each] of Object.entries(schema as Readonly<Record<string, JsonValue>>)) {
    if (each === true || (isJsonObject(each) && Object.keys(each).length === 0)) continue;
    const check = plainCheck(context, each);
    if (check !== undefined && isMemberCheck(check)) {
      run.push({ name, check });
      continue;
    }
    printRun();
    if (check !== undefined) {
      printCheck(context, { name, check });
      continue;
    }
    gen.if(_`${printed(data, name)} !== undefined && own(${data}, ${name})`, () => {
      context.subschema(
        { keyword: "properties", schemaProp: name, dataProp: name },
        gen.name("valid"),
      );
    });
  }
  printRun();
  return "printed";
}

/** A property whose check the runtime makes. */
interface Member {
  readonly name: string;
  readonly check: PlainCheck;
}

/** Number of adjacent properties from which one call checks them all. A call for each is faster. */
const manyMembers = 8;

function isMemberCheck({ name }: PlainCheck): boolean {
  return name === "string" || name === "property" || name === "list";
}

function printCheck({ data, gen, it }: KeywordCxt, { check, name }: Member): void {
  const more = check.with === undefined ? _`` : _`, ${check.with}`;
  const value = printed(data, name);
  gen.assign(
    errorsSoFar,
    _`${new Name(check.name)}(${errorsSoFar}, ${data}, ${name}, ${value}, ${placeOfObject(it)}${more})`,
  );
}

function printMembers(context: KeywordCxt, run: readonly Member[]): void {
  const { data, gen, it } = context;
  const names = hoisted(
    context,
    run.map(({ name }) => name),
  );
  const checks = run.map(({ check }) =>
    check.name === "list" ? `[${String(check.with)}]` : String(check.with ?? 0),
  );
  gen.assign(
    errorsSoFar,
    _`members(${errorsSoFar}, ${data}, ${placeOfObject(it)}, ${names}, ${hoistedList(context, checks)})`,
  );
}

function items({ data, it, parentSchema, schema }: KeywordCxt): Code | undefined {
  if (parentSchema["prefixItems"] !== undefined) return undefined;
  const called = calledBy(schema as JsonValue);
  if (called !== undefined) return _`callEach(${errorsSoFar}, ${called}, ${data}, ${placeOf(it)})`;
  return isOnly(schema as JsonValue, "type") && (schema as JsonObject)["type"] === "string"
    ? _`strings(${errorsSoFar}, ${data}, ${placeOf(it)})`
    : undefined;
}

/** A check of the runtime that covers a whole property schema. */
interface PlainCheck {
  readonly name: string;
  readonly with?: Name;
}

const scalars: ReadonlySet<JsonValue | undefined> = new Set([
  "string",
  "boolean",
  "integer",
  "number",
]);

function plainCheck(context: KeywordCxt, schema: JsonValue): PlainCheck | undefined {
  const called = calledBy(schema);
  if (called !== undefined) return { name: "property", with: called };
  if (!isJsonObject(schema)) return undefined;
  const { enum: allowed, format, items: each, type } = schema;
  const plain = plainType(type);
  if (isOnly(schema, "type")) return plain === undefined ? undefined : { name: plain };
  if (isOnly(schema, "type", "format") && isTextFormat(context, format)) {
    if (plain === "string") return { name: "format", with: formatOf(context, format) };
    if (plain === "stringOrNull") return { name: "formatOrNull", with: formatOf(context, format) };
  }
  if (isOnly(schema, "type", "enum") && type === "string" && isTexts(allowed))
    return { name: "listed", with: hoisted(context, allowed) };
  const item = isOnly(schema, "type", "items") && type === "array" ? calledBy(each) : undefined;
  return item && { name: "list", with: item };
}

function plainType(type: JsonValue | undefined): string | undefined {
  if (scalars.has(type)) return String(type);
  if (!Array.isArray(type) || type.length !== 2 || type[1] !== "null") return undefined;
  return scalars.has(type[0]) ? `${String(type[0])}OrNull` : undefined;
}

function isTextFormat(context: KeywordCxt, format: JsonValue | undefined): format is string {
  if (typeof format !== "string" || !isChecked(format)) return false;
  const known = context.it.self.formats[format];
  return typeof known === "object" && "validate" in known && (known.type ?? "string") === "string";
}

function isTexts(values: JsonValue | undefined): values is string[] {
  return Array.isArray(values) && values.every((each) => typeof each === "string");
}

function isOnly(schema: JsonValue | undefined, ...keywords: readonly string[]): boolean {
  return (
    isJsonObject(schema) &&
    Object.keys(schema).length === keywords.length &&
    keywords.every((each) => Object.hasOwn(schema, each))
  );
}

function calledBy(schema: JsonValue | undefined): Name | undefined {
  return isJsonObject(schema) && isOnly(schema, callKeyword)
    ? new Name(String(schema[callKeyword]))
    : undefined;
}

/** Checks scalars against a list that the module declares once. Ajv compares objects. */
function enums(ajv: Ajv2020): void {
  const own = codeOf(ajv, "enum");
  redefine(ajv, "enum", {
    code(context: KeywordCxt, ruleType?: string) {
      const { data, schema } = context;
      if (!isScalars(schema)) own(context, ruleType);
      else context.pass(_`${hoisted(context, schema)}.includes(${data})`);
    },
  });
}

function isScalars(values: unknown): values is readonly JsonValue[] {
  return (
    Array.isArray(values) &&
    values.length > 0 &&
    values.every((each) => typeof each !== "object" || each === null)
  );
}

/** Maximum number of values or names in an error object. Messages need no more. */
export const maxListed = 100;

/**
 * The allowed values of an enum. Objects and arrays stay references: a copy as code would lose a
 * property named `__proto__`.
 */
export function allowedValues(context: KeywordErrorCxt): Code {
  const { schema, schemaCode } = context;
  if (!isScalars(schema)) return _`${schemaCode}`;
  const all = hoisted(context, schema);
  // Copies the list, because the receiver of an error may change it.
  return schema.length > maxListed ? _`${all}.slice(0, ${maxListed})` : _`[...${all}]`;
}
