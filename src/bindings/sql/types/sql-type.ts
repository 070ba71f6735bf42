/**
 * PostgreSQL's types as JSON sees them, and their words in TypeScript, JSON Schema and SQL: the
 * first file of the folder.
 *
 * - `builtin-types.ts`: how the values of each built-in type travel; `types-page.ts` prints them
 * - `column-schema.ts`: what a column gives, for `returns`
 * - `parameter-schema.ts`: the schema of a parameter whose author names no type
 * - `taken-schema.ts`: what a type takes, as a schema; `fits.ts`: whether the values of a parameter's
 *   own schema are among these
 */
import type { Dimensions, Format } from "@skillc/runtime/internal/sql";
import { type Code, code, ident, imported, join, literal } from "../../../core/code.js";
import type { JsonObject } from "../../../core/json.js";
import { runtimeEntry } from "../../../core/runtime-entry.js";
import type { PgType } from "../database/snapshot.js";
import { type BuiltInType, builtInType, otherType } from "./builtin-types.js";

/** A PostgreSQL type as JSON sees it: domains are what they are based on. */
export type SqlType =
  | { readonly kind: "scalar"; readonly name: string; readonly traits: BuiltInType }
  | { readonly kind: "enum"; readonly name: string; readonly labels: readonly string[] }
  | {
      readonly kind: "array";
      readonly name: string;
      readonly of: SqlElement;
      /** Its elements' type is a domain. */
      readonly ofDomain?: true;
    };

/** PostgreSQL has no type of arrays in arrays: every array may nest. */
export type SqlElement = Exclude<SqlType, { kind: "array" }>;

/** Finds a type by its OID. */
export type TypeLookup = (oid: number) => PgType | undefined;

/** Domains on domains end; this is for a catalog that is wrong. */
const maxDomains = 50;

/** @param typeOf the types of a snapshot; one it doesn't know travels as text */
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
  // An extension's or a user's type is text even when it has the name of a built-in one.
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
 * The format by which the runtime reads and writes values of the type.
 *
 * @param dimensions how deep arrays nest, where the tool's `returns` says so; PostgreSQL doesn't
 */
export function formatOf(type: SqlType, dimensions: Dimensions = "[]"): Format {
  if (type.kind === "enum") return "text";
  if (type.kind === "scalar") return type.traits.format;
  const element = type.of.kind === "enum" ? "text" : type.of.traits.format;
  const array = `${element}${dimensions === "" ? "[]" : dimensions}` as const;
  return type.ofDomain === true ? `domain ${array}` : array;
}

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

/**
 * The same in the types of a database's columns, which tell PostgreSQL types apart that travel
 * alike.
 */
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
function orNull(schema: JsonObject): JsonObject {
  // A schema without a type takes null already.
  return schema["type"] === undefined ? schema : { anyOf: [schema, { type: "null" }] };
}

/** A type as a cast names it: `text`, `int4[]`. */
export function writtenType(type: SqlType): string {
  return type.kind === "array" ? `${type.of.name}[]` : type.name;
}
