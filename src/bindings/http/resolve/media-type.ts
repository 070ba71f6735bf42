import { isWellFormedMediaType } from "@skillc/runtime/internal/http";
import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ScalarNode } from "../../../core/syntax-node.js";
import { literalText } from "../../../kit/text-template.js";
import type { ScalarModel } from "../../../kit/values/model.js";
import { readScalar } from "../../../kit/values/read-value.js";
import { httpTemplates } from "../model.js";
import { checkHeaderValue } from "./request.js";

/** Reads the media type of a body or a part, which becomes a header. */
export function readMediaType(node: ScalarNode, report: Report): ScalarModel<"caller"> {
  const read = readScalar(node, { language: httpTemplates, report });
  const isSendable = checkHeaderValue(node, read, report);
  const text = read.kind === "template" ? literalText(read.template) : String(read.value);
  if (!isSendable || text === undefined || isWellFormedMediaType(text)) return read;
  report.add({
    code: "http/bad-media-type",
    span: node.span,
    message: `${quote(text)} is not a media type`,
    help: `write a type and a subtype: ${quote(typeLike(text) ?? "application/pdf")}`,
  });
  return read;
}

/** Common media types. `text` alone means the first of its type: `text/plain`. */
const common = [
  "text/plain",
  "text/csv",
  "text/html",
  "text/markdown",
  "application/octet-stream",
  "application/json",
  "application/pdf",
  "application/xml",
  "application/zip",
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
];

/** Endings of file names that differ from the subtype. */
const endings: ReadonlyMap<string, string> = new Map([
  ["txt", "plain"],
  ["md", "markdown"],
  ["jpg", "jpeg"],
]);

/** Returns the media type that an author meant by a part of it: `pdf`, `.jpg`, `text`. */
function typeLike(text: string): string | undefined {
  const word = text.trim().toLowerCase().replace(/^\./, "");
  const subtype = endings.get(word) ?? word;
  return (
    common.find((each) => each.endsWith(`/${subtype}`)) ??
    common.find((each) => each.startsWith(`${word}/`))
  );
}
