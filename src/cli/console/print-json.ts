import type { Output } from "../io.js";
import type { Palette } from "./palette.js";

/** Characters that JSON allows unescaped but that a terminal or an editor interprets. */
const unseen =
  /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/**
 * Prints one JSON document on stdout. The value is that of `JSON.stringify`, with dangerous
 * characters escaped.
 */
export function printJson(output: Output, value: unknown): void {
  output.write(`${safeJson(value)}\n`);
}

export function safeJson(value: unknown): string {
  // `JSON.stringify` returns nothing for undefined, so print null.
  return withoutUnseen(JSON.stringify(value ?? null, undefined, 2) ?? "null");
}

/** Prints such a document on one line. */
export function safeLine(value: unknown): string {
  return withoutUnseen(JSON.stringify(value ?? null) ?? "null");
}

function withoutUnseen(json: string): string {
  return json.replace(unseen, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A JSON document in colour; the same text without colours. */
export function highlightJson(json: string, palette: Palette): string {
  if (!palette.isColorSupported) return json;
  return json.replace(
    /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g,
    (token: string, text: string | undefined, colon: string | undefined) => {
      if (text === undefined) return palette.yellow(token);
      return colon === undefined ? palette.green(text) : `${palette.cyan(text)}${colon}`;
    },
  );
}
