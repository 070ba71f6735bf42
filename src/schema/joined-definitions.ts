import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  setOwn,
} from "../core/json.js";
import { isNever, type Shape } from "./shape.js";
import type { Shapes } from "./shape-of-schema.js";
import { schemaOfShape } from "./schema-of-shape.js";
import { mapSubschemas, targetOf } from "./schema-tree.js";

/** Joins parts of several documents to one. Their references then lead into its `$defs`. */
export interface JoinedDefinitions {
  /** Takes a schema whose references lead into `root`. */
  take(schema: JsonSchema, root: JsonSchema): JsonSchema;
  /** Takes a shape whose references lead into the document of `shapes`. */
  takeShape(shape: Shape, shapes: Shapes): JsonSchema;
  /** The `$defs` of everything that was taken; undefined if there are none. */
  definitions(): JsonObject | undefined;
}

export function joinDefinitions(): JoinedDefinitions {
  const joined: Record<string, JsonValue> = {};
  /** Names in `joined` by the document, and the pointer in it. */
  const names = new Map<object, Map<string, string>>();

  /** Refers to a definition, which is made when it is first needed: it may refer to itself. */
  const refer = (source: object, pointer: string, make: () => JsonSchema): JsonSchema => {
    const known = names.get(source) ?? new Map<string, string>();
    names.set(source, known);
    const before = known.get(pointer);
    if (before !== undefined) return { $ref: `#/$defs/${before}` };
    const name = freeName(pointer, joined);
    known.set(pointer, name);
    setOwn(joined, name, true);
    setOwn(joined, name, make());
    return { $ref: `#/$defs/${name}` };
  };

  const take = (schema: JsonSchema, root: JsonSchema): JsonSchema => {
    if (typeof schema === "boolean") return schema;
    const result: Record<string, JsonValue> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (documentKeywords.has(keyword)) continue;
      if (keyword === "$ref" && isJsonObject(root)) {
        const target = targetOf(root, String(value));
        const reference = refer(root, target.pointer, () => take(target.schema, root));
        Object.assign(result, reference);
      } else
        setOwn(
          result,
          keyword,
          mapSubschemas(keyword, value, "", (each) => take(each, root)),
        );
    }
    return result;
  };

  const takeShape = (shape: Shape, shapes: Shapes): JsonSchema => {
    const target = (pointer: string): JsonSchema => {
      const expanded = shapes.expand(pointer);
      if (expanded === undefined || expanded.kind === "unknown") return true;
      return isNever(expanded)
        ? false
        : refer(shapes, pointer, () => schemaOfShape(expanded, target));
    };
    return schemaOfShape(shape, target);
  };

  return {
    take,
    takeShape,
    definitions: () => (Object.keys(joined).length === 0 ? undefined : joined),
  };
}

/** Keywords of a whole document, which a part of another document can't have. */
const documentKeywords: ReadonlySet<string> = new Set(["$schema", "$id", "$defs"]);

/** A name with plain characters, so that its reference needs no escapes. */
function freeName(pointer: string, taken: { readonly [name: string]: JsonValue }): string {
  // The name of a shared schema begins with the folder of its file.
  const last = pointer.split(/[/.]/).at(-1) ?? "";
  const stem = last.replace(/[^A-Za-z0-9_-]/g, "_") || "data";
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? stem : `${stem}_${count}`;
    if (!Object.hasOwn(taken, name) && name !== "__proto__") return name;
  }
}
