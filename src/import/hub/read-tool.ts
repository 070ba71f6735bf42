/** Reads one entry of a hub manifest. A field of another type is a reason to leave the tool out. */
import { isJsonObject } from "../../core/json.js";
import { listed, quote } from "../../core/names.js";
import type { Span } from "../../core/span.js";
import { type MapNode, textOf, toJson, valueOf } from "../../core/syntax-node.js";
import { leftOut, type ReadEntry, type ToolNote } from "../tools/entry.js";
import { type Fail, given, textIn, unrounded } from "../tools/read-fields.js";
import type { FoundEntry, HubTool } from "./hub-tool.js";
import { splitCommand } from "./split-command.js";

/** Fields that the import reads. */
const fields: ReadonlySet<string> = new Set(
  [
    "id name description risk_level executor args_schema",
    "command cmd cwd timeout_sec allowed_paths is_enabled",
  ].flatMap((line) => line.split(" ")),
);

/** Fields about the hub's own record of a tool. */
const bookkeeping = /^(?:created|updated|deleted)_(?:at|by)$/;

/** Reads an entry as a tool, or says why it is none. */
export function readTool({ key, node, position, span }: FoundEntry): ReadEntry<HubTool> {
  const label = key ?? textOf(valueOf(node, "id")) ?? `tool ${position}`;
  const reasons: ToolNote[] = [];
  const fail: Fail = (...reason) => void reasons.push(leftOut(...reason));
  const tool =
    node.kind === "map"
      ? toolIn(node, key, span, fail)
      : fail(span, "this is not a tool", 'write `{ "cmd": … }`');
  return tool === undefined || reasons.length > 0
    ? { label, notes: reasons }
    : { label, tool, notes: node.kind === "map" ? ignoredIn(node, key !== undefined) : [] };
}

function toolIn(
  node: MapNode,
  key: string | undefined,
  span: Span,
  fail: Fail,
): HubTool | undefined {
  const id = key ?? textIn(node, "id", fail);
  if (id === undefined || id.trim() === "")
    fail(span, "the tool has no `id`", 'write an id, such as `"backup_notes"`');
  const [name, description, risk, executor, cwd] = [
    "name",
    "description",
    "risk_level",
    "executor",
    "cwd",
  ].map((field) => textIn(node, field, fail));
  const schema = schemaIn(node, fail);
  const timeoutSeconds = secondsIn(node, fail);
  const command = commandIn(node, span, fail);
  const allowedPaths = textsIn(node, "allowed_paths", fail) ?? [];
  const isEnabled = enabledIn(node, fail);
  if (id === undefined || command === undefined) return undefined;
  return {
    id,
    span,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(risk !== undefined && { risk }),
    ...(executor !== undefined && { executor }),
    ...(schema && { schema }),
    command,
    ...(cwd !== undefined && { cwd }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    allowedPaths,
    isEnabled,
  };
}

function textsIn(node: MapNode, field: string, fail: Fail): readonly string[] | undefined {
  const value = given(node, field);
  if (value === undefined) return undefined;
  const items = value.kind === "list" ? value.items : [value];
  const texts = items.flatMap((each) => textOf(each) ?? []);
  return value.kind === "list" && texts.length === items.length
    ? texts
    : fail(value.span, `${quote(field)} is not a list of texts`);
}

function schemaIn(node: MapNode, fail: Fail): HubTool["schema"] {
  const found = given(node, "args_schema");
  const value = found && unrounded(found, fail);
  if (value === undefined) return undefined;
  const schema = toJson(value);
  const isSchema =
    isJsonObject(schema) &&
    (Object.keys(schema).length === 0 || schemaKeys.some((each) => Object.hasOwn(schema, each)));
  return isSchema
    ? schema
    : fail(
        value.span,
        "`args_schema` is not the JSON Schema of an object",
        'write `{ "type": "object", "properties": { … } }`',
      );
}

/** Keys of which a schema of parameters has at least one. */
const schemaKeys = [
  "type",
  "properties",
  "$ref",
  "allOf",
  "anyOf",
  "oneOf",
  "additionalProperties",
];

function commandIn(node: MapNode, span: Span, fail: Fail): readonly string[] | undefined {
  const field = given(node, "command") === undefined ? "cmd" : "command";
  const value = given(node, field);
  if (value === undefined) return fail(span, "the tool has no `command`");
  const line = textOf(value);
  const words = line === undefined ? textsIn(node, field, fail) : wordsOf(line, value.span, fail);
  return words?.length === 0 ? fail(value.span, `${quote(field)} is empty`) : words;
}

function wordsOf(line: string, span: Span, fail: Fail): readonly string[] | undefined {
  const split = splitCommand(line);
  if ("words" in split) return split.words;
  return fail(
    span,
    `the command needs a shell: ${/\s/.test(split.odd) ? "a line break" : quote(split.odd)} is more than plain text`,
    "put the line into a script, and write the program and its arguments as a list under `command`",
  );
}

function secondsIn(node: MapNode, fail: Fail): number | undefined {
  const value = given(node, "timeout_sec");
  if (value === undefined) return undefined;
  const seconds = value.kind === "scalar" ? value.value : undefined;
  if (typeof seconds === "number" && seconds > 0) return seconds;
  return fail(value.span, "`timeout_sec` is not a number above 0");
}

function enabledIn(node: MapNode, fail: Fail): boolean {
  const value = given(node, "is_enabled");
  if (value?.kind === "scalar" && typeof value.value === "boolean") return value.value;
  if (value !== undefined) fail(value.span, "`is_enabled` is neither `true` nor `false`");
  return true;
}

/** @param hasKey true if the key of the entry is the id, and a field `id` counts for nothing */
function ignoredIn(node: MapNode, hasKey: boolean): readonly ToolNote[] {
  const { entries } = node;
  const hasCommand = given(node, "command") !== undefined;
  const isRead = (field: string): boolean =>
    fields.has(field) && !(field === "id" && hasKey) && !(field === "cmd" && hasCommand);
  const ignored = entries
    .map(({ key }) => key)
    .filter(({ value }) => !isRead(value) && !bookkeeping.test(value));
  const [first] = ignored;
  if (first === undefined) return [];
  const names = listed(ignored.map(({ value }) => quote(value)));
  return [
    {
      code: "import/part-left-out",
      span: first.span,
      message: `the import does not read ${names}`,
    },
  ];
}
