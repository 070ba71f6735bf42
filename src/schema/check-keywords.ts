import { quote, shown } from "../core/names.js";
import type { Report } from "../core/report.js";
import {
  entryOf,
  type MapEntry,
  type MapNode,
  roundedScalars,
  type SyntaxNode,
  textOf,
} from "../core/syntax-node.js";
import { formatNames, hasMeaning } from "./formats.js";
import { annotations, type Dialect, isExtension, keywordIn } from "./keywords.js";
import { chooseMatcher } from "./pattern/matcher.js";
import type { SlowTexts } from "./pattern/slow-texts.js";
import { siblingsIgnored, subschemasInPlace } from "./source-subschemas.js";
import { didYouMean } from "./suggestion.js";

/**
 * Reports keywords of one schema that validators ignore although its dialect has them, and invalid
 * patterns.
 */
export function checkKeywords(node: MapNode, dialect: Dialect, report: Report): void {
  checkPatterns(node, report);
  checkFormat(node, report);
  checkValues(node, report);
  checkItemsLeft(node, dialect, report);
  checkIgnored(node, dialect, report);
  checkMarks(node, dialect, report);
  checkDigits(node, report);
}

/**
 * Reports integers that JavaScript rounds in `const`, `default` and `enum`. Bounds may be rounded,
 * because no integer of a call lies between the bound and its double.
 */
function checkDigits(node: MapNode, report: Report): void {
  for (const { key, value } of node.entries) {
    if (!["const", "default", "enum"].includes(key.value)) continue;
    for (const { span, value: read } of roundedScalars(value))
      report.add({
        code: "schema/rounded-integer",
        span,
        message: `this integer of \`${key.value}\` is read as ${read}`,
        help: "write its digits in quotes, and `type: string`",
      });
  }
}

function checkPatterns(node: MapNode, report: Report): void {
  const pattern = entryOf(node, "pattern")?.value;
  const byName = entryOf(node, "patternProperties")?.value;
  const keys = byName?.kind === "map" ? byName.entries.map((each) => each.key) : [];
  for (const each of [...(pattern ? [pattern] : []), ...keys]) checkPattern(each, report);
}

function checkPattern(node: SyntaxNode, report: Report): void {
  const pattern = textOf(node);
  if (pattern === undefined) return;
  const matcher = chooseMatcher(pattern);
  if (matcher.kind === "invalid") reportInvalid(node, pattern, matcher.reason, report);
  if (matcher.kind === "slow") reportSlow(node, pattern, matcher.texts, report);
}

function reportInvalid(node: SyntaxNode, pattern: string, reason: string, report: Report): void {
  report.add({
    code: "schema/invalid-pattern",
    span: node.span,
    message: `${quote(pattern)} is not a regular expression${reason === "" ? "" : `: ${lowerFirst(reason)}`}`,
    help: "patterns are JavaScript's, with the `u` flag: only syntax characters may be escaped",
  });
}

function reportSlow(
  node: SyntaxNode,
  pattern: string,
  texts: SlowTexts | undefined,
  report: Report,
): void {
  report.add({
    code: "schema/slow-pattern",
    span: node.span,
    message: texts
      ? `\`${shown(pattern)}\` takes more time for each further character of \`${familyText(texts)}\``
      : `\`${shown(pattern)}\` is not known to take linear time`,
    help: "let only one part of the pattern match a text: `^(?:a+)+$` is `^a+$`; without lookaround and back-references any pattern is fine",
  });
}

/** Prints texts of any length that slow down a pattern, as an expression: `"a".repeat(n) + "!"`. */
function familyText({ end, pump, start }: SlowTexts): string {
  const parts = [
    ...(start === "" ? [] : [JSON.stringify(start)]),
    `${JSON.stringify(pump)}.repeat(n)`,
    ...(end === "" ? [] : [JSON.stringify(end)]),
  ];
  return parts.join(" + ");
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

/** Reports an empty `enum`, which the metaschema allows although no value matches. */
function checkValues(node: MapNode, report: Report): void {
  const values = entryOf(node, "enum")?.value;
  if (values?.kind !== "list" || values.items.length > 0) return;
  report.add({
    code: "schema/invalid",
    span: values.span,
    message: "`enum` lists no value",
    help: "list the values, or write `false` if no value is allowed",
  });
}

/**
 * Reports `unevaluatedItems` beside `contains`: Ajv counts the matching items as if they were the
 * first ones.
 */
function checkItemsLeft(node: MapNode, dialect: Dialect, report: Report): void {
  const left = entryOf(node, "unevaluatedItems");
  if (left === undefined || isBoolean(left.value, true)) return;
  const contains = containsIn(node, dialect, 0);
  if (contains === undefined) return;
  report.add({
    code: "schema/unsupported",
    span: left.key.span,
    message: "skillc can't check `unevaluatedItems` correctly beside `contains`",
    help: "write `items`, the schema of all items",
    related: [{ span: contains.key.span, message: "here" }],
  });
}

/** Maximum depth of nested schemas to search. */
const deepest = 32;

/**
 * Finds a `contains` that applies to the same list: the schema's own, or one inside `allOf`, `if`
 * and similar keywords.
 */
function containsIn(node: MapNode, dialect: Dialect, depth: number): MapEntry | undefined {
  const own = entryOf(node, "contains");
  if (own !== undefined || depth > deepest) return own;
  for (const inner of subschemasInPlace(node, dialect)) {
    const found = inner.kind === "map" ? containsIn(inner, dialect, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function isBoolean(node: SyntaxNode, value: boolean): boolean {
  return node.kind === "scalar" && node.value === value;
}

function checkFormat(node: MapNode, report: Report): void {
  const value = entryOf(node, "format")?.value;
  const format = textOf(value);
  if (value === undefined || format === undefined || hasMeaning(format)) return;
  report.add({
    code: "schema/unknown-format",
    span: value.span,
    message: `\`${format}\` is not a format that is checked`,
    help: didYouMean(format, formatNames),
  });
}

/** Reports keywords that have no effect in their schema. */
function checkIgnored(node: MapNode, dialect: Dialect, report: Report): void {
  if (!siblingsIgnored(node, dialect)) return;
  for (const { key } of node.entries) {
    if (
      key.value.startsWith("$") ||
      key.value === "definitions" ||
      isExtension(key.value) ||
      isHarmless(key.value)
    )
      continue;
    if (keywordIn(dialect, key.value) === undefined) continue;
    report.add({
      code: "schema/ignored-beside-ref",
      span: key.span,
      message: `\`${key.value}\` has no effect beside \`$ref\` in draft-07`,
      help: "wrap the reference: `allOf: [{$ref: …}]`, or declare a later `$schema`",
    });
  }
}

/**
 * Returns whether a keyword is harmless without effect. Annotations are, except a default: authors
 * expect skillc to fill it in.
 */
function isHarmless(name: string): boolean {
  return annotations.has(name) && name !== "default";
}

/**
 * Reports `x-sensitive` marks without effect: marks on property names, and values other than `true`
 * or `false`.
 */
function checkMarks(node: MapNode, dialect: Dialect, report: Report): void {
  const mark = entryOf(node, "x-sensitive");
  if (mark !== undefined && !isBoolean(mark.value, true) && !isBoolean(mark.value, false))
    report.add({
      code: "schema/ignored-mark",
      span: mark.value.span,
      message: "`x-sensitive` masks nothing: it is neither `true` nor `false`",
      help: "write `x-sensitive: true`",
    });
  for (const { key } of marksOfNames(entryOf(node, "propertyNames")?.value, dialect, 0))
    report.add({
      code: "schema/ignored-mark",
      span: key.span,
      message: `\`${key.value}\` under \`propertyNames\` masks nothing: only values are masked`,
      help: `write \`${key.value}: true\` beside \`propertyNames\`: the object is then masked as a whole`,
    });
}

function marksOfNames(
  node: SyntaxNode | undefined,
  dialect: Dialect,
  depth: number,
): readonly MapEntry[] {
  if (node?.kind !== "map" || depth > deepest) return [];
  const own = ["writeOnly", "x-sensitive"].flatMap((name) => entryOf(node, name) ?? []);
  return [
    ...own.filter(({ value }) => isBoolean(value, true)),
    ...subschemasInPlace(node, dialect).flatMap((each) => marksOfNames(each, dialect, depth + 1)),
  ];
}
