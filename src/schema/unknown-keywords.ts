import { groupBy } from "../core/group-by.js";
import { listed, quote } from "../core/names.js";
import type { Report } from "../core/report.js";
import type { Span } from "../core/span.js";
import type { MapNode } from "../core/syntax-node.js";
import { type Dialect, isExtension, keywordIn, keywordNames, keywordOf } from "./keywords.js";
import { didYouMean, nearestName } from "./suggestion.js";

/** A key of a schema that is not a keyword of its dialect, so validators ignore it. */
export interface UnknownKeyword {
  readonly name: string;
  readonly span: Span;
  /** Vocabulary without the keyword: `JSON Schema keyword`, `keyword of draft-07`. */
  readonly vocabulary: string;
  readonly help: string | undefined;
  /** True if it resembles a keyword, so that the author probably meant to restrict values. */
  readonly isMisspelt: boolean;
}

/** The unknown keywords of one schema, without nested schemas. */
export function unknownKeywords(node: MapNode, dialect: Dialect): readonly UnknownKeyword[] {
  return node.entries
    .map(({ key }) => key)
    .filter(({ value }) =>
      isExtension(value) ? isMisspeltMark(value) : keywordIn(dialect, value) === undefined,
    )
    .map(({ span, value: name }) => ({ name, span, ...explained(name, dialect) }));
}

/** Keys with `x-` that have a meaning for skillc. */
const marks: readonly string[] = ["x-sensitive", "x-skillc-file"];

/**
 * Checks for a misspelt mark. Other tools have `x-` keys too, but hardly one that differs from a
 * mark in two letters.
 */
function isMisspeltMark(name: string): boolean {
  return !marks.includes(name) && nearestName(name, marks, () => 2) !== undefined;
}

/** Keywords of other vocabularies, with the JSON Schema way to write them. */
const foreign: ReadonlyMap<string, string> = new Map([
  ["nullable", 'write `type: [string, "null"]`: `nullable` is OpenAPI 3.0\'s'],
  ["example", "write `examples: […]`"],
  [
    "discriminator",
    "give each alternative of `oneOf` a `const` property: `discriminator` is OpenAPI's",
  ],
  ["tsType", "types are made from the standard keywords alone"],
  ["tsEnumNames", "types are made from the standard keywords alone"],
  ["optional", "leave the name out of `required`"],
  ["id", "write `$id`"],
]);

function explained(
  name: string,
  dialect: Dialect,
): Pick<UnknownKeyword, "vocabulary" | "help" | "isMisspelt"> {
  const elsewhere = keywordOf(name)?.dialects;
  if (elsewhere !== undefined) {
    const help = `it belongs to ${elsewhere.join(" and ")}: \`$schema\` says which is meant`;
    return { vocabulary: `keyword of ${dialect}`, help, isMisspelt: false };
  }
  const vocabulary = "JSON Schema keyword";
  const known = foreign.get(name);
  if (known !== undefined) return { vocabulary, help: known, isMisspelt: false };
  const help = didYouMean(name, isExtension(name) ? marks : keywordNames(dialect));
  return { vocabulary, help, isMisspelt: help !== undefined };
}

/** Maximum number of places in one diagnostic, each for another keyword. */
const maxPlaces = 5;

/**
 * Reports one diagnostic per file, because another tool's keyword is usually in every schema of a
 * file.
 */
export function reportUnknownKeywords(found: readonly UnknownKeyword[], report: Report): void {
  for (const inFile of groupBy(found, ({ span }) => span.file).values()) {
    const [first, ...others] = eachName(inFile);
    if (first === undefined) continue;
    report.add({
      code: "schema/unknown-keyword",
      span: first.span,
      message: factsOf([first, ...others]),
      help: others.length === 0 ? first.help : helpOf([first, ...others]),
      ...(others.length > 0 && {
        related: others.slice(0, maxPlaces).map(({ name, span }) => ({
          span,
          message: `${quote(name)} is here`,
        })),
      }),
    });
  }
}

interface CountedKeyword extends UnknownKeyword {
  readonly count: number;
}

/** Each name once, at its first place; misspelt ones come first. */
function eachName(found: readonly UnknownKeyword[]): readonly CountedKeyword[] {
  const names = [...groupBy(found, ({ name }) => name).values()].flatMap((alike) =>
    alike.slice(0, 1).map((first) => ({ ...first, count: alike.length })),
  );
  return names.toSorted((a, b) => Number(b.isMisspelt) - Number(a.isMisspelt));
}

/** States the unknown keywords: `a` (3 times) and `b` are not JSON Schema keywords; … */
function factsOf(names: readonly CountedKeyword[]): string {
  const facts = [...groupBy(names, ({ vocabulary }) => vocabulary)].map(([vocabulary, alike]) => {
    const are = alike.length === 1 ? `is not a ${vocabulary}` : `are not ${plural(vocabulary)}`;
    return `${listed(alike.map(counted))} ${are}`;
  });
  return facts.join("; ");
}

function plural(vocabulary: string): string {
  return vocabulary.replace("keyword", "keywords");
}

function counted({ count, name }: CountedKeyword): string {
  return count === 1 ? quote(name) : `${quote(name)} (${count} times)`;
}

/** Helps of the keywords; a help that several keywords share appears once. */
function helpOf(names: readonly CountedKeyword[]): string | undefined {
  const known = names.filter(({ help }) => help !== undefined);
  const helps = [...groupBy(known, ({ help }) => help)].map(
    ([help, alike]) => `${listed(alike.map(({ name }) => quote(name)))}: ${help}`,
  );
  return helps.length === 0 ? undefined : helps.join("; ");
}
