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
 * Schema for a damaged or unknown reference. It allows no value, so no further problem is reported
 * for it.
 */
const nothing: JsonSchema = false;

/**
 * Returns a JSON Schema of all messages that can result from the parameters. Its references point
 * into `filledSchema` of the parameters.
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
 * Returns a schema of texts around parameters. If the parameters list their values, the schema
 * lists the texts; otherwise it has a pattern.
 */
function textSchema(tool: ToolModel, template: TextTemplate<string>): JsonSchema {
  const texts = knownTexts(tool, template);
  const [only, ...others] = texts ?? [];
  if (texts === undefined || only === undefined)
    return template.whole ? madeText(patternOf(tool, template)) : nothing;
  return others.length === 0 ? { const: only } : { enum: texts };
}

/** Returns the known facts about a value that each call fills in. */
function factsOfPart(tool: ToolModel, part: ValuePart): ValueFacts | undefined {
  return part.kind === "root" ? factsOfCaller(part.path) : factsOf(tool, part);
}

/** A parameter whose absence leaves out a value. */
export interface AbsentPart {
  readonly part: ValuePart;
  /** True if the parameter is present but null, which is a value but makes no text. */
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

/** Longer lists are not expanded. */
const maxTexts = 1000;

/**
 * Returns all texts that a template can become, if its parameters list their values. Undefined if
 * there are too many or they are unknown. Null makes no text.
 */
export function knownTexts(
  tool: ToolModel,
  { parts, whole }: TextTemplate<string>,
): readonly string[] | undefined {
  const choices = whole ? choicesOf(tool, parts) : undefined;
  const texts = choices?.map((choice) => parts.map((part) => textOf(part, choice)).join(""));
  return texts && [...new Set(texts)];
}

/** Returns the texts of a parameter's listed values; undefined if it lists none. */
export function listedTexts(tool: ToolModel, part: ValuePart): readonly string[] | undefined {
  return factsOfPart(tool, part)
    ?.enum?.filter((value) => value !== null)
    .map(String);
}

/** Returns a pattern that matches all texts that a template can become. */
function patternOf(tool: ToolModel, { parts }: TextTemplate<string>): string {
  const all = parts.map((part) => {
    if (part.kind === "literal") return quoted(part.text);
    return isValuePart(part) ? patternOfPart(tool, part) : anything;
  });
  return `^${all.join("")}$`;
}

const anything = "[^]*";

/** Patterns of values as text, by type. */
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

/** One text for each parameter, by the parameter's name. */
type Choice = ReadonlyMap<string, string>;

/** Returns all combinations of texts. A parameter has the same text at each place. */
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
