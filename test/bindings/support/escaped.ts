/** The text as a template that means it: braces doubled, and the dollars before them. */
export function escaped(text: string): string {
  return text
    .replace(/\$+(?=[{}])/g, (run) => run + run)
    .replace(/[{}]/g, (brace) => brace + brace);
}
