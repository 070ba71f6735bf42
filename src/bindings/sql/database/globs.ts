/**
 * Whether a path matches a pattern: `*` and `?` within a folder, `**` across folders, `{a,b}` alternatives; all else is itself. Both with `/`, a leading
 * `./` left out.
 */
export function matchesGlob(path: string, pattern: string): boolean {
  const plain = withoutDot(path);
  return alternativesOf(withoutDot(pattern)).some((one) => wildcards(one).test(plain));
}

function withoutDot(path: string): string {
  return path.replace(/^(?:\.\/)+/, "");
}

function alternativesOf(pattern: string): readonly string[] {
  const group = /\{(?<inner>[^{}]*)\}/.exec(pattern);
  if (group === null) return [pattern];
  const [before, after] = [
    pattern.slice(0, group.index),
    pattern.slice(group.index + group[0].length),
  ];
  const inner = group.groups?.["inner"] ?? "";
  return inner.split(",").flatMap((part) => alternativesOf(before + part + after));
}

function wildcards(pattern: string): RegExp {
  const source = pattern.replace(
    /\*\*\/|\*+|\?|[^*?]+/g,
    (part) => WILDCARDS[part] ?? part.replace(/[\\^$.+()[\]{}|]/g, String.raw`\$&`),
  );
  return new RegExp(`^${source}$`, "u");
}

const WILDCARDS: Readonly<Record<string, string>> = {
  "**/": "(?:[^/]+/)*",
  "**": ".*",
  "*": "[^/]*",
  "?": "[^/]",
};
