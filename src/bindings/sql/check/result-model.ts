import type { JsonObject } from "../../../core/json.js";
import type { SchemaModel } from "../../../core/skill-model.js";
import { lookUp } from "../../../schema/look-up.js";
import type { ResultColumnModel, SqlConfig, StatementModel } from "../model.js";
import { jsonSchemaOf, orNull } from "../types/describe-type.js";
import type { SqlType } from "../types/sql-type.js";

type Path = readonly (string | number)[];

/**
 * What the statement gives, as a schema of what is not NULL: two schemas that have nothing but null in common contradict each other. Arrays nest as deep as
 * `returns` says, which PostgreSQL doesn't know.
 */
export function resultModel(
  config: SqlConfig,
  { columns }: StatementModel,
  returns: SchemaModel,
): SchemaModel {
  const schema = resultSchema(config.rows, columns, returns);
  return { kind: "schema", schema, span: config.query.span, places: {} };
}

function resultSchema(
  rows: SqlConfig["rows"],
  columns: readonly ResultColumnModel[],
  returns: SchemaModel,
): JsonObject {
  if (columns.length === 0) return objectOf({ affected_rows: { type: "integer", minimum: 0 } });
  const above = rows === "many" ? [0] : [];
  const members = columns.map(
    (column) => [column.name, columnSchema(column, returns, [...above, column.name])] as const,
  );
  const row = objectOf(Object.fromEntries(members));
  return rows === "many" ? { type: "array", items: row } : row;
}

/** Only where `returns` wants nothing but null, the null of a column answers. */
function columnSchema(
  { nullable, type }: ResultColumnModel,
  returns: SchemaModel,
  path: Path,
): JsonObject {
  const schema = valueSchema(type, returns, path);
  const wanted = typesAt(returns, path);
  return nullable && wanted.every((each) => each === "null") ? orNull(schema) : schema;
}

/** Steps into items; PostgreSQL's arrays have six dimensions at most. */
const mostDimensions = 6;

function valueSchema(type: SqlType, returns: SchemaModel, path: Path, depth = 1): JsonObject {
  if (type.kind !== "array") return jsonSchemaOf(type);
  const inside = [...path, 0];
  const wanted = typesAt(returns, inside).filter((each) => each !== "null");
  const isNested = wanted.length === 1 && wanted[0] === "array" && depth < mostDimensions;
  const items = isNested ? valueSchema(type, returns, inside, depth + 1) : jsonSchemaOf(type.of);
  return { type: "array", items };
}

function typesAt(returns: SchemaModel, path: Path): readonly string[] {
  return lookUp(returns, path, "stated").types;
}

function objectOf(properties: JsonObject): JsonObject {
  const required = Object.keys(properties);
  return { type: "object", additionalProperties: false, required, properties };
}
