import type { ErrorObject, ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isJsonObject, type JsonObject } from "../core/json.js";
import type { Report } from "../core/report.js";
import { entryOf, type MapEntry, nodeAt, type SyntaxNode, toJson } from "../core/syntax-node.js";
import type { DiagnosticCode, UnratedDiagnostic } from "../core/diagnostic.js";
import type { Span } from "../core/span.js";
import { isSchema, unoptimized } from "./check-metaschema.js";
import { inOurWords, type OtherWords } from "./other-words.js";
import { quote } from "../core/names.js";
import { stepsOf } from "./pointer.js";
import { helpForWrongType, type WrongType, phraseOf, typesThatFit } from "./shape-phrases.js";
import { didYouMean, suggestion } from "./suggestion.js";
import { unquotedPlaceholder } from "./unquoted-placeholder.js";

const ajv = new Ajv2020({
  allErrors: true,
  strict: false,
  verbose: true,
  logger: false,
  validateFormats: false,
  ownProperties: true,
  // `check-metaschema` compiles the metaschema once, for skillc's schemas and authors'.
  validateSchema: false,
  meta: false,
  code: unoptimized,
});
const compiled = new WeakMap<JsonObject, ValidateFunction>();

/**
 * Checks a YAML tree (a binding, skillc.yaml, the keys of a tool) against one of skillc's JSON
 * Schemas (2020-12). Reports each mistake once, at the smallest span that shows it. Nothing is
 * coerced.
 *
 * @returns true if the tree fits
 * @throws Error if `schema` is not valid JSON Schema; skillc or a binding kind wrote it
 */
export function checkShape(
  node: SyntaxNode,
  schema: JsonObject,
  report: Report,
  terms: ShapeTerms,
): boolean {
  const errors = errorsOf(node, schema);
  for (const diagnostic of diagnosticsOf(node, errors, terms)) report.add(diagnostic);
  return errors.length === 0;
}

/** Checks if the tree fits, without reporting. */
export function fitsShape(node: SyntaxNode, schema: JsonObject): boolean {
  return errorsOf(node, schema).length === 0;
}

function errorsOf(node: SyntaxNode, schema: JsonObject): readonly ErrorObject[] {
  const validate = validatorOf(schema);
  return validate(toJson(node)) ? [] : (validate.errors ?? []);
}

function validatorOf(schema: JsonObject): ValidateFunction {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  if (!isSchema(schema)) throw new Error("the document's schema is not a JSON Schema");
  const validate = ajv.compile(schema);
  compiled.set(schema, validate);
  return validate;
}

/** Name of a document in messages, and the codes of its mistakes. */
export interface ShapeTerms {
  /** Name with its article: `an \`http\` binding`. */
  readonly subject: string;
  /** Span for a missing key of the document itself; its first character by default. */
  readonly at?: Span;
  readonly unknownKey: DiagnosticCode;
  readonly missingKey: DiagnosticCode;
  readonly wrongType: DiagnosticCode;
  readonly wrongValue: DiagnosticCode;
  /** Words that authors may write for a value: lower case → the value. */
  readonly otherNames?: ReadonlyMap<string, string>;
  /**
   * Other names that authors may use for a key: the word in the form of `plainWord` → the key, or
   * the path to it.
   */
  readonly otherKeys?: OtherWords;
  /** Help for an unknown key at the top level that belongs to another document. */
  readonly helpForForeignKey?: (entry: MapEntry) => string | undefined;
  /** Help for a key's value of a wrong type. */
  readonly helpForValue?: (key: string) => string | undefined;
}

/**
 * Returns one diagnostic for each mistake behind Ajv's errors. If a choice between schemas fails,
 * it keeps only the helpful errors.
 */
function diagnosticsOf(
  root: SyntaxNode,
  errors: readonly ErrorObject[],
  terms: ShapeTerms,
): readonly UnratedDiagnostic[] {
  const about = withoutBranches(root, errors).filter((each) => !isEcho(each));
  return withoutFollowUps(
    about.map((error): Reported => ({ error, diagnostic: diagnosticOf(root, error, terms) })),
  ).map(({ diagnostic }) => diagnostic);
}

/** An error with its diagnostic. */
interface Reported {
  readonly error: ErrorObject;
  readonly diagnostic: UnratedDiagnostic;
}

function isChoice(error: ErrorObject): boolean {
  return error.keyword === "anyOf" || error.keyword === "oneOf";
}

/** Checks for an error of `if` or `propertyNames`, which only repeats the errors below. */
function isEcho(error: ErrorObject): boolean {
  return error.keyword === "if" || error.keyword === "propertyNames";
}

/**
 * Returns the errors outside of choices, and for each choice the errors of its nearest branch. An
 * unquoted placeholder counts as text.
 */
function withoutBranches(root: SyntaxNode, errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const choices = new Map(
    errors.filter(isChoice).map((each) => [placeOf(each.schemaPath, each.instancePath), each]),
  );
  const inside = new Map<ErrorObject, ErrorObject[]>(
    [...choices.values()].map((each) => [each, []]),
  );
  const outside: ErrorObject[] = [];
  for (const error of errors) {
    const choice = choices.size === 0 ? undefined : outermostChoice(error, choices);
    if (choice === undefined) outside.push(error);
    else (inside.get(choice) ?? []).push(error);
  }
  return outside.flatMap((each) =>
    isChoice(each) && !isUnquotedText(root, each)
      ? nearestBranch(each, inside.get(each) ?? [])
      : [each],
  );
}

/** Checks if an unquoted placeholder appears where text is allowed. */
function isUnquotedText(root: SyntaxNode, error: ErrorObject): boolean {
  const node = nodeAt(root, stepsOf(error.instancePath) ?? []);
  const isUnquoted = node !== undefined && unquotedPlaceholder(node) !== undefined;
  return isUnquoted && typesThatFit(error).includes("string");
}

/**
 * The outermost choice that contains the error: its schema contains the error's schema, and its
 * value contains the error's value.
 */
function outermostChoice(
  error: ErrorObject,
  choices: ReadonlyMap<string, ErrorObject>,
): ErrorObject | undefined {
  const values = prefixesOf(error.instancePath);
  for (const schemaPath of prefixesOf(error.schemaPath).slice(0, -1)) {
    for (const value of values) {
      const found = choices.get(placeOf(schemaPath, value));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Prefixes of a pointer: ``, `/a` and `/a/b` for `/a/b`. */
function prefixesOf(pointer: string): readonly string[] {
  const steps = pointer.split("/");
  return steps.map((_, index) => steps.slice(0, index + 1).join("/"));
}

function placeOf(schemaPath: string, instancePath: string): string {
  return `${schemaPath}\0${instancePath}`;
}

/**
 * Returns the errors of the only branch that has the value's type. Otherwise returns the error of
 * the choice itself, which is reported as a list of alternatives.
 */
function nearestBranch(
  choice: ErrorObject,
  errors: readonly ErrorObject[],
): readonly ErrorObject[] {
  const branches = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    const branch = error.schemaPath.slice(choice.schemaPath.length + 1).split("/")[0] ?? "";
    branches.set(branch, [...(branches.get(branch) ?? []), error]);
  }
  const misses = (error: ErrorObject) =>
    error.instancePath === choice.instancePath && ["type", "const", "enum"].includes(error.keyword);
  const near = [...branches.values()].filter((each) => !each.some(misses));
  return near.length === 1 ? near.flat().filter((each) => !isChoice(each)) : [choice];
}

function diagnosticOf(root: SyntaxNode, error: ErrorObject, terms: ShapeTerms): UnratedDiagnostic {
  const steps = stepsOf(error.instancePath) ?? [];
  const place: ErrorPlace = { root, error, steps, node: nodeAt(root, steps) ?? root, terms };
  const unknown = unknownKeyOf(error);
  if (unknown !== undefined) return unknownKey(place, unknown);
  const missing = missingKeyOf(error);
  if (missing !== undefined) return missingKey(place, missing);
  if (error.propertyName !== undefined) return wrongKey(place, error.propertyName);
  return wrongValue(place);
}

interface ErrorPlace {
  readonly root: SyntaxNode;
  readonly error: ErrorObject;
  readonly steps: readonly string[];
  readonly node: SyntaxNode;
  readonly terms: ShapeTerms;
}

function unknownKeyOf(error: ErrorObject): string | undefined {
  const key: unknown = error.params["additionalProperty"] ?? error.params["unevaluatedProperty"];
  return typeof key === "string" ? key : undefined;
}

function missingKeyOf(error: ErrorObject): string | undefined {
  return error.keyword === "required" ? String(error.params["missingProperty"]) : undefined;
}

function unknownKey(place: ErrorPlace, key: string): UnratedDiagnostic {
  const keys = knownKeys(place.error);
  const free = keys.filter((each) => entryOf(place.node, each) === undefined);
  const entry = entryOf(place.node, key);
  const isAtRoot = place.steps.length === 0;
  return {
    code: place.terms.unknownKey,
    span: entry?.key.span ?? place.node.span,
    message: `${quote(key)} is not a key of ${ownerOf(place)}`,
    help:
      (isAtRoot && entry ? place.terms.helpForForeignKey?.(entry) : undefined) ??
      inOurWords(key, place.terms.otherKeys ?? noWords, keys, free) ??
      didYouMean(key, free) ??
      listed("its keys are", keys),
  };
}

const noWords: OtherWords = new Map();

function missingKey(place: ErrorPlace, key: string): UnratedDiagnostic {
  return {
    code: place.terms.missingKey,
    span: keySpanOf(place),
    message: `${quote(key)} is missing from ${ownerOf(place)}`,
    help: `add ${quote(`${key}: …`)}`,
  };
}

function wrongKey(place: ErrorPlace, key: string): UnratedDiagnostic {
  const { problem, help } = phraseOf(place.error, undefined);
  return {
    code: place.terms.wrongValue,
    span: entryOf(place.node, key)?.key.span ?? place.node.span,
    message: `${quote(key)} can't be a key of ${ownerOf(place)}: it ${problem}`,
    help,
  };
}

function wrongValue(place: ErrorPlace): UnratedDiagnostic {
  const { error, node, terms } = place;
  const types = typesThatFit(error);
  const unquoted = types.includes("string") ? unquotedPlaceholder(node) : undefined;
  const { problem, isType, help } = phraseOf(error, node, terms.otherNames);
  return {
    code: isType ? terms.wrongType : terms.wrongValue,
    span: node.span,
    message: unquoted?.message ?? `${ownerOf(place)} ${problem}`,
    help:
      unquoted?.help ??
      help ??
      terms.helpForValue?.(place.steps.at(-1) ?? "") ??
      helpForWrongType(wrongTypeAt(place, types)),
  };
}

function wrongTypeAt({ error, steps, node }: ErrorPlace, types: readonly string[]): WrongType {
  // The schema of a forbidden key is `false`. Ajv's type for `parentSchema` excludes that.
  const schema = isJsonObject(error.parentSchema) ? error.parentSchema : {};
  const isFreeMapping = "additionalProperties" in schema && !("properties" in schema);
  return { key: steps.at(-1), node, types, isFreeMapping };
}

/**
 * Describes the wrong value by its key, or a list's item by the key of the list: `an item of
 * \`tags\``.
 */
function ownerOf({ root, steps, terms }: ErrorPlace): string {
  const last = steps.at(-1);
  if (last === undefined) return terms.subject;
  if (nodeAt(root, steps.slice(0, -1))?.kind !== "list") return quote(last);
  const key = steps.findLast((step) => !/^\d+$/.test(step));
  return key === undefined ? `an item of ${terms.subject}` : `an item of ${quote(key)}`;
}

function keySpanOf({ root, steps, node, terms }: ErrorPlace): Span {
  const last = steps.at(-1);
  if (last === undefined)
    return terms.at ?? { ...root.span, end: Math.min(root.span.start + 1, root.span.end) };
  return entryOf(nodeAt(root, steps.slice(0, -1)), last)?.key.span ?? node.span;
}

function knownKeys(error: ErrorObject): readonly string[] {
  const properties: unknown = error.parentSchema?.["properties"];
  return typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
}

function listed(lead: string, names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : `${lead} ${names.map(quote).join(", ")}`;
}

/** Keeps one diagnostic per place and code. Drops a missing key if its misspelling was reported. */
function withoutFollowUps(reported: readonly Reported[]): readonly Reported[] {
  const misspelt = new Set(
    reported
      .filter(({ error }) => unknownKeyOf(error) !== undefined)
      .map(({ error, diagnostic }) => placeOf(diagnostic.help ?? "", error.instancePath)),
  );
  const seen = new Set<string>();
  return reported.filter(({ error, diagnostic: { code, span } }) => {
    const key = missingKeyOf(error);
    if (key !== undefined && misspelt.has(placeOf(suggestion(key), error.instancePath)))
      return false;
    const place = placeKey(code, span, key);
    return !seen.has(place) && seen.add(place);
  });
}

function placeKey(code: DiagnosticCode, span: Span, key = ""): string {
  return [code, span.file, span.start, span.end, key].join("\0");
}
