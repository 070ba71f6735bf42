import { type Report, shown, spanWithin, type SyntaxNode, textNode } from "skillc/binding";
import type { HeaderModel } from "./model.js";
import { readValue } from "./values.js";

/** Name of a header (RFC 9110, 5.6.2). */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Matches control characters and characters beyond Latin-1, which a value can't contain (RFC 9110,
 * 5.5).
 */
const unsendable = /[^\t\u0020-\u007e\u0080-\u00ff]/u;

/** Headers that follow from the request or its connection. */
const reserved: ReadonlySet<string> = new Set(
  (
    "accept accept-encoding content-type content-length host connection expect keep-alive proxy-connection te trailer " +
    "transfer-encoding upgrade"
  ).split(" "),
);

export function readHeaders(node: SyntaxNode | undefined, report: Report): readonly HeaderModel[] {
  if (node?.kind !== "map") return [];
  return node.entries.map(({ key, value }) => {
    const code = "graphql/bad-header";
    if (!token.test(key.value)) {
      const message = `\`${shown(key.value)}\` is not a header name`;
      report.add({ code, span: key.span, message, help: "use letters, digits and `-`" });
    } else if (reserved.has(key.value.toLowerCase())) {
      const message = `\`${key.value}\` is not for a binding to set: it follows from the request`;
      report.add({ code, span: key.span, message, help: "remove it" });
    }
    const text = textNode(value);
    const bad = text && unsendable.exec(text.value);
    if (text && bad) {
      report.add({
        code,
        span: spanWithin(text, bad.index, bad.index + bad[0].length),
        message: "a header value is one line of Latin-1 text",
        help: "remove this character",
      });
    }
    return { name: key.value, span: key.span, value: readValue(value, report) };
  });
}
