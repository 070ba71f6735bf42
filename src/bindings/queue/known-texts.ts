import type { ToolModel } from "../../core/skill-model.js";
import { quoted } from "../../schema/made-text.js";
import { factsOf } from "../coverage.js";
import type { ParameterPart, TextPart, TextTemplate } from "../text-template.js";

/** More are not gone through one by one. */
const mostTexts = 1000;

/** All texts that a template can become, where its parameters list their values; undefined when they are many, or not known. Null makes no text. */
export function knownTexts(
  tool: ToolModel,
  { parts, whole }: TextTemplate,
): readonly string[] | undefined {
  const choices = whole ? choicesOf(tool, parts) : undefined;
  const texts = choices?.map((choice) => parts.map((part) => textOf(part, choice)).join(""));
  return texts && [...new Set(texts)];
}

/** The texts of the values that a parameter lists; undefined when it lists none. */
export function listedTexts(tool: ToolModel, part: ParameterPart): readonly string[] | undefined {
  return factsOf(tool, part)
    ?.enum?.filter((value) => value !== null)
    .map(String);
}

/** A pattern of all texts that a template can become. */
export function patternOf(tool: ToolModel, { parts }: TextTemplate): string {
  const all = parts.map((part) => {
    if (part.kind === "literal") return quoted(part.text);
    return part.kind === "parameter" ? patternOfPart(tool, part) : anything;
  });
  return `^${all.join("")}$`;
}

const anything = "[^]*";

/** By type, what its values are as text. */
const ofType: { readonly [type: string]: string } = {
  integer: "[-+.0-9e]+",
  number: "[-+.0-9e]+",
  boolean: "(?:true|false)",
};

function patternOfPart(tool: ToolModel, part: ParameterPart): string {
  const listed = listedTexts(tool, part);
  if (listed !== undefined && listed.length <= mostTexts)
    return `(?:${listed.map(quoted).join("|")})`;
  const types = factsOf(tool, part)?.types.filter((type) => type !== "null") ?? [];
  const patterns = types.map((type) => ofType[type] ?? anything);
  return patterns.length === 0 || patterns.includes(anything)
    ? anything
    : `(?:${[...new Set(patterns)].join("|")})`;
}

/** A text for each parameter, by its path. */
type Choice = ReadonlyMap<string, string>;

/** A parameter is the same wherever it stands. */
function choicesOf(tool: ToolModel, parts: readonly TextPart[]): readonly Choice[] | undefined {
  let choices: readonly Choice[] = [new Map()];
  for (const part of parts) {
    if (part.kind === "literal") continue;
    const texts = part.kind === "parameter" ? listedTexts(tool, part) : undefined;
    if (part.kind !== "parameter" || texts === undefined) return undefined;
    const name = nameOf(part);
    if (choices[0]?.has(name)) continue;
    if (choices.length * texts.length > mostTexts) return undefined;
    choices = choices.flatMap((each) => texts.map((text) => new Map([...each, [name, text]])));
  }
  return choices;
}

function textOf(part: TextPart, choice: Choice): string {
  if (part.kind === "literal") return part.text;
  return part.kind === "parameter" ? (choice.get(nameOf(part)) ?? "") : "";
}

function nameOf({ path }: ParameterPart): string {
  return path.join("\0");
}
