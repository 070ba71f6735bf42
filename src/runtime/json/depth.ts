/**
 * Levels of arrays and objects that a body may have. `JSON.parse` takes millions, but everything after it, `JSON.stringify` included, is
 * recursive and would run out of stack.
 */
export const deepestJson = 1000;

/** Whether JSON text nests deeper than that. Linear, and free for texts too short to. */
export function isTooDeep(json: string): boolean {
  if (json.length <= deepestJson) return false;
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === quote) at = endOfString(json, at);
    else if (unit === openBracket || unit === openBrace) {
      depth += 1;
      if (depth > deepestJson) return true;
    } else if (unit === closeBracket || unit === closeBrace) depth -= 1;
  }
  return false;
}

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === quote) return at;
    if (unit === backslash) at += 1;
  }
  return json.length;
}
