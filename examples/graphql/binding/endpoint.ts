import { literalText, type Report, type Span, type TextTemplate } from "skillc/binding";

const help = "write `https://`, the host and a path, or one `${NAME}` and a path";

/**
 * Origin of the server, or `${NAME}`. If the endpoint is neither, reports the mistake and returns
 * undefined.
 */
export function originOf(endpoint: TextTemplate, report: Report): string | undefined {
  const [first, ...rest] = endpoint.parts;
  const bad = (message: string, span: Span = endpoint.span) => {
    report.add({ code: "graphql/bad-endpoint", span, message, help });
    return undefined;
  };
  const parameter = endpoint.parts.find((part) => part.kind === "parameter");
  if (parameter !== undefined) {
    return bad("a parameter would let a caller choose who gets the request", parameter.span);
  }
  const literal = literalText(endpoint);
  if (literal !== undefined) {
    return isPlainUrl(literal)
      ? new URL(literal).origin
      : bad("this is no http or https URL of origin and path alone");
  }
  const path = rest.map((part) => (part.kind === "literal" ? part.text : "${")).join("");
  if (first?.kind !== "credential" || !/^(?:\/[^?#\\\s{}]*)?$/.test(path)) {
    return bad("`${NAME}` stands for the whole origin, and only a path may follow");
  }
  return `\${${first.name}}`;
}

/** The endpoint as its author wrote it, with `${NAME}` for a setting. */
export function endpointText({ parts }: TextTemplate): string {
  const texts = parts.map((part) => {
    if (part.kind === "literal") return part.text;
    return part.kind === "credential" ? `\${${part.name}}` : "";
  });
  return texts.join("");
}

/** True for an http or https URL with an origin that `URL` would not change, and perhaps a path. */
function isPlainUrl(text: string): boolean {
  if (!/^https?:\/\/[a-z0-9.:[\]-]+(?:\/[^?#\\\s\p{Cc}{}]*)?$/u.test(text)) return false;
  return URL.canParse(text) && text.startsWith(new URL(text).origin);
}
