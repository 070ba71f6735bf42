/** Number of the line that contains an offset. The first line is 0. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length - 1;
}
