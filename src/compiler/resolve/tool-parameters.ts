import { isJsonObject, type JsonSchema, type JsonValue } from "../../core/json.js";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SchemaModel } from "../../core/skill-model.js";
import { entryOf, type MapEntry, type MapNode, textOf, valueOf } from "../../core/syntax-node.js";
import { withFiles } from "../../schema/file-schema.js";
import { withParametersSent } from "../../schema/form.js";
import { readSchema } from "../../schema/read-schema.js";
import { schemaReading, type SkillContext } from "./context.js";
import {
  isMisspeltKey,
  looksLikeParameter,
  readShortForm,
  type ToolKeysContext,
  unknownToolKey,
} from "./short-form.js";

/** Reads the tool's parameters, in any form. Undefined, with a report, if they are unusable. */
export function readParameters(
  tool: MapEntry,
  node: MapNode,
  toolKeys: readonly string[],
  context: SkillContext,
): SchemaModel | undefined {
  const { kinds, report } = context;
  const bindingType = textOf(valueOf(valueOf(node, "binding"), "type")) ?? "";
  const inferring = kinds.all.flatMap((each) => (each.engine?.infersParameters ? [each.type] : []));
  const strays = node.entries.filter(({ key }) => !toolKeys.includes(key.value));
  const full = fullForm(node, context);
  const form = { toolKeys, bindingType, inferring, kinds };
  const document = full === undefined ? readShortForm(tool, strays, form, report) : full.value;
  if (full !== undefined)
    for (const each of strays) reportStray({ stray: each, strays, full }, form, report);
  // The shape check has reported a wrong type.
  if (document?.kind !== "map") return undefined;
  const read = readSchema(document, schemaReading(context));
  const model = read && withFiles({ ...read, schema: withParametersSent(read.schema) }, report);
  if (model === undefined || full === undefined) return model;
  return requireObject(model, full, context);
}

/** Finds `parameters`, or its other name `params`. */
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
  /** This key and the tool's other unknown keys. */
  readonly strays: readonly MapEntry[];
  readonly full: MapEntry;
}

/** Reports a key beside a full `parameters`, because no other key can then declare a parameter. */
function reportStray(
  { stray, strays, full }: StrayKey,
  keys: ToolKeysContext,
  report: Report,
): void {
  const place = quote(`${full.key.value}.properties`);
  const diagnostic = unknownToolKey(stray, keys, `declare a parameter under ${place}`);
  const help =
    looksLikeParameter(stray.value) && !isMisspeltKey(stray, strays, keys.kinds)
      ? `declare the parameter under ${place}`
      : diagnostic.help;
  report.add({ ...diagnostic, help });
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
      ? `remove ${quote(full.key.value)} if the tool takes no parameters`
      : properties === undefined
        ? "write `type: object` and put the parameters under `properties`"
        : "add `type: object`",
  });
  return undefined;
}

/**
 * Checks if a normalized schema only accepts objects: by itself, through `$ref`, by one schema in
 * `allOf`, or by all in `anyOf` or `oneOf`.
 */
function describesObject(schema: JsonSchema): boolean {
  return isObject(schema, schema, new Set());
}

/**
 * Checks if a schema only accepts objects.
 *
 * @param open schemas on the path; one that leads back to itself adds nothing
 */
function isObject(
  at: JsonValue | undefined,
  root: JsonSchema,
  open: ReadonlySet<JsonValue>,
): boolean {
  if (!isJsonObject(at) || open.has(at)) return false;
  const inside = new Set(open).add(at);
  const describes = (each: JsonValue | undefined) => isObject(each, root, inside);
  return (
    isObjectOnly(at["type"]) ||
    describes(definition(root, at["$ref"])) ||
    schemasOf(at["allOf"]).some(describes) ||
    [at["anyOf"], at["oneOf"]].some((choice) => {
      const branches = schemasOf(choice);
      return branches.length > 0 && branches.every(describes);
    })
  );
}

function schemasOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function isObjectOnly(type: JsonValue | undefined): boolean {
  return (
    type === "object" ||
    (Array.isArray(type) && type.length > 0 && type.every((each) => each === "object"))
  );
}

/**
 * Returns the target of a reference, which is the root or one of its definitions after
 * normalization.
 */
function definition(root: JsonSchema, reference: JsonValue | undefined): JsonValue | undefined {
  if (reference === "#") return root;
  const definitions = isJsonObject(root) ? root["$defs"] : undefined;
  if (typeof reference !== "string" || !isJsonObject(definitions)) return undefined;
  const name = reference.replace("#/$defs/", "");
  return Object.hasOwn(definitions, name) ? definitions[name] : undefined;
}
