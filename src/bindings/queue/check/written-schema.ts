import type { JsonSchema } from "../../../core/json.js";
import type { ToolModel } from "../../../core/skill-model.js";
import { partSchemas } from "../../../schema/compare/normal-form.js";
import { exactList, exactObject } from "../../../schema/compare/values.js";
import { filledSchema } from "../../../schema/form.js";
import { madeText, quoted } from "../../../schema/made-text.js";
import type { ValueFacts } from "../../../schema/look-up.js";
import { callerRoot, factsOfCaller } from "../../../kit/caller-root.js";
import { factsOf } from "../../../kit/coverage.js";
import {
  literalText,
  isValuePart,
  loneValue,
  type TextPart,
  type TextTemplate,
  type ValuePart,
  valueName,
} from "../../../kit/text-template.js";
import type { ScalarModel, ValueEntry, ValueNode } from "../../../kit/values/model.js";

/**
 * What may be written where a damaged or unknown reference stands: no value, so that nothing more
 * is said of it.
 */
const nothing: JsonSchema = false;

/**
 * A JSON Schema of what a message can become, given its parameters; its references lead into
 * `filledSchema` of theirs.
 */
export function writtenSchema(tool: ToolModel, node: ValueNode<string>): JsonSchema {
  switch (node.kind) {
    case "literal":
      return { const: node.value };
    case "template":
      return templateSchema(tool, node);
    case "list":
      return exactList(node.items.map((item) => writtenSchema(tool, item)));
    case "map":
      return mapSchema(tool, node.entries);
  }
}

function mapSchema(tool: ToolModel, entries: readonly ValueEntry<string>[]): JsonSchema {
  const required = entries
    .filter(({ value }) => partThatMayBeAbsent(tool, value) === undefined)
    .map(({ name }) => name);
  return exactObject(
    entries.map(({ name, value }) => [name, writtenSchema(tool, value)]),
    required,
  );
}

function templateSchema(
  tool: ToolModel,
  { template }: ScalarModel<string> & { readonly kind: "template" },
): JsonSchema {
  const fixed = literalText(template);
  if (fixed !== undefined) return { const: fixed };
  const alone = loneValue(template);
  if (alone === undefined) return textSchema(tool, template);
  const facts = factsOfPart(tool, alone);
  if (facts === undefined) return nothing;
  const { enum: listed, schema, types } = facts;
  const forms = partSchemas(
    alone.kind === "root" ? callerRoot.schema.schema : filledSchema(tool.parameters.schema),
    alone.path,
  );
  const [only = true, ...others] = forms;
  if (schema !== undefined && others.length === 0) return only;
  return {
    type: types,
    ...(listed && { enum: listed }),
    ...(forms.length > 0 && { anyOf: forms }),
  };
}

/**
 * Text around parameters is any text with what stands around them, unless these list their values.
 */
function textSchema(tool: ToolModel, template: TextTemplate<string>): JsonSchema {
  const texts = knownTexts(tool, template);
  const [only, ...others] = texts ?? [];
  if (texts === undefined || only === undefined)
    return template.whole ? madeText(patternOf(tool, template)) : nothing;
  return others.length === 0 ? { const: only } : { enum: texts };
}

/** What is known of a value that each call fills in. */
function factsOfPart(tool: ToolModel, part: ValuePart): ValueFacts | undefined {
  return part.kind === "root" ? factsOfCaller(part.path) : factsOf(tool, part);
}

/** A parameter without which a value is left out. */
export interface AbsentPart {
  readonly part: ValuePart;
  /** Whether it is there and null: that is a value, but makes no text. */
  readonly isNull: boolean;
}

export function partThatMayBeAbsent(
  tool: ToolModel,
  value: ValueNode<string>,
): AbsentPart | undefined {
  if (value.kind !== "template") return undefined;
  const isAlone = loneValue(value.template) !== undefined;
  for (const part of value.template.parts) {
    const facts = isValuePart(part) ? factsOfPart(tool, part) : undefined;
    if (!isValuePart(part) || facts === undefined) continue;
    if (facts.presence !== "always") return { part, isNull: false };
    if (!isAlone && facts.types.includes("null")) return { part, isNull: true };
  }
  return undefined;
}

/** More are not gone through one by one. */
const maxTexts = 1000;

/**
 * All texts that a template can become, where its parameters list their values; undefined when they
 * are many, or not known. Null makes no text.
 */
export function knownTexts(
  tool: ToolModel,
  { parts, whole }: TextTemplate<string>,
): readonly string[] | undefined {
  const choices = whole ? choicesOf(tool, parts) : undefined;
  const texts = choices?.map((choice) => parts.map((part) => textOf(part, choice)).join(""));
  return texts && [...new Set(texts)];
}

/** The texts of the values that a parameter lists; undefined when it lists none. */
export function listedTexts(tool: ToolModel, part: ValuePart): readonly string[] | undefined {
  return factsOfPart(tool, part)
    ?.enum?.filter((value) => value !== null)
    .map(String);
}

/** A pattern of all texts that a template can become. */
function patternOf(tool: ToolModel, { parts }: TextTemplate<string>): string {
  const all = parts.map((part) => {
    if (part.kind === "literal") return quoted(part.text);
    return isValuePart(part) ? patternOfPart(tool, part) : anything;
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

function patternOfPart(tool: ToolModel, part: ValuePart): string {
  const listed = listedTexts(tool, part);
  if (listed !== undefined && listed.length <= maxTexts)
    return `(?:${listed.map(quoted).join("|")})`;
  const types = factsOfPart(tool, part)?.types.filter((type) => type !== "null") ?? [];
  const patterns = types.map((type) => ofType[type] ?? anything);
  return patterns.length === 0 || patterns.includes(anything)
    ? anything
    : `(?:${[...new Set(patterns)].join("|")})`;
}

/** A text for each parameter, by its path. */
type Choice = ReadonlyMap<string, string>;

/** A parameter is the same wherever it stands. */
function choicesOf(
  tool: ToolModel,
  parts: readonly TextPart<string>[],
): readonly Choice[] | undefined {
  let choices: readonly Choice[] = [new Map()];
  for (const part of parts) {
    if (part.kind === "literal") continue;
    const texts = isValuePart(part) ? listedTexts(tool, part) : undefined;
    if (!isValuePart(part) || texts === undefined) return undefined;
    const name = valueName(part);
    if (choices[0]?.has(name)) continue;
    if (choices.length * texts.length > maxTexts) return undefined;
    choices = choices.flatMap((each) => texts.map((text) => new Map([...each, [name, text]])));
  }
  return choices;
}

function textOf(part: TextPart<string>, choice: Choice): string {
  if (part.kind === "literal") return part.text;
  return isValuePart(part) ? (choice.get(valueName(part)) ?? "") : "";
}
