/**
 * Makes a test for paths with `/`. In a pattern, `*` stands for any text within a part of the path,
 * `?` for one character, and a part `**` for any number of parts. The time is at most the product of
 * the lengths of pattern and path.
 */
export function globTest(pattern: string): (path: string) => boolean {
  const parts = pattern.replace(/^\.\//, "").split("/");
  return (path) => matchesAll(parts, path.split("/"), matchesPart, (part) => part === "**");
}

function matchesPart(part: string | undefined, name: string | undefined): boolean {
  const matchesCharacter = (one?: string, other?: string) => one === "?" || one === other;
  return matchesAll([...(part ?? "")], [...(name ?? "")], matchesCharacter, (each) => each === "*");
}

/**
 * Compares two lists. After a mismatch only the last wildcard takes one more item, because a longer
 * match of an earlier wildcard finds nothing more.
 */
function matchesAll(
  pattern: readonly string[],
  items: readonly string[],
  matches: (one: string | undefined, item: string | undefined) => boolean,
  isAny: (one: string) => boolean,
): boolean {
  let at = 0;
  let item = 0;
  let wildcard = -1;
  let taken = 0;
  while (item < items.length) {
    const one = pattern[at];
    if (one !== undefined && isAny(one)) {
      wildcard = at;
      taken = item;
      at += 1;
    } else if (one !== undefined && matches(one, items[item])) {
      at += 1;
      item += 1;
    } else if (wildcard >= 0) {
      taken += 1;
      item = taken;
      at = wildcard + 1;
    } else return false;
  }
  return pattern.slice(at).every(isAny);
}
