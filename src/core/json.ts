/** Any JSON value. Numbers are doubles, as JSON in JavaScript has them. */
export type JsonValue = string | number | boolean | null | JsonArray | JsonObject;
/** A JSON array. */
export type JsonArray = readonly JsonValue[];
/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A JSON Schema as data: `true`, `false`, or an object of keywords. */
export type JsonSchema = boolean | JsonObject;

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sets an own property of any name; `__proto__` becomes a normal property. */
export function setOwn<T>(target: Record<string, T>, key: string, value: T): void {
  // Assignment is as fast as a literal for every other name.
  if (key !== "__proto__") target[key] = value;
  else
    Object.defineProperty(target, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
}

/** Reads an own property. Names on `Object.prototype` are not found. */
export function getOwn<T>(target: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(target, key) ? target[key] : undefined;
}
