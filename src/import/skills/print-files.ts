/** How the files of skills are written, whatever they were made of. */
import { Document, isCollection, isMap, isPair, isScalar, Scalar, stringify, visit } from "yaml";
import type { JsonValue } from "../../core/json.js";

/** Path below the skills folder, to text. */
export type SkillFiles = ReadonlyMap<string, string>;

/** Characters of the `description` of a skill, or of a tool, as much as model APIs take. */
export const longestDescription = 1024;

export function printJson(value: JsonValue): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The comment that begins a file, for its readers. */
export function headingOf(command: string): string {
  return ` Written by \`${command}\`. Edit it as you like: importing again keeps what you change.\n`;
}

/** A SKILL.md. @param parts of its text, with nothing that `harmless` would change */
export function printKnowledge(
  name: string,
  description: string,
  parts: readonly string[],
): string {
  const front = stringify({ name, description }, yamlLayout);
  return `---\n${front}---\n\n${parts.join("\n\n")}\n`;
}

/** A line that ends front matter, or looks like a merge left it, is no Markdown of anybody's. */
export function harmless(text: string): string {
  return text.replace(/^(?=(?:---|\.\.\.)\s*$|<{7}|={7}|>{7}|\|{7})/gm, "\\");
}

/** How YAML is laid out: no line is folded, so that an edit changes the lines that it is about. */
const yamlLayout = {
  lineWidth: 0,
  aliasDuplicateObjects: false,
  flowCollectionPadding: true,
} as const;

/** Characters that YAML forbids outside of escapes, though its library would write some of them. */
const forbidden = /[^\P{Cc}\t\n]|[\ufffe\uffff\ufeff\u2028\u2029]|\p{Cs}/u;

export function printYaml(value: JsonValue, comment: string): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  layOut(document.contents);
  document.commentBefore = comment.trimEnd();
  return printDocument(document);
}

/** Characters of a list or a mapping that stands on one line, as people write short ones. */
const longestLine = 72;

/** Short collections in brackets or braces; what stands on one line holds only what does. */
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
  // What a tool does is read line by line, however short it is.
  binding.flow = false;
  node.flow = false;
}

/** A document as text that every reader of YAML reads as what is meant. */
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
