/**
 * What is private in Ajv: the definitions of its keywords, its bookkeeping of what is evaluated,
 * its helpers, and the forms of the code that it prints. Its documentation promises none of it, so
 * its range in package.json is `~`, and ajv-internals.test.ts fails on the day that it changes.
 */
import { _, type Code, type KeywordCxt, Name, stringify } from "ajv";
import { getProperty, strConcat } from "ajv/dist/compile/codegen/code.js";
import { ValueScope, type ValueScopeName } from "ajv/dist/compile/codegen/scope.js";
import { callRef } from "ajv/dist/vocabularies/core/ref.js";
import type { Ajv2020 } from "ajv/dist/2020.js";
import equalModule from "ajv/dist/runtime/equal.js";
import ucs2lengthModule from "ajv/dist/runtime/ucs2length.js";
import type { JsonValue } from "../core/json.js";
import type { SchemaEnv } from "ajv/dist/compile/index.js";
import type { AddedKeywordDefinition, AnyValidateFunction } from "ajv/dist/types/index.js";
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
  changes:
    | { readonly code: (context: KeywordCxt, ruleType?: string) => void }
    | Pick<AddedKeywordDefinition, "error">,
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

/** Has Ajv print code and never load it: its functions check nothing. */
export function printOnly(ajv: Ajv2020): void {
  ajv.opts.code.process = () => "return () => true;";
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

/** What makes a keyword's code. */
export function codeOf(
  ajv: Ajv2020,
  keyword: string,
): (context: KeywordCxt, ruleType?: string) => void {
  const definition = definitionOf(ajv, keyword);
  if (!("code" in definition)) throw new Error(`ajv has no code of the keyword ${keyword}`);
  return definition.code.bind(definition);
}

/**
 * Properties of a value, as the items of a list. Joining two copies both, so that thousands are
 * joined by halves.
 *
 * @param names at least one
 */
export function printedItems(value: Code | Name, names: readonly string[]): Code {
  if (names.length < 2) return printed(value, names[0] ?? "");
  const half = names.length >> 1;
  const [left, right] = [names.slice(0, half), names.slice(half)];
  return _`${printedItems(value, left)}, ${printedItems(value, right)}`;
}

/** What Ajv's code calls the errors found so far. */
export const errorsSoFar = new Name("vErrors");

/** A property of a value, as code. */
export function printed(value: Code | Name, name: string): Code {
  return _`${value}${getProperty(name)}`;
}

type SchemaContext = KeywordCxt["it"];

/** The place of the value that a schema is for, as code. */
export function placeOf(it: SchemaContext): Code | Name {
  return it.errorPath.toString() === '""' ? instancePath : strConcat(instancePath, it.errorPath);
}

const places = new WeakMap<SchemaContext, Code | Name>();

/**
 * The same, put together once for all keywords of objects: they stand in one block of Ajv's code,
 * and name the place though errors alone need it.
 */
export function placeOfObject(it: SchemaContext): Code | Name {
  const path = placeOf(it);
  if (path instanceof Name) return path;
  const place = places.get(it) ?? it.gen.const("path", path);
  places.set(it, place);
  return place;
}

const instancePath = new Name("instancePath");

/** The name of data that is to stand in the module once, however many keywords mention it. */
export function hoisted({ gen }: Pick<KeywordCxt, "gen">, data: JsonValue): Name {
  const code = stringify(data);
  return gen.scopeValue("obj", { key: code.toString(), ref: data, code });
}

/** What a format is called in the module, as Ajv's own keyword names it. */
export function formatOf({ gen, it: { opts, self } }: KeywordCxt, name: string): Name {
  const code = _`${opts.code.formats ?? _`formats`}${getProperty(name)}`;
  return gen.scopeValue("formats", { key: name, ref: self.formats[name], code });
}

/** Has the keyword's code work on the context that `change` makes of its own. */
function wrap(ajv: Ajv2020, keyword: string, change: (context: KeywordCxt) => KeywordCxt): void {
  const code = codeOf(ajv, keyword);
  redefine(ajv, keyword, { code: (context, ruleType) => code(change(context), ruleType) });
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

/** What Ajv compiled, as a module needs it. */
export interface CompiledParts {
  /** What functions refer to, in the order in which they do first. */
  readonly values: readonly ScopeValue[];
  /** By their names, in the order in which they are called first. */
  readonly functions: ReadonlyMap<string, CompiledFunction>;
  /** Functions by names whose property `validate` they are: called before they were compiled. */
  readonly later: ReadonlyMap<string, string>;
  /** The name of the function of each schema. */
  readonly names: readonly string[];
}

export interface CompiledFunction {
  /** A declaration of a function. */
  readonly code: string;
  /** What it says that it evaluated, where Ajv keeps book. */
  readonly evaluated?: string;
}

/** What code refers to by a name. */
export interface ScopeValue {
  /** `schema`, `func`, `formats`, `pattern`, `obj` (hoisted data). */
  readonly kind: string;
  readonly name: string;
  readonly value: unknown;
  /** As Ajv prints it. */
  readonly code: string;
}

/**
 * Compiles schemas, and gives what Ajv's `standaloneCode` would join to one text.
 *
 * @param keys of schemas that were added
 */
export function compiledParts(ajv: Ajv2020, keys: readonly string[]): CompiledParts {
  const values = new Map<string, ScopeValue>();
  const later = new Map<string, string>();
  const functions = new Map<string, CompiledFunction>();
  const visit = (compiled: unknown): string => {
    const { source } = compiled as AnyValidateFunction;
    if (source === undefined) throw new Error("ajv compiled a schema without its source");
    const name = source.validateName.str;
    if (functions.has(name)) return name;
    // Its place among the others: what it calls may call it.
    functions.set(name, { code: "" });
    for (const [kind, set] of Object.entries(source.scopeValues))
      for (const each of set ?? []) visitValue(kind, each);
    const { evaluated, validateCode } = source;
    functions.set(name, {
      code: validateCode,
      ...(evaluated !== undefined && { evaluated: evaluated.toString() }),
    });
    return name;
  };
  const visitValue = (kind: string, { str: name, value }: ValueScopeName): void => {
    if (value === undefined) throw new Error(`ajv gave ${name} no value`);
    if (kind === "validate") return void visit(value.ref);
    if (values.has(name)) return;
    const code = value.code?.toString();
    values.set(name, { kind, name, value: value.ref, code: code ?? "" });
    // Code named the function of a schema before it was compiled.
    if (code === undefined) later.set(name, visit((value.ref as SchemaEnv).validate));
  };
  const names = keys.map((key) => visit(ajv.getSchema(key)));
  const known = [...values.values()].filter(({ name }) => !later.has(name));
  return { values: known, later, functions, names };
}

/** The text of a pattern, where a value of Ajv's code is one. */
export function printedPattern(value: string): string | undefined {
  const text = /^new RegExp\((".*"), "u"\)$/s.exec(value)?.[1];
  return text === undefined ? undefined : String(JSON.parse(text));
}
