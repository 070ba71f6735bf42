import { quote } from "../../core/names.js";
import type { SchemaModel } from "../../core/skill-model.js";
import { entryOf, type MapEntry, type MapNode, textOf, valueOf } from "../../core/syntax-node.js";
import { readSchema } from "../../schema/read-schema.js";
import type { SkillContext } from "./context.js";
import { describesObject } from "./describes-object.js";
import { isMisspeltKey } from "./misspelt-key.js";
import { looksLikeParameter, readShortForm, unknownToolKey } from "./short-form.js";

/** The tool's parameters, in whichever form they are declared. Undefined, and reported, when they can't be known. */
export function readParameters(
  tool: MapEntry,
  node: MapNode,
  toolKeys: readonly string[],
  context: SkillContext,
): SchemaModel | undefined {
  const { files, kinds, report } = context;
  const bindingType = textOf(valueOf(valueOf(node, "binding"), "type"));
  const inferring = kinds.all.flatMap((each) => (each.engine?.infersParameters ? [each.type] : []));
  const strays = node.entries.filter(({ key }) => !toolKeys.includes(key.value));
  const full = fullForm(node, context);
  const form = { toolKeys, bindingType, inferring };
  const document = full === undefined ? readShortForm(tool, strays, form, report) : full.value;
  if (full !== undefined)
    for (const each of strays) reportStray({ stray: each, strays, full }, toolKeys, context);
  // Another kind of value has been reported as a wrong type.
  if (document?.kind !== "map") return undefined;
  const model = readSchema(document, { readFile: files.readTree, report });
  if (model === undefined || full === undefined) return model;
  return requireObject(model, full, context);
}

/** `parameters`, or `params`, its other name. */
function fullForm(node: MapNode, { report }: SkillContext): MapEntry | undefined {
  const parameters = entryOf(node, "parameters");
  const params = entryOf(node, "params");
  if (parameters !== undefined && params !== undefined) {
    report.add({
      code: "tool/parameters-twice",
      span: params.key.span,
      message: "`params` is another name for `parameters`, and both are here",
      help: "keep `parameters`",
      related: [{ span: parameters.key.span, message: "the other is here" }],
    });
  }
  return parameters ?? params;
}

interface StrayKey {
  readonly stray: MapEntry;
  /** It and the tool's others. */
  readonly strays: readonly MapEntry[];
  readonly full: MapEntry;
}

/** Beside a full `parameters` nothing else declares one. */
function reportStray(
  { stray, strays, full }: StrayKey,
  toolKeys: readonly string[],
  { report }: SkillContext,
): void {
  const finding = unknownToolKey(stray, toolKeys);
  const name = full.key.value;
  const help =
    looksLikeParameter(stray.value) && !isMisspeltKey(stray, strays)
      ? `declare the parameter under ${quote(`${name}.properties`)}`
      : undefined;
  report.add({ ...finding, help: help ?? finding.help });
}

function requireObject(
  model: SchemaModel,
  full: MapEntry,
  { report }: SkillContext,
): SchemaModel | undefined {
  if (describesObject(model.schema)) return model;
  const properties = entryOf(full.value, "properties");
  const isEmpty = full.value.kind === "map" && full.value.entries.length === 0;
  report.add({
    code: "tool/parameters-not-object",
    span: entryOf(full.value, "type")?.value.span ?? full.key.span,
    message: `${quote(full.key.value)} must describe an object: callers pass parameters by name`,
    help: isEmpty
      ? `leave ${quote(full.key.value)} out of a tool that takes none`
      : properties === undefined
        ? "write `type: object` and put the parameters under `properties`"
        : "add `type: object`",
  });
  return undefined;
}
