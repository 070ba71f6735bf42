import { literalText, type Report, type Span, type TextTemplate } from "skillc/binding";

const help = "write `https://`, the host and a path, or one `${NAME}` and a path";

/**
 * Who gets the request: an origin, or `${NAME}`; undefined, and reported, when the endpoint says
 * something else.
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

/** As it is written, a setting by its name. */
export function endpointText({ parts }: TextTemplate): string {
  const texts = parts.map((part) => {
    if (part.kind === "literal") return part.text;
    return part.kind === "credential" ? `\${${part.name}}` : "";
  });
  return texts.join("");
}

/** Spelt out, and read by `URL` as what it looks like. */
function isPlainUrl(text: string): boolean {
  if (!/^https?:\/\/[a-z0-9.:[\]-]+(?:\/[^?#\\\s\p{Cc}{}]*)?$/u.test(text)) return false;
  return URL.canParse(text) && text.startsWith(new URL(text).origin);
}
