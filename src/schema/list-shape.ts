import type { JsonObject, JsonSchema } from "../core/json.js";
import { below } from "./pointer.js";
import { schemasUnder, schemaUnder, type Subschema } from "./schema-tree.js";
import { isNever, never, only, type Shape, union } from "./shape.js";
import type { ShapeReader } from "./shape-reader.js";

/** Keywords that say something about lists. */
export const listKeywords = ["items", "prefixItems", "unevaluatedItems"];

/** More positions than a reader would follow; beyond, the list is one of anything that may stand in it. */
const longestTuple = 32;

/** The lists that a schema's own keywords allow. */
export function listShape(at: Subschema, schema: JsonObject, reader: ShapeReader): Shape {
  const prefix = schemasUnder(schema, "prefixItems");
  const pointer = below(at.pointer, "items");
  const rest = reader.shapeOf({
    schema: schemaUnder(schema, "items") ?? restOfItems(schema),
    pointer,
  });
  if (prefix.length === 0) return only({ kind: "array", items: rest, pointer });
  const shapes = prefix.map((each, index) =>
    reader.shapeOf({ schema: each, pointer: below(at.pointer, "prefixItems", index) }),
  );
  if (shapes.length > longestTuple) return only({ kind: "array", items: union([...shapes, rest]) });
  const least = typeof schema["minItems"] === "number" ? schema["minItems"] : 0;
  const most = typeof schema["maxItems"] === "number" ? schema["maxItems"] : Infinity;
  const impossible = shapes.findIndex(isNever);
  const length = Math.min(shapes.length, most, impossible < 0 ? Infinity : impossible);
  if (length < Math.min(least, shapes.length)) return never;
  const elements = shapes
    .slice(0, length)
    .map((shape, index) => ({ shape, optional: index >= least }));
  return only({
    kind: "tuple",
    prefix: elements,
    rest: length < shapes.length || most <= length ? never : rest,
  });
}

/** `unevaluatedItems` closes a list when nothing else can have evaluated an item. */
function restOfItems(schema: JsonObject): JsonSchema {
  const others = ["$ref", "allOf", "anyOf", "oneOf", "if", "contains", "dependentSchemas", "not"];
  const isClosed =
    schema["unevaluatedItems"] === false && others.every((each) => schema[each] === undefined);
  return !isClosed;
}
