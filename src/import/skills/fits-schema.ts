/** Checks values of a source, such as defaults, against their own schemas. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.js";
import { valueChecker } from "../../schema/check-value.js";

export function refersElsewhere(schema: JsonObject): boolean {
  return JSON.stringify(schema).includes('"$ref"');
}

/** Checks a value against a schema, without other files. */
export function fitsSchema(value: JsonValue, stated: JsonObject): boolean {
  const choices = stated["enum"];
  const isListed =
    !Array.isArray(choices) ||
    choices.some((each) => JSON.stringify(each) === JSON.stringify(value));
  if (!isListed || !hasType(value, stated["type"])) return false;
  const isPlain = Object.keys(stated).every((key) => plainKeywords.has(key));
  if (isPlain || refersElsewhere(stated)) return true;
  const { default: _, ...schemaAlone } = stated;
  const span = { file: "", start: 0, end: 0 };
  return (
    valueChecker({ kind: "schema", schema: schemaAlone, span, places: {} })(value).length === 0
  );
}

/** Keywords that were checked, and keywords that never reject a value. */
const plainKeywords: ReadonlySet<string> = new Set([
  "type",
  "enum",
  "default",
  "title",
  "description",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
]);

function hasType(value: JsonValue, type: JsonValue | undefined): boolean {
  if (type === undefined) return true;
  if (Array.isArray(type))
    return (type as readonly JsonValue[]).some((each) => hasType(value, each));
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isJsonObject(value);
  if (type === "integer") return typeof value === "number" && Number.isInteger(value);
  return typeof value === type;
}
