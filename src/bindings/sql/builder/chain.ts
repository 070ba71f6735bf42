/** Kysely builder code as data, its types, and SQL text with holes for other chains. */
import type { ScalarFormat } from "@skillc/runtime/internal/sql";

/**
 * A piece of Kysely builder code, as data. The generated module prints it, and the proof runs it
 * with a driver that sends nothing. So the printed code is the proved code.
 */
export type Chain =
  /** A name in scope: `db`, `sql`, or a variable of an enclosing lambda (`eb`, `join`). */
  | { readonly kind: "name"; readonly name: string }
  /** `on.method(…arguments)`. */
  | {
      readonly kind: "call";
      readonly on: Chain;
      readonly method: string;
      readonly arguments: readonly Chain[];
      /** Type arguments in TypeScript: `x.$castTo<string>()`. They have no effect at run time. */
      readonly types?: readonly ChainType[];
    }
  /** `on(…arguments)`: `eb("o.id", "=", 1)`. */
  | {
      readonly kind: "apply";
      readonly on: Chain;
      readonly arguments: readonly Chain[];
      readonly types?: readonly ChainType[];
    }
  /** `on.name`: `eb.fn`. */
  | { readonly kind: "member"; readonly on: Chain; readonly name: string }
  /** A JSON scalar. Column references and operators are texts too. */
  | {
      readonly kind: "literal";
      readonly value: string | number | boolean | null;
      /** Number of the author's references in it that `tsc` checks. */
      readonly sees?: number;
    }
  | { readonly kind: "list"; readonly items: readonly Chain[] }
  | {
      readonly kind: "record";
      readonly entries: readonly (readonly [key: string, value: Chain])[];
      /** Number of its keys, if they are columns that `tsc` checks. */
      readonly sees?: number;
    }
  | { readonly kind: "lambda"; readonly parameters: readonly string[]; readonly body: Chain }
  /** The value of a tool's parameter; `name` is the placeholder's. */
  | { readonly kind: "parameter"; readonly name: string }
  /** sql<type>`strings[0] ${values[0]} strings[1]`. */
  | {
      readonly kind: "template";
      readonly type: ChainType;
      readonly strings: readonly string[];
      readonly values: readonly Chain[];
    };

export type Template = Extract<Chain, { kind: "template" }>;

/** A TypeScript type in a chain. */
export type ChainType =
  | {
      readonly kind: "keyword";
      readonly name: "string" | "number" | "boolean" | "unknown" | "null" | "never";
      /**
       * PostgreSQL type of a column, which the Database interface distinguishes. It is not printed:
       * a plain value is assignable to any.
       */
      readonly format?: ScalarFormat;
    }
  | { readonly kind: "array"; readonly of: ChainType }
  | { readonly kind: "union"; readonly of: readonly ChainType[] }
  | { readonly kind: "labels"; readonly of: readonly string[] }
  /** `{ name: type; … }`: the columns of a fragment in place of a table. */
  | {
      readonly kind: "columns";
      readonly of: readonly (readonly [name: string, type: ChainType])[];
    }
  /**
   * `Database["table"]`: the row of a table for which a fragment stands. `tsc` checks it as one
   * reference.
   */
  | { readonly kind: "row"; readonly table: string }
  /** `Database["table"]["column"]`, for a column that INSERT can't leave out. */
  | { readonly kind: "column"; readonly table: string; readonly column: string };

/** Number of references that `tsc` checks (`seen`), out of all references. */
export interface ReferenceCount {
  readonly seen: number;
  readonly all: number;
}

export const unknownType: ChainType = { kind: "keyword", name: "unknown" };
export const neverType: ChainType = { kind: "keyword", name: "never" };
export const booleanType: ChainType = { kind: "keyword", name: "boolean" };
export const stringType: ChainType = { kind: "keyword", name: "string" };
export const numberType: ChainType = { kind: "keyword", name: "number" };

export function name(name: string): Chain {
  return { kind: "name", name };
}

export const sql: Chain = name("sql");

export function call(on: Chain, method: string, ...args: readonly Chain[]): Chain {
  return { kind: "call", on, method, arguments: args };
}

export function typedCall(
  on: Chain,
  method: string,
  types: readonly ChainType[],
  ...args: readonly Chain[]
): Chain {
  return { kind: "call", on, method, arguments: args, types };
}

export function apply(on: Chain, ...args: readonly Chain[]): Chain {
  return { kind: "apply", on, arguments: args };
}

export function member(on: Chain, name: string): Chain {
  return { kind: "member", on, name };
}

export function literal(value: string | number | boolean | null, sees = 0): Chain {
  return sees === 0 ? { kind: "literal", value } : { kind: "literal", value, sees };
}

export function list(items: readonly Chain[]): Chain {
  return { kind: "list", items };
}

export function lambda(parameter: string, body: Chain): Chain {
  return { kind: "lambda", parameters: [parameter], body };
}

/** The direct children of a chain. */
export function childrenOf(chain: Chain): readonly Chain[] {
  switch (chain.kind) {
    case "call":
    case "apply":
      return [chain.on, ...chain.arguments];
    case "member":
      return [chain.on];
    case "list":
      return chain.items;
    case "record":
      return chain.entries.map(([, value]) => value);
    case "lambda":
      return [chain.body];
    case "template":
      return chain.values;
    default:
      return [];
  }
}

/** True if a chain has a free occurrence of a variable. */
export function mentions(chain: Chain, variable: string): boolean {
  if (chain.kind === "name") return chain.name === variable;
  if (chain.kind === "lambda" && chain.parameters.includes(variable)) return false;
  return childrenOf(chain).some((each) => mentions(each, variable));
}

/** True if a value of one type is certainly assignable to the other. */
export function isAssignable(from: ChainType, to: ChainType): boolean {
  if (isKeyword(to, "unknown") || isKeyword(from, "never")) return true;
  if (from.kind === "union") return from.of.every((each) => isAssignable(each, to));
  if (to.kind === "union") return to.of.some((each) => isAssignable(from, each));
  if (from.kind === "labels" && to.kind === "labels")
    return from.of.every((label) => to.of.includes(label));
  if (from.kind === "labels") return isKeyword(to, "string");
  if (isKeyword(from, "unknown")) return false;
  if (from.kind === "keyword" && to.kind === "keyword" && from.name === to.name)
    return from.format === undefined || to.format === undefined || from.format === to.format;
  return isSame(from, to);
}

export function isSame(a: ChainType | undefined, b: ChainType | undefined): boolean {
  return a !== undefined && b !== undefined && JSON.stringify(a) === JSON.stringify(b);
}

/** True for texts, numbers, booleans and null, which Kysely never takes apart. */
export function isScalar(type: ChainType): boolean {
  if (type.kind === "union") return type.of.every(isScalar);
  if (type.kind === "labels") return true;
  return type.kind === "keyword" && type.name !== "unknown" && type.name !== "never";
}

function isKeyword(type: ChainType, name: string): boolean {
  return type.kind === "keyword" && type.name === name;
}

export function orNull(type: ChainType): ChainType {
  return { kind: "union", of: [type, { kind: "keyword", name: "null" }] };
}

/** SQL text with chains in place of the values of a template. */
export type Words = readonly (string | Chain)[];

/**
 * Makes words from a template literal: fixed text, and holes for chains or other words. An author's
 * names and constants must go through `quoted` or the deparser, because fixed text is not escaped.
 */
export function words(
  fixed: TemplateStringsArray,
  ...holes: readonly (Chain | Words)[]
): readonly (string | Chain)[] {
  return fixed.flatMap((text, index) => {
    const hole = holes[index];
    return hole === undefined ? [text] : [text, ...(isWords(hole) ? hole : [hole])];
  });
}

function isWords(value: Chain | Words): value is Words {
  return Array.isArray(value);
}

/** Joins words with `separator` between them. */
export function joinWords(all: readonly Words[], separator: string): Words {
  return all.flatMap((each, index) => (index === 0 ? each : [separator, ...each]));
}

/** A quoted name, exactly as Kysely prints it. */
export function quoted(name: string): Words {
  return [`"${name.replaceAll('"', '""')}"`];
}

export function quotedList(names: readonly string[]): Words {
  return joinWords(names.map(quoted), ", ");
}

/** Makes a Kysely `sql` template of the words. Nested templates become part of it. */
export function template(all: Words, type: ChainType = unknownType): Template {
  const strings = [""];
  const values: Chain[] = [];
  const add = (text: string) => strings.push((strings.pop() ?? "") + text);
  for (const each of flat(all)) {
    if (typeof each === "string") add(each);
    else {
      values.push(each);
      strings.push("");
    }
  }
  return { kind: "template", type, strings, values };
}

/** The words of a chain. A template is split into its parts. */
function wordsOf(chain: Chain): Words {
  if (chain.kind !== "template") return [chain];
  return chain.strings.flatMap((text, index) => {
    const value = chain.values[index];
    return value === undefined ? [text] : [text, ...wordsOf(value)];
  });
}

function flat(all: Words): Words {
  return all.flatMap((each) => (typeof each === "string" ? [each] : wordsOf(each)));
}
