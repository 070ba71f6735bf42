/** Prints the files of skills, for every kind of import. */
import { Document, isCollection, isMap, isPair, isScalar, Scalar, stringify, visit } from "yaml";
import type { JsonValue } from "../../core/json.js";

/** Path below the skills folder, to text. */
export type SkillFiles = ReadonlyMap<string, string>;

/**
 * Maximum number of characters in the `description` of a skill or a tool, which is the limit of
 * model APIs.
 */
export const longestDescription = 1024;

export function printJson(value: JsonValue): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Comment at the beginning of a file, for its readers. */
export function headingOf(command: string): string {
  return ` Written by \`${command}\`. Edit it as you like: importing again keeps what you change.\n`;
}

/**
 * Prints a SKILL.md.
 *
 * @param parts paragraphs of the text, already escaped by `harmless`
 */
export function printKnowledge(
  name: string,
  description: string,
  parts: readonly string[],
): string {
  const front = stringify({ name, description }, yamlLayout);
  return `---\n${front}---\n\n${parts.join("\n\n")}\n`;
}

/** Escapes lines that would end front matter, or look like a merge conflict. */
export function harmless(text: string): string {
  return text.replace(/^(?=(?:---|\.\.\.)\s*$|<{7}|={7}|>{7}|\|{7})/gm, "\\");
}

/** Layout of YAML: lines are never folded, so that an edit changes only its own lines. */
const yamlLayout = {
  lineWidth: 0,
  aliasDuplicateObjects: false,
  flowCollectionPadding: true,
} as const;

/** Characters that YAML allows only as escapes, although the library would write some of them. */
const forbidden = /[^\P{Cc}\t\n]|[\ufffe\uffff\ufeff\u2028\u2029]|\p{Cs}/u;

export function printYaml(value: JsonValue, comment: string): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  layOut(document.contents);
  document.commentBefore = comment.trimEnd();
  return printDocument(document);
}

/** Maximum length of a one-line list or mapping, in characters. */
const longestLine = 72;

/**
 * Writes short collections in brackets or braces. A one-line collection contains only one-line
 * collections.
 */
export function layOut(node: unknown): void {
  if (!isCollection(node)) return;
  const inner = node.items.map((item) => (isPair(item) ? item.value : item));
  for (const each of inner) layOut(each);
  const isFlat = inner.every((each) => !isCollection(each) || each.flow === true);
  const isSmall = isMap(node) ? node.items.length <= 3 : inner.every((each) => isScalar(each));
  const isShort = isFlat && isSmall && JSON.stringify(node.toJSON()).length <= longestLine;
  if (isShort && node.items.length > 0) node.flow = true;
  const binding = isMap(node) ? node.get("binding") : undefined;
  if (!isMap(binding) || !isMap(node)) return;
  // People read bindings line by line, so a binding is never on one line.
  binding.flow = false;
  node.flow = false;
}

/** Prints a document so that every YAML parser reads the same values. */
export function printDocument(document: Document): string {
  visit(document, {
    Scalar(_, node) {
      if (isScalar(node) && typeof node.value === "string" && forbidden.test(node.value))
        node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document
    .toString(yamlLayout)
    .replace(
      /[^\P{Cc}\t\n]|[\ufffe\uffff\ufeff\u2028\u2029]/gu,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
}
