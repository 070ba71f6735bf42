import type { JsonObject } from "../../core/json.js";
import { signedDigits } from "../../schema/digit-patterns.js";
import { type FormWords, withWords } from "../../schema/form-words.js";

/*
 * JSON Schemas of what JSON has no form of its own for, and of its numbers. They are exact: a value
 * that fits can be encoded, and means what it says.
 */

/** Text that is all of the pattern. */
export function exactText(
  pattern: string,
  { says, ...more }: FormWords,
  keywords: JsonObject = {},
): JsonObject {
  return { type: "string", ...keywords, pattern: `^(?:${pattern})$`, ...withWords(says, more) };
}

/**
 * The last characters of base64, by how many bytes they hold beyond threes: the bits that are left
 * over are zero.
 */
export const base64Tails = [
  "",
  "[A-Za-z0-9+/][AQgw]==",
  "[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=",
] as const;

/** Base64 that ends in one of the tails. */
export function base64([none, ...others]: readonly string[]): string {
  const tail = others.length === 0 ? none : `(?:${others.join("|")})?`;
  return `(?:[A-Za-z0-9+/]{4})*${tail}`;
}

export const bytesForm: JsonObject = exactText(
  base64(base64Tails),
  { says: "bytes in base64" },
  { contentEncoding: "base64" },
);

export const dayPattern = "\\d{4}-\\d{2}-\\d{2}";
export const clockPattern = "(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d";
/** Hours and minutes that a clock is ahead of UTC. */
export const offsetPattern = "[+-](?:[01]\\d|2[0-3]):[0-5]\\d";

/** Of a second, in so many digits. Zeros behind them say nothing more. */
export function fractionPattern(digits: number): string {
  return `(?:\\.\\d{1,${digits}}0*)?`;
}

/** Whole numbers of 32 bits with a sign. */
export const int32Form: JsonObject = {
  type: "integer",
  minimum: -(2 ** 31),
  maximum: 2 ** 31 - 1,
};

/** Whole numbers that are exact in JSON. */
export const safeForm: JsonObject = {
  type: "integer",
  minimum: -(2 ** 53 - 1),
  maximum: 2 ** 53 - 1,
};

/** Whole numbers of 64 bits with a sign: as numbers where they are exact, as digits else. */
export const int64Form: JsonObject = {
  ...safeForm,
  ...exactText(signedDigits(64), {
    says: "an integer of 64 bits, or its digits",
    pattern: "^(0|-?[1-9][0-9]{0,17})$",
  }),
  type: ["integer", "string"],
};

const largestFloat = 3.4028234663852886e38;

/** Numbers that 32 bits can hold, rounded. */
export const floatForm: JsonObject = {
  type: "number",
  minimum: -largestFloat,
  maximum: largestFloat,
};

/**
 * The names of types among a JSON Schema's definitions: short where they are unique, `Status`, and
 * `acme_Status` else; the root's is empty.
 */
export function definitionNames<Type>(
  named: readonly (Type & { readonly name: string })[],
  root: Type,
): ReadonlyMap<Type, string> {
  const taken = new Set<string>();
  return new Map(
    named.map((type) => {
      const stem = type.name.slice(type.name.lastIndexOf(".") + 1).slice(0, 60);
      const full = type.name.replaceAll(".", "_").slice(-60);
      let name = taken.has(stem) ? full : stem;
      for (let count = 2; taken.has(name); count += 1) name = `${full}_${count}`;
      taken.add(name);
      return [type, type === root ? "" : name];
    }),
  );
}
