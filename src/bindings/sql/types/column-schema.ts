/** What is known of the values that a column gives: more than the schema of its type says. */
import type { JsonObject } from "../../../core/json.js";
import { madeText } from "../../../schema/made-text.js";
import { jsonSchemaOf, type SqlElement } from "./sql-type.js";

/**
 * JSON Schema of what a column, or an element of an array, gives when it is not NULL. Of texts it
 * says which forms PostgreSQL prints, so that a format that none of them has is known to fail.
 */
export function columnSchema(type: SqlElement): JsonObject {
  const pattern = type.kind === "scalar" ? printed.get(type.name) : undefined;
  return pattern === undefined ? jsonSchemaOf(type) : madeText(pattern);
}

const day = "[-+]?[0-9]{4,6}-[0-9]{2}-[0-9]{2}";
const time = "[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{1,6})?";
const orInfinite = "|-?infinity";

/** By type: what each of its texts looks like. */
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
