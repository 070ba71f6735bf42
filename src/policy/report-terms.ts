/**
 * Finds mistakes in policies that Cedar's types don't detect: a literal that no call can have in
 * its place, and a name after `has` that no tool has. Such a condition has the same result for
 * every call, and a `forbid` with it forbids nothing.
 */
import { posix } from "node:path";
import type { ContextField } from "@skillc/runtime/governance";
import { origins, whyNoName } from "@skillc/runtime/internal";
import type { JsonObject } from "../core/json.js";
import { listed, quote } from "../core/names.js";
import { type Effect, riskLevels, type ToolModel } from "../core/skill-model.js";
import type { TextRange } from "../core/span.js";
import { areDisjoint } from "../schema/compare/compare.js";
import { lookUp } from "../schema/look-up.js";
import { quoted } from "../schema/made-text.js";
import { didYouMean, didYouMeanOrListed } from "../schema/suggestion.js";
import { callerType, roleType, tenantType } from "./cedar-schema.js";
import { contextMapping } from "./context-field.js";
import type { HasTest, Comparison, EntityName, Literal } from "./policy-terms.js";
import {
  contextNames,
  declarationsOf,
  type Judged,
  type Tool,
  toolsInScope,
  omissionIn,
  pathNames,
} from "./judged-policy.js";

/** Attributes of the context whose values are from a closed list. */
const contextWords: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["origin", [...origins, "none"]],
  ["risk", riskLevels],
  ["effect", ["read", "write"] satisfies readonly Effect[]],
]);

/** @returns true if there was a problem */
export function reportTerms(judged: Judged): boolean {
  const { policy } = judged.verdict;
  if (policy === undefined) return false;
  const tools = toolsInScope(judged);
  // A policy without tools never applies, which another check reports.
  if (tools.length === 0) return false;
  const before = judged.source.report.errorCount();
  for (const comparison of policy.terms.comparisons) reportComparison(comparison, tools, judged);
  for (const asked of policy.terms.asked) reportHasTest(asked, tools, judged);
  for (const named of policy.terms.names) reportName(named, judged);
  return judged.source.report.errorCount() > before;
}

function reportComparison(
  comparison: Comparison,
  tools: readonly Tool[],
  { source }: Judged,
): void {
  const { literals, path } = comparison;
  if (path.length === 1 && path[0] === "scopes")
    for (const literal of literals) reportScope(literal, source);
  const known = knownValues(comparison, tools);
  if (known === undefined) return;
  for (const literal of literals) {
    if (known.has(literal)) continue;
    const { words, related } = known;
    const shown = shownLiteral(literal);
    const isLimit = known.isLimit?.(literal) === true;
    source.report.add({
      code: "policy/unknown-value",
      span: spanOf(literal.place, source),
      message: `no call has ${isLimit ? `${comparison.side} than ` : ""}${quote(shown)} as ${quote(`context.${path.join(".")}`)}`,
      help: isLimit
        ? "the schema does not allow such a value, so the comparison never holds"
        : (known.helpFor?.(literal) ?? helpForValue(shown, words)),
      ...(related.length > 0 && { related }),
    });
  }
}

/** Lists the possible values, after the one that was probably meant. */
function helpForValue(shown: string, words: readonly string[]): string {
  if (words.length === 0)
    return "the schema does not allow the value, so the comparison is the same for every call";
  const all = `${words.length === 1 ? "it is" : "it is one of"} ${listed(words.map(quote))}`;
  const meant = didYouMean(shown, words);
  return meant === undefined ? all : `${meant} ${all}`;
}

interface KnownValues {
  has(literal: Literal): boolean;
  /** Checks if the literal itself is possible, but no value on the compared side of it. */
  isLimit?(literal: Literal): boolean;
  /** All possible words; empty if the schema doesn't list them. */
  readonly words: readonly string[];
  /** Returns the help for an impossible value; usual help if absent. */
  readonly helpFor?: (literal: Literal) => string;
  readonly related: ReturnType<typeof declarationsOf>;
}

/** Returns the possible values; undefined if any value may occur. */
function knownValues(comparison: Comparison, tools: readonly Tool[]): KnownValues | undefined {
  const [first = "", ...path] = comparison.path;
  const words = path.length === 0 ? contextWords.get(first) : undefined;
  if (words !== undefined)
    return { words, related: [], has: ({ value }) => words.some((each) => isAlike(value, each)) };
  if (path.length === 0 && pathNames.includes(first)) return namesOfPaths;
  if (first !== "args" || path.length === 0) return undefined;
  const holders = tools.filter(
    ({ tool }) => fieldAt(contextMapping(tool.parameters).field, path) !== undefined,
  );
  // If no tool has the attribute, Cedar's types or the check of `has` report it.
  if (holders.length === 0) return undefined;
  if (holders.some(({ tool }) => isPathParameter(tool, path)))
    return holders.every(({ tool }) => isPathParameter(tool, path)) ? absolutePaths : undefined;
  const { side, ...equal } = comparison;
  const isIn = (literal: Literal, how: Comparison) =>
    holders.some(({ tool }) => isPossible(literal, how, path, tool));
  return {
    has: (literal) => isIn(literal, comparison),
    isLimit: (literal) => side !== undefined && isIn(literal, equal),
    words: [...new Set(holders.flatMap(({ tool }) => listedWords(comparison, path, tool)))],
    related: declarationsOf(path, holders).slice(0, 1),
  };
}

/** Parameters that are paths: policies see them absolute and without links. */
const absolutePaths: KnownValues = {
  words: [],
  related: [],
  // A path of Windows begins with a drive.
  has: ({ value }) => typeof value === "number" || /^(?:[/\\]|[A-Za-z]:|$)/.test(startOf(value)),
  helpFor: () =>
    'a policy sees this path absolute and without links: ask for a folder with `context.paths.contains("notes")`, or begin the pattern with `*`',
};

/** Names of files and folders, of which each has one spelling. */
const namesOfPaths: KnownValues = {
  words: [],
  related: [],
  has: ({ value }) => typeof value !== "string" || value === plainPath(value),
  helpFor: ({ value }) => `paths have one spelling here: write ${quote(plainPath(String(value)))}`,
};

function plainPath(written: string): string {
  return posix.normalize(written).replace(/(?<=.)\/$/, "");
}

/** Returns the literal beginning of a text or a pattern. */
function startOf(value: string | readonly string[]): string {
  return typeof value === "string" ? value : (value[0] ?? "");
}

function isPathParameter({ binding: { paths = [] } }: ToolModel, path: readonly string[]): boolean {
  return paths.some(
    (each) => each.length === path.length && each.every((name, at) => name === path[at]),
  );
}

function isAlike(value: Literal["value"], word: string): boolean {
  return typeof value === "object" ? patternOf(value).test(word) : value === word;
}

function patternOf(pieces: readonly string[]): RegExp {
  return new RegExp(`^${pieces.map(quoted).join("[^]*")}$`, "u");
}

function listedWords({ by }: Comparison, path: readonly string[], tool: ToolModel) {
  const { enum: values = [] } = lookUp(tool.parameters, by === "item" ? [...path, 0] : path);
  return values.filter((each) => each !== null).map(String);
}

/** Checks if the schema allows a call to have the literal there. */
function isPossible(
  { value }: Literal,
  { by, side }: Comparison,
  path: readonly string[],
  { parameters }: ToolModel,
): boolean {
  if (by === "like" || by === "item") {
    const { enum: values } = lookUp(parameters, by === "item" ? [...path, 0] : path);
    return values?.some((each) => each === value || isAlike(value, String(each))) ?? true;
  }
  // Texts have no order, and neither have patterns.
  if (typeof value === "object") return true;
  const wanted: readonly JsonObject[] =
    by === "value"
      ? [{ const: value }]
      : [
          { minimum: Number(value) },
          { maximum: Number(value) },
          ...(side === "more" ? [{ exclusiveMinimum: Number(value) }] : []),
          ...(side === "less" ? [{ exclusiveMaximum: Number(value) }] : []),
        ];
  const { schema } = parameters;
  return wanted.every((each) => {
    const given = within(path, each);
    return !areDisjoint({ schema: given, root: given }, { schema, root: schema });
  });
}

/** Makes a schema of arguments with a value of this schema at a path. */
function within(path: readonly string[], inner: JsonObject): JsonObject {
  return path.reduceRight<JsonObject>(
    (schema, name) => ({ type: "object", required: [name], properties: { [name]: schema } }),
    inner,
  );
}

function reportHasTest(asked: HasTest, tools: readonly Tool[], { source }: Judged): void {
  const known = namesBeside(asked, tools);
  const name = asked.path.at(-1) ?? "";
  if (known === undefined || known.includes(name)) return;
  const span = spanOf(asked.place, source);
  const omission = asked.of === "context" ? omissionIn({ reads: [asked.path] }, tools) : undefined;
  if (omission !== undefined) {
    source.report.add({ code: "policy/no-type", span, ...omission });
    return;
  }
  const whole = [asked.of, ...asked.path].join(".");
  source.report.add({
    code: "policy/unknown-attribute",
    span,
    message: `no call has ${quote(whole)}`,
    help:
      didYouMeanOrListed(name, known, "there is") ??
      `${quote([asked.of, ...asked.path.slice(0, -1)].join("."))} has no attributes`,
  });
}

function reportScope({ place, value }: Literal, source: Judged["source"]): void {
  const why = typeof value === "string" ? whyNoName(value) : undefined;
  if (why === undefined) return;
  source.report.add({
    code: "policy/unknown-value",
    span: spanOf(place, source),
    message: `no caller has this scope: it ${why}`,
    help: "write the scope exactly as callers have it",
  });
}

/**
 * Reports an invalid name. Callers without a name, and calls without a tenant, have an empty text.
 */
function reportName({ name, place, type }: EntityName, { source }: Judged): void {
  const isOfCaller = [callerType, roleType, tenantType].includes(type);
  const why = isOfCaller && name !== "" ? whyNoName(name) : undefined;
  if (why === undefined) return;
  source.report.add({
    code: "policy/unknown-value",
    span: source.spanOf(place.start, place.end),
    message: `no call is of this ${type.toLowerCase()}: the name ${why}`,
    help: "write the name exactly as callers have it",
  });
}

/** Lists the names that calls may have there; undefined if the path itself is unknown. */
function namesBeside({ of, path }: HasTest, tools: readonly Tool[]): readonly string[] | undefined {
  if (of !== "context") return path.length === 1 ? [] : undefined;
  if (path.length === 1) return contextNames(tools);
  const [first, ...rest] = path.slice(0, -1);
  if (first !== "args") return undefined;
  const names = tools.flatMap(({ tool }) => {
    const found = fieldAt(contextMapping(tool.parameters).field, rest);
    return found?.as === "record" ? found.fields.map(({ name }) => name) : [];
  });
  return names.length === 0 && rest.length > 0 ? undefined : [...new Set(names)];
}

function fieldAt(
  field: ContextField,
  [name, ...rest]: readonly string[],
): ContextField | undefined {
  if (name === undefined) return field;
  if (field.as !== "record") return undefined;
  const found = field.fields.find((each) => each.name === name);
  return found && fieldAt(found.field, rest);
}

function shownLiteral({ value }: Literal): string {
  return typeof value === "object" ? value.join("*") : String(value);
}

function spanOf(place: TextRange | undefined, { head, spanOf: at }: Judged["source"]) {
  return place === undefined ? head : at(place.start, place.end);
}
