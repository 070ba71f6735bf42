/**
 * Lines that a merge left because its two sides disagree, from the first marker to the end of its
 * line.
 */
export interface MergeMarker {
  readonly start: number;
  readonly end: number;
}

/**
 * The first unresolved conflict in a text: all three marker lines are present, each at the start of
 * a line.
 *
 * @param isMarkdown true to ignore fenced blocks, which may show an example
 */
export function mergeMarker(text: string, isMarkdown: boolean): MergeMarker | undefined {
  let opened: MergeMarker | undefined;
  let isParted = false;
  let fence: string | undefined;
  for (const { 0: line, index } of text.matchAll(/[^\r\n]+/g)) {
    const mark = isMarkdown ? /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] : undefined;
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
      fence = fence === undefined ? mark : undefined;
    if (fence !== undefined) continue;
    if (/^<{7}(?: |$)/.test(line)) opened ??= { start: index, end: index + line.length };
    if (/^={7}$/.test(line)) isParted = opened !== undefined;
    if (isParted && /^>{7}(?: |$)/.test(line)) return opened;
  }
  return undefined;
}
