/**
 * Integers of 64 bits that travel as text, for tools with `int64: string`. Validators report a
 * number in such a place with a special error, so that unions and recursive schemas need no list of
 * places.
 */
import { GivenFile } from "../files/tool-file.js";
import { pointerOf, stepsOf } from "../json/pointer.js";
import { isUnion, type Validator } from "./validation.js";

/** Beginning of the error text of such a schema. The compiler writes it into validators. */
export const int64Form = "the digits of an integer";

/** An integer that is written to JSON with all its digits, although no number can hold it. */
export class ExactInteger {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toString(): string {
    return this.digits;
  }
}

/**
 * Maximum number of rounds, because a union may hide the places of one form behind those of
 * another.
 */
const maxRounds = 8;

/**
 * Replaces received integers by text with their digits, where the schema requires that. It changes
 * the value.
 */
export function withDigits(
  validator: Validator,
  { exact, value }: { readonly value: unknown; readonly exact?: unknown },
): unknown {
  let root: unknown = value;
  for (let round = 0; round < maxRounds; round += 1) {
    const places = placesIn(errorsOf(validator, root)).filter((steps) =>
      Number.isInteger(valueAt(root, steps)),
    );
    if (places.length === 0) break;
    for (const steps of places)
      root = withValue(root, steps, String(valueAt(exact ?? root, steps) ?? valueAt(root, steps)));
  }
  return root;
}

const digitsOnly = /^(?:0|-?[1-9]\d*)$/;

/**
 * Replaces text of digits by integers for sending, where the schema requires that. It makes a copy.
 * Text stays text if a union accepts it as plain text.
 */
export function withIntegers<Value>(validator: Validator, params: Value): Value {
  const isDigits = (each: unknown) => typeof each === "string" && digitsOnly.test(each);
  const probe = mapped(params, (each) => (isDigits(each) ? 0 : each));
  const errors = errorsOf(validator, probe);
  const candidates = placesIn(errors).filter((steps) => isDigits(valueAt(params, steps)));
  if (candidates.length === 0) return params;
  const plain = plainTexts(validator, params, byUnion(candidates, unionsIn(errors)));
  let copy = mapped(params, (each) => each);
  for (const steps of candidates)
    if (!plain.has(steps)) copy = withValue(copy, steps, asInteger(String(valueAt(params, steps))));
  // Digits are replaced by an integer with the same digits.
  return copy as Value;
}

/** Groups the places below unions by the union's pointer, and leaves out others. */
function byUnion(
  places: readonly Steps[],
  unions: readonly string[],
): ReadonlyMap<string, readonly Steps[]> {
  const found = new Map<string, Steps[]>();
  for (const steps of places) {
    const pointer = pointerOf(steps);
    const union = unions.find((each) => pointer === each || pointer.startsWith(`${each}/`));
    if (union !== undefined) found.set(union, [...(found.get(union) ?? []), steps]);
  }
  return found;
}

/**
 * Texts of the same length that no `int64` accepts. A plain text may have to consist of digits too.
 */
const otherTexts = [
  (digits: string) => "x".repeat(digits.length),
  (digits: string) => (digits.length > 1 ? "0".repeat(digits.length) : "x"),
];

/** Maximum number of places of one union that are checked. Further places count as integers. */
const maxLooks = 64;

/**
 * Returns the places whose union also accepts another text. A union that accepts only this text
 * (`enum`, `const`) can't be distinguished from an integer, and counts as one. It checks one place
 * of each union at a time.
 */
function plainTexts(
  validator: Validator,
  params: unknown,
  places: ReadonlyMap<string, readonly Steps[]>,
): ReadonlySet<Steps> {
  const plain = new Set<Steps>();
  for (let look = 0; look < maxLooks; look += 1) {
    const looked = [...places].flatMap(([union, each]) => {
      const steps = each[look];
      return steps === undefined ? [] : [{ union, steps }];
    });
    if (looked.length === 0) break;
    for (const otherText of otherTexts) {
      let copy = mapped(params, (each) => each);
      for (const { steps } of looked)
        copy = withValue(copy, steps, otherText(String(valueAt(params, steps))));
      const broken = new Set(unionsIn(errorsOf(validator, copy)));
      for (const { steps, union } of looked) if (!broken.has(union)) plain.add(steps);
    }
  }
  return plain;
}

function asInteger(digits: string): number | ExactInteger {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : new ExactInteger(digits);
}

type Steps = readonly string[];

function errorsOf(validator: Validator, value: unknown): NonNullable<Validator["errors"]> {
  return validator(value) ? [] : (validator.errors ?? []);
}

/** Returns the places of 64-bit integers that are numbers. */
function placesIn(errors: NonNullable<Validator["errors"]>): readonly Steps[] {
  const found = new Map<string, Steps>();
  for (const { instancePath, params } of errors) {
    const form = params?.["form"];
    if (typeof form === "string" && form.startsWith(int64Form) && !found.has(instancePath))
      found.set(instancePath, stepsOf(instancePath));
  }
  return [...found.values()];
}

/** Returns the pointers of values that match no form of a union, outer ones first. */
function unionsIn(errors: NonNullable<Validator["errors"]>): readonly string[] {
  const unions = errors.filter(isUnion);
  return unions
    .map(({ instancePath }) => instancePath)
    .toSorted((one, other) => one.length - other.length);
}

function valueAt(root: unknown, steps: Steps): unknown {
  let at = root;
  for (const step of steps) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string, unknown>)[step];
  }
  return at;
}

/** Sets a value in place; returns the new value for the root. */
function withValue(root: unknown, steps: Steps, value: unknown): unknown {
  const last = steps.at(-1);
  const parent = valueAt(root, steps.slice(0, -1));
  if (last === undefined || typeof parent !== "object" || parent === null) return value;
  Object.defineProperty(parent, last, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
  return root;
}

function mapped(value: unknown, change: (scalar: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => mapped(each, change));
  if (typeof value !== "object" || value === null || value instanceof GivenFile)
    return change(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, mapped(each, change)]),
  );
}
