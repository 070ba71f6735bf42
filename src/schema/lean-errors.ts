import { _, type Code, stringify } from "ajv";
import type { Ajv2020 } from "ajv/dist/2020.js";
import type {
  AddedKeywordDefinition,
  KeywordErrorCxt,
  KeywordErrorDefinition,
} from "ajv/dist/types/index.js";
import type { JsonObject, JsonSchema } from "../core/json.js";
import { saidForm } from "./said-form.js";
import { everySchema } from "./schema-tree.js";

/** Schemas within schemas beyond which code is left as it is: Ajv's optimizer takes quadratic time over long unions. */
const mostToOptimize = 500;

/** Values of an enum, and names of properties, that an error object carries: as many as a message tells or compares. */
const mostListed = 100;

/**
 * Has Ajv print error objects that hold facts and no prose: the runtime words them. What was allowed is named in place, so that no copy of
 * a schema has to stand in the module.
 */
export function leanErrors(ajv: Ajv2020, schemas: readonly JsonSchema[]): void {
  ajv.opts.messages = false;
  const size = schemas.reduce<number>((sum, each) => sum + everySchema(each).length, 0);
  ajv.opts.code.optimize = size <= mostToOptimize ? 1 : 0;
  replaceParams(ajv, "enum", enumParams);
  replaceParams(ajv, "additionalProperties", unknownPropertyParams);
  for (const keyword of ["pattern", "format", "minLength", "maxLength", "not"])
    tellForm(ajv, keyword);
}

/** Where a schema says what it takes, an error carries that, and not the one keyword that noticed. */
function tellForm(ajv: Ajv2020, keyword: string): void {
  const { error } = definitionOf(ajv, keyword);
  replaceParams(ajv, keyword, (context) => {
    // Ajv was given JSON.
    const form = saidForm((context.parentSchema ?? {}) as JsonObject);
    if (form !== undefined) return _`{form: ${form.says}}`;
    return typeof error?.params === "function" ? error.params(context) : (error?.params ?? _`{}`);
  });
}

function replaceParams(
  ajv: Ajv2020,
  keyword: string,
  params: (context: KeywordErrorCxt) => Code,
): void {
  // Each Ajv has copies of the definitions, so this changes no other.
  Object.assign(definitionOf(ajv, keyword), {
    error: { message: "", params } satisfies KeywordErrorDefinition,
  });
}

function definitionOf(ajv: Ajv2020, keyword: string): AddedKeywordDefinition {
  const definition = ajv.getKeyword(keyword);
  if (typeof definition !== "object") throw new Error(`ajv has no keyword ${keyword}`);
  return definition;
}

/** Objects and arrays stay references: a copy of them as code would lose a property named `__proto__`. */
function enumParams({ schema, schemaCode }: KeywordErrorCxt): Code {
  if (!Array.isArray(schema) || schema.some((each) => typeof each === "object" && each !== null)) {
    return _`{allowedValues: ${schemaCode}}`;
  }
  return _`{allowedValues: ${stringify(schema.slice(0, mostListed))}}`;
}

function unknownPropertyParams({ params, parentSchema }: KeywordErrorCxt): Code {
  const known = Object.keys(parentSchema?.["properties"] ?? {}).slice(0, mostListed);
  return _`{additionalProperty: ${params["additionalProperty"]}, known: ${stringify(known)}}`;
}

/** A string literal of Ajv's code, or one of the forms that stand where it collects errors. */
const tokens =
  /\bvErrors = vErrors === null \? ([\w.]+)\.errors : vErrors\.concat\(\1\.errors\);|\bschemaPath:"(?:[^"\\]|\\.)*",|"(?:[^"\\]|\\.)*"|if\(vErrors === null\)\{vErrors = \[(err\d+)\];\}else \{vErrors\.push\(\2\);\}/g;

/**
 * Ajv's code without the paths into the schema, which nobody reads, and with its errors collected in fewer words; those of a referenced schema
 * are added to what is there, where Ajv copies all of them for each item of a list.
 */
export function shorten(text: string): string {
  return text.replace(tokens, (token, callee: string | undefined, error: string | undefined) => {
    if (callee !== undefined)
      return `{if(vErrors === null){vErrors = ${callee}.errors;}else for(const each of ${callee}.errors){vErrors.push(each);}}`;
    if (error !== undefined) return `(vErrors ??= []).push(${error});`;
    return token.startsWith("schemaPath:") ? "" : token;
  });
}
