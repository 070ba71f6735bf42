import { _, type Format as AjvFormat, KeywordCxt } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { UnratedDiagnostic } from "../core/diagnostic.js";
import type { Span } from "../core/span.js";
import {
  equal,
  equalItems,
  formats,
  isMultipleOf,
  ucs2length,
} from "@skillc/runtime/v1/validation";
import {
  definitionOf,
  forgetSchemas,
  keepEvaluated,
  redefine,
  replaceHelper,
} from "./ajv-internals.js";
import { formatNames } from "./formats.js";
import { patternTest } from "./pattern/matcher.js";

/**
 * Creates an Ajv that checks like generated validators: own properties only, all errors, no
 * coercion, no defaults.
 */
export function createAjv(needsUnevaluated: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    code: {
      source: true,
      optimize: false,
      esm: true,
      formats: _`formats`,
      regExp: matchedRegExp,
    },
    formats: knownFormats,
    allErrors: true,
    ownProperties: true,
    strict: false,
    strictNumbers: true,
    unicodeRegExp: true,
    validateSchema: false,
    meta: false,
    addUsedSchema: false,
    logger: false,
  });
  keepEvaluated(ajv, needsUnevaluated);
  replaceHelpers(ajv);
  compareItemsOnce(ajv);
  countMultiplesAsWritten(ajv);
  countContainedItems(ajv);
  return ajv;
}

/** Returns the Ajv to its initial state. */
export function emptied(ajv: Ajv2020): Ajv2020 {
  forgetSchemas(ajv);
  replaceHelpers(ajv);
  return ajv;
}

function replaceHelpers(ajv: Ajv2020): void {
  replaceHelper(ajv, "equal", equal, _`equal`);
  replaceHelper(ajv, "ucs2length", ucs2length, _`ucs2length`);
}

/** A schema that passed skillc's checks, but that Ajv can't compile. */
export class UncompilableSchema extends Error {
  override readonly name = "UncompilableSchema";

  constructor(
    /** Ajv's message. */
    readonly reason: string,
    /** Span of the schema, if known. */
    readonly span?: Span,
  ) {
    super(`Ajv can't compile the schema: ${reason}`);
  }
}

/**
 * Runs `compile` and converts Ajv's errors.
 *
 * @throws UncompilableSchema for every error that Ajv throws
 */
export function compiling<Result>(compile: () => Result, span?: Span): Result {
  try {
    return compile();
  } catch (error) {
    if (error instanceof UncompilableSchema && error.span !== undefined) throw error;
    const reason = error instanceof UncompilableSchema ? error.reason : firstLine(error);
    throw new UncompilableSchema(reason, span);
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "";
}

/**
 * Diagnostic for a schema that Ajv can't compile.
 *
 * @param error the caught error
 * @param span used if the error has no span
 * @throws the caught error, if it is of another kind
 */
export function uncompilableDiagnostic(error: unknown, span: Span): UnratedDiagnostic {
  if (!(error instanceof UncompilableSchema)) throw error;
  return {
    code: "schema/unsupported",
    span: error.span ?? span,
    message: `Ajv can't compile this schema: ${error.reason}`,
    help: "write the schema with simpler keywords",
  };
}

/** Replaces Ajv's `multipleOf`, which accepts a quotient that is nearly whole. */
function countMultiplesAsWritten(ajv: Ajv2020): void {
  redefine(ajv, "multipleOf", {
    code(context: KeywordCxt) {
      const { data, gen, schemaCode } = context;
      const helper = gen.scopeValue("func", { ref: isMultipleOf, code: _`isMultipleOf` });
      context.fail(_`!${helper}(${data}, ${schemaCode})`);
    },
  });
}

/**
 * Makes `contains` report only the count of matching items, and not the errors of each other item.
 */
function countContainedItems(ajv: Ajv2020): void {
  const definition = definitionOf(ajv, "contains");
  if (!("code" in definition)) throw new Error("Ajv generated no code for `contains`");
  const { code } = definition;
  redefine(ajv, "contains", {
    code(context: KeywordCxt) {
      const forget = () => context.reset();
      context.result = (valid) =>
        KeywordCxt.prototype.result.call(context, valid, forget, () => {
          forget();
          context.error();
        });
      code(context);
    },
  });
}

/**
 * Patterns that are tested by the compiler's own matchers inside Ajv. In printed code they are `new
 * RegExp(…)`; `emit-validators` replaces those that are too slow for the engine's matcher.
 */
const matchedRegExp = Object.assign(
  (pattern: string, flags: string) => ({
    test: patternTest(pattern),
    // Ajv distinguishes patterns by this text.
    toString: () => `/${pattern}/${flags}`,
  }),
  { code: "new RegExp" },
);

/**
 * Formats as the runtime exports them, with a type less precise than Ajv's. Formats that check
 * nothing are included.
 */
const knownFormats: { readonly [name: string]: AjvFormat } = Object.fromEntries(
  formatNames.map((name) => [name, (formats[name] as AjvFormat | undefined) ?? true]),
);

/** Makes `uniqueItems` call the runtime's helper: Ajv's own code compares every pair of items. */
function compareItemsOnce(ajv: Ajv2020): void {
  redefine(ajv, "uniqueItems", {
    code(context: KeywordCxt) {
      const { data, gen, schema } = context;
      if (schema !== true) return;
      const find = gen.scopeValue("func", { ref: equalItems, code: _`equalItems` });
      const found = gen.const("found", _`${find}(${data})`);
      context.setParams({ i: _`${found}.i`, j: _`${found}.j` });
      context.fail(_`${found} !== undefined`);
    },
  });
}
