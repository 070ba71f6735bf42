import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { Span } from "../../../core/span.js";
import { spanInLiteral, type TextNode, type TextPart } from "../../text-template.js";

/** What may stand in a path or a query as it is (RFC 3986), `%` included: `checkUrlText` has seen to what follows it. */
const keptInPath = /[^A-Za-z0-9\-._~!$&'()*+,;=:@%/]/gu;
const keptInQuery = /[^A-Za-z0-9\-._~!$&'()*+,;=:@%/?]/gu;

/** Literal text as it stands in a URL's path: what may not stand there is percent-encoded. */
export function encodePath(text: string): string {
  return text.toWellFormed().replace(keptInPath, encodeURIComponent);
}

/** Literal text as it stands in a URL's query. */
export function encodeQuery(text: string): string {
  return text.toWellFormed().replace(keptInQuery, encodeURIComponent);
}

/** The text that a name or value in a URL's query stands for; `+` is a space there. */
export function decodeQuery(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/** Reports characters that can't be meant in a URL; everything else is encoded. */
export function checkUrlText(node: TextNode, parts: readonly TextPart[], report: Report): void {
  for (const part of parts) {
    if (part.kind !== "literal") continue;
    for (const match of part.text.matchAll(/[\s\\]|\p{Cc}|%(?![0-9A-Fa-f]{2})/gu)) {
      report.add({
        code: "http/bad-url-text",
        span: spanInLiteral(node, part, match.index, match.index + match[0].length),
        ...explain(match[0]),
      });
    }
  }
}

function explain(character: string): { message: string; help: string } {
  if (character === "\\") {
    return { message: "a URL has no backslash", help: "write `/`, or `%5C` for a literal one" };
  }
  if (character === "%") {
    return {
      message: "`%` in a URL starts two hexadecimal digits",
      help: "write `%25` for a literal `%`",
    };
  }
  if (character === " ") {
    return { message: "a URL has no space", help: "write `%20`, or fold the text without spaces" };
  }
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return { message: `a URL has no character U+${code}`, help: "remove it" };
}

/** Reports a path segment that would climb or stand still: `.`, `..`, percent-encoded or not. */
export function checkDotSegment(parts: readonly TextPart[], span: Span, report: Report): void {
  if (parts.some((part) => part.kind !== "literal")) return;
  const text = parts.map((part) => (part.kind === "literal" ? part.text : "")).join("");
  const plain = text.replaceAll(/%2e/gi, ".");
  if (plain !== "." && plain !== "..") return;
  report.add({
    code: "http/bad-url-text",
    span,
    message: `the path segment \`${shown(text)}\` leads elsewhere than it says`,
    help: "write the path that it leads to",
  });
}
