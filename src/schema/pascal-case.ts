/** Maximum length of a name, because a title may be a paragraph. */
const longest = 60;

/**
 * Converts text to PascalCase: `line item` → `LineItem`, `größe` → `Grosse`. Leaves out text
 * without ASCII letters.
 */
export function pascalCase(text: string): string {
  return text
    .slice(0, 200)
    .replaceAll("ß", "ss")
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")
    .slice(0, longest);
}
