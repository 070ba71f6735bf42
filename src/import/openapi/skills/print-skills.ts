/** The files that a built API is written as. */
import { Document, isCollection, isMap, isPair, isScalar, Scalar, stringify, visit } from "yaml";
import type { JsonObject, JsonValue } from "../../../core/json.js";
import type { Api } from "../model.js";
import { authValue } from "./to-binding.js";
import { authWords } from "./plan-auth.js";
import type { BuiltApi, BuiltSkill } from "./build-skills.js";
import { cut, oneLine, prose } from "./texts.js";

/** Path below the skills folder, to text. */
export type SkillFiles = ReadonlyMap<string, string>;

export function printSkills(api: Api, built: BuiltApi): SkillFiles {
  const files = new Map<string, string>();
  for (const skill of built.skills) {
    files.set(`${skill.name}/SKILL.md`, printKnowledge(api, skill));
    files.set(`${skill.name}/metadata.yaml`, printMetadata(skill));
  }
  for (const { name, schema } of built.components)
    files.set(`${built.schemaFolder}/${name}.json`, printJson(schema));
  return files;
}

export function printJson(value: JsonValue): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

const heading = ` Written by \`skillc import openapi\`. Edit it as you like: importing again keeps what you change.
`;

function printMetadata({ auth, tools }: BuiltSkill): string {
  const value: JsonObject = {
    ...(auth.length > 0 && { auth: authValue(auth) }),
    tools_schema: Object.fromEntries(tools.map(({ name, tool }) => [name, tool])),
  };
  return printYaml(value, heading);
}

/** How YAML is laid out: no line is folded, so that an edit changes the lines that it is about. */
const yamlLayout = {
  lineWidth: 0,
  aliasDuplicateObjects: false,
  flowCollectionPadding: true,
} as const;

/** Characters that YAML forbids outside of escapes, though its library would write some of them. */
const forbidden = /[^\P{Cc}\t\n]|[\ufffe\uffff\ufeff\u2028\u2029]|\p{Cs}/u;

function printYaml(value: JsonValue, comment: string): string {
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

/** Characters of the `description` of a skill. */
const longestDescription = 1024;

function printKnowledge(api: Api, skill: BuiltSkill): string {
  const title = oneLine(api.title) || "API";
  const tag = skill.tag === undefined ? undefined : oneLine(skill.tag);
  const about = prose((skill.tag === undefined ? api.description : api.tags.get(skill.tag)) ?? "");
  const front = stringify(
    { name: skill.name, description: descriptionOf(title, tag, about, skill) },
    yamlLayout,
  );
  const parts = [
    `# ${[title, tag].flatMap((each) => each ?? []).join(": ")}`,
    ...(about === "" ? [] : [harmless(about)]),
    ...notesOf(skill),
  ];
  return `---\n${front}---\n\n${parts.join("\n\n")}\n`;
}

function descriptionOf(
  title: string,
  tag: string | undefined,
  about: string,
  { tools }: BuiltSkill,
): string {
  const [first = ""] = about.split(/\n\n/, 1);
  const start = cut(oneLine(first), 300) || [title, tag].flatMap((each) => each ?? []).join(": ");
  const uses = tools
    .map(({ name, operation }) => oneLine(operation.summary ?? "") || name.replaceAll("-", " "))
    .map((each) => each.replace(/\.$/, ""));
  const whole = `${start.replace(/[.…]?$/, ".")} Use it for ${title}: ${uses.join("; ")}.`;
  return cut(whole, longestDescription);
}

/** A line that ends front matter, or looks like a merge left it, is no Markdown of anybody's. */
function harmless(text: string): string {
  return text.replace(/^(?=(?:---|\.\.\.)\s*$|<{7}|={7}|>{7}|\|{7})/gm, "\\");
}

function notesOf({ auth, tools }: BuiltSkill): readonly string[] {
  const pages = tools.filter(({ hasPages }) => hasPages).map(({ name }) => `\`${name}\``);
  const shownPages = pages.length > 12 ? [...pages.slice(0, 12), "others"] : pages;
  return [
    ...(auth.length === 0
      ? []
      : [`Calls are made with ${authWords(auth)}. Nobody is asked for it.`]),
    ...(pages.length === 0
      ? []
      : [
          `These answer in pages, and \`next\` leads from one to the following: ${shownPages.join(", ")}.`,
        ]),
  ];
}
