/** Prints the files of a built API. */
import type { JsonObject } from "../../../core/json.js";
import type { Api } from "../model.js";
import { authValue } from "./to-binding.js";
import { authWords } from "./draft-auth.js";
import { withInlineComponents } from "./inline-components.js";
import { type BuiltApi, type BuiltSkill, ownSchemas } from "./build-skills.js";
import type { AcceptedWarnings } from "./sound-skills.js";
import {
  harmless,
  headingOf,
  longestDescription,
  printJson,
  printKnowledge as printKnowledgeFile,
  printYaml,
  type SkillFiles,
} from "../../skills/print-files.js";
import { cut, oneLine, prose } from "../../skills/texts.js";

export interface PrintOptions {
  /** Form of 64-bit integers. */
  readonly int64: string | undefined;
  readonly accepted: AcceptedWarnings;
  /** True if each tool contains the schemas that it needs, so that there are no schema files. */
  readonly isSingle: boolean;
}

export function printSkills(api: Api, built: BuiltApi, options: PrintOptions): SkillFiles {
  const files = new Map<string, string>();
  for (const skill of built.skills) {
    files.set(`${skill.name}/SKILL.md`, printKnowledge(api, skill));
    files.set(`${skill.name}/metadata.yaml`, printMetadata(skill, built, options));
  }
  if (options.isSingle) return files;
  for (const { name, schema } of built.components)
    files.set(`${built.schemaFolder}/${name}.json`, printJson(schema));
  return files;
}

function printMetadata(
  { auth, name, tools }: BuiltSkill,
  { components }: BuiltApi,
  { accepted, int64, isSingle }: PrintOptions,
): string {
  const value: JsonObject = {
    ...(int64 === "string" && { int64 }),
    ...(auth.length > 0 && { auth: authValue(auth) }),
    ...acceptValue(accepted.get(name)),
    tools_schema: Object.fromEntries(
      tools.map((each) => [
        each.name,
        {
          ...(isSingle ? withInlineComponents(each.tool, components, ownSchemas) : each.tool),
          ...acceptValue(accepted.get(`${name}/${each.name}`)),
        },
      ]),
    ),
  };
  return printYaml(value, headingOf("skillc import openapi"));
}

function acceptValue(codes: readonly string[] = []): JsonObject {
  if (codes.length === 0) return {};
  return { accept: Object.fromEntries(codes.map((code) => [code, "the API's document has it"])) };
}

function printKnowledge(api: Api, skill: BuiltSkill): string {
  const title = oneLine(api.title) || "API";
  const tag = skill.tag === undefined ? undefined : oneLine(skill.tag);
  const about = prose((skill.tag === undefined ? api.description : api.tags.get(skill.tag)) ?? "");
  const parts = [
    `# ${[title, tag].flatMap((each) => each ?? []).join(": ")}`,
    ...(about === "" ? [] : [harmless(about)]),
    ...notesOf(skill),
  ];
  return printKnowledgeFile(skill.name, descriptionOf(title, tag, about, skill), parts);
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

function notesOf({ auth, tools }: BuiltSkill): readonly string[] {
  const pages = tools.filter(({ hasPages }) => hasPages).map(({ name }) => `\`${name}\``);
  const shownPages = pages.length > 12 ? [...pages.slice(0, 12), "others"] : pages;
  return [
    ...(auth.length === 0 ? [] : [`Calls use ${authWords(auth)}. Do not ask the user for it.`]),
    ...(pages.length === 0
      ? []
      : [`These tools return pages, and \`next\` gets the next page: ${shownPages.join(", ")}.`]),
  ];
}
