import type { ScalarFormat } from "@skillc/runtime/internal/sql";

/**
 * A piece of Kysely builder code, as data. It is printed into the generated module, and it is run against a driver that sends nothing: so
 * what is proved is what is printed.
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
      /** Type arguments, as TypeScript: `x.$castTo<string>()`. Erased when run. */
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
  /** A JSON scalar: column references and operators are texts too. */
  | {
      readonly kind: "literal";
      readonly value: string | number | boolean | null;
      /** How many of the author's references stand in it, so that `tsc` refuses it when they are wrong. */
      readonly sees?: number;
    }
  | { readonly kind: "list"; readonly items: readonly Chain[] }
  | {
      readonly kind: "record";
      readonly entries: readonly (readonly [key: string, value: Chain])[];
      /** Its keys are columns that `tsc` checks, so many of them. */
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

/** A TypeScript type that a chain may name. */
export type ChainType =
  | {
      readonly kind: "keyword";
      readonly name: "string" | "number" | "boolean" | "unknown" | "null" | "never";
      /** Of a column: the PostgreSQL type behind it, which the Database interface tells apart. Not printed: a plain value passes for any. */
      readonly format?: ScalarFormat;
    }
  | { readonly kind: "array"; readonly of: ChainType }
  | { readonly kind: "union"; readonly of: readonly ChainType[] }
  | { readonly kind: "labels"; readonly of: readonly string[] }
  /** `{ name: type; … }`: the columns of a fragment that stands for a table. */
  | {
      readonly kind: "columns";
      readonly of: readonly (readonly [name: string, type: ChainType])[];
    }
  /** `Database["table"]`: a table's row where a fragment stands for the table; one reference that `tsc` sees. */
  | { readonly kind: "row"; readonly table: string }
  /** `Database["table"]["column"]`, of a column that INSERT can't leave out. */
  | { readonly kind: "column"; readonly table: string; readonly column: string };

/** How many references `tsc` sees: written as names that only type-check when they are right, out of all there are. */
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

/** The chains directly below one. */
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

/** Whether a variable stands free in a chain. */
export function mentions(chain: Chain, variable: string): boolean {
  if (chain.kind === "name") return chain.name === variable;
  if (chain.kind === "lambda" && chain.parameters.includes(variable)) return false;
  return childrenOf(chain).some((each) => mentions(each, variable));
}
