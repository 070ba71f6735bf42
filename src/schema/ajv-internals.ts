/**
 * Everything that relies on private parts of Ajv: definitions of keywords, the record of evaluated
 * parts, helpers, and the shape of printed code. Ajv's documentation guarantees none of it. So
 * package.json allows only patch releases (`~`), and ajv-internals.test.ts fails if any of it
 * changes.
 */
import { _, type Code, type KeywordCxt, Name, stringify } from "ajv";
import { _Code, getProperty, strConcat } from "ajv/dist/compile/codegen/code.js";
import { ValueScope, type ValueScopeName } from "ajv/dist/compile/codegen/scope.js";
import { callRef } from "ajv/dist/vocabularies/core/ref.js";
import type { Ajv2020 } from "ajv/dist/2020.js";
import equalModule from "ajv/dist/runtime/equal.js";
import ucs2lengthModule from "ajv/dist/runtime/ucs2length.js";
import type { JsonValue } from "../core/json.js";
import type { SchemaEnv } from "ajv/dist/compile/index.js";
import type { AddedKeywordDefinition, AnyValidateFunction } from "ajv/dist/types/index.js";
import { marker } from "./evaluated-keywords.js";

/** The definition of a keyword. Each Ajv has its own copy, so a change affects no other Ajv. */
export function definitionOf(ajv: Ajv2020, keyword: string): AddedKeywordDefinition {
  const definition = ajv.getKeyword(keyword);
  if (typeof definition !== "object") throw new Error(`Ajv has no keyword ${keyword}`);
  return definition;
}

/** Changes the code or the errors that this Ajv generates for a keyword. */
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
 * Replaces a helper of Ajv, which Ajv finds by its function.
 *
 * @param code how generated code calls the replacement
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
 * Clears all schemas and all names in their code, so that the next output doesn't depend on earlier
 * ones. Creating another Ajv takes longer than compiling most schemas.
 */
export function forgetSchemas(ajv: Ajv2020): void {
  ajv.removeSchema();
  const { opts } = ajv.scope;
  const scope = new ValueScope({ ...opts, scope: {} });
  Object.assign(ajv, { scope });
}

/** Makes Ajv print code without loading it. The returned functions check nothing. */
export function printOnly(ajv: Ajv2020): void {
  ajv.opts.code.process = () => "return () => true;";
}

/**
 * Turns Ajv's record of evaluated parts on or off. The record costs code and time, so it is on only
 * if a keyword needs it. Normalized schemas have no dynamic references.
 */
export function keepEvaluated(ajv: Ajv2020, isNeeded: boolean): void {
  ajv.opts.dynamicRef = false;
  ajv.opts.unevaluated = isNeeded;
  if (isNeeded) startEvaluatedAfresh(ajv);
}

/**
 * Makes each schema start with no evaluated names and items. Ajv itself declares the record when
 * the first branch matches. In a loop, an item would then see the record of the item before, kept
 * in an object with inherited names.
 */
function startEvaluatedAfresh(ajv: Ajv2020): void {
  ajv.addKeyword({
    keyword: marker,
    before: "$ref",
    code({ gen, it, schema }) {
      // Ajv keeps no record if everything is evaluated.
      it.props = schema === false || gen.var("props", _`{__proto__: null}`);
      it.items = schema === false || gen.var("items", 0);
    },
  });
  wrap(ajv, "if", whereValid);
  wrap(ajv, "unevaluatedItems", withCount);
}

/**
 * Calls a function that Ajv did not compile, wherever a schema has the keyword. The keyword's value
 * is the function's name. Ajv treats the call like the validator of a reference.
 */
export function callByName(ajv: Ajv2020, keyword: string): void {
  ajv.addKeyword({
    keyword,
    before: "$ref",
    code: (context) => callRef(context, new Name(String(context.schema))),
  });
}

/** The function that generates a keyword's code. */
export function codeOf(
  ajv: Ajv2020,
  keyword: string,
): (context: KeywordCxt, ruleType?: string) => void {
  const definition = definitionOf(ajv, keyword);
  if (!("code" in definition)) throw new Error(`Ajv has no code for the keyword ${keyword}`);
  return definition.code.bind(definition);
}

/**
 * Properties of a value, as the items of a list. It joins lists by halves, because joining copies
 * both.
 *
 * @param names at least one
 */
export function printedItems(value: Code | Name, names: readonly string[]): Code {
  if (names.length < 2) return printed(value, names[0] ?? "");
  const half = names.length >> 1;
  const [left, right] = [names.slice(0, half), names.slice(half)];
  return _`${printedItems(value, left)}, ${printedItems(value, right)}`;
}

/** Name of the errors found so far, in Ajv's code. */
export const errorsSoFar = new Name("vErrors");

/** Code that reads a property of a value. */
export function printed(value: Code | Name, name: string): Code {
  return _`${value}${getProperty(name)}`;
}

type SchemaContext = KeywordCxt["it"];

/** Code for the place of the value that a schema describes. */
export function placeOf(it: SchemaContext): Code | Name {
  return it.errorPath.toString() === '""' ? instancePath : strConcat(instancePath, it.errorPath);
}

const places = new WeakMap<SchemaContext, Code | Name>();

/**
 * Code for the place of an object, computed once for all keywords. Only errors need the place, but
 * the keywords share one block of Ajv's code.
 */
export function placeOfObject(it: SchemaContext): Code | Name {
  const path = placeOf(it);
  if (path instanceof Name) return path;
  const place = places.get(it) ?? it.gen.const("path", path);
  places.set(it, place);
  return place;
}

const instancePath = new Name("instancePath");

/** Declares data once in the module, and returns its name. */
export function hoisted({ gen }: Pick<KeywordCxt, "gen">, data: JsonValue): Name {
  const code = stringify(data);
  return gen.scopeValue("obj", { key: code.toString(), ref: data, code });
}

/** Declares a function that returns a list once in the module, and returns its name. */
export function hoistedList({ gen }: Pick<KeywordCxt, "gen">, items: readonly string[]): Name {
  const code = new _Code(`()=>[${items.join(",")}]`);
  return gen.scopeValue("obj", { key: code.toString(), ref: code, code });
}

/** Name of a format in the module, as Ajv's own `format` keyword writes it. */
export function formatOf({ gen, it: { opts, self } }: KeywordCxt, name: string): Name {
  const code = _`${opts.code.formats ?? _`formats`}${getProperty(name)}`;
  return gen.scopeValue("formats", { key: name, ref: self.formats[name], code });
}

/** Runs the keyword's code generator on a changed context. */
function wrap(ajv: Ajv2020, keyword: string, change: (context: KeywordCxt) => KeywordCxt): void {
  const code = codeOf(ajv, keyword);
  redefine(ajv, keyword, { code: (context, ruleType) => code(change(context), ruleType) });
}

/**
 * Marks all items as evaluated by their count, because Ajv compares the mark `true` with a length.
 */
function withCount(context: KeywordCxt): KeywordCxt {
  const { gen, data, it } = context;
  const { items } = it;
  if (items instanceof Name)
    gen.if(_`${items} === true`, () => gen.assign(items, _`${data}.length`));
  return context;
}

/** Discards the parts that `if` evaluated if `if` doesn't match. Ajv keeps them. */
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

/** Ajv's compiled code, split for a module. */
export interface CompiledParts {
  /** Values that the functions refer to, in order of first use. */
  readonly values: readonly ScopeValue[];
  /** Functions by name, in order of first call. */
  readonly functions: ReadonlyMap<string, CompiledFunction>;
  /**
   * Functions that are called before they are compiled, as the property `validate` of the named
   * value.
   */
  readonly later: ReadonlyMap<string, string>;
  /** Name of each schema's function. */
  readonly names: readonly string[];
}

export interface CompiledFunction {
  /** A declaration of a function. */
  readonly code: string;
  /** The evaluated parts that the function reports, if Ajv records them. */
  readonly evaluated?: string;
}

/** A named value that code refers to. */
export interface ScopeValue {
  /** `schema`, `func`, `formats`, `pattern`, `obj` (hoisted data). */
  readonly kind: string;
  readonly name: string;
  readonly value: unknown;
  /** Code of the value as Ajv prints it. */
  readonly code: string;
}

/**
 * Compiles schemas, and returns the parts that Ajv's `standaloneCode` would join to one text.
 *
 * @param keys keys of the schemas in Ajv
 */
export function compiledParts(ajv: Ajv2020, keys: readonly string[]): CompiledParts {
  const values = new Map<string, ScopeValue>();
  const later = new Map<string, string>();
  const functions = new Map<string, CompiledFunction>();
  const visit = (compiled: unknown): string => {
    const { source } = compiled as AnyValidateFunction;
    if (source === undefined) throw new Error("Ajv compiled a schema without its source");
    const name = source.validateName.str;
    if (functions.has(name)) return name;
    // Reserve the position now: functions that this one calls may call it back.
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
    if (value === undefined) throw new Error(`Ajv gave ${name} no value`);
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

/** The text of a pattern, if a value of Ajv's code is a pattern. */
export function printedPattern(value: string): string | undefined {
  const text = /^new RegExp\((".*"), "u"\)$/s.exec(value)?.[1];
  return text === undefined ? undefined : String(JSON.parse(text));
}
