import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { spanWithin } from "../../../core/syntax-node.js";
import {
  isValuePart,
  type TextNode,
  type ValuePart,
  valueName,
} from "../../../kit/text-template.js";
import type { OriginModel } from "../model.js";
import {
  cut,
  leadingText,
  partsFrom,
  spanOf,
  textOfLiterals,
  type UrlTextPart,
} from "./url-parts.js";

/** The origin, and the parts after it, which start with `/` if there are any. */
export interface OriginReading {
  /** Undefined if the origin is invalid; the path is read anyway. */
  readonly origin: OriginModel | undefined;
  readonly path: readonly UrlTextPart[];
}

const help = "start with `https://` and the host, or with one `${NAME}` that holds both";

/**
 * Reads scheme, host and port of a URL without its query. They decide who gets the request, so they
 * are literal or one `${NAME}`, never a parameter.
 */
export function readOrigin(
  node: TextNode,
  parts: readonly UrlTextPart[],
  report: Report,
): OriginReading {
  const path = pathOf(node, parts);
  const origin = originOf(node, parts, report);
  return { origin, path };
}

/** The parts from the first `/` after the scheme's `://`. */
function pathOf(node: TextNode, parts: readonly UrlTextPart[]): readonly UrlTextPart[] {
  const scheme = schemePattern.exec(leadingText(parts))?.[0] ?? "";
  const after = partsFrom(node, parts, (parts[0]?.start ?? 0) + scheme.length);
  const { before, after: path } = cut(node, after, "/");
  return path === undefined
    ? []
    : partsFrom(node, after, before.at(-1)?.end ?? after[0]?.start ?? 0);
}

const schemePattern = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//;

function originOf(
  node: TextNode,
  parts: readonly UrlTextPart[],
  report: Report,
): OriginModel | undefined {
  const [first, second] = parts;
  const bad = (message: string, from = parts) => {
    report.add({ code: "http/bad-origin", span: spanOf(node, from, 0), message, help });
    return undefined;
  };
  if (first === undefined) return bad("the URL has no origin");
  if (isValuePart(first)) return parameterInOrigin(first, report);
  if (first.kind === "credential") {
    if (second === undefined || leadingText([second]).startsWith("/")) {
      return { kind: "credential", name: first.name, span: first.span };
    }
    if (isValuePart(second)) return parameterInOrigin(second, report);
    return bad(`\`\${${first.name}}\` must be followed by \`/\`, \`?\` or the end of the URL`, [
      second,
    ]);
  }
  const scheme = schemePattern.exec(leadingText(parts));
  if (scheme?.[1] === undefined) {
    const authority = cut(node, parts, "/").before;
    const parameter = leadingText(parts).startsWith("/") ? undefined : authority.find(isValuePart);
    if (parameter) return parameterInOrigin(parameter, report);
    return bad("the URL has no origin");
  }
  if (!/^https?$/i.test(scheme[1]))
    return bad(`\`${shown(scheme[1])}\` is not \`http\` or \`https\``, [first]);
  return readLiteralOrigin(node, parts, scheme[1].toLowerCase(), report);
}

function parameterInOrigin(part: ValuePart, report: Report): undefined {
  const name = `${part.kind === "parameter" ? "the parameter " : ""}${quote(valueName(part))}`;
  report.add({
    code: "http/parameter-in-origin",
    span: part.span,
    message: `${name} would let a caller choose the host that gets the request`,
    help,
  });
  return undefined;
}

function readLiteralOrigin(
  node: TextNode,
  parts: readonly UrlTextPart[],
  scheme: string,
  report: Report,
): OriginModel | undefined {
  const authority = cut(node, cut(node, parts, "://").after ?? [], "/").before;
  const from = scheme.length + 3;
  const end = authority.at(-1)?.end ?? from;
  const span = spanWithin(node, 0, end);
  const text = textOfLiterals(authority);
  const reference = authority.find((part) => part.kind !== "literal");
  if (text.includes("@")) {
    report.add({
      code: "http/credentials-in-url",
      span: spanOf(node, authority, from),
      message: "the URL contains a user name or password",
      help: "send it in a header: `Authorization: Bearer ${API_TOKEN}`",
    });
    return undefined;
  }
  if (reference !== undefined && isValuePart(reference))
    return parameterInOrigin(reference, report);
  const problem = reference
    ? "`${NAME}` must be the whole origin, not a part of it"
    : originProblem(scheme, text);
  if (problem !== undefined) {
    report.add({
      code: "http/bad-origin",
      span: spanOf(node, authority, from),
      message: problem,
      help,
    });
    return undefined;
  }
  const { origin } = new URL(`${scheme}://${text}`);
  return { kind: "literal", origin, span };
}

/**
 * Describes the problem of a literal host and port. Rejects a host that `URL` would change, so that
 * the author sees the host that is called.
 */
function originProblem(scheme: string, authority: string): string | undefined {
  if (authority === "") return "the URL names no host";
  const written = `${scheme}://${authority}`;
  const odd = /[\s\\%"<>^`|{}]|\p{Cc}|\p{Cs}/u.exec(authority);
  if (odd !== null || !URL.canParse(written))
    return `\`${shown(authority)}\` is not a host and port`;
  const { host } = new URL(written);
  const plain = authority.toLowerCase().replace(scheme === "https" ? /:443$/ : /:80$/, "");
  const international = /\P{ASCII}/u.test(authority) && host.includes("xn--");
  if (international || host === plain) return undefined;
  return `\`${shown(authority)}\` is another way to write \`${host}\``;
}
