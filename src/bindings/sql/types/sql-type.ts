/**
 * PostgreSQL's types in their JSON form, and their names in TypeScript, JSON Schema and SQL. The
 * rest of the folder:
 *
 * - `builtin-types.ts`: the JSON form of each built-in type; `types-page.ts` prints the table
 * - `column-schema.ts`: schemas of columns, for `returns`
 * - `parameter-schema.ts`: schemas of untyped parameters
 * - `taken-schema.ts`: schemas of the values that a type accepts
 * - `fits.ts`: compares a parameter's own schema with those values
 */
import type { Dimensions, Format } from "@skillc/runtime/internal/sql";
import { type Code, code, ident, imported, join, literal } from "../../../core/code.js";
import type { JsonObject } from "../../../core/json.js";
import { runtimeEntry } from "../../../core/runtime-entry.js";
import type { PgType } from "../database/snapshot.js";
import { type BuiltInType, builtInType, otherType } from "./builtin-types.js";

/** A PostgreSQL type in its JSON form. Domains are replaced by their base types. */
export type SqlType =
  | { readonly kind: "scalar"; readonly name: string; readonly traits: BuiltInType }
  | { readonly kind: "enum"; readonly name: string; readonly labels: readonly string[] }
  | {
      readonly kind: "array";
      readonly name: string;
      readonly of: SqlElement;
      /** Set if the type of its elements is a domain. */
      readonly ofDomain?: true;
    };

/** PostgreSQL has no type for nested arrays: every array may nest. */
export type SqlElement = Exclude<SqlType, { kind: "array" }>;

/** Finds a type by its OID. */
export type TypeLookup = (oid: number) => PgType | undefined;

/** Domains can't be recursive. The limit protects against a faulty catalog. */
const maxDomains = 50;

/**
 * Converts a type of a snapshot.
 *
 * @param typeOf the types of a snapshot; an unknown type is sent as text
 */
export function sqlTypeOf(typeOf: TypeLookup, oid: number): SqlType {
  const type = baseOf(typeOf, oid);
  if (type?.kind !== "array" || type.element === undefined) return elementOf(type);
  const of = elementOf(baseOf(typeOf, type.element));
  const isDomain = typeOf(type.element)?.kind === "domain";
  return { kind: "array", name: type.name, of, ...(isDomain && { ofDomain: true }) };
}

function elementOf(type: PgType | undefined): SqlElement {
  const name = type?.name ?? "unknown";
  if (type?.kind === "enum") return { kind: "enum", name, labels: type.labels ?? [] };
  // A type of an extension or a user is text, even if it has the name of a built-in type.
  const isKnown = type?.builtIn === true || name === "citext";
  return { kind: "scalar", name, traits: isKnown ? builtInType(name) : otherType };
}

function baseOf(typeOf: TypeLookup, oid: number): PgType | undefined {
  let type = typeOf(oid);
  for (let at = 0; at < maxDomains && type?.kind === "domain" && type.base !== undefined; at += 1)
    type = typeOf(type.base);
  return type;
}

/**
 * The format with which the runtime reads and writes values of the type.
 *
 * @param dimensions depth of arrays if `returns` states it; PostgreSQL doesn't know it
 */
export function formatOf(type: SqlType, dimensions: Dimensions = "[]"): Format {
  if (type.kind === "enum") return "text";
  if (type.kind === "scalar") return type.traits.format;
  const element = type.of.kind === "enum" ? "text" : type.of.traits.format;
  const array = `${element}${dimensions === "" ? "[]" : dimensions}` as const;
  return type.ofDomain === true ? `domain ${array}` : array;
}

/** The TypeScript type of the non-null values. Elements of arrays may be null. */
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

/**
 * The TypeScript type in the Database interface, which distinguishes PostgreSQL types with the same
 * JSON form.
 */
export function columnTypeScript(type: SqlType): Code {
  if (type.kind === "array") return code`(${columnTypeScript(type.of)} | null)[]`;
  if (type.kind === "enum" || type.traits.typeScript === "boolean") return typeScriptOf(type);
  return code`${imported(runtimeEntry("sql"), "Pg", true)}<${literal(type.traits.format)}>`;
}

/** JSON Schema of the non-null values. */
export function jsonSchemaOf(type: SqlType): JsonObject {
  if (type.kind === "enum") return { type: "string", enum: type.labels };
  if (type.kind === "scalar") return type.traits.schema;
  return { type: "array", items: orNull(jsonSchemaOf(type.of)) };
}

/** The same schema, or null. */
function orNull(schema: JsonObject): JsonObject {
  // A schema without a type accepts null already.
  return schema["type"] === undefined ? schema : { anyOf: [schema, { type: "null" }] };
}

/** The name of a type in a cast: `text`, `int4[]`. */
export function writtenType(type: SqlType): string {
  return type.kind === "array" ? `${type.of.name}[]` : type.name;
}
