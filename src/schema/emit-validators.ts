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
import type { JsonValue } from "../core/json.js";
import { compareText } from "../core/report.js";
import type { SchemaModel } from "../core/skill-model.js";
import { compiling, createAjv, UncompilableSchema } from "./ajv-instance.js";
import { usesUnevaluated } from "./evaluated-keywords.js";
import type { SchemaForm } from "./form.js";
import { leanErrors, shorten } from "./lean-errors.js";
import { judgePattern } from "./pattern/judge-pattern.js";
import { validatorSchema } from "./validator-schema.js";
import { ts } from "../core/typescript.js";

export interface ValidatorRequest {
  /** A plain identifier, unique in the module. */
  readonly exportName: string;
  readonly schema: SchemaModel;
  readonly form: SchemaForm;
  /** What the validator proves a value to be. */
  readonly type: Code;
}

const runtimeModule = "skillc/runtime/validation";
const patternModule = "skillc/runtime/pattern";

/** What Ajv's code needs from outside, by the names that the Ajv instance was given. */
const helpers: ReadonlySet<string> = new Set(["equal", "equalItems", "isMultipleOf", "ucs2length"]);

/**
 * The text of a whole module, its imports included, that exports one validator for each request, in order: Ajv's standalone code. It
 * must be kept as it is, and nothing but comments may be put before it.
 *
 * @throws Error when Ajv needs something that the runtime does not export
 * @throws UncompilableSchema with the place of the schema that Ajv can't compile
 */
export function emitValidators(requests: readonly ValidatorRequest[]): Code {
  try {
    return emitTogether(requests);
  } catch (fault) {
    // Whose schema it was.
    if (requests.length > 1) for (const each of requests) emitValidators([each]);
    throw fault instanceof UncompilableSchema
      ? new UncompilableSchema(fault.reason, requests[0]?.schema.span)
      : fault;
  }
}

function emitTogether(requests: readonly ValidatorRequest[]): Code {
  const keepsBook = requests.some(({ schema }) => usesUnevaluated(schema.schema));
  const schemas = requests.map(({ schema, form }) =>
    validatorSchema(schema.schema, form, keepsBook),
  );
  const ajv = createAjv(keepsBook);
  leanErrors(ajv, schemas);
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
  return code`${header}${importDeclarations(body)}${withoutImports(body)}`;
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

/** Ajv declares every schema that it compiled; few are mentioned again, where errors tell what was allowed. */
function isUnusedSchema(name: string, text: string): boolean {
  return (
    /^schema\d+$/.test(name) && (text.match(new RegExp(`\\b${name}\\b`, "g"))?.length ?? 0) < 2
  );
}

/** A helper, a format, or data. Data is printed anew: in Ajv's text `__proto__` would set a prototype. */
function initializer(value: string): Code {
  if (helpers.has(value)) return imported(runtimeModule, value);
  if (value.includes("require("))
    throw new Error(`not exported by ${runtimeModule}: ${value.slice(0, 80)}`);
  const pattern = /^new RegExp\((".*"), "u"\)$/s.exec(value)?.[1];
  if (pattern !== undefined) return patternCode(value, pattern);
  if (/^formats[.[]/.test(value))
    return code`${imported(runtimeModule, "formats")}${generated(value.slice("formats".length))}`;
  const data = parsed(value);
  return data === undefined ? generated(value) : literal(data);
}

/** A pattern, as Ajv prints it; its text is JSON. */
function patternCode(value: string, text: string): Code {
  const verdict = judgePattern(String(JSON.parse(text)));
  if (verdict.kind === "native") return generated(value);
  if (verdict.kind === "linear")
    return code`${imported(patternModule, "linearPattern")}(${literal(verdict.text)})`;
  throw new Error(`a pattern that is an error was to be printed: ${text}`);
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

/** One declaration a module, in code-unit order. The module stands apart from the frame that others get, so it writes its own. */
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
