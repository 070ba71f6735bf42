import { code, type Code, ident, imported, join, literal } from "../../../core/code.js";
import type { JsonObject } from "../../../core/json.js";
import { runtimeEntry } from "../../../core/runtime-entry.js";
import type { SqlType } from "./sql-type.js";

/** The TypeScript type of the values that are not null. Elements of arrays may be. */
export function typeScriptOf(type: SqlType): Code {
  if (type.kind === "array") return code`(${typeScriptOf(type.of)} | null)[]`;
  if (type.kind === "enum") {
    if (type.labels.length === 0) return ident("never");
    return join(type.labels.map(literal), code` | `);
  }
  const { typeScript } = type.traits;
  return typeScript === "JsonValue"
    ? imported(runtimeEntry(), "JsonValue", true)
    : ident(typeScript);
}

/** The same in the types of a database's columns, which tell PostgreSQL types apart that travel alike. */
export function columnTypeScript(type: SqlType): Code {
  if (type.kind === "array") return code`(${columnTypeScript(type.of)} | null)[]`;
  if (type.kind === "enum" || type.traits.typeScript === "boolean") return typeScriptOf(type);
  return code`${imported(runtimeEntry("sql"), "Pg", true)}<${literal(type.traits.format)}>`;
}

/** JSON Schema of the values that are not null. */
export function jsonSchemaOf(type: SqlType): JsonObject {
  if (type.kind === "enum") return { type: "string", enum: type.labels };
  if (type.kind === "scalar") return type.traits.schema;
  return { type: "array", items: orNull(jsonSchemaOf(type.of)) };
}

/** The same, or null. */
export function orNull(schema: JsonObject): JsonObject {
  // A schema without a type takes null already.
  return schema["type"] === undefined ? schema : { anyOf: [schema, { type: "null" }] };
}
