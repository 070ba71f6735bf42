/**
 * Matches parameters of paths in other notations than `{id}`: `:id` of Express and Rails, with its
 * pattern and modifier, and `<id>` or `<int:id>` of Flask. It does not match a custom method, such
 * as `{name}:cancel`.
 */
const notation =
  /(?<=[/.-]):([A-Za-z_]\w*)(?:\([^()]*\))?(?:[?*+](?=\/|$))?|<(?:\w+:)?([A-Za-z_]\w*)>/g;

/** The path with each parameter in braces. */
export function withBraces(path: string): string {
  return path.replace(notation, (_, colon?: string, angle?: string) => `{${colon ?? angle}}`);
}

/** Lists the parameters in other notations: as written, and their names. */
export function otherNotations(
  path: string,
): readonly { readonly written: string; readonly name: string }[] {
  return [...path.matchAll(notation)].map(([written, colon, angle]) => ({
    written,
    name: colon ?? angle ?? "",
  }));
}
