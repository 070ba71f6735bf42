import type { PathStep } from "../../core/value-path.js";

const segment = /\.?([^.[\]{}$\s][^.[\]{}]*)|\[(\*|[0-9]{1,9})\]/y;

/** Reads names with dots between them, `[0]` and `[*]`; undefined if the text is not a path. */
export function stepsOfPath(text: string): readonly PathStep[] | undefined {
  const segments: PathStep[] = [];
  segment.lastIndex = 0;
  while (segment.lastIndex < text.length) {
    const start = segment.lastIndex;
    const found = segment.exec(text);
    if (found === null) return undefined;
    const [, name, index] = found;
    const hasDot = text[start] === ".";
    if (name !== undefined && hasDot !== segments.length > 0) return undefined;
    if (name !== undefined) segments.push(name.trimEnd());
    else segments.push(index === "*" ? { each: true } : Number(index));
  }
  return segments.length === 0 ? undefined : segments;
}
