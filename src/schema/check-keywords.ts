import type { Report } from "../core/report.js";
import {
  entryOf,
  type MapEntry,
  type MapNode,
  type SyntaxNode,
  textOf,
} from "../core/syntax-node.js";
import { isKnownFormat, formatNames } from "./formats.js";
import {
  annotations,
  type Dialect,
  isExtension,
  keywordIn,
  keywordNames,
  keywordOf,
} from "./keywords.js";
import { siblingsIgnored } from "./source-subschemas.js";
import { didYouMean } from "./suggestion.js";

/** Reports what one schema says that no validator would hear, and patterns that are none. */
export function checkKeywords(node: MapNode, dialect: Dialect, report: Report): void {
  for (const entry of node.entries) checkKeyword(entry, dialect, report);
  checkPatterns(node, report);
  checkFormat(node, report);
  checkIgnored(node, dialect, report);
}

/** What other vocabularies call it, and how to say it here. */
const foreign: ReadonlyMap<string, string> = new Map([
  ["nullable", 'write `type: [string, "null"]`: `nullable` is OpenAPI 3.0\'s'],
  ["example", "write `examples: […]`"],
  ["discriminator", "give each branch of `oneOf` a `const` property: `discriminator` is OpenAPI's"],
  ["tsType", "types are made from the standard keywords alone"],
  ["tsEnumNames", "types are made from the standard keywords alone"],
  ["optional", "leave the name out of `required`"],
  ["id", "write `$id`"],
]);

function checkKeyword({ key }: MapEntry, dialect: Dialect, report: Report): void {
  if (isExtension(key.value) || keywordIn(dialect, key.value) !== undefined) return;
  const elsewhere = keywordOf(key.value)?.dialects;
  report.add({
    code: "schema/unknown-keyword",
    span: key.span,
    message: elsewhere
      ? `\`${key.value}\` is not a keyword of ${dialect}`
      : `\`${key.value}\` is not a JSON Schema keyword`,
    help: elsewhere
      ? `it belongs to ${elsewhere.join(" and ")}: \`$schema\` says which is meant`
      : (foreign.get(key.value) ?? didYouMean(key.value, keywordNames(dialect))),
  });
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
  try {
    RegExp(pattern, "u");
  } catch (fault) {
    const reason = fault instanceof Error ? fault.message.replace(/^.*\/u?: /s, "") : "";
    report.add({
      code: "schema/invalid-pattern",
      span: node.span,
      message: `\`${pattern}\` is not a regular expression${reason === "" ? "" : `: ${lowerFirst(reason)}`}`,
      help: "patterns are JavaScript's, with the `u` flag: only syntax characters may be escaped",
    });
  }
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

function checkFormat(node: MapNode, report: Report): void {
  const value = entryOf(node, "format")?.value;
  const format = textOf(value);
  if (value === undefined || format === undefined || isKnownFormat(format)) return;
  report.add({
    code: "schema/unknown-format",
    span: value.span,
    message: `\`${format}\` is not a format that is checked`,
    help: didYouMean(format, formatNames),
  });
}

/** Keywords that have no effect where they stand. */
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

/** What only annotates means the same there, but for a default, which authors expect to be filled in. */
function isHarmless(name: string): boolean {
  return annotations.has(name) && name !== "default";
}
