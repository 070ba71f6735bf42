import { isWhitespace, type JsonToken, nextToken } from "./json-token.js";

/** Where a text stops being JSON, and how. */
export interface JsonFault {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly help?: string;
  /** Offset of the bracket that was never closed. */
  readonly opened?: number;
}

/** What may come next. */
type Expected =
  "value" | "value-or-end" | "key" | "key-or-end" | "colon" | "comma-or-end" | "nothing";

/** The first place where a text is not JSON (RFC 8259); undefined when `JSON.parse` would accept it. Takes no stack, whatever the depth. */
export function jsonFault(text: string, start: number): JsonFault | undefined {
  const open: { readonly bracket: "{" | "["; readonly at: number }[] = [];
  let expected: Expected = "value";
  let comma: JsonToken | undefined;
  for (let at = start; ;) {
    while (isWhitespace(text[at])) at += 1;
    const token = nextToken(text, at);
    if (token.kind === "end" && expected === "nothing") return undefined;
    const inner = open.at(-1);
    const fault = faultOf(token, expected, inner, comma);
    if (fault) return fault;
    comma = token.kind === "," ? token : undefined;
    if (token.kind === "{" || token.kind === "[") open.push({ bracket: token.kind, at });
    if (token.kind === "}" || token.kind === "]") open.pop();
    expected = after(token, expected, open.at(-1)?.bracket);
    at = token.end;
  }
}

function after(token: JsonToken, expected: Expected, inside: "{" | "[" | undefined): Expected {
  if (token.kind === "{") return "key-or-end";
  if (token.kind === "[") return "value-or-end";
  if (token.kind === ",") return inside === "{" ? "key" : "value";
  if (token.kind === ":") return "value";
  if (expected === "key" || expected === "key-or-end")
    return token.kind === "}" ? done(inside) : "colon";
  return done(inside);
}

function done(inside: "{" | "[" | undefined): Expected {
  return inside === undefined ? "nothing" : "comma-or-end";
}

function faultOf(
  token: JsonToken,
  expected: Expected,
  inner: { readonly bracket: "{" | "["; readonly at: number } | undefined,
  comma: JsonToken | undefined,
): JsonFault | undefined {
  const { start, end } = token;
  if (token.kind === "wrong") return token;
  if (fits(token, expected, inner?.bracket)) return undefined;
  if (comma && (token.kind === "}" || token.kind === "]")) {
    return {
      start: comma.start,
      end: comma.end,
      message: "a comma with nothing after it",
      help: "remove it",
    };
  }
  if (token.kind === "end" && inner) {
    return {
      start,
      end,
      message: `the file ends before this \`${inner.bracket}\` is closed`,
      opened: inner.at,
    };
  }
  return { start, end, message: `expected ${wanted(expected, inner?.bracket)}` };
}

function fits(token: JsonToken, expected: Expected, inside: "{" | "[" | undefined): boolean {
  const closes = (token.kind === "}" && inside === "{") || (token.kind === "]" && inside === "[");
  switch (expected) {
    case "value":
      return startsValue(token);
    case "value-or-end":
      return closes || startsValue(token);
    case "key":
      return token.kind === "string";
    case "key-or-end":
      return closes || token.kind === "string";
    case "colon":
      return token.kind === ":";
    case "comma-or-end":
      return closes || token.kind === ",";
    case "nothing":
      return false;
  }
}

function startsValue(token: JsonToken): boolean {
  return (
    token.kind === "string" || token.kind === "word" || token.kind === "{" || token.kind === "["
  );
}

function wanted(expected: Expected, inside: "{" | "[" | undefined): string {
  if (expected === "value" || expected === "value-or-end") return "a JSON value";
  if (expected === "key" || expected === "key-or-end") return "a key in double quotes";
  if (expected === "colon") return "`:` after the key";
  if (expected === "comma-or-end") return inside === "{" ? "`,` or `}`" : "`,` or `]`";
  return "the end of the file";
}
