import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import type { JsonObject } from "../../core/json.js";
import { quote } from "../../core/names.js";
import type {
  BindingModel,
  RollbackModel,
  SchemaModel,
  ToolModel,
} from "../../core/skill-model.js";
import {
  entryOf,
  type MapEntry,
  type MapNode,
  type SyntaxNode,
  textOf,
  toJson,
  valueOf,
} from "../../core/syntax-node.js";
import { holdsJsonSchema } from "../../schema/editor-marks.js";
import { readSchema } from "../../schema/read-schema.js";
import { checkShape } from "../../schema/check-shape.js";
import { type SkillSettings, withoutAccept } from "./skill-settings.js";
import type { SkillContext } from "./context.js";
import { isTrue, riskLevelOf, riskLevels, textsOf } from "./read-values.js";
import { resolveBinding } from "./resolve-binding.js";
import { looksLikeParameter } from "./short-form.js";
import { gatherSpilled, toolSpills } from "./misplaced.js";
import { readParameters } from "./tool-parameters.js";

const texts: JsonObject = { type: "array", items: { type: "string" } };

/** The keys of a tool that skillc reads, whatever the form of its parameters. */
export const toolSchema: JsonObject = {
  type: "object",
  properties: {
    description: {
      description: "What a model is told of the tool: what it does, and when to use it.",
      type: "string",
    },
    parameters: {
      ...holdsJsonSchema,
      description: "JSON Schema of the parameters: an object's.",
      type: "object",
    },
    params: { ...holdsJsonSchema, description: "Another name for `parameters`.", type: "object" },
    returns: {
      ...holdsJsonSchema,
      description:
        "JSON Schema of what a success carries. Without it the type is `unknown`, and nothing is checked.",
      type: ["object", "boolean"],
    },
    binding: {
      description: "What a call does. Without it the application supplies a handler.",
      type: "object",
    },
    risk_level: {
      description:
        "How grave a call is; the tool's own comes before the skill's. Without either a read is `low`, a write `medium`.",
      enum: riskLevels,
    },
    requires_confirmation: {
      description: "Whether a person is to be asked before a call. Asking is the agent's.",
      type: "boolean",
    },
    unused: { ...texts, description: "Parameters that reach nothing on purpose." },
    tags: { ...texts, description: "Words for the catalog." },
    version: { description: "The author's own version of the tool, as text.", type: "string" },
    deprecated: {
      description: "`true`, or why: models are no longer offered the tool.",
      type: ["boolean", "string"],
    },
    rollback: {
      description: "The tool that undoes a call: `cancel-order`, or `other-skill/cancel-order`.",
    },
  },
};

export const toolKeys: readonly string[] = Object.keys(toolSchema["properties"] ?? {});

/**
 * One tool as its author declared it. Undefined when a part is missing that everything further is
 * about.
 */
export function resolveTool(
  entry: MapEntry,
  settings: SkillSettings,
  context: SkillContext,
): ToolModel | undefined {
  const { key, value } = entry;
  if (value.kind !== "map") {
    context.report.add({
      code: "tool/not-a-mapping",
      span: value.span.end > value.span.start ? value.span : key.span,
      message: `the tool ${quote(key.value)} must be a mapping`,
      help: "give it a `description`, its parameters, and a `binding` unless the application supplies a handler",
    });
    return undefined;
  }
  const node = gatherSpilled(withoutAccept(value), toolSpills(toolKeys), context.report);
  checkKeys(node, key.span, context);
  const parameters = readParameters(entry, node, toolKeys, context);
  const returns = readReturns(node, context);
  const binding = resolveBinding(entry, node, parameters, context);
  if (parameters === undefined || binding === undefined || returns === "broken") return undefined;
  return toolModel(entry, node, { parameters, returns, binding }, settings);
}

interface ToolParts {
  readonly parameters: SchemaModel;
  readonly returns: SchemaModel | undefined;
  readonly binding: BindingModel;
}

function toolModel(
  { key }: MapEntry,
  node: MapNode,
  { parameters, returns, binding }: ToolParts,
  settings: SkillSettings,
): ToolModel {
  const version = textOf(valueOf(node, "version"));
  const rollback = valueOf(node, "rollback");
  const confirmation = valueOf(node, "requires_confirmation");
  return {
    kind: "tool",
    name: key.value,
    span: key.span,
    description: textOf(valueOf(node, "description")) ?? "",
    parameters,
    ...(returns !== undefined && { returns }),
    riskLevel:
      riskLevelOf(valueOf(node, "risk_level")) ??
      settings.riskLevel ??
      (binding.effect === "read" ? "low" : "medium"),
    requiresConfirmation:
      confirmation === undefined ? settings.requiresConfirmation : isTrue(confirmation),
    unused: textsOf(valueOf(node, "unused")).map(({ value, span }) => ({ name: value, span })),
    tags: textsOf(valueOf(node, "tags")).map(({ value }) => value),
    ...(version !== undefined && { version }),
    deprecated: textOf(valueOf(node, "deprecated")) ?? isTrue(valueOf(node, "deprecated")),
    ...(rollback !== undefined && { rollback: rollbackModel(rollback) }),
    binding,
  };
}

/** `rollback: cancel-order`, or a mapping that says more: `rollback: { tool: cancel-order }`. */
function rollbackModel(node: SyntaxNode): RollbackModel {
  const name = node.kind === "map" ? valueOf(node, "tool") : node;
  const tool = textOf(name);
  const { span } = name ?? node;
  return { value: toJson(node), span, ...(tool !== undefined && { tool }) };
}

/** The shape of the tool's own keys; the others are parameters or mistakes. */
function checkKeys(node: MapNode, at: MapEntry["key"]["span"], { report }: SkillContext): void {
  const taken = node.entries.filter((entry) => meansParameter(entry, node));
  for (const entry of taken) report.add(takenName(entry));
  const isChecked = (entry: MapEntry) =>
    toolKeys.includes(entry.key.value) && !taken.includes(entry);
  const own = { ...node, entries: node.entries.filter(isChecked) };
  checkShape(own, toolSchema, report, {
    subject: "the tool",
    at,
    unknownKey: "tool/unknown-key",
    missingKey: "tool/wrong-value",
    wrongType: "tool/wrong-type",
    wrongValue: "tool/wrong-value",
  });
}

/** The keys that hold mappings of their own. */
const mappingKeys = new Set(["parameters", "params", "returns", "binding", "rollback"]);

/** Whether a key of the tool's own is written as a parameter of the short form. */
function meansParameter({ key, value }: MapEntry, tool: MapNode): boolean {
  const isFull = entryOf(tool, "parameters") ?? entryOf(tool, "params");
  return (
    isFull === undefined &&
    toolKeys.includes(key.value) &&
    !mappingKeys.has(key.value) &&
    value.kind === "map" &&
    looksLikeParameter(value)
  );
}

function takenName({ key }: MapEntry): UnratedDiagnostic {
  const name = quote(key.value);
  return {
    code: "tool/wrong-type",
    span: key.span,
    message: `${name} is a key of the tool itself, and can't declare a parameter in short form`,
    help: `declare the parameters under \`parameters:\`, where one may be named ${name}: \`parameters: { type: object, properties: { … } }\``,
  };
}

function readReturns(
  node: MapNode,
  { files, report }: SkillContext,
): SchemaModel | "broken" | undefined {
  const value = entryOf(node, "returns")?.value;
  if (value === undefined) return undefined;
  const isSchema =
    value.kind === "map" || (value.kind === "scalar" && typeof value.value === "boolean");
  if (!isSchema) return "broken";
  return readSchema(value, { readFile: files.readTree, report }) ?? "broken";
}
