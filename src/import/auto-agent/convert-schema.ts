/** Converts the schema of a parameter or an output to JSON Schema 2020-12. */
import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from "../../core/json.js";
import { keywordIn } from "../../schema/keywords.js";
import { fitsSchema } from "../skills/fits-schema.js";
import { prose } from "../skills/texts.js";
import { keywordsOfType, orNull } from "./read-type.js";

/** Parts of a definition's schemas that the conversion lost or translated. Each set keeps its order. */
export interface ConversionNotes {
  /** Types in words of Python. */
  readonly translated: Set<string>;
  /** Types that are unknown, so that a place accepts any value. */
  readonly unknownTypes: Set<string>;
  /** Keywords that JSON Schema does not have. */
  readonly unknownKeys: Set<string>;
  /** Names of the parameters and outputs whose default does not fit. */
  readonly misfits: Set<string>;
}

export function noConversionNotes(): ConversionNotes {
  return {
    translated: new Set(),
    unknownTypes: new Set(),
    unknownKeys: new Set(),
    misfits: new Set(),
  };
}

/** A parameter or an output. */
export interface NamedSchema {
  readonly name: string;
  readonly value: JsonValue;
}

/** Returns the schema of an object with these properties. */
export function objectSchema(named: readonly NamedSchema[], notes: ConversionNotes): JsonObject {
  const properties: Record<string, JsonValue> = {};
  const required: string[] = [];
  for (const { name, value } of named) {
    const schema = convertSchema(value, name, notes);
    setOwn(properties, name, schema);
    if (isRequired(value, schema)) required.push(name);
  }
  return { type: "object", ...(required.length > 0 && { required }), properties };
}

/** A value is required unless the definition says otherwise, or gives it a default. */
function isRequired(value: JsonValue, schema: JsonObject): boolean {
  if (!isJsonObject(value)) return true;
  const [required, isOptional, fallback] = ["required", "optional", "default"].map((key) =>
    getOwn(value, key),
  );
  // This is `None` of Python: the value may be left out.
  if (required === false || isOptional === true || fallback === null) return false;
  return schema["default"] === undefined;
}

/** Keys that are read elsewhere, or that say nothing about the value. */
const readElsewhere: ReadonlySet<string> = new Set([
  "name",
  "type",
  "required",
  "optional",
  "nullable",
  "default",
  "properties",
  "description",
]);

/**
 * @param value a schema, or the name of a type
 * @param name nearest parameter or output, for notes
 */
function convertSchema(value: JsonValue, name: string, notes: ConversionNotes): JsonObject {
  if (typeof value === "string") return convertType(value, notes);
  if (!isJsonObject(value)) return {};
  const made: Record<string, JsonValue> = { ...convertTypes(getOwn(value, "type"), notes) };
  const description = getOwn(value, "description");
  if (typeof description === "string" && prose(description) !== "")
    made["description"] = prose(description);
  for (const [key, each] of Object.entries(value)) {
    const shape = readElsewhere.has(key) ? undefined : keywordIn("2020-12", key)?.shape;
    const converted = shape && convertKeyword(shape, each, name, notes);
    if (converted !== undefined) setOwn(made, key, converted);
    else if (!readElsewhere.has(key)) notes.unknownKeys.add(key);
  }
  Object.assign(made, convertProperties(value, notes));
  const whole = getOwn(value, "nullable") === true ? orNull(made) : made;
  return withDefault(whole, getOwn(value, "default"), name, notes);
}

/** @returns undefined if the value has not the shape that the keyword needs */
function convertKeyword(
  shape: NonNullable<ReturnType<typeof keywordIn>>["shape"],
  value: JsonValue,
  name: string,
  notes: ConversionNotes,
): JsonValue | undefined {
  const one = (each: JsonValue) =>
    typeof each === "boolean" ? each : convertSchema(each, name, notes);
  if (shape === "data") return value;
  if (shape === "schema" || shape === "items")
    return typeof value === "object" && !isJsonObject(value) ? undefined : one(value);
  if (shape === "schema-list") return Array.isArray(value) ? value.map(one) : undefined;
  if (shape !== "schema-map" || !isJsonObject(value)) return undefined;
  const made: Record<string, JsonValue> = {};
  for (const [key, each] of Object.entries(value)) setOwn(made, key, one(each));
  return made;
}

/** Reads `properties`: schemas by name, or a list like that of the parameters. */
function convertProperties(value: JsonObject, notes: ConversionNotes): JsonObject {
  const properties = getOwn(value, "properties");
  const named = namedIn(properties);
  if (named === undefined) {
    if (properties !== undefined) notes.unknownKeys.add("properties");
    return {};
  }
  const { required, ...made } = objectSchema(named, notes);
  const listed = getOwn(value, "required");
  // Without a flag at any property, nested properties are optional, as in JSON Schema.
  const hasFlags = named.some(
    (each) => isJsonObject(each.value) && typeof getOwn(each.value, "required") === "boolean",
  );
  const names = Array.isArray(listed) ? listed : hasFlags ? required : undefined;
  return { ...made, ...(names !== undefined && { required: names }) };
}

function namedIn(value: JsonValue | undefined): readonly NamedSchema[] | undefined {
  if (isJsonObject(value))
    return Object.entries(value).map(([name, each]) => ({ name, value: each }));
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((each: JsonValue) => {
    const name = isJsonObject(each) ? getOwn(each, "name") : undefined;
    return typeof name === "string" ? [{ name, value: each }] : [];
  });
}

function convertTypes(type: JsonValue | undefined, notes: ConversionNotes): JsonObject {
  if (type === undefined || type === null) return {};
  if (typeof type === "string") return convertType(type, notes);
  const all = Array.isArray(type)
    ? type.map((each: JsonValue) => (typeof each === "string" ? convertType(each, notes) : {}))
    : [];
  const types = all.flatMap((each) => each["type"] ?? []);
  const arePlain = all.length > 0 && all.every((each) => typeof each["type"] === "string");
  if (arePlain) return { type: [...new Set(types)] };
  notes.unknownTypes.add(JSON.stringify(type).slice(0, 60));
  return {};
}

function convertType(written: string, notes: ConversionNotes): JsonObject {
  const found = keywordsOfType(written);
  if (found === undefined) notes.unknownTypes.add(written.slice(0, 60));
  else if (found["type"] !== written) notes.translated.add(written);
  return found ?? {};
}

function withDefault(
  schema: JsonObject,
  value: JsonValue | undefined,
  name: string,
  notes: ConversionNotes,
): JsonObject {
  if (value === undefined || (value === null && !fits(value, schema))) return schema;
  if (fits(value, schema)) return { ...schema, default: value };
  notes.misfits.add(name);
  return schema;
}

/** Checks a default, but leaves it to the compiler if its schema has patterns or is unsound. */
function fits(value: JsonValue, schema: JsonObject): boolean {
  const { enum: choices, type } = schema;
  const hasPattern = /"pattern(?:Properties)?":/.test(JSON.stringify(schema));
  if (hasPattern)
    return fitsSchema(value, {
      ...(choices !== undefined && { enum: choices }),
      ...(type !== undefined && { type }),
    });
  try {
    return fitsSchema(value, schema);
  } catch {
    return true;
  }
}

/** Converts the outputs of a tool: schemas by name, or one schema of an object. */
export function resultSchema(outputs: JsonObject, notes: ConversionNotes): JsonObject {
  const isSchema =
    typeof getOwn(outputs, "type") === "string" &&
    (isJsonObject(getOwn(outputs, "properties")) || Object.keys(outputs).length === 1);
  if (isSchema) return convertSchema(outputs, "output_schema", notes);
  return objectSchema(namedIn(outputs) ?? [], notes);
}
