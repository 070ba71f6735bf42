/**
 * Files among a tool's parameters. An author marks a parameter, or the items of a list, with
 * `x-skillc-file: true`. In the normalized document, the mark becomes a reference to one definition
 * of the JSON form: `{ path }` or `{ base64 }`. Code may also pass bytes and streams, so the
 * generated type is the runtime's `ToolFile`. Validators only require an object; the runtime reads
 * it.
 */
import { fileDefinition } from "@skillc/runtime/internal";
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../core/json.js";
import type { Report } from "../core/report.js";
import { runtimeEntry } from "../core/runtime-entry.js";
import type { SchemaModel } from "../core/skill-model.js";
import { mentions } from "./mentions.js";
import { placeAt } from "./place-at.js";
import { below } from "./pointer.js";
import { everySchema, schemaMapUnder, schemaUnder, type Subschema } from "./schema-tree.js";
import type { ImportedType } from "./type-layout.js";

const fileKeyword = "x-skillc-file";

const reference = `#/$defs/${fileDefinition}`;

/** Pointer of the definition in a document, and its property for content. */
export const filePointer = `/$defs/${fileDefinition}`;
export const fileContent = "base64";

const text = (description: string): JsonObject => ({ type: "string", description });

const definition: JsonObject = {
  [fileKeyword]: true,
  type: "object",
  description: "A file: exactly one of `path` and `base64`.",
  properties: {
    path: { ...text("Path of the file."), minLength: 1 },
    [fileContent]: text("Content of the file, in base64."),
    name: { ...text("Name of the file for the receiver."), minLength: 1 },
    type: { ...text("Media type of the file: `image/png`."), minLength: 1 },
  },
  additionalProperties: false,
  oneOf: [{ required: ["path"] }, { required: [fileContent] }],
};

/** Type of a file in generated code. */
export const fileTypes: ReadonlyMap<string, ImportedType> = new Map([
  [fileDefinition, { module: runtimeEntry(), name: "ToolFile" }],
]);

/** Checks if a schema is the definition of files. */
export function isFileSchema(schema: JsonSchema): boolean {
  return isJsonObject(schema) && schema[fileKeyword] === true;
}

/** A parameter that is one file, or a list of files. */
export type FileParameter = "file" | "list";

/** The parameters of a tool that are files, by name. */
export function fileParameters({ schema }: SchemaModel): ReadonlyMap<string, FileParameter> {
  const found = new Map<string, FileParameter>();
  if (!mentions(schema, fileKeyword) || !isJsonObject(schema)) return found;
  for (const [name, each] of schemaMapUnder(schema, "properties")) {
    if (refersToFile(each)) found.set(name, "file");
    else if (isJsonObject(each) && refersToFile(schemaUnder(each, "items")))
      found.set(name, "list");
  }
  return found;
}

function refersToFile(schema: JsonSchema | undefined): boolean {
  return isJsonObject(schema) && schema["$ref"] === reference;
}

/**
 * Replaces the marked parameters of a tool with file schemas. Reports marks in places that can't be
 * files.
 */
export function withFiles(model: SchemaModel, report: Report): SchemaModel {
  const { schema } = model;
  if (!isJsonObject(schema) || !mentions(schema, fileKeyword)) return model;
  const places = new Map<string, JsonObject>();
  const all = everySchema(schema);
  for (const at of all) {
    const mark = isJsonObject(at.schema) ? at.schema[fileKeyword] : undefined;
    if (mark === undefined) continue;
    const problem = fileProblem(at, mark, schema);
    if (problem === undefined) places.set(at.pointer, asReference(at.schema));
    else reportFile(model, at.pointer, problem, report);
  }
  if (places.size === 0) return model;
  const $defs = isJsonObject(schema["$defs"]) ? schema["$defs"] : {};
  const properties = schemaMapUnder(schema, "properties").map(([name, each]) => {
    const own = below("", "properties", name);
    const items = places.get(below(own, "items"));
    const list = items && isJsonObject(each) ? { ...each, items } : each;
    return [name, places.get(own) ?? list] as const;
  });
  return {
    ...model,
    schema: {
      ...schema,
      properties: Object.fromEntries(properties),
      $defs: { ...$defs, [fileDefinition]: definition },
    },
  };
}

/** Reports marks in a tool's results, which can't contain files. */
export function refuseFiles(model: SchemaModel, report: Report): void {
  if (!mentions(model.schema, fileKeyword)) return;
  for (const { pointer, schema } of everySchema(model.schema)) {
    if (!isJsonObject(schema) || schema[fileKeyword] === undefined) continue;
    const message = "a file must be a parameter of a tool, but this is not a parameter";
    reportFile(model, pointer, { message, help: "remove the key" }, report);
  }
}

interface FileProblem {
  readonly message: string;
  readonly help: string;
}

/** Keywords that may accompany the mark because they don't restrict the value. */
const beside: ReadonlySet<string> = new Set([
  fileKeyword,
  "type",
  "description",
  "title",
  "deprecated",
  "writeOnly",
  "x-sensitive",
]);

function fileProblem(
  { pointer, schema }: Subschema,
  mark: JsonValue,
  root: JsonObject,
): FileProblem | undefined {
  if (mark !== true)
    return {
      message: `\`${fileKeyword}\` must be \`true\``,
      help: "write `true`, or remove the key",
    };
  if (!isPlaceOfFile(pointer, root))
    return {
      message: "a file is inside another value, where skillc does not read it",
      help: "make it a parameter of its own, or the `items` of one that is a list of files",
    };
  const other = Object.keys(isJsonObject(schema) ? schema : {}).find(
    (each) => !beside.has(each) && !each.startsWith("x-"),
  );
  if (other !== undefined)
    return {
      message: `\`${other}\` has no effect on a file`,
      help: "remove it: skillc knows the type of a file, and a file has no default",
    };
  if (isJsonObject(schema) && schema["type"] !== "object")
    return { message: "a file must be an object", help: "write `type: object` beside it" };
  return undefined;
}

/** Checks if the pointer is a parameter, or the items of a list parameter. */
function isPlaceOfFile(pointer: string, root: JsonObject): boolean {
  return schemaMapUnder(root, "properties").some(([name, each]) => {
    const own = below("", "properties", name);
    if (pointer === own) return true;
    return pointer === below(own, "items") && isJsonObject(each) && each["type"] === "array";
  });
}

function asReference(schema: JsonSchema): JsonObject {
  const { [fileKeyword]: _, type: __, ...rest } = isJsonObject(schema) ? schema : {};
  return { $ref: reference, ...rest };
}

function reportFile(
  model: SchemaModel,
  pointer: string,
  problem: FileProblem,
  report: Report,
): void {
  const span = placeAt(model, pointer) ?? model.span;
  report.add({ code: "tool/bad-file", span, ...problem });
}
