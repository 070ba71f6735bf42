import type { JsonObject } from "../../core/json.js";
import { signedDigits } from "../../schema/digit-patterns.js";
import { type FormWords, withWords } from "../../schema/form-words.js";

/*
 * JSON Schemas for numbers and for types without a JSON form of their own. The schemas are exact:
 * every value that fits can be encoded without loss.
 */

/** Makes a schema of texts that match the whole pattern. */
export function exactText(
  pattern: string,
  { says, ...more }: FormWords,
  keywords: JsonObject = {},
): JsonObject {
  return { type: "string", ...keywords, pattern: `^(?:${pattern})$`, ...withWords(says, more) };
}

/**
 * Patterns for the end of base64, by the number of bytes after the last group of three. Unused bits
 * are zero.
 */
export const base64Tails = [
  "",
  "[A-Za-z0-9+/][AQgw]==",
  "[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=",
] as const;

/** Pattern of base64 that ends in one of the tails. */
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
/** Offset from UTC in hours and minutes. */
export const offsetPattern = "[+-](?:[01]\\d|2[0-3]):[0-5]\\d";

/** Pattern of a fraction of a second with a number of digits. Further zeros are allowed. */
export function fractionPattern(digits: number): string {
  return `(?:\\.\\d{1,${digits}}0*)?`;
}

/** Signed integers of 32 bits. */
export const int32Form: JsonObject = {
  type: "integer",
  minimum: -(2 ** 31),
  maximum: 2 ** 31 - 1,
};

/** Integers that JSON numbers hold exactly. */
export const safeForm: JsonObject = {
  type: "integer",
  minimum: -(2 ** 53 - 1),
  maximum: 2 ** 53 - 1,
};

/** Signed integers of 64 bits: numbers if they are exact, and digits otherwise. */
export const int64Form: JsonObject = {
  ...safeForm,
  ...exactText(signedDigits(64), {
    says: "an integer of 64 bits, or its digits",
    pattern: "^(0|-?[1-9][0-9]{0,17})$",
  }),
  type: ["integer", "string"],
};

const largestFloat = 3.4028234663852886e38;

/** Numbers within the range of 32-bit floats, which rounds them. */
export const floatForm: JsonObject = {
  type: "number",
  minimum: -largestFloat,
  maximum: largestFloat,
};

/**
 * Chooses names of types for the definitions of a JSON Schema: short if they are unique, `Status`,
 * and `acme_Status` otherwise. The root's name is empty.
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
