/**
 * Matches parameters of paths in other notations than `{id}`: `:id` of Express and Rails, with its
 * pattern and modifier, `<id>` or `<int:id>` of Flask, and braces with a pattern, a type, a modifier
 * or blanks, such as `{id:[0-9]+}`, `{id:int?}`, `{*rest}`, `{name=shelves/*}` or `{ id }`. It does
 * not match a custom method, such as `{name}:cancel`.
 */
const notation =
  /(?<=[/.-]):([A-Za-z_]\w*)(?:\([^()]*\))?(?:[?*+](?=\/|$))?|<(?:\w+:)?([A-Za-z_]\w*)>|\{(?![\w.-]+\})\s*[*+]{0,2}([A-Za-z_][\w.-]*)\s*(?:[:=](?:[^{}]|\{[\d,]*\})*|[?*+])?\s*\}/g;

/** The path with each parameter in braces. */
export function withBraces(path: string): string {
  return path.replace(notation, (...[, ...names]: string[]) => `{${nameOf(names)}}`);
}

/** Lists the parameters in other notations: as written, and their names. */
export function otherNotations(
  path: string,
): readonly { readonly written: string; readonly name: string }[] {
  return [...path.matchAll(notation)].map(([written, ...names]) => ({
    written,
    name: nameOf(names),
  }));
}

function nameOf(captured: readonly (string | undefined)[]): string {
  const [colon, angle, brace] = captured;
  return colon ?? angle ?? brace ?? "";
}
