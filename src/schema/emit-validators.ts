import standalone from "ajv/dist/standalone/index.js";
import type { ts as Ts } from "ts-morph";
import {
  code,
  type Code,
  escapeInvisible,
  generated,
  ident,
  imported,
  importsOf,
  join,
  literal,
  ofPieces,
  piecesOf,
} from "../core/code.js";
import type { JsonValue, JsonObject } from "../core/json.js";
import { compareText } from "../core/report.js";
import { runtimeEntry } from "../core/runtime-entry.js";
import type { SchemaModel } from "../core/skill-model.js";
import {
  callByName,
  definitionOf,
  isUnusedSchema,
  printedPattern,
  redefine,
  shorten,
} from "./ajv-internals.js";
import { compiling, createAjv, emptied, UncompilableSchema } from "./ajv-instance.js";
import { usesUnevaluated } from "./evaluated-keywords.js";
import type { SchemaForm } from "./form.js";
import { chooseMatcher } from "./pattern/matcher.js";
import { callKeyword, type ReferencesElsewhere, validatorSchema } from "./validator-schema.js";
import { ts } from "../core/typescript.js";
import { _, type Code as AjvCode, stringify } from "ajv";
import type { Ajv2020 } from "ajv/dist/2020.js";
import type { KeywordErrorCxt, KeywordErrorDefinition } from "ajv/dist/types/index.js";
import { formWords } from "./form-words.js";
import { sharedByName } from "./place-at.js";
import { everySchema } from "./schema-tree.js";
import { sharedUses } from "./shared-uses.js";

export interface ValidatorRequest {
  /** A plain identifier, unique in the module. */
  readonly exportName: string;
  readonly schema: SchemaModel;
  readonly form: SchemaForm;
  /** What the validator proves a value to be. */
  readonly type: Code;
  /** Name in `$defs` of the schema itself, where it is a shared one. */
  readonly itself?: string;
  /** Validators of shared schemas that stand in modules of their own, by name in `$defs`. */
  readonly imports?: ReadonlyMap<string, ImportedValidator>;
}

/** A validator of another module. */
export interface ImportedValidator {
  /** As the importing module names it: `./schemas/line.validate.js`. */
  readonly module: string;
  readonly name: string;
}

const runtimeModule = runtimeEntry("validation");
const patternModule = runtimeEntry("pattern");

/** What Ajv's code needs from outside, by the names that the Ajv instance was given. */
const helpers: ReadonlySet<string> = new Set(["equal", "equalItems", "isMultipleOf", "ucs2length"]);

/**
 * The text of a whole module, its imports included, that exports one validator for each request, in
 * order: Ajv's standalone code. It must be kept as it is, and nothing but comments may be put
 * before it.
 *
 * @throws Error when Ajv needs something that the runtime does not export
 * @throws UncompilableSchema with the place of the schema that Ajv can't compile
 */
export function emitValidators(requests: readonly ValidatorRequest[]): Code {
  try {
    return emitTogether(requests);
  } catch (error) {
    // Whose schema it was.
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
  ajv.opts.code.optimize = size <= mostToOptimize ? 1 : 0;
  const keys: Record<string, string> = {};
  requests.forEach(({ exportName }, index) => {
    ajv.addSchema(asAjvSchema(schemas[index] ?? true), `schema:${index}`);
    keys[exportName] = `schema:${index}`;
  });
  const text = escapeInvisible(shorten(compiling(() => standalone.default(ajv, keys))));
  const body = statementsOf(
    text,
    new Map(requests.map(({ exportName, type }) => [exportName, type])),
  );
  return code`${header}${importDeclarations(body)}${others.declarations()}${withoutImports(body)}`;
}

const printing = new Map<boolean, Ajv2020>();

/** An Ajv that knows no schema. */
function printingAjv(keepsBook: boolean): Ajv2020 {
  const known = printing.get(keepsBook);
  if (known !== undefined) return emptied(known);
  const ajv = createAjv(keepsBook);
  callByName(ajv, callKeyword);
  leanErrors(ajv);
  printing.set(keepsBook, ajv);
  return ajv;
}

/** Validators of other modules, by the names under which this one's code calls them. */
class Calls {
  readonly #names = new Map<string, { readonly local: string; readonly of: ImportedValidator }>();

  /** No name of Ajv's begins like these. */
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

/** Ajv keeps apart schemas by identity: each must be an object of its own. */
function asAjvSchema(schema: boolean | object): object {
  return typeof schema === "object" ? schema : schema ? {} : { not: {} };
}

const header = generated(
  "// @ts-nocheck: Ajv's standalone code is JavaScript; each export is typed by the annotation that its users see.\n",
);

function statementsOf(text: string, types: ReadonlyMap<string, Code>): Code {
  const file = ts.createSourceFile(
    "validators.js",
    text,
    ts.ScriptTarget.ES2023,
    false,
    ts.ScriptKind.JS,
  );
  const statements = file.statements.flatMap((each) => statementOf(each, file, types) ?? []);
  return join(statements.map((each) => code`// prettier-ignore\n${each}\n`));
}

function statementOf(
  statement: Ts.Statement,
  file: Ts.SourceFile,
  types: ReadonlyMap<string, Code>,
): Code | undefined {
  if (ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression))
    return undefined;
  const text = generated(statement.getText(file));
  if (!ts.isVariableStatement(statement)) return text;
  const declaration = statement.declarationList.declarations[0];
  if (declaration?.initializer === undefined || !ts.isIdentifier(declaration.name)) return text;
  const name = ident(declaration.name.text);
  const type = types.get(declaration.name.text);
  const value = declaration.initializer.getText(file);
  if (isUnusedSchema(declaration.name.text, file.text)) return undefined;
  if (type !== undefined) {
    return code`export const ${name}: ${imported(runtimeModule, "Validator", true)}<${type}> = ${generated(value)};`;
  }
  return code`const ${name} = ${initializer(value)};`;
}

/**
 * A helper, a format, or data. Data is printed anew: in Ajv's text `__proto__` would set a
 * prototype.
 */
function initializer(value: string): Code {
  if (helpers.has(value)) return imported(runtimeModule, value);
  if (value.includes("require("))
    throw new Error(`not exported by ${runtimeModule}: ${value.slice(0, 80)}`);
  const pattern = printedPattern(value);
  if (pattern !== undefined) return patternCode(value, pattern);
  if (/^formats[.[]/.test(value))
    return code`${imported(runtimeModule, "formats")}${generated(value.slice("formats".length))}`;
  const data = parsed(value);
  return data === undefined ? generated(value) : literal(data);
}

/** @param value a pattern as Ajv prints it */
function patternCode(value: string, pattern: string): Code {
  const matcher = chooseMatcher(pattern);
  if (matcher.kind === "native") return generated(value);
  if (matcher.kind === "linear")
    return code`${imported(patternModule, "linearPattern")}(${literal(matcher.text)})`;
  throw new Error(`a pattern that is an error was to be printed: ${pattern}`);
}

function parsed(text: string): JsonValue | undefined {
  if (!text.startsWith("{") && !text.startsWith("[")) return undefined;
  try {
    // What JSON.parse gives is JSON.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/**
 * One declaration a module, in code-unit order. The module stands apart from the frame that others
 * get, so it writes its own.
 */
function importDeclarations(body: Code): Code {
  const modules = new Map<string, Map<string, Code>>();
  for (const { module, name, typeOnly } of importsOf(body)) {
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
 * Schemas within schemas beyond which code is left as it is: Ajv's optimizer takes quadratic time
 * over long unions.
 */
const mostToOptimize = 500;

/**
 * Values of an enum, and names of properties, that an error object carries: as many as a message
 * tells or compares.
 */
const mostListed = 100;

/**
 * Has Ajv print error objects that hold facts and no prose: the runtime words them. What was
 * allowed is named in place, so that no copy of a schema has to stand in the module.
 */
function leanErrors(ajv: Ajv2020): void {
  ajv.opts.messages = false;
  replaceParams(ajv, "enum", enumParams);
  replaceParams(ajv, "additionalProperties", unknownPropertyParams);
  for (const keyword of ["pattern", "format", "minLength", "maxLength", "not"])
    tellForm(ajv, keyword);
}

/**
 * Where a schema says what it takes, an error carries that, and not the one keyword that noticed.
 */
function tellForm(ajv: Ajv2020, keyword: string): void {
  const { error } = definitionOf(ajv, keyword);
  replaceParams(ajv, keyword, (context) => {
    // Ajv was given JSON.
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

/**
 * Objects and arrays stay references: a copy of them as code would lose a property named
 * `__proto__`.
 */
function enumParams({ schema, schemaCode }: KeywordErrorCxt): AjvCode {
  if (!Array.isArray(schema) || schema.some((each) => typeof each === "object" && each !== null)) {
    return _`{allowedValues: ${schemaCode}}`;
  }
  return _`{allowedValues: ${stringify(schema.slice(0, mostListed))}}`;
}

function unknownPropertyParams({ params, parentSchema }: KeywordErrorCxt): AjvCode {
  const known = Object.keys(parentSchema?.["properties"] ?? {}).slice(0, mostListed);
  return _`{additionalProperty: ${params["additionalProperty"]}, known: ${stringify(known)}}`;
}
