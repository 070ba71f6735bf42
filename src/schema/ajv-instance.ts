import { _, type Code, type Format as AjvFormat, type KeywordCxt } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import equalModule from "ajv/dist/runtime/equal.js";
import ucs2lengthModule from "ajv/dist/runtime/ucs2length.js";
import type { Finding } from "../core/diagnostic.js";
import type { Span } from "../core/span.js";
import { equal, formats, isMultipleOf, ucs2length } from "../runtime/ajv.js";
import { startEvaluatedAfresh } from "./evaluated-keywords.js";
import { formatNames } from "./formats.js";
import { patternTest } from "./pattern/judge-pattern.js";
import { compareItemsOnce } from "./unique-items.js";

/** An Ajv that checks as generated validators do: by own properties, everything that is wrong, nothing coerced or filled in. */
export function createAjv(needsUnevaluated: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    code: {
      source: true,
      optimize: false,
      esm: true,
      formats: _`formats`,
      regExp: judgedRegExp,
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
  // Normalized schemas have no dynamic references; bookkeeping for `unevaluated…` costs code and time where there is none.
  ajv.opts.dynamicRef = false;
  ajv.opts.unevaluated = needsUnevaluated;
  if (needsUnevaluated) startEvaluatedAfresh(ajv);
  // Ajv looks helpers up by its own function: these stand in for them, under the names that the runtime exports.
  replaceHelper(ajv, equalModule, equal, _`equal`);
  replaceHelper(ajv, ucs2lengthModule, ucs2length, _`ucs2length`);
  compareItemsOnce(ajv);
  countMultiplesAsWritten(ajv);
  return ajv;
}

/** A schema that passed every check of ours, and that Ajv can't compile all the same. */
export class UncompilableSchema extends Error {
  override readonly name = "UncompilableSchema";

  constructor(
    /** What Ajv says. */
    readonly reason: string,
    /** Where the schema stands, as far as it is known. */
    readonly span?: Span,
  ) {
    super(`Ajv can't compile the schema: ${reason}`);
  }
}

/**
 * Has Ajv compile.
 *
 * @throws UncompilableSchema for whatever Ajv throws
 */
export function compiling<Result>(compile: () => Result, span?: Span): Result {
  try {
    return compile();
  } catch (fault) {
    if (fault instanceof UncompilableSchema && fault.span !== undefined) throw fault;
    const reason = fault instanceof UncompilableSchema ? fault.reason : firstLine(fault);
    throw new UncompilableSchema(reason, span);
  }
}

function firstLine(fault: unknown): string {
  return (fault instanceof Error ? fault.message : String(fault)).split("\n", 1)[0] ?? "";
}

/**
 * What an author is told of a schema that Ajv can't compile.
 *
 * @param fault what was caught
 * @param span the place, where the fault has none
 * @throws whatever else was caught
 */
export function uncompilableFinding(fault: unknown, span: Span): Finding {
  if (!(fault instanceof UncompilableSchema)) throw fault;
  return {
    code: "schema/unsupported",
    span: fault.span ?? span,
    message: `no validator can be made of this schema: ${fault.reason}`,
    help: "say the same in plainer keywords",
  };
}

/** Ajv divides, and takes a quotient that is nearly whole for a whole one. */
function countMultiplesAsWritten(ajv: Ajv2020): void {
  const definition = ajv.getKeyword("multipleOf");
  if (typeof definition !== "object") throw new Error("ajv has no keyword multipleOf");
  // Each Ajv has copies of the definitions, so this changes no other.
  Object.assign(definition, {
    code(context: KeywordCxt) {
      const { data, gen, schemaCode } = context;
      const helper = gen.scopeValue("func", { ref: isMultipleOf, code: _`isMultipleOf` });
      context.fail(_`!${helper}(${data}, ${schemaCode})`);
    },
  });
}

function replaceHelper(ajv: Ajv2020, module: unknown, ours: unknown, code: Code): void {
  // A CommonJS default export is the function itself for bundlers, a property of the module for Node.
  const key =
    typeof module === "function" ? module : (module as { readonly default: unknown }).default;
  ajv.scope.value("func", { key, ref: ours, code });
}

/**
 * Patterns as the compiler asks them, inside Ajv. In the code that Ajv prints they are `new RegExp(…)`, from which `emit-validators` takes
 * those that the engine's own matcher is too slow for.
 */
const judgedRegExp = Object.assign(
  (pattern: string, flags: string) => ({
    test: patternTest(pattern),
    // Ajv tells patterns apart by this.
    toString: () => `/${pattern}/${flags}`,
  }),
  { code: "new RegExp" },
);

/** Formats as the runtime exports them, by a type that tells less than Ajv's; those that check nothing are known as well. */
const knownFormats: { readonly [name: string]: AjvFormat } = Object.fromEntries(
  formatNames.map((name) => [name, (formats[name] as AjvFormat | undefined) ?? true]),
);
