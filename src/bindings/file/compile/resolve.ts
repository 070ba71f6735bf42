import { readOperations, usualFileBytes } from "@skillc/runtime/internal/file";
import { amountOf, byteSize } from "../../../core/quantities.js";
import { type MapNode, type SyntaxNode, textOf, valueOf } from "../../../core/syntax-node.js";
import type { ResolvedBinding, ResolveInput } from "../../../kit/binding.js";
import { readByteLimit } from "../../../kit/byte-limit.js";
import { credentialsIn, parametersIn } from "../../../kit/coverage.js";
import { isTemporary } from "../../../kit/folders.js";
import { rootsIn } from "../../../kit/roots.js";
import { parseTemplate, textNode } from "../../../kit/text-template.js";
import { readScalar } from "../../../kit/values/read-value.js";
import {
  type FileConfig,
  type FileText,
  fileTemplates,
  keysOf,
  type OptionModel,
  type OptionName,
  optionTemplates,
  optionTypes,
} from "./model.js";

/** Reads the `binding:` mapping of a file tool as a model. */
export function resolveFile(input: ResolveInput): ResolvedBinding<FileConfig> | undefined {
  const { fileFolders, node, report } = input;
  const read = (each: SyntaxNode | undefined): FileText | undefined => {
    const written = textNode(each);
    return written && parseTemplate(written, fileTemplates, report);
  };
  const operationNode = valueOf(node, "operation");
  const operation = operationsNamed.find((each) => each === textOf(operationNode));
  const path = read(valueOf(node, "path"));
  if (operationNode === undefined || operation === undefined) return undefined;
  const to = read(valueOf(node, "to"));
  const base64 = valueOf(node, "content_b64");
  const content = read(base64 ?? valueOf(node, "content") ?? valueOf(node, "patch"));
  const options = optionNames.flatMap((name) => readOption(input, name));
  const allowedNode = valueOf(node, "allowed_paths");
  const folders = (allowedNode?.kind === "list" ? allowedNode.items : []).flatMap(
    (each) => read(each) ?? [],
  );
  const allowed = folders.filter((each) => !isTemporary(each));
  const templates = [
    ...(path ? [path] : []),
    ...(to ? [to] : []),
    ...(content ? [content] : []),
    ...allowed,
    ...options.flatMap(({ value }) => (value.kind === "template" ? [value.template] : [])),
  ];
  const parts = templates.flatMap((each) => each.parts);
  const isBase64 = base64 !== undefined || textOf(valueOf(node, "encoding")) === "base64";
  return {
    config: {
      operation,
      span: operationNode.span,
      keys: keysIn(node),
      ...(path && { path }),
      ...(to && { to }),
      ...(content && { content }),
      options,
      allowed,
      ...(allowed.length < folders.length && { usesTemporary: true }),
      ...(fileFolders && { within: fileFolders }),
      encoding: isBase64 ? "base64" : "utf-8",
      maxBytes: readByteLimit(node, "max_bytes", { usual: usualFileBytes, report }).bytes,
      whole: templates.every(({ whole }) => whole),
    },
    effect: readOperations.includes(operation) ? "read" : "write",
    effectSpan: operationNode.span,
    idempotent: false,
    credentials: credentialsIn(parts),
    references: parametersIn(parts),
    paths: [...(path ? [path] : []), ...(to ? [to] : [])].flatMap(({ parts: [first] }) =>
      first?.kind === "parameter" ? [first.path] : [],
    ),
    roots: rootsIn(parts),
  };
}

// The keys of these records are the names.
const operationsNamed = Object.keys(keysOf) as (keyof typeof keysOf)[];
const optionNames = Object.keys(optionTypes) as OptionName[];
const dependentKeys = new Set(
  Object.values(keysOf).flatMap(({ needs, takes }) => [...needs, ...takes]),
);

/** Returns the keys that depend on the operation. */
function keysIn({ entries }: MapNode): FileConfig["keys"] {
  return entries
    .filter(({ key }) => dependentKeys.has(key.value))
    .map(({ key }) => ({ name: key.value, span: key.span }));
}

function readOption({ node, report }: ResolveInput, name: OptionName): readonly OptionModel[] {
  const written = valueOf(node, name);
  if (written?.kind !== "scalar") return [];
  const bytes = name === "size_bytes" ? amountOf(byteSize, written.value) : undefined;
  const sized = bytes === undefined ? written : { ...written, value: bytes };
  const value = readScalar(sized, { language: optionTemplates, report });
  return value === undefined ? [] : [{ name, span: written.span, value }];
}
