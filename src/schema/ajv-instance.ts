import { isDeepStrictEqual } from "node:util";
import { _, type Code } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import equalModule from "ajv/dist/runtime/equal.js";
import ucs2lengthModule from "ajv/dist/runtime/ucs2length.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { startEvaluatedAfresh } from "./evaluated-keywords.js";

/** An Ajv that checks as generated validators do: by own properties, everything that is wrong, nothing coerced or filled in. */
export function createAjv(needsUnevaluated: boolean, regExp?: GuardedRegExp): Ajv2020 {
  const ajv = new Ajv2020({
    code: {
      source: true,
      optimize: false,
      esm: true,
      formats: _`formats`,
      ...(regExp ? { regExp } : {}),
    },
    formats: checkedFormats,
    allErrors: true,
    ownProperties: true,
    strict: false,
    strictNumbers: true,
    unicodeRegExp: true,
    // 19.99 is a multiple of 0.01, whatever binary fractions say.
    multipleOfPrecision: 6,
    validateSchema: false,
    meta: false,
    addUsedSchema: false,
    logger: false,
  });
  // Normalized schemas have no dynamic references; bookkeeping for `unevaluated…` costs code and time where there is none.
  ajv.opts.dynamicRef = false;
  ajv.opts.unevaluated = needsUnevaluated;
  if (needsUnevaluated) startEvaluatedAfresh(ajv);
  // Ajv looks helpers up by its own function: these stand in for them, under the names that the runtime exports.
  replaceHelper(ajv, equalModule, isDeepStrictEqual, _`equal`);
  replaceHelper(ajv, ucs2lengthModule, undefined, _`ucs2length`);
  return ajv;
}

function replaceHelper(
  ajv: Ajv2020,
  module: unknown,
  ours: ((a: unknown, b: unknown) => boolean) | undefined,
  code: Code,
): void {
  // A CommonJS default export is the function itself for bundlers, a property of the module for Node.
  const key =
    typeof module === "function" ? module : (module as { readonly default: unknown }).default;
  ajv.scope.value("func", { key, ref: ours ?? key, code });
}

/** Compiles a pattern for checks that run inside the compiler. */
export interface GuardedRegExp {
  (pattern: string, flags: string): { test(text: string): boolean };
  code: string;
}

/**
 * Formats in one shape, as the runtime exports them: regular expressions too are referred to by name instead of being copied into each
 * generated module.
 */
const checkedFormats = Object.fromEntries(
  Object.entries(fullFormats).map(([name, format]) => [
    name,
    format instanceof RegExp || typeof format === "function" ? { validate: format } : format,
  ]),
);
