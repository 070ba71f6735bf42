export interface TypeNames {
  /** A name not given out before: the root's name, then the words of `wish` that an identifier can hold. */
  choose(wish: string): string;
}

/** Longer wishes are cut: a title may be a paragraph. */
const longest = 60;

export function createTypeNames(root: string): TypeNames {
  const taken = new Set([root]);
  return {
    choose(wish) {
      const stem = `${root}${pascalCase(wish)}`;
      let name = stem === root ? `${root}Value` : stem;
      for (let count = 2; taken.has(name); count += 1) name = `${stem}${count}`;
      taken.add(name);
      return name;
    },
  };
}

/** `line item` → `LineItem`, `größe` → `Grosse`; what has no ASCII letters is left out. */
function pascalCase(text: string): string {
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
