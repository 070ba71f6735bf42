import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import { quote } from "../../core/names.js";
import type { GovernanceModel } from "../../core/governance-model.js";
import type { RollbackModel } from "../../core/rollback-model.js";
import type {
  BindingModel,
  Deprecation,
  FileRules,
  SchemaModel,
  ToolModel,
} from "../../core/skill-model.js";
import {
  entryOf,
  type MapEntry,
  type MapNode,
  type SyntaxNode,
  textOf,
  valueOf,
} from "../../core/syntax-node.js";
import type { BindingKind } from "../../kit/binding.js";
import { fileParameters, refuseFiles } from "../../schema/file-schema.js";
import { readSchema } from "../../schema/read-schema.js";
import { checkShape } from "../../schema/check-shape.js";
import { type SkillSettings, withoutAccept } from "./skill-settings.js";
import { schemaReading, type SkillContext } from "./context.js";
import { isTrue, riskOf, textsOf, type WrittenRisk } from "./read-values.js";
import { resolveBinding } from "./resolve-binding.js";
import { resolveGovernance } from "./resolve-governance.js";
import { resolveRollback } from "./resolve-rollback.js";
import { looksLikeParameter } from "./short-form.js";
import { manifestHash, remembered } from "./manifest.js";
import { gatherSpilled, toolSpills } from "./misplaced.js";
import { readParameters } from "./tool-parameters.js";
import { toolKeys, toolSchema } from "./tool-schema.js";

/** Resolves one tool. Undefined if an essential part is missing. */
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
  const own = gatherSpilled(withoutAccept(value), toolSpills(toolKeys), context.report);
  const node = withKeysOfSkill(own, settings, context.kinds);
  const { contents, files: opened } = remembered(context.files);
  const isText = hasInt64Text(node, settings, context);
  const isReadByRisk =
    textOf((riskOf(valueOf(node, "risk_level")) ?? settings.risk)?.node) === "read";
  const reading = {
    ...context,
    files: opened,
    isReadByRisk,
    ...(isText && { int64: "string" as const }),
  };
  checkKeys(node, key.span, context);
  const parameters = readParameters(entry, node, toolKeys, reading);
  const returns = readReturns(node, reading);
  const binding = resolveBinding(entry, node, parameters, reading);
  const riskSettings = readRiskSettings(node, settings, context);
  const written = resolveRollback(node, context.report);
  if (parameters === undefined || binding === undefined || returns === "broken") return undefined;
  const files = fileRules(parameters, context);
  const kind = context.kinds.find(binding.type) ?? context.kinds.unbound;
  const rollback = written ?? usualRollback(entry, binding, kind);
  const model = toolModel(entry, node, {
    parameters,
    returns,
    binding,
    riskSettings,
    files,
    rollback,
  });
  const asksApproval = riskSettings.risk?.asks === true;
  const { folder } = context;
  return {
    ...model,
    manifest: manifestHash({
      ...model,
      ...(kind.effectByRisk && { isReadByRisk }),
      node,
      asksApproval,
      kind,
      folder,
      contents,
    }),
  };
}

/**
 * Checks if 64-bit integers are text. The tool decides, or else its skill, if the kind supports it.
 */
function hasInt64Text(
  tool: MapNode,
  settings: SkillSettings,
  { kinds, report }: SkillContext,
): boolean {
  const own = valueOf(tool, "int64");
  if ((textOf(own) ?? settings.int64) !== "string") return false;
  const type = textOf(valueOf(valueOf(tool, "binding"), "type"));
  const kind = type === undefined ? kinds.unbound : kinds.find(type);
  if (kind?.int64Text === true || own === undefined) return kind?.int64Text === true;
  report.add({
    code: "tool/wrong-value",
    span: own.span,
    message: `\`int64: string\` has no effect on a binding of type ${quote(type ?? "")}`,
    help: "remove it: there, digits as text are `type: string`",
  });
  return false;
}

/** Adds keys of the skill to the tool's binding, if the binding lacks them. */
function withKeysOfSkill(
  tool: MapNode,
  { ofBindings }: SkillSettings,
  kinds: SkillContext["kinds"],
): MapNode {
  const binding = entryOf(tool, "binding");
  if (binding?.value.kind !== "map" || ofBindings.length === 0) return tool;
  const { value } = binding;
  const { skillKeys = [] } = kinds.find(textOf(valueOf(value, "type")) ?? "") ?? {};
  const added = ofBindings.filter(
    ({ key }) => skillKeys.includes(key.value) && entryOf(value, key.value) === undefined,
  );
  const whole = { ...binding, value: { ...value, entries: [...value.entries, ...added] } };
  return { ...tool, entries: tool.entries.map((each) => (each === binding ? whole : each)) };
}

interface ToolParts {
  readonly parameters: SchemaModel;
  readonly returns: SchemaModel | undefined;
  readonly binding: BindingModel;
  readonly riskSettings: RiskSettings;
  readonly files: FileRules | undefined;
  readonly rollback: RollbackModel | undefined;
}

/** Risk, confirmation and governance of the tool, with the skill's values as defaults. */
interface RiskSettings {
  readonly risk: WrittenRisk | undefined;
  readonly requiresConfirmation: boolean;
  readonly governance: GovernanceModel | undefined;
}

function readRiskSettings(
  node: MapNode,
  settings: SkillSettings,
  { report }: SkillContext,
): RiskSettings {
  const confirmation = valueOf(node, "requires_confirmation");
  const confirms =
    confirmation === undefined ? settings.requiresConfirmation : isTrue(confirmation);
  const risk = riskOf(valueOf(node, "risk_level")) ?? settings.risk;
  // An explicit `requires_confirmation` overrides the approval that the risk implies.
  const asking = risk?.asks === true && confirms === undefined ? risk.node : undefined;
  const governance = resolveGovernance(node, asking, report);
  return { risk, requiresConfirmation: confirms === true, governance };
}

function toolModel(
  { key }: MapEntry,
  node: MapNode,
  {
    parameters,
    returns,
    binding,
    files,
    rollback,
    riskSettings: { governance, requiresConfirmation, risk },
  }: ToolParts,
): Omit<ToolModel, "manifest"> {
  const version = textOf(valueOf(node, "version"));
  return {
    kind: "tool",
    name: key.value,
    span: key.span,
    description: textOf(valueOf(node, "description")) ?? "",
    parameters,
    ...(returns !== undefined && { returns }),
    riskLevel: risk?.level ?? (binding.effect === "read" ? "low" : "medium"),
    ...(risk && { riskSpan: risk.node.span }),
    requiresConfirmation,
    ...(files && { files }),
    unused: textsOf(valueOf(node, "unused")).map(({ value, span }) => ({ name: value, span })),
    ...aliasesOf(valueOf(node, "param_aliases")),
    tags: textsOf(valueOf(node, "tags")).map(({ value }) => value),
    ...(version !== undefined && { version }),
    deprecated: deprecationOf(valueOf(node, "deprecated")),
    ...(governance && { governance }),
    ...(rollback && { rollback }),
    binding,
  };
}

/** Reads `param_aliases`. A parameter's own name is not another name of it, so it does not count. */
function aliasesOf(node: SyntaxNode | undefined): Pick<ToolModel, "paramAliases"> {
  if (node?.kind !== "map" || node.entries.length === 0) return {};
  const paramAliases = node.entries.map(({ key, value }) => {
    const text = textOf(value);
    const names = text === undefined ? textsOf(value).map((each) => each.value) : [text];
    const others = new Set(names.filter((each) => each !== key.value));
    return { parameter: key.value, span: key.span, names: [...others] };
  });
  return { paramAliases };
}

/** Returns the way back of a kind whose bindings name each file before they change it. */
function usualRollback(
  { key: { span } }: MapEntry,
  { effect }: BindingModel,
  { fileChanges }: BindingKind,
): RollbackModel | undefined {
  return fileChanges?.namesFiles === true && effect === "write"
    ? { strategy: "backup", span, paths: [] }
    : undefined;
}

/** Rules for the files that the tool accepts; undefined if no parameter is a file. */
function fileRules(
  parameters: SchemaModel,
  { fileSettings = {} }: SkillContext,
): FileRules | undefined {
  const found = [...fileParameters(parameters)];
  if (found.length === 0) return undefined;
  return { at: found.map(([name, as]) => (as === "list" ? [name, "*"] : [name])), ...fileSettings };
}

/** Reads `deprecated`: `true`, the reason, or a mapping with more facts. */
function deprecationOf(node: SyntaxNode | undefined): boolean | string | Deprecation {
  if (node?.kind !== "map") return textOf(node) ?? isTrue(node);
  const [since, use, reason] = ["since", "use", "reason"].map((key) => textOf(valueOf(node, key)));
  return {
    ...(since !== undefined && { since }),
    ...(use !== undefined && { use }),
    ...(reason !== undefined && { reason }),
  };
}

/** Checks the shape of the tool's own keys. The others are parameters or mistakes. */
function checkKeys(node: MapNode, at: MapEntry["key"]["span"], { report }: SkillContext): void {
  const taken = node.entries.filter((entry) => meansParameter(entry, node));
  for (const entry of taken) report.add(takenName(entry));
  const isChecked = (entry: MapEntry) =>
    toolKeys.includes(entry.key.value) &&
    !taken.includes(entry) &&
    // It is checked where it is read.
    entry.key.value !== "rollback";
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

/** Keys whose values are mappings. */
const mappingKeys = new Set([
  "parameters",
  "params",
  "returns",
  "binding",
  "rollback",
  "param_aliases",
]);

/** Checks if a known key of the tool is written as a parameter of the short form. */
function meansParameter({ key, value }: MapEntry, tool: MapNode): boolean {
  const isFull = entryOf(tool, "parameters") ?? entryOf(tool, "params");
  return (
    isFull === undefined &&
    toolKeys.includes(key.value) &&
    !mappingKeys.has(key.value) &&
    (value.kind === "map" || holdsMappingOnly(key.value)) &&
    looksLikeParameter(value)
  );
}

/** Checks for a key whose value is always a mapping, so that it can't be a type name. */
function holdsMappingOnly(key: string): boolean {
  return key === "governance";
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

function readReturns(node: MapNode, context: SkillContext): SchemaModel | "broken" | undefined {
  const value = entryOf(node, "returns")?.value;
  if (value === undefined) return undefined;
  const isSchema =
    value.kind === "map" || (value.kind === "scalar" && typeof value.value === "boolean");
  if (!isSchema) return "broken";
  const read = readSchema(value, { ...schemaReading(context), isAnswer: true });
  if (read) refuseFiles(read, context.report);
  return read ?? "broken";
}
