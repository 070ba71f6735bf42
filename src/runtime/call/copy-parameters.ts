import { types } from "node:util";
import { giveFile } from "../files/give-file.js";
import { type FileRules, GivenFile } from "../files/tool-file.js";
import { deepestJson } from "../json/json.js";
import { pointerStep } from "../json/pointer.js";
import { RefusedValue } from "./refused-value.js";

/**
 * Maximum number of values. Objects that share parts can be small in memory, but endless as JSON.
 */
const maxValues = 5_000_000;

/**
 * Copies a caller's parameters: the own enumerable data of plain objects and arrays, each read
 * once. The copy is validated, recorded, sent and passed to handlers, so later changes by the
 * caller have no effect.
 *
 * Undefined properties stay, because the validator handles them itself. `-0` becomes `0`, as in
 * JSON.
 *
 * @param notes receives whether there are large integers
 * @param files places of files. A file's description there becomes a `GivenFile`; a `GivenFile`
 * becomes the form that code may write
 * @throws RefusedValue with the pointer of a value that JSON can't express: an instance of a class,
 * a function, a bigint, NaN, a hole in a list, a cyclic or too deep value, or a getter that throws
 */
export function copyParameters(given: unknown, files?: FileRules, notes?: CopyNotes): unknown {
  const copier = new Copier(files, notes);
  try {
    return copier.copy(given);
  } catch (thrown) {
    throw thrown instanceof RefusedValue ? thrown : copier.errorHere("can't be read");
  }
}

/** Facts noted during the copy, so that nobody has to visit each value again. */
export interface CopyNotes {
  /** True if there is an integer beyond ±(2^53 − 1), which may have been rounded earlier. */
  hasLargeInteger: boolean;
}

class Copier {
  /** Path to the value that is being copied. */
  readonly #path: (string | number)[] = [];
  /** Objects and arrays around the value that is being copied. */
  readonly #open: object[] = [];
  readonly #files: FileRules | undefined;
  readonly #notes: CopyNotes | undefined;
  #left = maxValues;

  constructor(files: FileRules | undefined, notes: CopyNotes | undefined) {
    this.#files = files;
    this.#notes = notes;
  }

  copy(value: unknown): unknown {
    switch (typeof value) {
      case "string":
      case "boolean":
      case "undefined":
        return value;
      case "number":
        // Adding 0 turns -0 into 0.
        if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value + 0;
        return this.#largeNumber(value);
      case "object":
        return value === null ? null : this.#copyObject(value);
      default:
        throw this.errorHere(`must not be a ${typeof value}, which JSON cannot represent`);
    }
  }

  #largeNumber(value: number): number {
    if (!Number.isFinite(value))
      throw this.errorHere(`must not be ${value}, which JSON cannot represent`);
    if (this.#notes) this.#notes.hasLargeInteger = true;
    return value;
  }

  #copyObject(value: object): unknown {
    const path = this.#path;
    if (this.#files !== undefined && isAt(path, this.#files)) return this.#file(value, this.#files);
    if (path.length >= deepestJson) throw this.#endless(value);
    this.#open.push(value);
    const copy = Array.isArray(value) ? this.#copyList(value) : this.#copyFields(value);
    this.#open.pop();
    return copy;
  }

  #file(value: object, rules: FileRules): unknown {
    if (value instanceof GivenFile) return value.asGiven();
    return giveFile(value, this.#path.map(pointerStep).join(""), rules);
  }

  #copyFields(value: object): unknown {
    if (!isPlain(value, 1)) throw this.errorHere(notPlain(value));
    const copy: Record<string, unknown> = {};
    const path = this.#path;
    const names = Object.keys(value);
    this.#count(names.length);
    const depth = path.push("") - 1;
    for (const name of names) {
      path[depth] = name;
      // An own property of any type.
      const each = this.copy((value as Record<string, unknown>)[name]);
      if (name === "__proto__") define(copy, name, each);
      else copy[name] = each;
    }
    path.pop();
    return copy;
  }

  #copyList(value: readonly unknown[]): unknown {
    if (!isPlain(value, 2)) throw this.errorHere(notPlain(value));
    const copy: unknown[] = [];
    const path = this.#path;
    const depth = path.push(0) - 1;
    for (let index = 0; index < value.length; index += 1) {
      path[depth] = index;
      this.#count(1);
      const each = value[index];
      if (each === undefined)
        throw this.errorHere("must not be undefined, which JSON cannot represent in a list");
      copy.push(this.copy(each));
    }
    path.pop();
    return copy;
  }

  #count(values: number): void {
    this.#left -= values;
    if (this.#left >= 0) return;
    this.#path.length = Math.min(this.#path.length, 1);
    throw this.errorHere(`must not hold more than ${maxValues} values`);
  }

  /** Makes the error for a value that is too deep, most likely because it is cyclic. */
  #endless(value: object): RefusedValue {
    const all = [...this.#open, value];
    const again = all.findIndex((each, index) => all.indexOf(each) < index);
    this.#path.length = again === -1 ? 1 : again;
    return again === -1
      ? this.errorHere(`must not nest deeper than ${deepestJson} levels`, "depth")
      : this.errorHere("must not contain itself, which JSON cannot represent");
  }

  errorHere(message: string, keyword = "json"): RefusedValue {
    return new RefusedValue(this.#path.map(pointerStep).join(""), keyword, message);
  }
}

function isAt(path: readonly (string | number)[], { at }: FileRules): boolean {
  return at.some(
    (place) =>
      place.length === path.length &&
      place.every((step, index) =>
        step === "*" ? typeof path[index] === "number" : step === path[index],
      ),
  );
}

/**
 * Returns whether a value has only the language's own prototypes. They may be of another realm, as
 * in some test runners.
 *
 * @param prototypes number of prototypes of an object literal or of an array
 */
function isPlain(value: object, prototypes: number): boolean {
  let at: object | null = value;
  for (let seen = 0; seen <= prototypes; seen += 1) {
    // TypeScript declares the result as `any`.
    at = Object.getPrototypeOf(at) as object | null;
    if (at === null) return true;
  }
  return false;
}

function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

/** Common mistakes of callers, and what to pass instead. */
const mistakes: readonly (readonly [is: (value: unknown) => boolean, phrase: string])[] = [
  [types.isDate, "must not be a Date: pass its `toISOString()`"],
  [types.isPromise, "must not be a promise: await it"],
  [types.isMap, "must not be a Map: pass `Object.fromEntries(map)`"],
  [types.isSet, "must not be a Set: pass a list, `[...set]`"],
  [types.isBoxedPrimitive, "must not be a boxed value: pass its `valueOf()`"],
  [types.isArrayBufferView, "must not be binary data: pass text, for example in base64"],
];

function notPlain(value: object): string {
  const known = mistakes.find(([is]) => is(value));
  return known?.[1] ?? "must not be an instance of a class: pass a plain object or list";
}
