/** The names of types among a JSON Schema's definitions: short where they are unique, `Status`, and `acme_Status` else; the root's is empty. */
export function definitionNames<Type>(
  named: readonly (Type & { readonly name: string })[],
  root: Type,
): ReadonlyMap<Type, string> {
  const taken = new Set<string>();
  return new Map(
    named.map((type) => {
      const stem = type.name.slice(type.name.lastIndexOf(".") + 1).slice(0, 60);
      const full = type.name.replaceAll(".", "_").slice(-60);
      let name = taken.has(stem) ? full : stem;
      for (let count = 2; taken.has(name); count += 1) name = `${full}_${count}`;
      taken.add(name);
      return [type, type === root ? "" : name];
    }),
  );
}
