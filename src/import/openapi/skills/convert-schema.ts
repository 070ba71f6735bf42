/** Converts a schema of OpenAPI to an equivalent one of JSON Schema 2020-12. */
import {
  getOwn,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  setOwn,
} from "../../../core/json.js";
import { quote, shown } from "../../../core/names.js";
import { int64Range, withInt64Text } from "../../../schema/int64-text.js";
import { hasMeaning } from "../../../schema/formats.js";
import { keywordIn, type KeywordShape, schemaTypes } from "../../../schema/keywords.js";
import { withInt64Values } from "../../../schema/int64-values.js";
import { type Part, type DocumentLocation, placeBelow } from "../read/document.js";
import { entriesIn, exactIn, isNullable, itemsIn, objectIn, under } from "../read/parts.js";
import { fitsSchema, refersElsewhere } from "../../skills/fits-schema.js";
import { prose } from "../../skills/texts.js";
import { defaultInWords } from "./default-in-words.js";
import { readPattern, type ReadPattern } from "./read-pattern.js";
import { type DiscriminatorContext, withDiscriminator } from "./discriminator.js";
import { examplesOf, withRounded } from "./rounded-keywords.js";

/**
 * `openapi-3.0`: the dialect of Swagger 2 and OpenAPI 3.0, which ignores keywords beside a `$ref`.
 */
export type Dialect = "openapi-3.0" | "2020-12";

export interface ConvertContext extends DiscriminatorContext {
  readonly dialect: Dialect;
  /** Called for the converted alternatives of each `oneOf`, with their place. */
  readonly onAlternatives?: (branches: readonly JsonValue[], at: DocumentLocation) => void;
  /** Written form of a reference; undefined if its target doesn't exist. */
  readonly refer: (reference: string, from: DocumentLocation) => string | undefined;
  /** Form of 64-bit integers; numbers if absent. */
  readonly int64?: string;
  /** Set in a branch: the enclosing schema describes the same value and states the type. */
  readonly isBranch?: boolean;
}

type Convert = (part: Part, context: ConvertContext) => JsonValue | undefined;

const asIs: Convert = ({ value }) => value;
const schema = (part: Part, context: ConvertContext): JsonSchema =>
  defaultInWords(convertSchema(part, context));
const schemas: Convert = (part, context) => itemsIn(part).map((each) => schema(each, context));
const schemasByName: Convert = (part, context) => {
  const converted: Record<string, JsonValue> = {};
  for (const [name, each] of entriesIn(part)) setOwn(converted, name, schema(each, context));
  return converted;
};

/** Converters by the content of a 2020-12 keyword. */
const byShape: Readonly<Record<KeywordShape, Convert>> = {
  schema,
  "schema-list": schemas,
  "schema-map": schemasByName,
  // A list of schemas becomes `prefixItems`, which is converted below.
  items: (part, context) => (Array.isArray(part.value) ? undefined : schema(part, context)),
  dependencies: () => undefined,
  data: asIs,
};

const text: Convert = ({ value }) => (typeof value === "string" ? prose(value) : undefined);
const number: Convert = ({ value }) => (typeof value === "number" ? value : undefined);
const count: Convert = ({ value }) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
const flag: Convert = ({ value }) => (value === true ? true : undefined);
const unique: Convert = ({ value }) => (Array.isArray(value) ? withoutRepeats(value) : undefined);

/** Converters of data keywords. */
const data: ReadonlyMap<string, Convert> = new Map([
  ...["title", "description", "format", "contentEncoding", "contentMediaType"].map(
    (name) => [name, text] as const,
  ),
  ...["maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum"].map(
    (name) => [name, number] as const,
  ),
  ...["Length", "Items", "Contains", "Properties"].flatMap((what) => [
    [`min${what}`, count] as const,
    [`max${what}`, count] as const,
  ]),
  ...["uniqueItems", "readOnly", "writeOnly", "deprecated"].map((name) => [name, flag] as const),
  ...["enum", "required"].map((name) => [name, unique] as const),
  ["multipleOf", ({ value }) => (typeof value === "number" && value > 0 ? value : undefined)],
  ["examples", ({ value }) => (Array.isArray(value) ? value : undefined)],
]);

/** Keywords that are read together with others, or that don't describe a value. */
const readElsewhere: ReadonlySet<string> = new Set([
  "$ref",
  "nullable",
  "example",
  "discriminator",
  "xml",
  "externalDocs",
  "$defs",
  "definitions",
  "$schema",
  "$id",
  "$comment",
]);

/**
 * Returns the converter of a keyword; undefined if the name isn't a 2020-12 keyword, or is read
 * elsewhere.
 */
function converterOf(name: string): Convert | undefined {
  const keyword = readElsewhere.has(name) ? undefined : keywordIn("2020-12", name);
  if (keyword === undefined || /^\$(?:dynamic|anchor)/.test(name)) return undefined;
  if (name === "patternProperties") return schemasByPattern;
  return data.get(name) ?? byShape[keyword.shape];
}

/**
 * Converts a schema. `refer` determines each `$ref`. Inexpressible parts are noted and left out.
 * The schema's own `default` stays. Those of nested schemas become words (`default-in-words.ts`).
 */
export function convertSchema(part: Part, context: ConvertContext): JsonSchema {
  const { value } = part;
  if (typeof value === "boolean") return value;
  if (!isJsonObject(value)) {
    if (value !== null) tell(context, part.at, "a schema must be an object, `true` or `false`");
    return {};
  }
  const reference = getOwn(value, "$ref");
  const converted =
    typeof reference === "string"
      ? convertReference(part, reference, context)
      : withDiscriminator(part, asStated(part, convertKeywords(part, context), context), context);
  const { oneOf } = converted;
  if (Array.isArray(oneOf)) context.onAlternatives?.(oneOf, placeBelow(part.at, "oneOf"));
  return isNullable(part) ? orNull(converted) : converted;
}

function tell({ note }: Pick<ConvertContext, "note">, at: DocumentLocation, message: string): void {
  note({ code: "import/part-left-out", at, message });
}

function convertReference(part: Part, reference: string, context: ConvertContext): JsonObject {
  const written = context.refer(reference, placeBelow(part.at, "$ref"));
  if (written === undefined) return {};
  if (context.dialect === "openapi-3.0") return { $ref: written };
  const { $ref: _, ...beside } = convertKeywords(part, context);
  const target = context.target(reference, part.at)?.value;
  const own: Record<string, JsonValue> = { ...beside };
  keepDefault(own, part, context, decidingIn(target));
  return { $ref: written, ...own };
}

/** Keywords of a referenced schema that decide if a default beside the reference is valid. */
function decidingIn(target: JsonValue | undefined): JsonObject {
  if (target === undefined || !isJsonObject(target)) return {};
  const { enum: choices, format, type } = target;
  const isInt64 = int64Range(target) !== undefined;
  return {
    ...(choices && { enum: choices }),
    ...(type && { type }),
    ...(isInt64 && format !== undefined && { format }),
  };
}

function convertKeywords(part: Part, context: ConvertContext): JsonObject {
  const converted: Record<string, JsonValue> = {};
  const rounded: (readonly [name: string, Part])[] = [];
  for (const [name, each] of entriesIn(part)) {
    const convert = converterOf(name);
    if (convert !== undefined && isData(name) && !isFinite(each.value)) {
      tell(
        context,
        each.at,
        `${quote(name)} contains a number that is too large, so the import leaves it out`,
      );
      continue;
    }
    if (convert !== undefined && isData(name) && exactIn(each) !== undefined) {
      rounded.push([name, each]);
      continue;
    }
    if (name === "$dynamicRef")
      tell(context, each.at, "the import does not follow `$dynamicRef`, so any value fits here");
    const value = convert?.(each, { ...context, isBranch: branching.test(name) });
    if (value !== undefined) setOwn(converted, name, value);
    else if (isLost(name, each, convert)) tell(context, each.at, lost(name));
  }
  return rounded.reduce(
    (schema, [name, each]) => withRounded(schema, name, each, { part, context }),
    converted,
  );
}

const branching = /^(?:allOf|anyOf|oneOf|not|if|then|else|dependentSchemas)$/;

function isData(name: string): boolean {
  return data.has(name) || keywordIn("2020-12", name)?.shape === "data";
}

/** `1e400` is read as infinity, which JSON cannot represent. */
function isFinite(value: JsonValue): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isFinite);
}

/**
 * Checks for a keyword whose loss matters. A false flag has no effect, and extensions matter only
 * to their author.
 */
function isLost(name: string, { value }: Part, convert: Convert | undefined): boolean {
  if (name.startsWith("x-") || readElsewhere.has(name) || value === false) return false;
  // In OpenAPI 3.0 these are booleans, and another converter reads them with their bounds.
  if (name.startsWith("exclusiveM") && value === true) return false;
  if (name === "items" && Array.isArray(value)) return false;
  return convert !== undefined || typeof value !== "string";
}

function lost(name: string): string {
  return `JSON Schema has no ${quote(name)} with such a value, so the import leaves it out`;
}

/** Completes the schema in 2020-12, and removes parts that a validator could not check. */
function asStated(part: Part, converted: JsonObject, context: ConvertContext): JsonObject {
  const schemaNow: Record<string, JsonValue> = { ...converted };
  const drop = (key: string): void => void delete schemaNow[key];
  const { value } = part;
  if (!isJsonObject(value)) return converted;
  for (const [flagName, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    const limit = schemaNow[bound];
    if (getOwn(value, flagName) !== true || typeof limit !== "number") continue;
    schemaNow[flagName] = limit;
    drop(bound);
  }
  if (schemaNow["type"] === "file") {
    schemaNow["type"] = "string";
    schemaNow["format"] = "binary";
  }
  if (!isType(schemaNow["type"]) && schemaNow["type"] !== undefined) {
    tell(
      context,
      placeBelow(part.at, "type"),
      `${typeWords(schemaNow["type"])} is not a type of JSON Schema`,
    );
    drop("type");
  }
  const items = under(part, "items");
  if (items !== undefined && Array.isArray(items.value)) {
    schemaNow["prefixItems"] = itemsIn(items).map((each) => schema(each, context));
    drop("items");
  }
  const list = schemaNow["required"];
  if (Array.isArray(list) && (list.length === 0 || list.some((each) => typeof each !== "string")))
    drop("required");
  keepRequired(schemaNow, part, context);
  if (Array.isArray(schemaNow["enum"]) && schemaNow["enum"].length === 0) drop("enum");
  for (const key of ["allOf", "anyOf", "oneOf", "prefixItems"]) {
    const branches = schemaNow[key];
    if (Array.isArray(branches) && branches.length === 0) drop(key);
  }
  const example = under(part, "example");
  if (example !== undefined && isFinite(example.value) && schemaNow["examples"] === undefined)
    Object.assign(schemaNow, examplesOf([example], { part, context }));
  const implied = context.isBranch === true ? undefined : impliedType(schemaNow);
  if (implied !== undefined) schemaNow["type"] = implied;
  keepFormat(schemaNow);
  keepPattern(schemaNow, part, context);
  openForPatterns(schemaNow, part);
  keepDefault(schemaNow, part, context);
  return schemaNow;
}

/**
 * Infers `object` from properties and `array` from items. Without a `type`, JSON Schema accepts any
 * other value too, and a type of all those is useless.
 */
function impliedType(converted: JsonObject): "object" | "array" | undefined {
  if (["type", "const", "enum", "not", "if"].some((key) => converted[key] !== undefined))
    return undefined;
  const branches = ["allOf", "anyOf", "oneOf"].flatMap((key) => converted[key] ?? []);
  const isPlain = (branch: JsonValue): branch is JsonObject =>
    isJsonObject(branch) && ["$ref", "type", "const", "enum"].every((key) => !(key in branch));
  if (!branches.every(isPlain)) return undefined;
  const lists = (key: string): boolean =>
    converted[key] !== undefined ||
    (branches.length > 0 && branches.every((branch) => branch[key] !== undefined));
  if (lists("properties")) return "object";
  return lists("items") || lists("prefixItems") ? "array" : undefined;
}

/** Keywords by which another schema may describe properties that an object doesn't name itself. */
const describesOthers =
  /^(?:patternProperties|allOf|anyOf|oneOf|not|if|then|else|dependentSchemas|dependencies|\$ref)$/;

/**
 * Keeps a required name only if it is allowed, because the schema would otherwise have no value.
 */
function keepRequired(
  converted: Record<string, JsonValue>,
  part: Part,
  context: ConvertContext,
): void {
  const { additionalProperties, properties, required, unevaluatedProperties } = converted;
  const isClosed = additionalProperties === false || unevaluatedProperties === false;
  if (!isClosed || !Array.isArray(required) || properties === undefined) return;
  if (!isJsonObject(properties) || Object.keys(converted).some((key) => describesOthers.test(key)))
    return;
  const names: readonly JsonValue[] = required;
  const isAllowed = (name: JsonValue) =>
    typeof name === "string" && Object.hasOwn(properties, name);
  for (const name of names.filter((each) => !isAllowed(each)))
    tell(
      context,
      placeBelow(part.at, "required"),
      `the schema requires ${quote(String(name))} but does not allow it, so the tool does not require it`,
    );
  const kept = names.filter(isAllowed);
  if (kept.length > 0) converted["required"] = kept;
  else delete converted["required"];
}

/**
 * Keeps known formats such as `int64` and `password`. A format of the author becomes a note for
 * people.
 */
function keepFormat(converted: Record<string, JsonValue>): void {
  const { format } = converted;
  if (typeof format !== "string") return;
  if (format === "password") converted["x-sensitive"] = true;
  if (hasMeaning(format)) return;
  delete converted["format"];
  converted["x-format"] = format;
}

function keepPattern(
  converted: Record<string, JsonValue>,
  part: Part,
  context: ConvertContext,
): void {
  const { pattern } = converted;
  if (pattern === undefined) return;
  const read = readNoted(pattern, placeBelow(part.at, "pattern"), context);
  if (read !== undefined) converted["pattern"] = read;
  else {
    delete converted["pattern"];
    converted["x-pattern"] = pattern;
  }
}

/**
 * Accepts any further property if an entry of `patternProperties` is missing, because the object
 * would otherwise reject the properties of this entry.
 */
function openForPatterns(converted: Record<string, JsonValue>, part: Part): void {
  const before = Object.keys(objectIn(under(part, "patternProperties"))).length;
  const { patternProperties } = converted;
  if (!isJsonObject(patternProperties) || Object.keys(patternProperties).length === before) return;
  delete converted["additionalProperties"];
  delete converted["unevaluatedProperties"];
}

/** Reads a pattern. Adds a note if the tool checks another pattern, or none. */
function readNoted(
  pattern: JsonValue,
  at: DocumentLocation,
  context: ConvertContext,
): string | undefined {
  const read: ReadPattern =
    typeof pattern === "string"
      ? readPattern(pattern)
      : { kind: "dropped", why: "it is not a text" };
  if (read.kind === "dropped") {
    tell(context, at, `the tool does not check the pattern, because ${read.why}`);
    return undefined;
  }
  if (read.change !== undefined)
    context.note({ code: "import/taken-otherwise", at, message: read.change });
  return read.pattern;
}

/** Keeps the entries of `patternProperties` whose pattern the tool can check. */
const schemasByPattern: Convert = (part, context) => {
  const converted: Record<string, JsonValue> = {};
  for (const [pattern, each] of entriesIn(part)) {
    const read = readNoted(pattern, each.at, context);
    if (read === undefined) continue;
    const own = schema(each, context);
    const other = getOwn(converted, read);
    setOwn(converted, read, other === undefined ? own : { allOf: [other, own] });
  }
  return converted;
};

/**
 * Keeps a default only if its own schema accepts it.
 *
 * @param written further keywords that decide, if the schema's own are not all
 */
function keepDefault(
  converted: Record<string, JsonValue>,
  part: Part,
  context: ConvertContext,
  written: JsonObject = converted,
): void {
  const own = converted["default"];
  if (own === undefined) return;
  const { default: value = own, ...stated } = asRead({ ...written, default: own }, context);
  const isNull = value === null && isNullable(part);
  if (isNull || fitsSchema(value, stated)) return;
  delete converted["default"];
  tell(
    context,
    placeBelow(part.at, "default"),
    "the schema rejects its own default, so the import leaves the default out",
  );
}

/** Returns the schema as the skill reads it. With `int64: string`, 64-bit integers are text. */
function asRead(schema: JsonObject, { int64 }: ConvertContext): JsonObject {
  if (int64 !== "string") return schema;
  const read = withInt64Text(schema);
  const whole = refersElsewhere(schema) ? read : withInt64Values(read);
  return isJsonObject(whole) ? whole : schema;
}

const types: ReadonlySet<string> = new Set(schemaTypes);

function isType(value: JsonValue | undefined): boolean {
  if (!Array.isArray(value)) return typeof value === "string" && types.has(value);
  const all: readonly JsonValue[] = value;
  return all.length > 0 && all.every((each) => typeof each === "string" && types.has(each));
}

function typeWords(value: JsonValue | undefined): string {
  return `\`${shown(JSON.stringify(value))}\``;
}

function withoutRepeats(values: readonly JsonValue[]): readonly JsonValue[] {
  const seen = new Map(values.map((each) => [JSON.stringify(each), each]));
  return [...seen.values()];
}

/** Keywords beside `type` that may reject null. */
const mayRejectNull = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "const"];

/** Makes a schema with `nullable: true` accept null, whatever its other keywords say. */
function orNull(converted: JsonObject): JsonObject {
  const { default: value, deprecated, description, title, ...own } = converted;
  const { enum: choices, type } = own;
  if (Object.keys(own).length === 0) return converted;
  if (type === undefined || mayRejectNull.some((key) => own[key] !== undefined)) {
    const words = { title, description, deprecated, default: value };
    const stated = Object.entries(words).flatMap(([key, each]) =>
      each === undefined ? [] : [[key, each] as const],
    );
    return { ...Object.fromEntries(stated), anyOf: [own, { type: "null" }] };
  }
  const all = Array.isArray(type) ? (type as readonly JsonValue[]) : [type];
  const values = Array.isArray(choices) ? withoutRepeats([...choices, null]) : undefined;
  return {
    ...converted,
    type: all.includes("null") ? all : [...all, "null"],
    ...(values && { enum: values }),
  };
}
