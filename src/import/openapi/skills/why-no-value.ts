/** Finds schemas that no value fits. The compiler rejects them if a tool needs a value. */
import { isJsonObject, type JsonSchema } from "../../../core/json.js";
import { quote } from "../../../core/names.js";
import { withInt64Text } from "../../../schema/int64-text.js";
import { noValueOf } from "../../../schema/compare/no-value.js";
import { createOneDocument } from "./one-document.js";

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
  const document = createOneDocument((name) => {
    const schema = schemaOf(name);
    return schema && asRead(schema);
  });
  const known = new Map<string, string | undefined>();
  const ask: WhyNoValue = (schema, folder) => {
    if (typeof schema === "boolean") return undefined;
    const read = asRead(schema);
    const root = {
      ...(isJsonObject(read) ? document.move(read, folder) : {}),
      ...document.root,
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
