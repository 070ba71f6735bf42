import type { Palette } from "./palette.js";

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
