/**
 * Integers of 64 bits that travel as text, for tools whose skill says `int64: string`. The
 * validator knows where they stand: it reports a number there in words of its own. So unions and
 * recursive schemas need no list of places.
 */
import { GivenFile } from "../files/tool-file.js";
import { pointerOf, stepsOf } from "../json/pointer.js";
import { isUnion, type Validator } from "./validation.js";

/** Start of the error text for such a schema. The compiler writes it into validators. */
export const int64Form = "the digits of an integer";

/** An integer that is written into JSON as its digits, though no number holds it. */
export class ExactInteger {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toString(): string {
    return this.digits;
  }
}

/** A union may hide the places of one form behind those of another. */
const maxRounds = 8;

/**
 * JSON that came in, with the digits of integers as text where the schema says so. Changes the value
 * that was read.
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
 * Parameters that fit their schema, with integers where it has their digits as text. Digits stay
 * text where a union takes them as plain text.
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
  // Digits are replaced by what is written as the same digits.
  return copy as Value;
}

/** Places below each union, by the union's pointer. Those below no union are left out. */
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

/** Texts of the same length that no `int64` takes. A plain text may have to be digits, too. */
const otherTexts = [
  (digits: string) => "x".repeat(digits.length),
  (digits: string) => (digits.length > 1 ? "0".repeat(digits.length) : "x"),
];

/** More places of one union are integers without a look. */
const maxLooks = 64;

/**
 * The places whose union takes another text, too. One that takes only this text (`enum`, `const`)
 * can't be told from an integer, and counts as one. Looks at one place of each union at a time.
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

/** Where integers of 64 bits stand as numbers. */
function placesIn(errors: NonNullable<Validator["errors"]>): readonly Steps[] {
  const found = new Map<string, Steps>();
  for (const { instancePath, params } of errors) {
    const form = params?.["form"];
    if (typeof form === "string" && form.startsWith(int64Form) && !found.has(instancePath))
      found.set(instancePath, stepsOf(instancePath));
  }
  return [...found.values()];
}

/** Pointers of values that fit no form of a union, outer ones first. */
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

/** Sets it in place; the value itself for the root. */
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
