import { getOwn } from "../../core/json.js";
import { quote, shown } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { CredentialUse } from "../../core/skill-model.js";
import { entryOf, type MapNode, type SyntaxNode, valueOf } from "../../core/syntax-node.js";
import type { ResolveInput } from "../../kit/binding.js";
import { readConnection } from "../../kit/read-connection.js";
import { type TextNode, textNode } from "../../kit/text-template.js";
import { readAvro } from "./avro/read-avro.js";
import type { MessageSchema } from "./message-schema.js";
import { readProtobuf } from "./protobuf/read-protobuf.js";

export interface SchemaReading {
  readonly schema?: MessageSchema;
  readonly registry?: CredentialUse;
  /** False after a fault; the schema is then unknown. */
  readonly isRead: boolean;
}

/** Reads `format`, `schema` and `registry`. */
export function readMessageSchema(input: ResolveInput): SchemaReading {
  const { node, report } = input;
  const { file, name, node: format } = readFormat(node, report);
  const registry = readRegistry(input, name);
  const others = { ...(registry.use && { registry: registry.use }) };
  if (file === undefined) {
    if (name === "json") return { ...others, isRead: registry.isRead };
    const message = `${quote(name)} messages need a schema, but the binding names none`;
    const help =
      name === "avro"
        ? "write `schema: ./order.avsc`"
        : "write `schema: ./orders.proto#acme.Order`";
    report.add({ code: "queue/no-schema", span: format?.span ?? node.span, message, help });
    return { isRead: false };
  }
  const schema = isThere(file, input) ? getOwn(readers, name)?.(file, input) : undefined;
  return schema === undefined ? { isRead: false } : { ...others, schema, isRead: registry.isRead };
}

const readers: {
  readonly [format: string]: (file: TextNode, input: ResolveInput) => MessageSchema | undefined;
} = {
  json: readJson,
  avro: readAvroFile,
  protobuf: readProtobufFile,
};

/**
 * True if the file is among the skill's own; otherwise reports it. A JSON Schema may refer to any
 * file below the skills folder.
 */
function isThere(file: TextNode, { ownFiles }: ResolveInput): boolean {
  const [path = ""] = file.value.split("#");
  return ownFiles.readFile(path === "" ? file.value : path, file) !== undefined;
}

/**
 * Reads the file through a document that refers to it, so that it is bundled like any other
 * referenced schema and keeps its own spans.
 */
function readJson(file: TextNode, { readSchema }: ResolveInput): MessageSchema | undefined {
  const { span } = file;
  // References are percent-encoded, paths are not.
  const reference = file.value.replaceAll("%", "%25");
  const document: SyntaxNode = {
    kind: "map",
    span,
    entries: [{ key: { ...file, value: "$ref" }, value: { ...file, value: reference } }],
  };
  const json = readSchema(document);
  return json && { json, types: {}, encoding: { kind: "json" } };
}

function readAvroFile(
  file: TextNode,
  { ownFiles, report }: ResolveInput,
): MessageSchema | undefined {
  const tree = ownFiles.readTree(file.value, file);
  return tree && readAvro(tree, report);
}

function readProtobufFile(
  file: TextNode,
  { ownFiles, report }: ResolveInput,
): MessageSchema | undefined {
  return readProtobuf(file, { readFile: ownFiles.readFile, report });
}

function readRegistry(
  { node, report }: ResolveInput,
  format: string,
): { readonly use?: CredentialUse; readonly isRead: boolean } {
  const entry = entryOf(node, "registry");
  if (entry === undefined) return { isRead: true };
  if (format !== "avro") reportForeign(entry.key, format, report);
  const use = readConnection(
    entry.value,
    { kind: "queue", example: "SCHEMA_REGISTRY_URL" },
    report,
  );
  return { ...(use && { use }), isRead: use !== undefined && format === "avro" };
}

function reportForeign(key: TextNode, format: string, report: Report): void {
  report.add({
    code: "queue/not-for-format",
    span: key.span,
    message: `${quote(format)} messages can't have ${quote(key.value)}`,
    help: "remove it, or write `format: avro`",
  });
}

/** How messages are encoded, and the file with their schema. */
export interface FormatReading {
  readonly name: string;
  /** Node of the format. */
  readonly node?: TextNode;
  /** The schema file, without parts that its format doesn't allow. */
  readonly file?: TextNode;
}

/**
 * Reads `format` and `schema`. If the format doesn't fit the file, reports it and assumes the
 * file's format.
 */
function readFormat(binding: MapNode, report: Report): FormatReading {
  const node = textNode(valueOf(binding, "format"));
  const stated = node?.value ?? "json";
  const file = textNode(valueOf(binding, "schema"));
  const meant = file && formatOfFile(file.value);
  if (file !== undefined && meant !== undefined && meant !== stated)
    reportOther({ file, meant, stated, isDefault: node === undefined }, report);
  const name = meant ?? stated;
  const whole = file && name === "avro" ? withoutFragment(file, report) : file;
  return { name, ...(node && { node }), ...(whole && { file: whole }) };
}

/**
 * The format by the file's ending; undefined if the ending doesn't determine it, because a JSON
 * Schema may have any.
 */
function formatOfFile(path: string): string | undefined {
  const ending = /\.(avsc|proto)(?:#.*)?$/is.exec(path)?.[1]?.toLowerCase();
  return ending && (ending === "avsc" ? "avro" : "protobuf");
}

interface OtherFormat {
  readonly file: TextNode;
  readonly meant: string;
  readonly stated: string;
  readonly isDefault: boolean;
}

function reportOther({ file, isDefault, meant, stated }: OtherFormat, report: Report): void {
  const what = meant === "avro" ? "an Avro schema" : "a Protobuf file";
  report.add({
    code: "queue/other-format",
    span: file.span,
    message: `${quote(file.value)} is ${what}, but ${isDefault ? "without `format` messages are JSON" : `the format is \`${stated}\``}`,
    help: `write \`format: ${meant}\``,
  });
}

/** Reports and removes a fragment, because an Avro file has only one schema. */
function withoutFragment(file: TextNode, report: Report): TextNode {
  const [path = "", ...rest] = file.value.split("#");
  // Without a path, the missing file is reported elsewhere.
  if (rest.length === 0 || path === "") return file;
  report.add({
    code: "queue/not-for-format",
    span: file.span,
    message: `\`avro\` messages can't have \`#${shown(rest.join("#"))}\`: an Avro file is one schema`,
    help: `write \`schema: ${shown(path)}\``,
  });
  return { ...file, value: path };
}
