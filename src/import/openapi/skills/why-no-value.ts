/** Finds schemas that no value fits. The compiler rejects them if a tool needs a value. */
import { isJsonObject, type JsonSchema, type JsonValue, setOwn } from "../../../core/json.js";
import { quote } from "../../../core/names.js";
import { withInt64Text } from "../../../schema/int64-text.js";
import { noValueOf } from "../../../schema/compare/no-value.js";

/**
 * Reason why no value fits a schema that refers to components; undefined if one may.
 *
 * @param folder prefix of the schema's references
 */
export type WhyNoValue = (schema: JsonSchema, folder: string) => string | undefined;

/**
 * @param schemaOf returns the schema of a component, whose references begin with `./`
 * @param int64 form of 64-bit integers
 */
export function createWhyNoValue(
  schemaOf: (name: string) => JsonSchema | undefined,
  int64?: string,
): WhyNoValue {
  const asRead = int64 === "string" ? withInt64Text : (schema: JsonSchema) => schema;
  // Shared by all calls, so that each component is added once.
  const defs: Record<string, JsonSchema> = {};
  const define = (name: string): void => {
    if (Object.hasOwn(defs, name)) return;
    // Added first, so that components that refer back find it.
    setOwn(defs, name, true);
    const schema = schemaOf(name);
    if (schema !== undefined) setOwn(defs, name, inOneDocument(asRead(schema), "./", define));
  };
  const known = new Map<string, string | undefined>();
  const ask: WhyNoValue = (schema, folder) => {
    if (typeof schema === "boolean") return undefined;
    const read = asRead(schema);
    const root = {
      ...(isJsonObject(read) ? inOneDocument(read, folder, define) : {}),
      $defs: defs,
    };
    const { path = [], problem } = noValueOf({ schema: root, pointer: "" }, root) ?? {};
    const name = path.findLast((each) => each !== "[]");
    return name === undefined ? problem : `${problem}, at ${quote(name)}`;
  };
  // Cached, because most operations share responses and errors.
  return (schema, folder) => {
    const key = `${folder} ${JSON.stringify(schema)}`;
    if (!known.has(key)) known.set(key, ask(schema, folder));
    return known.get(key);
  };
}

/**
 * Moves components into `$defs` of the schema.
 *
 * @param refer called with the name of each component that the schema refers to
 */
function inOneDocument<Schema extends JsonSchema>(
  schema: Schema,
  folder: string,
  refer: (name: string) => void,
): Schema {
  const moved = (value: JsonValue, key = ""): JsonValue => {
    if (Array.isArray(value)) return (value as readonly JsonValue[]).map((each) => moved(each));
    if (key === "$ref" && typeof value === "string" && value.startsWith(folder)) {
      const name = value.slice(folder.length, -".json".length);
      refer(name);
      return `#/$defs/${name}`;
    }
    if (!isJsonObject(value)) return value;
    const copy: Record<string, JsonValue> = {};
    for (const [name, each] of Object.entries(value)) setOwn(copy, name, moved(each, name));
    return copy;
  };
  // Moving the references of a schema gives a schema.
  return moved(schema) as Schema;
}
