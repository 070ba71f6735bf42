import type { Dimensions, Format } from "@skillc/runtime/internal/sql";
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

/** Domains on domains end; this is for a catalogue that is wrong. */
const mostDomains = 50;

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
  for (let at = 0; at < mostDomains && type?.kind === "domain" && type.base !== undefined; at += 1)
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
