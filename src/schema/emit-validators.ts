import {
  code,
  type Code,
  escapeInvisible,
  generated,
  ident,
  imported,
  type ImportedName,
  importsOf,
  join,
  literal,
  ofPieces,
  piecesOf,
} from "../core/code.js";
import type { JsonObject, JsonValue } from "../core/json.js";
import { compareText } from "../core/report.js";
import { runtimeEntry } from "../core/runtime-entry.js";
import type { SchemaModel } from "../core/skill-model.js";
import * as validation from "@skillc/runtime/v1/validation";
import { _, type Code as AjvCode, stringify } from "ajv";
import type { Ajv2020 } from "ajv/dist/2020.js";
import type { KeywordErrorCxt, KeywordErrorDefinition } from "ajv/dist/types/index.js";
import {
  type CompiledFunction,
  compiledParts,
  type CompiledParts,
  definitionOf,
  printedPattern,
  printOnly,
  redefine,
  type ScopeValue,
} from "./ajv-internals.js";
import { compiling, createAjv, emptied, UncompilableSchema } from "./ajv-instance.js";
import { usesUnevaluated } from "./evaluated-keywords.js";
import type { SchemaForm } from "./form.js";
import { formWords } from "./form-words.js";
import { allowedValues, leanKeywords, maxListed } from "./lean-keywords.js";
import { chooseMatcher } from "./pattern/matcher.js";
import { sharedByName } from "./place-at.js";
import { everySchema } from "./schema-tree.js";
import { sharedUses } from "./shared-uses.js";
import { shorten } from "./shorten-code.js";
import { type ReferencesElsewhere, validatorSchema } from "./validator-schema.js";

export interface ValidatorRequest {
  /** A plain identifier, unique in the module. */
  readonly exportName: string;
  readonly schema: SchemaModel;
  readonly form: SchemaForm;
  /** Type of a value that passes the validator. */
  readonly type: Code;
  /** Name of the schema in `$defs`, if it is a shared schema. */
  readonly itself?: string;
  /** Validators of shared schemas in their own modules, by name in `$defs`. */
  readonly imports?: ReadonlyMap<string, ImportedValidator>;
}

/** A validator of another module. */
export interface ImportedValidator {
  /** Specifier in the importing module: `./schemas/line.validate.js`. */
  readonly module: string;
  readonly name: string;
}

const runtimeModule = runtimeEntry("validation");
const patternModule = runtimeEntry("pattern");

/** Runtime functions that validators may call. */
const helpers: ReadonlySet<string> = new Set(Object.keys(validation));

/**
 * Text of a whole module, with its imports, that exports one validator per request, in order. The
 * code is Ajv's standalone code: don't change it, and put nothing but comments before it.
 *
 * @throws Error if Ajv needs a function that the runtime doesn't export
 * @throws UncompilableSchema with the span of a schema that Ajv can't compile
 */
export function emitValidators(requests: readonly ValidatorRequest[]): Code {
  try {
    return emitTogether(requests);
  } catch (error) {
    // Finds the schema that Ajv can't compile.
    if (requests.length > 1) for (const each of requests) emitValidators([each]);
    throw error instanceof UncompilableSchema
      ? new UncompilableSchema(error.reason, requests[0]?.schema.span)
      : error;
  }
}

function emitTogether(requests: readonly ValidatorRequest[]): Code {
  const others = new Calls();
  const elsewhere = requests.map((each) => referencesElsewhere(each, others));
  const plain = requests.map(({ form, schema }, index) =>
    validatorSchema(schema.schema, form, false, elsewhere[index]),
  );
  const keepsBook = plain.some(usesUnevaluated);
  const schemas = keepsBook
    ? requests.map(({ form, schema }, index) =>
        validatorSchema(schema.schema, form, true, elsewhere[index]),
      )
    : plain;
  const ajv = printingAjv(keepsBook);
  const size = schemas.reduce<number>((sum, each) => sum + everySchema(each).length, 0);
  ajv.opts.code.optimize = size <= maxToOptimize ? 1 : 0;
  const keys = requests.map((_request, index) => `schema:${index}`);
  keys.forEach((key, index) => ajv.addSchema(asAjvSchema(schemas[index] ?? true), key));
  const parts = compiling(() => compiledParts(ajv, keys));
  const { body, called } = moduleOf(requests, parts);
  const imports = [
    ...importsOf(body),
    ...called.map((name) => ({ module: runtimeModule, name, typeOnly: false })),
  ];
  return code`${header}${importDeclarations(imports)}${others.declarations()}${withoutImports(body)}`;
}

const printing = new Map<boolean, Ajv2020>();

/** An Ajv without schemas. */
function printingAjv(keepsBook: boolean): Ajv2020 {
  const known = printing.get(keepsBook);
  if (known !== undefined) return emptied(known);
  const ajv = createAjv(keepsBook);
  printOnly(ajv);
  leanKeywords(ajv);
  leanErrors(ajv);
  printing.set(keepsBook, ajv);
  return ajv;
}

/** Names of validators of other modules in this module's code. */
class Calls {
  readonly #names = new Map<string, { readonly local: string; readonly of: ImportedValidator }>();

  /** Ajv generates no names with these prefixes. */
  nameOf(of: ImportedValidator): string {
    const key = `${of.module} ${of.name}`;
    const known = this.#names.get(key) ?? { local: `shared${this.#names.size}`, of };
    this.#names.set(key, known);
    return known.local;
  }

  declarations(): Code {
    const sorted = [...this.#names.values()].toSorted((a, b) =>
      compareText(a.of.module, b.of.module),
    );
    return join(
      sorted.map(
        ({ local, of: { module, name } }) =>
          code`// prettier-ignore\nimport { ${ident(name)} as ${ident(local)} } from ${literal(module)};\n`,
      ),
    );
  }
}

function referencesElsewhere(
  { form, imports, itself, schema }: ValidatorRequest,
  others: Calls,
): ReferencesElsewhere {
  const { copies } = sharedUses(schema, form, true);
  const shared = sharedByName(schema.shared ?? []);
  if (imports === undefined) return { itself, calls: new Map(), held: () => true };
  const calls = [...imports].filter(([name]) => name !== itself && !copies.has(name));
  return {
    itself,
    calls: new Map(calls.map(([name, of]) => [name, others.nameOf(of)])),
    held: (name) => !shared.has(name) || copies.has(name),
  };
}

/** Ajv identifies schemas by object identity, so each schema must be an object of its own. */
function asAjvSchema(schema: boolean | object): object {
  return typeof schema === "object" ? schema : schema ? {} : { not: {} };
}

const header = generated("// @ts-nocheck: made by Ajv; its exports are typed.\n");

/** The statements of a module: one of data, one for each validator and each function it calls. */
function moduleOf(
  requests: readonly ValidatorRequest[],
  { functions, later, names, values }: CompiledParts,
): { readonly body: Code; readonly called: readonly string[] } {
  const requested = new Map(names.map((name, index) => [name, requests[index]]));
  const renamed = new Map<string, string>();
  for (const [name, request] of requested) if (request) renamed.set(name, request.exportName);
  for (const { code: text, kind, name } of values)
    if (kind === "func") renamed.set(name, helper(text));
  for (const [name, of] of later) renamed.set(`${name}.validate`, renamed.get(of) ?? of);
  const schemas = new Map(values.map(({ name, value }) => [name, value]));
  const mentioned = new Set<string>();
  const called = new Set<string>();
  const statements = [...functions].flatMap(([name, each]) => {
    const short = shorten(each.code, { renamed, schemas });
    for (const other of short.names) mentioned.add(other);
    for (const other of short.called) called.add(other);
    return functionStatements(escapeInvisible(short.text), each, requested.get(name));
  });
  const data = values.filter(({ kind, name }) => kind !== "func" && mentioned.has(name));
  const constants = data.map((each) => code`${ident(each.name)}=${initializer(each)}`);
  const all =
    data.length === 0 ? statements : [code`const ${join(constants, code`,`)};`, ...statements];
  return {
    body: join(all.map((each) => code`// prettier-ignore\n${each}\n`)),
    called: [...called].filter((name) => helpers.has(name)),
  };
}

function helper(text: string): string {
  if (text.includes("require(")) throw new Error(`not exported by ${runtimeModule}: ${text}`);
  return text;
}

/** A function declaration; typed and exported if it is a requested validator. */
function functionStatements(
  text: string,
  { evaluated }: CompiledFunction,
  request: ValidatorRequest | undefined,
): readonly Code[] {
  const [, name = "", rest = ""] = /^function (\w+)(.*)$/s.exec(text) ?? [];
  const validator = imported(runtimeModule, "Validator", true);
  const statement =
    request === undefined
      ? generated(text)
      : code`export const ${ident(name)}: ${validator}<${request.type}> = ${generated(rest.replace("){", ")=>{"))};`;
  return evaluated === undefined
    ? [statement]
    : [statement, generated(`${name}.evaluated=${escapeInvisible(evaluated)};`)];
}

/** A format, a pattern, or data. */
function initializer({ code: text, kind, name, value }: ScopeValue): Code {
  if (kind === "formats")
    return code`${imported(runtimeModule, "formats")}${generated(text.slice("formats".length))}`;
  if (kind === "pattern") return patternCode(text);
  // The value is JSON because Ajv got JSON. Ajv's own text would set a prototype for `__proto__`.
  if (kind === "schema") return literal(value as JsonValue);
  if (kind === "obj") return generated(escapeInvisible(text));
  throw new Error(`generated modules have no ${kind}: ${name}`);
}

/** @param value a pattern as Ajv prints it */
function patternCode(value: string): Code {
  const pattern = printedPattern(value);
  if (pattern === undefined)
    throw new Error(`Ajv prints a pattern in an unexpected form: ${value}`);
  const matcher = chooseMatcher(pattern);
  if (matcher.kind === "native") return generated(escapeInvisible(value));
  if (matcher.kind === "linear")
    return code`${imported(patternModule, "linearPattern")}(${literal(matcher.text)})`;
  throw new Error(`an invalid pattern reached the printer: ${pattern}`);
}

/**
 * One import declaration per module, in code-unit order. This module doesn't use the module frame,
 * so it writes its own imports.
 */
function importDeclarations(imports: readonly ImportedName[]): Code {
  const modules = new Map<string, Map<string, Code>>();
  for (const { module, name, typeOnly } of imports) {
    const names = modules.get(module) ?? new Map<string, Code>();
    modules.set(module, names.set(name, typeOnly ? code`type ${ident(name)}` : ident(name)));
  }
  const sorted = [...modules].toSorted(([a], [b]) => compareText(a, b));
  return join(
    sorted.map(([module, names]) => {
      const specifiers = [...names]
        .toSorted(([a], [b]) => compareText(a, b))
        .map(([, each]) => each);
      return code`// prettier-ignore\nimport { ${join(specifiers, code`, `)} } from ${literal(module)};\n`;
    }),
  );
}

function withoutImports(body: Code): Code {
  return ofPieces(
    piecesOf(body).map((piece) => (piece.imported === undefined ? piece : { text: piece.text })),
  );
}

/**
 * Number of nested schemas beyond which code isn't optimized: Ajv's optimizer takes quadratic time
 * over long unions.
 */
const maxToOptimize = 500;

/**
 * Makes Ajv print error objects without messages, which the runtime writes. Allowed values are
 * printed in place, so that the module needs no copy of a schema.
 */
function leanErrors(ajv: Ajv2020): void {
  ajv.opts.messages = false;
  replaceParams(ajv, "enum", (context) => _`{allowedValues: ${allowedValues(context)}}`);
  replaceParams(ajv, "additionalProperties", unknownPropertyParams);
  for (const keyword of ["pattern", "format", "minLength", "maxLength", "not"])
    tellForm(ajv, keyword);
}

/**
 * Makes errors contain the words of a schema's form, if there are any, instead of the failed
 * keyword.
 */
function tellForm(ajv: Ajv2020, keyword: string): void {
  const { error } = definitionOf(ajv, keyword);
  replaceParams(ajv, keyword, (context) => {
    // Ajv got JSON.
    const form = formWords((context.parentSchema ?? {}) as JsonObject);
    if (form !== undefined) return _`{form: ${form.says}}`;
    return typeof error?.params === "function" ? error.params(context) : (error?.params ?? _`{}`);
  });
}

function replaceParams(
  ajv: Ajv2020,
  keyword: string,
  params: (context: KeywordErrorCxt) => AjvCode,
): void {
  redefine(ajv, keyword, {
    error: { message: "", params } satisfies KeywordErrorDefinition,
  });
}

function unknownPropertyParams({ params, parentSchema }: KeywordErrorCxt): AjvCode {
  const known = Object.keys(parentSchema?.["properties"] ?? {}).slice(0, maxListed);
  return _`{additionalProperty: ${params["additionalProperty"]}, known: ${stringify(known)}}`;
}
