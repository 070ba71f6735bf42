/** Escapes text for a template: doubles braces, and the dollars before them. */
export function escaped(text: string): string {
  return text
    .replace(/\$+(?=[{}])/g, (run) => run + run)
    .replace(/[{}]/g, (brace) => brace + brace);
}
