import type { SqlElement, SqlType } from "../../src/bindings/sql/types/sql-type.js";

/** Catalog names of the types that `format_type` spells in another way. */
const catalogNames: ReadonlyMap<string, string> = new Map([
  ["bigint", "int8"],
  ["bit varying", "varbit"],
  ["boolean", "bool"],
  ["character varying", "varchar"],
  ["character", "bpchar"],
  ["double precision", "float8"],
  ["integer", "int4"],
  ["real", "float4"],
  ["smallint", "int2"],
  ["time with time zone", "timetz"],
  ["time without time zone", "time"],
  ["timestamp with time zone", "timestamptz"],
  ["timestamp without time zone", "timestamp"],
]);

/**
 * Returns the catalog's name of a type that `format_type` printed, without schema and length:
 * `varchar` for `character varying(10)`.
 */
export function catalogName(spelled: string): string {
  const bare = spelled.replace(/\(\d+(?:,\d+)?\)/, "").replaceAll('"', "");
  // The fields of `interval day to second` are a kind of length.
  const whole = bare.replace(/^interval [a-z ]+/, "interval");
  const [, base = "", brackets = ""] = /^(.*?)((?:\[\])?)$/s.exec(whole) ?? [];
  // `"char"`, with quotes, is a separate type.
  const name = spelled.startsWith('"char"') ? "char" : (catalogNames.get(base) ?? base);
  return `${name.slice(name.lastIndexOf(".") + 1)}${brackets}`;
}

/** Returns the catalog's name of a type that the compiler found. */
export function nameOf(type: SqlType): string {
  return type.kind === "array" ? `${elementName(type.of)}[]` : elementName(type);
}

function elementName({ name }: SqlElement): string {
  return name;
}

/**
 * Returns the JSON Schema of a parameter of this type. An enum or an unknown type becomes any text.
 */
export function schemaOf(spelled: string | null): object {
  const name = spelled === null ? "text" : catalogName(spelled);
  if (name.endsWith("[]")) return { type: "array", items: schemaOf(name.slice(0, -2)) };
  return schemas.get(name) ?? { type: "string" };
}

/** Excludes JSON's own null, which the runtime would send as NULL. */
const someJson = { type: ["array", "boolean", "number", "object", "string"] };

const schemas: ReadonlyMap<string, object> = new Map<string, object>([
  ["bool", { type: "boolean" }],
  ["int2", { type: "integer", minimum: -32_768, maximum: 32_767 }],
  ["int4", { type: "integer", minimum: -2_147_483_648, maximum: 2_147_483_647 }],
  ["oid", { type: "integer", minimum: 0, maximum: 4_294_967_295 }],
  ["int8", { type: "integer" }],
  ["numeric", { type: "number" }],
  ["float4", { type: "number" }],
  ["float8", { type: "number" }],
  ["uuid", { type: "string", format: "uuid" }],
  ["date", { type: "string", format: "date" }],
  ["timestamptz", { type: "string", format: "date-time" }],
  ["timetz", { type: "string", format: "time" }],
  ["interval", { type: "string", format: "duration" }],
  ["bytea", { type: "string", contentEncoding: "base64" }],
  ["json", someJson],
  ["jsonb", someJson],
]);
