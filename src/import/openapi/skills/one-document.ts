/** Puts schemas and the components that they refer to into one document. */
import { isJsonObject, type JsonSchema, type JsonValue, setOwn } from "../../../core/json.js";

export interface OneDocument {
  /** The document. Its `$defs` get a component when a schema first refers to it. */
  readonly root: { readonly $defs: Readonly<Record<string, JsonSchema>> };
  /**
   * Makes the references of a schema lead into the document.
   *
   * @param folder prefix of the schema's references
   */
  move<Schema extends JsonSchema>(schema: Schema, folder: string): Schema;
}

/** @param schemaOf returns the schema of a component, whose references begin with `./` */
export function createOneDocument(schemaOf: (name: string) => JsonSchema | undefined): OneDocument {
  // Shared by all schemas, so that each component is added once.
  const defs: Record<string, JsonSchema> = {};
  const define = (name: string): void => {
    if (Object.hasOwn(defs, name)) return;
    // Added first, so that components that refer back find it.
    setOwn(defs, name, true);
    const schema = schemaOf(name);
    if (schema !== undefined) setOwn(defs, name, move(schema, "./"));
  };
  const move = <Schema extends JsonSchema>(schema: Schema, folder: string): Schema => {
    const moved = (value: JsonValue, key = ""): JsonValue => {
      if (Array.isArray(value)) return (value as readonly JsonValue[]).map((each) => moved(each));
      if (key === "$ref" && typeof value === "string" && value.startsWith(folder)) {
        const name = value.slice(folder.length, -".json".length);
        define(name);
        return `#/$defs/${name}`;
      }
      if (!isJsonObject(value)) return value;
      const copy: Record<string, JsonValue> = {};
      for (const [name, each] of Object.entries(value)) setOwn(copy, name, moved(each, name));
      return copy;
    };
    // Moving the references of a schema gives a schema.
    return moved(schema) as Schema;
  };
  return { root: { $defs: defs }, move };
}
