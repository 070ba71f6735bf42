import type { ScalarFormat } from "@skillc/runtime/internal/sql";
import type { JsonObject } from "../../../core/json.js";

/** JSON form of the values of some built-in types: one line of docs/sql/types.md. */
export interface BuiltInType {
  /** PostgreSQL's names: `int4`. */
  readonly names: readonly string[];
  readonly format: ScalarFormat;
  /** TypeScript type of the values. */
  readonly typeScript: "string" | "number" | "boolean" | "JsonValue";
  /** JSON Schema of a column's values. */
  readonly schema: JsonObject;
  /** Description of the JSON form. */
  readonly form: string;
  /** Example as PostgreSQL's text, and in JSON. */
  readonly example: readonly [printed: string, json: string];
}

const digits = "^-?[0-9]+$";
const decimal = "^(?:-?[0-9]+(?:\\.[0-9]+)?|NaN|-?Infinity)$";

function integer(name: ScalarFormat, minimum: number, maximum: number): BuiltInType {
  return {
    names: [name],
    format: name,
    typeScript: "number",
    schema: { type: "integer", minimum, maximum },
    form: "integer",
    example: ["42", "42"],
  };
}

function text(
  names: readonly string[],
  format: ScalarFormat,
  form: string,
  example: readonly [string, string],
  more: JsonObject = {},
): BuiltInType {
  return {
    names,
    format,
    typeScript: "string",
    schema: { type: "string", ...more },
    form,
    example,
  };
}

/**
 * Form of all types without a line of their own: enums, composite types, and types of extensions.
 */
export const otherType: BuiltInType = text([], "text", "as PostgreSQL prints it", [
  '(1,"a b")',
  '"(1,\\"a b\\")"',
]);

export const builtInTypes: readonly BuiltInType[] = [
  {
    names: ["bool"],
    format: "bool",
    typeScript: "boolean",
    schema: { type: "boolean" },
    form: "boolean",
    example: ["t", "true"],
  },
  integer("int2", -32_768, 32_767),
  integer("int4", -2_147_483_648, 2_147_483_647),
  integer("oid", 0, 4_294_967_295),
  text(["int8"], "int8", "string of digits", ["9223372036854775807", '"9223372036854775807"'], {
    pattern: digits,
  }),
  text(
    ["numeric"],
    "numeric",
    "string of digits; or `NaN`, `Infinity`, `-Infinity`",
    ["0.10", '"0.10"'],
    {
      pattern: decimal,
    },
  ),
  ...(["float4", "float8"] as const).map((name): BuiltInType => ({
    names: [name],
    format: name,
    typeScript: "number",
    schema: { type: "number" },
    form: "number; NaN or an infinity fails the call",
    example: ["0.5", "0.5"],
  })),
  text(
    ["text", "varchar", "bpchar", "name", "char", "citext"],
    "text",
    "string; `char(n)` keeps its padding",
    ["a b", '"a b"'],
  ),
  text(
    ["uuid"],
    "uuid",
    "string, lower case",
    ["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", '"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"'],
    { format: "uuid" },
  ),
  text(
    ["timestamptz"],
    "timestamptz",
    "ISO 8601 in UTC, up to microseconds; or `infinity`, `-infinity`",
    ["2026-01-02 03:04:05.6+00", '"2026-01-02T03:04:05.6Z"'],
  ),
  text(["timestamp"], "timestamp", "ISO 8601 without an offset; or `infinity`, `-infinity`", [
    "2026-01-02 03:04:05",
    '"2026-01-02T03:04:05"',
  ]),
  text(["date"], "date", "ISO 8601; or `infinity`, `-infinity`", [
    "0044-03-15 BC",
    '"-000043-03-15"',
  ]),
  text(["time"], "time", "ISO 8601 without an offset", ["03:04:05.6", '"03:04:05.6"']),
  text(["timetz"], "timetz", "ISO 8601 with its offset", ["03:04:05+02", '"03:04:05+02:00"']),
  text(["interval"], "interval", "ISO 8601 duration, parts may be negative", [
    "P1Y-2DT3.5S",
    '"P1Y-2DT3.5S"',
  ]),
  text(["bytea"], "bytea", "base64", ["\\x00ff10", '"AP8Q"'], { contentEncoding: "base64" }),
  ...(["json", "jsonb"] as const).map((name): BuiltInType => ({
    names: [name],
    format: name,
    typeScript: "JsonValue",
    schema: {},
    form: "the parsed JSON",
    example: ['{"a": [1]}', '{"a":[1]}'],
  })),
  text(["box"], "box", "as PostgreSQL prints it", ["(1,1),(0,0)", '"(1,1),(0,0)"']),
  text(
    ["money"],
    "text",
    "as PostgreSQL prints it, in the format of `lc_monetary`; to get a number, cast it to `numeric`",
    ["$1.50", '"$1.50"'],
  ),
  text(["inet", "cidr", "macaddr", "macaddr8"], "text", "as PostgreSQL prints it", [
    "10.0.0.1/24",
    '"10.0.0.1/24"',
  ]),
  text(["varbit", "bit"], "text", "string of 0 and 1", ["101", '"101"']),
  text(["point", "line", "lseg", "path", "polygon", "circle"], "text", "as PostgreSQL prints it", [
    "(1,2)",
    '"(1,2)"',
  ]),
  text(["tsvector", "tsquery", "xml", "pg_lsn", "xid", "xid8"], "text", "as PostgreSQL prints it", [
    "'a':1",
    "\"'a':1\"",
  ]),
];

const byName = new Map(builtInTypes.flatMap((type) => type.names.map((name) => [name, type])));

/**
 * Finds the form of a built-in type.
 *
 * @param name PostgreSQL's own name: `int4`, not `integer`
 */
export function builtInType(name: string): BuiltInType {
  return byName.get(name) ?? otherType;
}
