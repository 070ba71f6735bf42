/** Maximal number of characters that are read. Servers have lower limits. */
const longest = 16_384;

/** `<target>; rel="next"; title="a, b"`: a target, before its parameters. */
const target = /^\s*<([^<>]*)>/u;
const parameter = /;\s*([\w!#$&+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";,]*))/gsu;

/** Finds the target of a relation in `Link` headers (RFC 8288); undefined if there is none. */
export function linkTo(
  relation: string,
  header: string | readonly string[] | undefined,
): string | undefined {
  const text = typeof header === "string" ? header : (header ?? []).join(", ");
  for (const member of membersOf(text.slice(0, longest))) {
    const [written, address] = target.exec(member) ?? [];
    if (written === undefined || address === undefined) continue;
    // If a parameter is repeated, the first counts.
    const rel = [...member.slice(written.length).matchAll(parameter)].find(
      ([, name = ""]) => name.toLowerCase() === "rel",
    );
    const relations = (rel?.[2] ?? rel?.[3] ?? "").toLowerCase().split(/\s+/);
    if (relations.includes(relation)) return address;
  }
  return undefined;
}

/** Splits the list at commas outside of targets and quotes. */
function membersOf(text: string): readonly string[] {
  const members: string[] = [];
  let begin = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isQuoted && character === "\\") at += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === "<") {
      const end = text.indexOf(">", at);
      if (end < 0) break;
      at = end;
    } else if (character === ",") {
      members.push(text.slice(begin, at));
      begin = at + 1;
    }
  }
  // A member with an unclosed quote is ambiguous and is ignored.
  return isQuoted ? members : [...members, text.slice(begin)];
}
