import { fullFormats } from "ajv-formats/dist/formats.js";
import { isUrl } from "./url-format.js";

export interface Format {
  readonly type?: "string" | "number";
  readonly validate: RegExp | ((value: never) => boolean);
}

/**
 * The formats of ajv-formats in full mode, those that check something, in one shape; its `url`
 * takes quadratic time.
 */
export const formats: { readonly [name: string]: Format } = Object.fromEntries(
  Object.entries({ ...fullFormats, url: isUrl }).flatMap(([name, format]): [string, Format][] => {
    if (typeof format === "boolean") return [];
    if (format instanceof RegExp || typeof format === "function")
      return [[name, { validate: format }]];
    // The definitions are synchronous and none has a textual pattern: the package's own type allows
    // both.
    return [[name, format as Format]];
  }),
);
