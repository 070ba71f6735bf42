import type { Finding } from "../../core/diagnostic.js";
import { quote } from "../../core/names.js";
import { entryOf, type MapNode, type SyntaxNode, textOf } from "../../core/syntax-node.js";
import { didYouMean } from "../../schema/suggestion.js";
import { typeInOtherWords } from "../../schema/type-in-other-words.js";

/**
 * A value that was most likely meant as a parameter's type, and what to write instead. Undefined when it does not read like one.
 *
 * @param name the parameter's
 * @param typeNames the types of the short form
 */
export function unknownType(
  name: string,
  value: SyntaxNode,
  typeNames: readonly string[],
): Finding | undefined {
  if (value.kind === "map") return withoutType(name, value);
  const text = writtenType(value);
  if (text === undefined) return undefined;
  const optional = /^(.+)\?$/.exec(text)?.[1] ?? /^Optional\[(.+)\]$/.exec(text)?.[1];
  const keywords = typeInOtherWords(optional ?? text);
  if (keywords === undefined && !/^[A-Za-z]+\??$/.test(text)) return undefined;
  return {
    code: "tool/unknown-type",
    span: value.span,
    message: `${quote(text)} is not a type`,
    help: helpFor(name, { text, optional, keywords }, typeNames),
  };
}

/** `[string]` is written for a list of texts, as `string[]` is; a null is the name of a type. */
function writtenType(value: SyntaxNode): string | undefined {
  if (value.kind === "list") {
    const [only, ...others] = value.items;
    const inner = others.length === 0 ? textOf(only) : undefined;
    return inner === undefined ? undefined : `[${inner}]`;
  }
  return textOf(value);
}

interface WrittenType {
  readonly text: string;
  /** The type that is marked as optional. */
  readonly optional: string | undefined;
  readonly keywords: string | undefined;
}

function helpFor(
  name: string,
  { text, optional, keywords }: WrittenType,
  typeNames: readonly string[],
): string {
  const parameter = quote(name).slice(1, -1);
  const simple = /^type: (\w+)$/.exec(keywords ?? "")?.[1];
  const type = simple !== undefined && typeNames.includes(simple) ? simple : undefined;
  if (optional !== undefined && keywords !== undefined) {
    return `for an optional parameter write \`${parameter}?: ${type ?? `{ ${keywords} }`}\``;
  }
  if (type !== undefined) return `did you mean \`${type}\`?`;
  if (keywords !== undefined) return `write \`${parameter}: { ${keywords} }\``;
  return didYouMean(text, typeNames) ?? `the types are ${typeNames.map(quote).join(", ")}`;
}

/** Keywords that only some type's schema has. */
const typeByKeyword: readonly (readonly [string, string])[] = [
  ["properties", "object"],
  ["additionalProperties", "object"],
  ["items", "array"],
  ["prefixItems", "array"],
  ["minItems", "array"],
  ["maxItems", "array"],
  ["pattern", "string"],
  ["format", "string"],
  ["minLength", "string"],
  ["maxLength", "string"],
  ["minimum", "number"],
  ["maximum", "number"],
];

/** A parameter's schema that lacks only its type. */
function withoutType(name: string, value: MapNode): Finding | undefined {
  const [, implied] = typeByKeyword.find(([key]) => entryOf(value, key) !== undefined) ?? [];
  if (implied === undefined) return undefined;
  return {
    code: "tool/unknown-type",
    span: { ...value.span, end: Math.min(value.span.start + 1, value.span.end) },
    message: `the parameter ${quote(name)} has no type`,
    help: `add \`type: ${implied}\``,
  };
}
