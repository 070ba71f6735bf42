import { usualItemBytes } from "@skillc/runtime/internal/http";
import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { type MapNode, type SyntaxNode, valueOf } from "../../../core/syntax-node.js";
import { readByteLimit } from "../../../kit/byte-limit.js";
import { type TextNode, textNode } from "../../../kit/text-template.js";
import { type AnswerForm, answerForms, type FormName } from "../model.js";

/** A content type without parameters, or a range such as `image/*`. */
const contentTypeRange = /^[a-z0-9][a-z0-9!#$&^_.+-]*\/(?:\*|[a-z0-9][a-z0-9!#$&^_.+-]*)$/;

/** Reads `response`, the form of a success's body: a word, or a mapping with options. */
export function readAnswerForm(
  node: SyntaxNode | undefined,
  report: Report,
): AnswerForm | undefined {
  const written = textNode(node?.kind === "map" ? valueOf(node, "as") : node);
  const as = answerForms.find((each) => each === written?.value);
  if (written === undefined || as === undefined) return undefined;
  if (node?.kind !== "map") return { as, span: written.span };
  const keys = readKeys(node, as, report);
  return { as, span: written.span, ...keys };
}

function readKeys(node: MapNode, as: FormName, report: Report): Omit<AnswerForm, "as" | "span"> {
  const types = readTypes(valueOf(node, "type"), report);
  const isStream = as === "ndjson" || as === "sse";
  const save = ofForm(node, "save", as === "bytes", "`as: bytes`", report);
  const most = ofForm(node, "max_item_bytes", isStream, "`as: ndjson` and `as: sse`", report);
  const limit = { usual: usualItemBytes, report };
  const end = textNode(ofForm(node, "end", as === "sse", "`as: sse`", report));
  return {
    ...(types && { types }),
    ...(save?.kind === "scalar" && save.value === true && { save: true }),
    ...(most && { maxItemBytes: readByteLimit(node, "max_item_bytes", limit).bytes }),
    ...(end && { end: end.value }),
  };
}

/** Returns the value of a key that only some forms have; reports the key for other forms. */
function ofForm(
  node: MapNode,
  key: string,
  isFitting: boolean,
  forms: string,
  report: Report,
): SyntaxNode | undefined {
  const value = valueOf(node, key);
  if (value === undefined || isFitting) return value;
  report.add({
    code: "http/bad-response",
    span: value.span,
    message: `\`${key}\` is for ${forms}`,
    help: "remove it",
  });
  return undefined;
}

function readTypes(node: SyntaxNode | undefined, report: Report): readonly string[] | undefined {
  if (node === undefined) return undefined;
  const nodes = node.kind === "list" ? node.items : [node];
  const texts = nodes.flatMap((each) => textNode(each) ?? []);
  for (const each of texts) checkType(each, report);
  const types = texts.map(({ value }) => value.toLowerCase());
  return types.every((each) => contentTypeRange.test(each)) && types.length > 0 ? types : undefined;
}

function checkType({ span, value }: TextNode, report: Report): void {
  if (contentTypeRange.test(value.toLowerCase())) return;
  const [bare = ""] = value.toLowerCase().split(";");
  report.add({
    code: "http/bad-response",
    span,
    message: `\`${shown(value)}\` is not a content type`,
    help: contentTypeRange.test(bare.trim())
      ? `write it without parameters: \`${shown(bare.trim())}\``
      : "write a type without parameters: `application/pdf`, or `image/*`",
  });
}
