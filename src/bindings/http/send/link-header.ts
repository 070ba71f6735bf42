/** Characters of a header that are looked at: servers' own limits are lower. */
const longest = 16_384;

/** `<target>; rel="next"; title="a, b"`: a target, and its parameters as they stand. */
const link = /<([^<>]*)>((?:[^",]|"(?:[^"\\]|\\.)*")*)/gsu;
const parameter = /;\s*([\w!#$&+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";,]*))/gsu;

/** The target of a relation in `Link` headers (RFC 8288); undefined when there is none. */
export function linkTo(
  relation: string,
  header: string | readonly string[] | undefined,
): string | undefined {
  const text = typeof header === "string" ? header : (header ?? []).join(", ");
  for (const [, target = "", parameters = ""] of text.slice(0, longest).matchAll(link)) {
    // Of several the first counts.
    const rel = [...parameters.matchAll(parameter)].find(
      ([, name = ""]) => name.toLowerCase() === "rel",
    );
    const relations = (rel?.[2] ?? rel?.[3] ?? "").toLowerCase().split(/\s+/);
    if (relations.includes(relation)) return target;
  }
  return undefined;
}
