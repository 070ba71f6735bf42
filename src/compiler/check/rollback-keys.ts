import { maxInlineParameters } from "@skillc/runtime/internal/ledger";
import { listed, quote } from "../../core/names.js";
import type { LoweredSkill } from "../../core/lowered-skill.js";
import type { Report } from "../../core/report.js";
import {
  type ArgumentValue,
  type CompensateModel,
  type LinkedArgument,
  type ReadArgument,
  readsIn,
} from "../../core/rollback-model.js";
import type { SchemaModel, ToolModel } from "../../core/skill-model.js";
import { hasMaskedPart } from "../../schema/masked-paths.js";
import { itemFacts, type StatedFacts, statedFacts } from "../../schema/stated-facts.js";

/**
 * Reports compensations whose parameters the runtime would have to encrypt, in a project without a
 * `key`: the ledger masks a value, or the parameters are too long for the record. Such a call can't
 * be rolled back.
 */
export function checkRollbackKeys(skills: readonly LoweredSkill[], report: Report): void {
  for (const { skill, tools } of skills)
    for (const { tool } of tools)
      checkTool(tool, report.within({ skill: skill.name, tool: tool.name }));
}

function checkTool(tool: ToolModel, report: Report): void {
  const { binding, rollback } = tool;
  if (rollback?.strategy !== "compensate" || binding.effect === "read") return;
  const parameters = rollback.linked?.parameters ?? [];
  const masked = parameters.filter(({ value }) =>
    readsIn(value).some((each) => isMasked(each, tool)),
  );
  if (masked.length > 0) return reportMasked(masked, rollback, report);
  const isLong = sum(parameters, (each) => least(each.value, tool)) > limit;
  const long = parameters.find(({ value }) => readsIn(value).some((each) => mayBeLong(each, tool)));
  const span = long?.value.span ?? rollback.span;
  if (isLong)
    report.add({
      code: "rollback/no-key",
      span,
      message: `the parameters of ${quote(rollback.tool)} have more than ${limit} characters, which is too long for a record of the ledger, and the project has no \`key\` to encrypt them`,
      help,
    });
  else if (long !== undefined)
    report.add({
      code: "rollback/may-need-key",
      span,
      message: `${quote(long.name)} of ${quote(rollback.tool)} may have more than ${limit} characters, and the project has no \`key\` to encrypt it: a call with such a value can't be rolled back`,
      help,
    });
}

const limit = maxInlineParameters;
const help =
  "write `key: ${NAME}` in skillc.yaml, and give governance the same key in `createRuntime`";

function reportMasked(
  masked: readonly LinkedArgument[],
  { span, tool }: CompensateModel,
  report: Report,
): void {
  const names = listed(masked.map(({ name }) => quote(name)));
  const isOne = masked.length === 1;
  report.add({
    code: "rollback/no-key",
    span: masked[0]?.value.span ?? span,
    message: `a rollback needs ${names} of ${quote(tool)}, but the ledger masks the ${isOne ? "value" : "values"}, and the project has no \`key\` to encrypt ${isOne ? "it" : "them"}`,
    help,
  });
}

function isMasked(read: ReadArgument, tool: ToolModel): boolean {
  const { at, model } = placeOf(read, tool);
  return model !== undefined && hasMaskedPart(model, at);
}

/** The schema of a value that is read, and its path there. A caller's fields have no schema. */
function placeOf(
  { from, steps }: ReadArgument,
  { parameters, returns }: ToolModel,
): { readonly model: SchemaModel | undefined; readonly at: readonly (string | number)[] } {
  const models = { params: parameters, result: returns, caller: undefined };
  return {
    model: models[from],
    at: steps.map(({ step }) => (typeof step === "object" ? 0 : step)),
  };
}

function factsOf(read: ReadArgument, tool: ToolModel): StatedFacts | undefined {
  const { at, model } = placeOf(read, tool);
  return model && statedFacts(model, at);
}

/** Returns whether an author allows for long text. Most texts without a limit are short. */
function mayBeLong(read: ReadArgument, tool: ToolModel): boolean {
  const facts = itemFacts(factsOf(read, tool));
  return facts?.maxLength !== undefined && facts.maxLength > limit;
}

/** Number of characters that the JSON of a value has at least. */
function least(value: ArgumentValue, tool: ToolModel): number {
  switch (value.kind) {
    case "literal":
      return JSON.stringify(value.value).length;
    case "read":
      return factsOf(value, tool)?.minLength ?? 0;
    case "text":
      return sum(value.parts, (part) =>
        typeof part === "string" ? part.length : least(part, tool),
      );
    case "list":
      return sum(value.items, (each) => least(each, tool));
    case "map":
      return sum(value.entries, (each) => each.name.length + least(each.value, tool));
  }
}

function sum<Item>(items: readonly Item[], sizeOf: (item: Item) => number): number {
  return items.reduce((all, each) => all + sizeOf(each), 0);
}
