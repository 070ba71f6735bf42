import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import {
  type MapEntry,
  type MapNode,
  type SyntaxNode,
  textOf,
  valueOf,
} from "../../../core/syntax-node.js";
import { loneParameter } from "../../../kit/text-template.js";
import type { ScalarModel } from "../../../kit/values/model.js";
import { checkLiteralName, readScalar, readValue } from "../../../kit/values/read-value.js";
import { type BodyModel, httpTemplates, type PartModel } from "../model.js";
import { readMediaType } from "./media-type.js";

/** Keys that decide the kind of a part. */
const kinds = ["text", "json", "file"] as const;
const keys: ReadonlySet<string> = new Set([...kinds, "type"]);

/** Reads `body: { multipart: … }`, which has a part for each name, and `fields` beside it. */
export function readMultipart({ value }: MapEntry, body: SyntaxNode, report: Report): BodyModel {
  const entries = value.kind === "map" ? value.entries : [];
  const parts = entries.flatMap((entry) => readPart(entry, report) ?? []);
  const fields = readFields(valueOf(body, "fields"), report);
  return { kind: "multipart", parts, ...(fields && { fields }), span: value.span };
}

/** Reads the parameter whose properties are further parts. */
function readFields(
  node: SyntaxNode | undefined,
  report: Report,
): ScalarModel<"caller"> | undefined {
  // The schema of bindings reports other values.
  if (node?.kind !== "scalar" || textOf(node) === undefined) return undefined;
  const fields = readScalar(node, { language: httpTemplates, report });
  if (fields.kind === "template" && loneParameter(fields.template) === undefined)
    report.add({
      code: "http/bad-body",
      span: node.span,
      message: "`fields` is not one parameter",
      help: 'write `fields: "{fields}"` for a parameter that is an object',
    });
  return fields;
}

/** Reads a part; undefined for an invalid one, which is reported. */
function readPart({ key, value }: MapEntry, report: Report): PartModel | undefined {
  checkPartName(key.value, key.span, report);
  const named = { name: key.value, span: key.span };
  if (value.kind === "scalar")
    return {
      ...named,
      kind: "text",
      value: readScalar(value, { language: httpTemplates, report }),
    };
  // The schema of bindings reports other shapes and unknown keys.
  if (value.kind !== "map") return undefined;
  const part = value;
  const [kind, ...others] = kinds.filter((each) => valueOf(part, each) !== undefined);
  if (kind === undefined || others.length > 0) {
    const isTold = part.entries.some((each) => !keys.has(each.key.value));
    if (isTold) return undefined;
    report.add({
      code: "http/bad-part",
      span: key.span,
      message: `the part ${quote(key.value)} is neither text nor exactly one of \`json\`, \`file\` and \`text\``,
      help: 'write text (`title: "{title}"`), or one of `{ json: … }`, `{ file: "{photo}" }` and `{ text: … }`',
    });
    return undefined;
  }
  const type = readType(part, report);
  const typed = { ...named, ...(type && { type }) };
  const content = valueOf(part, kind);
  if (kind === "json" && content !== undefined)
    return { ...typed, kind, value: readValue(content, { language: httpTemplates, report }) };
  if (content?.kind !== "scalar" || kind === "json") return undefined;
  return { ...typed, kind, value: readScalar(content, { language: httpTemplates, report }) };
}

/** Reads a part's media type. */
function readType(part: MapNode, report: Report): ScalarModel<"caller"> | undefined {
  const node: SyntaxNode | undefined = valueOf(part, "type");
  if (node?.kind !== "scalar" || textOf(node) === undefined) return undefined;
  const read = readMediaType(node, report);
  const parts = read.kind === "template" ? read.template.parts : [];
  const secret = parts.find(({ kind }) => kind === "credential");
  if (secret === undefined) return read;
  report.add({
    code: "http/bad-part",
    span: secret.span,
    message: "the media type of a part can't be a credential",
    help: "write it out, or name a parameter",
  });
  return undefined;
}

/**
 * Rejects line ends and quotes in a part's name. Browsers escape them, but many receivers don't
 * decode the escapes.
 */
function checkPartName(name: string, span: MapEntry["key"]["span"], report: Report): void {
  checkLiteralName(name, span, { language: httpTemplates, report });
  const bad = /["\p{Cc}]/u.exec(name)?.[0];
  if (bad === undefined && name !== "") return;
  report.add({
    code: "http/bad-part",
    span,
    message:
      bad === undefined
        ? "a part needs a name"
        : `the name of a part can't hold ${bad === '"' ? "a quote" : "a line break or another control character"}`,
    help: "use letters, digits, `-`, `_` and brackets",
  });
}
