/**
 * What is private in Ajv: the definitions of its keywords, its bookkeeping of what is evaluated,
 * its helpers, and the forms of the code that it prints. Its documentation promises none of it, so
 * its range in package.json is `~`, and ajv-internals.test.ts fails on the day that it changes.
 */
import { _, type Code, type KeywordCxt, Name } from "ajv";
import { ValueScope } from "ajv/dist/compile/codegen/scope.js";
import { callRef } from "ajv/dist/vocabularies/core/ref.js";
import type { Ajv2020 } from "ajv/dist/2020.js";
import equalModule from "ajv/dist/runtime/equal.js";
import ucs2lengthModule from "ajv/dist/runtime/ucs2length.js";
import type { AddedKeywordDefinition } from "ajv/dist/types/index.js";
import { marker } from "./evaluated-keywords.js";

/** The definition of a keyword. Each Ajv has copies, so that a change of one changes no other. */
export function definitionOf(ajv: Ajv2020, keyword: string): AddedKeywordDefinition {
  const definition = ajv.getKeyword(keyword);
  if (typeof definition !== "object") throw new Error(`ajv has no keyword ${keyword}`);
  return definition;
}

/** Has this Ajv make other code of a keyword, or other errors. */
export function redefine(
  ajv: Ajv2020,
  keyword: string,
  changes: { readonly code: (context: KeywordCxt) => void } | Pick<AddedKeywordDefinition, "error">,
): void {
  Object.assign(definitionOf(ajv, keyword), changes);
}

const helperModules = { equal: equalModule, ucs2length: ucs2lengthModule };

/**
 * Has Ajv call a helper of ours in place of its own, which it looks up by its own function.
 *
 * @param code what generated code calls it
 */
export function replaceHelper(
  ajv: Ajv2020,
  name: keyof typeof helperModules,
  ours: unknown,
  code: Code,
): void {
  const module: unknown = helperModules[name];
  // A CommonJS default export is the function itself for bundlers, a property of the module for
  // Node.
  const key =
    typeof module === "function" ? module : (module as { readonly default: unknown }).default;
  ajv.scope.value("func", { key, ref: ours, code });
}

/**
 * Has Ajv forget every schema, and each name that it gave in their code: what it prints next is as
 * if nothing had been printed before. Making another Ajv takes longer than most schemas do.
 */
export function forgetSchemas(ajv: Ajv2020): void {
  ajv.removeSchema();
  const { opts } = ajv.scope;
  const scope = new ValueScope({ ...opts, scope: {} });
  Object.assign(ajv, { scope });
}

/**
 * Has Ajv keep book of what is evaluated, or not: it costs code and time where no keyword looks at
 * it. Normalized schemas have no dynamic references.
 */
export function keepEvaluated(ajv: Ajv2020, isNeeded: boolean): void {
  ajv.opts.dynamicRef = false;
  ajv.opts.unevaluated = isNeeded;
  if (isNeeded) startEvaluatedAfresh(ajv);
}

/**
 * Has Ajv start each schema that is looked at with no name and no item evaluated. By itself it
 * declares what is evaluated where the first branch turns out to fit, so that in a loop the next
 * item finds what the last one left, and keeps it in an object that inherits names.
 */
function startEvaluatedAfresh(ajv: Ajv2020): void {
  ajv.addKeyword({
    keyword: marker,
    before: "$ref",
    code({ gen, it, schema }) {
      // Where all is evaluated, Ajv keeps no book.
      it.props = schema === false || gen.var("props", _`{__proto__: null}`);
      it.items = schema === false || gen.var("items", 0);
    },
  });
  wrap(ajv, "if", whereValid);
  wrap(ajv, "unevaluatedItems", withCount);
}

/**
 * Has Ajv call a function that it did not compile where a schema has that keyword, by the name that
 * is its value, as it calls the validator of a reference.
 */
export function callByName(ajv: Ajv2020, keyword: string): void {
  ajv.addKeyword({
    keyword,
    before: "$ref",
    code: (context) => callRef(context, new Name(String(context.schema))),
  });
}

/** Has the keyword's code work on the context that `change` makes of its own. */
function wrap(ajv: Ajv2020, keyword: string, change: (context: KeywordCxt) => KeywordCxt): void {
  const definition = definitionOf(ajv, keyword);
  if (!("code" in definition)) throw new Error(`ajv has no code of the keyword ${keyword}`);
  const { code } = definition;
  definition.code = (context, ruleType) => code.call(definition, change(context), ruleType);
}

/** Ajv compares with the length what may be `true`: all items are evaluated. */
function withCount(context: KeywordCxt): KeywordCxt {
  const { gen, data, it } = context;
  const { items } = it;
  if (items instanceof Name)
    gen.if(_`${items} === true`, () => gen.assign(items, _`${data}.length`));
  return context;
}

/** Ajv counts what `if` evaluated even where it doesn't hold. */
function whereValid(context: KeywordCxt): KeywordCxt {
  const subschema = context.subschema.bind(context);
  const merge = context.mergeEvaluated.bind(context);
  let valid: Code = _`true`;
  context.subschema = (applied, name) => {
    valid = name;
    return subschema(applied, name);
  };
  context.mergeEvaluated = (inner) => void context.gen.if(valid, () => merge(inner, Name));
  return context;
}

/**
 * Ajv declares every schema that it compiled; few are mentioned again, where errors tell what was
 * allowed.
 */
export function isUnusedSchema(name: string, text: string): boolean {
  return (
    /^schema\d+$/.test(name) && (text.match(new RegExp(`\\b${name}\\b`, "g"))?.length ?? 0) < 2
  );
}

/** The text of a pattern, where a value of Ajv's code is one. */
export function printedPattern(value: string): string | undefined {
  const text = /^new RegExp\((".*"), "u"\)$/s.exec(value)?.[1];
  return text === undefined ? undefined : String(JSON.parse(text));
}

/** A string literal of Ajv's code, or one of the forms that stand where it collects errors. */
const tokens =
  /\bvErrors = vErrors === null \? ([\w.]+)\.errors : vErrors\.concat\(\1\.errors\);|\bschemaPath:"(?:[^"\\]|\\.)*",|"(?:[^"\\]|\\.)*"|if\(vErrors === null\)\{vErrors = \[(err\d+)\];\}else \{vErrors\.push\(\2\);\}/g;

/**
 * Ajv's code without the paths into the schema, which nobody reads, and with its errors collected
 * in fewer words; those of a referenced schema are added to what is there, where Ajv copies all of
 * them for each item of a list.
 */
export function shorten(text: string): string {
  return text.replace(tokens, (token, callee: string | undefined, error: string | undefined) => {
    if (callee !== undefined)
      return `{if(vErrors === null){vErrors = ${callee}.errors;}else for(const each of ${callee}.errors){vErrors.push(each);}}`;
    if (error !== undefined) return `(vErrors ??= []).push(${error});`;
    return token.startsWith("schemaPath:") ? "" : token;
  });
}
