import { type JsonSchema, type JsonValue, setOwn } from "../core/json.js";
import { isNever, type ObjectPart, type Part, type Shape, type TuplePart } from "./shape.js";

/**
 * A JSON Schema (2020-12) of the values of a shape. Like the shape, it accepts more than the schema
 * of an author: no limits, formats and patterns.
 *
 * @param refer returns the schema for a reference, by the pointer of its target
 */
export function schemaOfShape(shape: Shape, refer: (pointer: string) => JsonSchema): JsonSchema {
  if (shape.kind === "unknown") return true;
  const parts = shape.of.map((part) => schemaOfPart(part, refer));
  const [first] = parts;
  if (first === undefined) return false;
  return parts.length === 1 ? first : { anyOf: parts };
}

function schemaOfPart(part: Part, refer: (pointer: string) => JsonSchema): JsonSchema {
  const inside = (shape: Shape) => schemaOfShape(shape, refer);
  switch (part.kind) {
    case "scalar":
      return { type: part.type };
    case "literal":
      return { const: part.value };
    case "array":
      return { type: "array", ...unlessOpen("items", inside(part.items)) };
    case "tuple":
      return tupleSchema(part, inside);
    case "object":
      return objectSchema(part, inside);
    case "ref":
      return refer(part.to);
    case "both":
      return { allOf: part.of.map((each) => schemaOfPart(each, refer)) };
  }
}

function tupleSchema(
  { prefix, rest }: TuplePart,
  inside: (shape: Shape) => JsonSchema,
): JsonSchema {
  const needed = prefix.filter(({ optional }) => !optional).length;
  return {
    type: "array",
    ...(prefix.length > 0 && { prefixItems: prefix.map(({ shape }) => inside(shape)) }),
    ...unlessOpen("items", inside(rest)),
    ...(needed > 0 && { minItems: needed }),
  };
}

function objectSchema(
  { properties, rest, title }: ObjectPart,
  inside: (shape: Shape) => JsonSchema,
): JsonSchema {
  const schemas: Record<string, JsonValue> = {};
  for (const { description, name, shape } of properties.filter((each) => !isNever(each.shape))) {
    const schema = inside(shape);
    const documented =
      description !== undefined && typeof schema !== "boolean"
        ? { ...schema, description }
        : schema;
    setOwn(schemas, name, documented);
  }
  const required = properties.filter((each) => each.required).map(({ name }) => name);
  return {
    type: "object",
    ...(title !== undefined && { title }),
    ...(properties.length > 0 && { properties: schemas }),
    ...(required.length > 0 && { required }),
    ...unlessOpen("additionalProperties", inside(rest)),
  };
}

function unlessOpen(keyword: string, schema: JsonSchema) {
  return schema === true ? {} : { [keyword]: schema };
}
