/** What JSON knows a value by. */
export type JsonKind = "null" | "boolean" | "number" | "string" | "array" | "object";

/** Makes of a JSON value what the library encodes. */
export interface Reader {
  /** The kinds of JSON values that it may take. */
  readonly kinds: readonly JsonKind[];
  /** Undefined when the value can't be encoded: then `fault` says why. */
  read(value: unknown, fault: Fault): unknown;
}

/** Why a value can't be encoded. Filled on the way out of nested values: nothing is noted while all is well. */
export interface Fault {
  keyword: string;
  message: string;
  /** From the value outwards: names of fields, keys and indices. */
  readonly steps: (string | number)[];
}

/** Notes what is wrong with a value, and gives what reading it gives then. */
export function refuse(fault: Fault, keyword: string, message: string): undefined {
  fault.keyword = keyword;
  fault.message = message;
  fault.steps.length = 0;
  return undefined;
}

export function kindOf(value: unknown): JsonKind | undefined {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  if (type === "object" || type === "string" || type === "number" || type === "boolean")
    return type;
  return undefined;
}

/** An object with properties, of which only its own count. */
export type PlainObject = { readonly [name: string]: unknown };

export function isPlainObject(value: unknown): value is PlainObject {
  return kindOf(value) === "object";
}
