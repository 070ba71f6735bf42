import type { JsonObject } from "../../../core/json.js";
import type { SchemaModel } from "../../../core/skill-model.js";
import type { SqlConfig, StatementModel } from "../model.js";
import { jsonSchemaOf, orNull } from "../types/describe-type.js";

/** What the statement gives, as a schema. */
export function resultModel({ rows, query }: SqlConfig, statement: StatementModel): SchemaModel {
  return { kind: "schema", schema: resultSchema(rows, statement), span: query.span, places: {} };
}

function resultSchema(rows: SqlConfig["rows"], { columns }: StatementModel): JsonObject {
  if (columns.length === 0) return objectOf({ affected_rows: { type: "integer", minimum: 0 } });
  const members = columns.map(({ name, nullable, type }) => {
    const schema = jsonSchemaOf(type);
    return [name, nullable ? orNull(schema) : schema] as const;
  });
  const row = objectOf(Object.fromEntries(members));
  if (rows === "many") return { type: "array", items: row };
  return rows === "optional" ? orNull(row) : row;
}

function objectOf(properties: JsonObject): JsonObject {
  const required = Object.keys(properties);
  return { type: "object", additionalProperties: false, required, properties };
}
