import type { SqlType } from "./sql-type.js";

/** A type as a cast names it: `text`, `int4[]`. */
export function writtenType(type: SqlType): string {
  return type.kind === "array" ? `${type.of.name}[]` : type.name;
}
