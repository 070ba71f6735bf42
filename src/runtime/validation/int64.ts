/**
 * Integers of 64 bits that travel as text, for tools whose skill says `int64: string`. The
 * validator knows where they stand: it reports a number there in words of its own. So unions and
 * recursive schemas need no list of places.
 */
import { GivenFile } from "../files/tool-file.js";
import { stepsOf } from "../json/pointer.js";
import type { Validator } from "./validation.js";

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
    const places = int64Places(validator, root).filter((steps) =>
      Number.isInteger(valueAt(root, steps)),
    );
    if (places.length === 0) break;
    for (const steps of places)
      root = withValue(root, steps, String(valueAt(exact ?? root, steps) ?? valueAt(root, steps)));
  }
  return root;
}

const digitsOnly = /^(?:0|-?[1-9]\d*)$/;

/** Parameters that fit their schema, with integers where it has their digits as text. */
export function withIntegers<Value>(validator: Validator, params: Value): Value {
  const isDigits = (each: unknown) => typeof each === "string" && digitsOnly.test(each);
  const probe = mapped(params, (each) => (isDigits(each) ? 0 : each));
  const places = int64Places(validator, probe).filter((steps) => isDigits(valueAt(params, steps)));
  if (places.length === 0) return params;
  let copy = mapped(params, (each) => each);
  for (const steps of places)
    copy = withValue(copy, steps, asInteger(String(valueAt(params, steps))));
  // Digits are replaced by what is written as the same digits.
  return copy as Value;
}

function asInteger(digits: string): number | ExactInteger {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : new ExactInteger(digits);
}

type Steps = readonly string[];

function int64Places(validator: Validator, value: unknown): readonly Steps[] {
  if (validator(value)) return [];
  const found = new Map<string, Steps>();
  for (const { instancePath, params } of validator.errors ?? []) {
    const form = params?.["form"];
    if (typeof form === "string" && form.startsWith(int64Form) && !found.has(instancePath))
      found.set(instancePath, stepsOf(instancePath));
  }
  return [...found.values()];
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
