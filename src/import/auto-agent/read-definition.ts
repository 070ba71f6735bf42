/** Reads one definition. A field of another type is a reason to leave the tool out. */
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from "../../core/json.js";
import { quote } from "../../core/names.js";
import type { Span } from "../../core/span.js";
import { type MapNode, textOf, toJson, valueOf } from "../../core/syntax-node.js";
import { leftOut, type ReadEntry, type ToolNote } from "../tools/entry.js";
import { type Fail, given, textIn, unrounded } from "../tools/read-fields.js";
import {
  type ConversionNotes,
  type NamedSchema,
  noConversionNotes,
  objectSchema,
  resultSchema,
} from "./convert-schema.js";
import { notesOn } from "./definition-notes.js";
import type { AgentTool, FoundDefinition } from "./definition.js";

/** Fields that the import reads. */
const fields: ReadonlySet<string> = new Set([
  "name",
  "description",
  "parameters",
  "category",
  "output_schema",
  "param_aliases",
]);

/** Fields about what an agent does after a call. */
const policies = ["post_policy", "replan_policy"] as const;

/** Reads a definition as a tool, or says why it is none. */
export function readDefinition({ node, position, span }: FoundDefinition): ReadEntry<AgentTool> {
  const label = textOf(valueOf(node, "name")) ?? `tool ${position}`;
  const reasons: ToolNote[] = [];
  const fail: Fail = (...reason) => void reasons.push(leftOut(...reason));
  if (node.kind !== "map") {
    fail(span, "this is not a tool definition", 'write `{ "name": …, "parameters": […] }`');
    return { label, notes: reasons };
  }
  const lost = noConversionNotes();
  const strangers = new Set<string>();
  const tool = toolIn(node, span, { fail, lost, strangers });
  if (tool === undefined || reasons.length > 0) return { label, notes: reasons };
  return { label, tool, notes: [...notesOn({ ...lost, tool, strangers }), ...ignoredIn(node)] };
}

interface Reading {
  readonly fail: Fail;
  readonly lost: ConversionNotes;
  /** Receives parameters of `param_aliases` that the tool does not have. */
  readonly strangers: Set<string>;
}

function toolIn(node: MapNode, span: Span, reading: Reading): AgentTool | undefined {
  const { fail, lost } = reading;
  const id = textIn(node, "name", fail);
  if (id === undefined || id.trim() === "")
    fail(span, "the tool has no `name`", 'write a name, such as `"write_code"`');
  const [description, category] = ["description", "category"].map((field) =>
    textIn(node, field, fail),
  );
  const named = parametersIn(node, fail);
  const returns = outputsIn(node, fail);
  const aliases = aliasesIn(node, named ?? [], reading);
  if (id === undefined || named === undefined) return undefined;
  return {
    id,
    span,
    ...(description !== undefined && { description }),
    ...(category !== undefined && { category }),
    parameters: { ...objectSchema(named, lost), additionalProperties: false },
    ...(returns && { returns: resultSchema(returns, lost) }),
    aliases,
  };
}

function parametersIn(node: MapNode, fail: Fail): readonly NamedSchema[] | undefined {
  const found = given(node, "parameters");
  if (found === undefined) return [];
  const help = 'write `[{ "name": …, "type": …, "required": … }]`';
  if (found.kind !== "list") return fail(found.span, "`parameters` is not a list", help);
  if (unrounded(found, fail) === undefined) return undefined;
  const seen = new Set<string>();
  return found.items.flatMap((each) => {
    const name = each.kind === "map" ? textIn(each, "name", fail) : undefined;
    if (name === undefined || name === "")
      return fail(each.span, "a parameter has no `name`", help) ?? [];
    if (seen.has(name)) fail(each.span, `two parameters have the name ${quote(name)}`);
    seen.add(name);
    for (const flag of ["required", "optional"]) {
      const value = each.kind === "map" ? given(each, flag) : undefined;
      if (value !== undefined && !(value.kind === "scalar" && typeof value.value === "boolean"))
        fail(value.span, `${quote(flag)} is neither \`true\` nor \`false\``);
    }
    return [{ name, value: toJson(each) }];
  });
}

function outputsIn(node: MapNode, fail: Fail): JsonObject | undefined {
  const found = given(node, "output_schema");
  const value = found && unrounded(found, fail);
  if (value === undefined) return undefined;
  const outputs = toJson(value);
  if (!isJsonObject(outputs))
    return fail(
      value.span,
      "`output_schema` is not a mapping",
      'write `{ "file_path": { "type": "string" } }`',
    );
  return Object.keys(outputs).length === 0 ? undefined : outputs;
}

/** Reads other names of parameters, without each parameter's own. */
function aliasesIn(
  node: MapNode,
  named: readonly NamedSchema[],
  { fail, strangers }: Reading,
): JsonObject {
  const made: Record<string, JsonValue> = {};
  const found = given(node, "param_aliases");
  if (found === undefined) return made;
  if (found.kind !== "map") return fail(found.span, "`param_aliases` is not a mapping") ?? made;
  const known = new Set(named.map(({ name }) => name));
  for (const { key, value } of found.entries) {
    const items = value.kind === "list" ? value.items : [value];
    const texts = items.flatMap((each) => textOf(each) ?? []);
    const isNull = value.kind === "scalar" && value.value === null;
    if (texts.length < items.length && !isNull)
      fail(value.span, `the other names of ${quote(key.value)} are not texts`);
    const others = [...new Set(texts)].filter((each) => each !== key.value && each !== "");
    if (!known.has(key.value)) strangers.add(key.value);
    else if (others.length > 0) setOwn(made, key.value, others);
  }
  return made;
}

function ignoredIn({ entries }: MapNode): readonly ToolNote[] {
  return entries
    .map(({ key }) => key)
    .filter(({ value }) => !fields.has(value))
    .map(({ span, value }) => ({
      code: "import/part-left-out",
      span,
      message: policies.some((each) => each === value)
        ? `${quote(value)} says what an agent does after a call: a tool can't express it`
        : `the import does not read ${quote(value)}`,
    }));
}
