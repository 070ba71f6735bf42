/** Makes the schema of a statement's result, with which `returns` is compared. */
import type { JsonObject } from "../../../core/json.js";
import type { SchemaModel } from "../../../core/skill-model.js";
import { compare } from "../../../schema/compare/compare.js";
import { partSchemas } from "../../../schema/compare/normal-form.js";
import { lookUp } from "../../../schema/look-up.js";
import type { ResultColumnModel, SqlConfig } from "../model.js";
import { columnSchema } from "../types/column-schema.js";
import type { SqlType } from "../types/sql-type.js";

type Path = readonly (string | number)[];

/** The path of one row in the result. */
export function rowPath(rows: SqlConfig["rows"]): Path {
  return rows === "many" ? [0] : [];
}

/**
 * JSON Schema of a statement's result. It follows `returns` in what PostgreSQL doesn't know: the
 * depth of arrays, whether numbers may be negative, and that a column is always NULL.
 */
export function resultSchema(
  rows: SqlConfig["rows"],
  columns: readonly ResultColumnModel[],
  returns: SchemaModel,
): JsonObject {
  if (columns.length === 0) return objectOf({ affected_rows: { type: "integer", minimum: 0 } });
  const members = columns.map((column) => {
    const path = [...rowPath(rows), column.name];
    return [column.name, columnValues(column, returns, path)] as const;
  });
  const row = objectOf(Object.fromEntries(members));
  if (rows === "many") return { type: "array", items: row };
  return rows === "optional" ? orNull(row) : row;
}

/** JSON Schema that every result of a statement fits, also improbable ones. */
export function everyResultSchema(
  rows: SqlConfig["rows"],
  columns: readonly ResultColumnModel[],
): JsonObject {
  if (columns.length === 0) return objectOf({ affected_rows: { type: "integer", minimum: 0 } });
  const row = objectOf(
    Object.fromEntries(columns.map((column) => [column.name, everyValue(column)] as const)),
  );
  if (rows === "many") return { type: "array", items: row };
  return rows === "optional" ? orNull(row) : row;
}

function everyValue({ nullable, type }: ResultColumnModel): JsonObject {
  // Elements may be NULL or arrays, which PostgreSQL's types don't say.
  const schema = type.kind === "array" ? { type: "array" } : columnSchema(type);
  // JSON has null in place of NaN and infinity.
  return nullable || schema["type"] === "number" ? orNull(schema) : schema;
}

function columnValues(
  { nullable, type }: ResultColumnModel,
  returns: SchemaModel,
  path: Path,
): JsonObject {
  if (nullable && typesAt(returns, path).every((each) => each === "null")) return { type: "null" };
  const schema = valueSchema(type, returns, path);
  return nullable ? orNull(schema) : schema;
}

/** Maximal number of dimensions of PostgreSQL's arrays. */
const maxDimensions = 6;

/**
 * Schema of a value. It leaves out NULL for elements of arrays, because it is unknown whether they
 * may be NULL.
 */
function valueSchema(type: SqlType, returns: SchemaModel, path: Path, depth = 1): JsonObject {
  if (type.kind !== "array") return orUnsigned(columnSchema(type), returns, path);
  const inside = [...path, 0];
  const wanted = typesAt(returns, inside).filter((each) => each !== "null");
  const isNested = wanted.length === 1 && wanted[0] === "array" && depth < maxDimensions;
  const items = isNested
    ? valueSchema(type, returns, inside, depth + 1)
    : valueSchema(type.of, returns, inside);
  return { type: "array", items };
}

/**
 * Allows `returns` to exclude negative numbers: counts and lengths are never negative, but
 * PostgreSQL's types don't say so.
 */
function orUnsigned(schema: JsonObject, returns: SchemaModel, path: Path): JsonObject {
  if (schema["type"] !== "integer" && schema["type"] !== "number") return schema;
  const unsigned = { ...schema, minimum: 0 };
  const wanted = { anyOf: partSchemas(returns.schema, path) };
  const found = compare(
    { schema: unsigned, root: unsigned },
    { schema: wanted, root: returns.schema },
  );
  return found.length === 0 ? unsigned : schema;
}

function typesAt(returns: SchemaModel, path: Path): readonly string[] {
  return lookUp(returns, path, "stated").types;
}

function orNull(schema: JsonObject): JsonObject {
  return { anyOf: [schema, { type: "null" }] };
}

function objectOf(properties: JsonObject): JsonObject {
  const required = Object.keys(properties);
  return { type: "object", additionalProperties: false, required, properties };
}
