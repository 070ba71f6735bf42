/**
 * A property's name, or an index into an array; a negative one counts from the end (RFC 9535,
 * 2.3.3).
 */
export type Step = string | number;

/** What a step finds in a value; undefined joins the type where it may find nothing. */
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

/** `true` when some member of the type has the step; else never. */
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

/** The type at the end of the steps; never when the type has no such place. */
export type Picked<Value, Steps extends readonly Step[]> = Steps extends readonly [
  infer First,
  ...infer Rest extends readonly Step[],
]
  ? [Has<Value, First>] extends [never]
    ? never
    : Picked<At<Value, First>, Rest>
  : Value;

/** The steps, if the type has such a place: a misspelt field doesn't compile. */
type Reachable<Value, Steps extends readonly Step[]> = [Picked<Value, Steps>] extends [never]
  ? readonly never[]
  : Steps;

/**
 * The value at a path; undefined when there is nothing. Only own properties of objects and items of
 * arrays are found, so a body can't lead to `constructor` or `length`.
 */
export function pick<Value, const Steps extends readonly Step[]>(
  value: Value,
  ...steps: Steps & Reachable<Value, Steps>
): Picked<Value, Steps> {
  let at: unknown = value;
  for (const step of steps) at = stepInto(at, step);
  // `Picked` says for each step what `stepInto` does.
  return at as Picked<Value, Steps>;
}

/** What one step finds; undefined when there is nothing. */
export function stepInto(value: unknown, step: Step): unknown {
  if (Array.isArray(value)) return typeof step === "number" ? value.at(step) : undefined;
  if (typeof step !== "string" || typeof value !== "object" || value === null) return undefined;
  // Own, so a value that the object itself holds.
  return Object.hasOwn(value, step)
    ? (value as Readonly<Record<string, unknown>>)[step]
    : undefined;
}

/** Every own property but those named: the parameters that a request has not used elsewhere. */
export function omit(
  value: object,
  ...names: readonly string[]
): { readonly [name: string]: unknown } {
  // `fromEntries` defines own properties: one named `__proto__` stays a property.
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}
