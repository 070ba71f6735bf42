/**
 * Schemas of the values that columns return, which are stricter than the schemas of their types.
 */
import type { JsonObject } from "../../../core/json.js";
import { madeText } from "../../../schema/made-text.js";
import { jsonSchemaOf, type SqlElement } from "./sql-type.js";

/**
 * JSON Schema of the non-null values of a column, or of an array's element. For texts it states the
 * forms that PostgreSQL prints. A format that matches none of them is then known to fail.
 */
export function columnSchema(type: SqlElement): JsonObject {
  const pattern = type.kind === "scalar" ? printed.get(type.name) : undefined;
  return pattern === undefined ? jsonSchemaOf(type) : madeText(pattern);
}

const day = "[-+]?[0-9]{4,6}-[0-9]{2}-[0-9]{2}";
const time = "[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{1,6})?";
const orInfinite = "|-?infinity";

/** Patterns of PostgreSQL's texts, by type. */
const printed: ReadonlyMap<string, string> = new Map([
  ["int8", "^-?[0-9]+$"],
  ["numeric", "^(?:-?[0-9]+(?:\\.[0-9]+)?|NaN|-?Infinity)$"],
  ["timestamptz", `^(?:${day}T${time}(?:Z|[-+][0-9:]+)${orInfinite})$`],
  ["timestamp", `^(?:${day}T${time}${orInfinite})$`],
  ["date", `^(?:${day}${orInfinite})$`],
  ["time", `^${time}$`],
  ["timetz", `^${time}[-+][0-9:]+$`],
  ["interval", `^(?:-?P[-0-9YMWDTHS.]+${orInfinite})$`],
  ["bytea", "^[A-Za-z0-9+/]*={0,2}$"],
]);
