/**
 * Name of a property, or index of an item; a negative index counts from the end (RFC 9535, 2.3.3).
 */
export type Step = string | number;

/** Type of what a step finds, with undefined if it may find nothing. */
type At<Value, S> = unknown extends Value
  ? unknown
  : Value extends readonly (infer Item)[]
    ? S extends number
      ? Item | undefined
      : undefined
    : Value extends object
      ? S extends keyof Value
        ? Value[S]
        : undefined
      : undefined;

/** `true` if some member of the type has the step; otherwise never. */
type Has<Value, S> = unknown extends Value
  ? true
  : Value extends readonly unknown[]
    ? S extends number
      ? true
      : never
    : Value extends object
      ? S extends keyof Value & string
        ? true
        : never
      : never;

/** Type at the end of the steps; never if the type has no such place. */
export type Picked<Value, Steps extends readonly Step[]> = Steps extends readonly [
  infer First,
  ...infer Rest extends readonly Step[],
]
  ? [Has<Value, First>] extends [never]
    ? never
    : Picked<At<Value, First>, Rest>
  : Value;

/** The steps, if the type has such a place. A misspelt field doesn't compile. */
type Reachable<Value, Steps extends readonly Step[]> = [Picked<Value, Steps>] extends [never]
  ? readonly never[]
  : Steps;

/**
 * Returns the value at a path; undefined if there is none. It finds only own properties of objects
 * and items of arrays, so a body can't expose `constructor` or `length`.
 */
export function pick<Value, const Steps extends readonly Step[]>(
  value: Value,
  ...steps: Steps & Reachable<Value, Steps>
): Picked<Value, Steps> {
  let at: unknown = value;
  for (const step of steps) at = stepInto(at, step);
  // `Picked` does for types what `stepInto` does for values.
  return at as Picked<Value, Steps>;
}

/** Returns the value after one step; undefined if there is none. */
export function stepInto(value: unknown, step: Step): unknown {
  if (Array.isArray(value)) return typeof step === "number" ? value.at(step) : undefined;
  if (typeof step !== "string" || typeof value !== "object" || value === null) return undefined;
  // An own property, so the object itself holds the value.
  return Object.hasOwn(value, step)
    ? (value as Readonly<Record<string, unknown>>)[step]
    : undefined;
}

/**
 * Returns the own properties other than those named: parameters that a request doesn't use
 * elsewhere.
 */
export function omit(
  value: object,
  ...names: readonly string[]
): { readonly [name: string]: unknown } {
  // `fromEntries` defines own properties: one named `__proto__` stays a property.
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}
