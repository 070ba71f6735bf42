/** The line that an offset of a text is in; the first is 0. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length - 1;
}
