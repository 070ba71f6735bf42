import type { YamlText } from "./compose-yaml.js";
import { lineAround } from "./line-around.js";

/** Lines that are looked back at: nobody indents by something further away. */
const mostLinesAbove = 500;

/** Spaces before the first character of the line that starts here. */
export function indentAt(lineStart: number, source: YamlText): number {
  let at = lineStart;
  while (at < source.end && source.text.charAt(at) === " ") at += 1;
  return at - lineStart;
}

/** The columns in which what is open above a line starts, the deepest first. */
export function columnsAbove(lineStart: number, source: YamlText): readonly number[] {
  const columns: number[] = [];
  let at = lineStart;
  for (let count = 0; count < mostLinesAbove && at > source.start; count += 1) {
    const line = lineAround(at - 1, source);
    at = line.start;
    const content = source.text.slice(line.start, line.end).trimStart();
    if (content === "" || content.startsWith("#")) continue;
    const column = indentAt(line.start, source);
    const dash = /^- +(?=[^ #])/.exec(content)?.[0].length ?? 0;
    for (const each of dash > 0 ? [column + dash, column] : [column]) {
      if (each < (columns.at(-1) ?? Infinity)) columns.push(each);
    }
    if (column === 0) break;
  }
  return columns;
}
