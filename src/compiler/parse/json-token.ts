/** A token of JSON, or what stands where one should. Offsets into the text. */
export type JsonToken =
  | {
      readonly kind: "{" | "}" | "[" | "]" | ":" | ",";
      readonly start: number;
      readonly end: number;
    }
  /** A number, `true`, `false` or `null`. */
  | { readonly kind: "word" | "string" | "end"; readonly start: number; readonly end: number }
  | ({ readonly kind: "wrong"; readonly start: number; readonly end: number } & Complaint);

interface Complaint {
  readonly message: string;
  readonly help?: string;
}

export function isWhitespace(char: string | undefined): boolean {
  return char === " " || char === "\t" || char === "\n" || char === "\r";
}

/** The token that starts at `at`, which must not be whitespace. */
export function nextToken(text: string, at: number): JsonToken {
  const char = text[at];
  if (char === undefined) return { kind: "end", start: at, end: at };
  if (isMark(char)) return { kind: char, start: at, end: at + 1 };
  if (char === '"') return stringToken(text, at);
  word.lastIndex = at;
  const found = word.exec(text);
  if (found) return { kind: "word", start: at, end: at + found[0].length };
  return wrongToken(text, at, char);
}

function isMark(char: string): char is "{" | "}" | "[" | "]" | ":" | "," {
  return char.length === 1 && "{}[]:,".includes(char);
}

const word = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

function stringToken(text: string, start: number): JsonToken {
  for (let at = start + 1; at < text.length;) {
    const char = text.charCodeAt(at);
    if (char === 0x22) return { kind: "string", start, end: at + 1 };
    if (char < 0x20) return controlInString(text, start, at);
    escape.lastIndex = at;
    const found = char === 0x5c ? escape.exec(text) : undefined;
    if (found === null) {
      const end = Math.min(at + 2, text.length);
      return wrong(at, end, {
        message: "JSON has no such escape",
        help: "write `\\\\` for a backslash",
      });
    }
    at += found ? found[0].length : 1;
  }
  return wrong(start, start + 1, { message: "this string has no closing quote" });
}

function controlInString(text: string, start: number, at: number): JsonToken {
  const char = text[at];
  if (char === "\n" || char === "\r") {
    return wrong(start, at, { message: "this string has no closing quote on its line" });
  }
  const code = text.charCodeAt(at).toString(16).padStart(4, "0");
  const message = "a control character stands in a string";
  return wrong(at, at + 1, { message, help: `write it as \`\\u${code}\`` });
}

function wrongToken(text: string, at: number, char: string): JsonToken {
  if (char === "/" || char === "#") {
    return wrong(at, endOfRun(text, at, /[^\r\n]*/y), {
      message: "JSON has no comments",
      help: "remove it",
    });
  }
  if (char === "'") {
    const message = "JSON strings stand in double quotes";
    return wrong(at, at + 1, { message, help: "write `\"` in place of `'`" });
  }
  const end = endOfRun(text, at, /[^\s{}[\]:,"]+/y);
  return wrong(at, Math.max(end, at + 1), complaintAbout(text.slice(at, end)));
}

function complaintAbout(found: string): Complaint {
  if (/^(?:NaN|[-+]?Infinity)$/.test(found)) return { message: "JSON has no such number" };
  if (/^[-+.]?[0-9]/.test(found)) return { message: "this is not how JSON writes numbers" };
  if (/^[A-Za-z_$]/.test(found)) {
    return { message: "text must stand in double quotes" };
  }
  return { message: "no JSON value starts like this" };
}

function endOfRun(text: string, at: number, run: RegExp): number {
  run.lastIndex = at;
  return at + (run.exec(text)?.[0].length ?? 0);
}

function wrong(start: number, end: number, complaint: Complaint): JsonToken {
  return { kind: "wrong", start, end, ...complaint };
}
