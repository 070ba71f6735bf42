import type { Catalogue, CatalogueEntry, ProjectFiles } from "../../core/catalogue.js";

/** Codes that YAML anywhere can cause. */
export const yamlCatalogue: Catalogue = {
  "parse/invalid-yaml": entry("error", "text that is not YAML", {
    explanation:
      "The YAML can't be read from here on. The usual causes: a `: ` or ` #` in a value without quotes, a tab as indentation, a quote or " +
      "bracket that is never closed, a line that is indented like nothing above it.",
    example: "compatibility: Node: 20 or later",
    fixed: 'compatibility: "Node: 20 or later"',
  }),
  "parse/doubtful-yaml": entry("warning", "YAML that readers understand in different ways", {
    explanation:
      "The YAML is valid, but its writer may have meant something else: an anchor or alias whose name ends in a colon, an unknown directive.",
    example: "license: &a: MIT",
    fixed: "license: &a MIT",
  }),
  "parse/control-character": entry("error", "a control character in YAML", {
    explanation:
      "YAML allows no control characters but tabs and line breaks; most editors don't even show them. A carriage return counts when no " +
      "line feed follows it. In double quotes an escape such as `\\u0007` spells one.",
    example: "license: M\u0007IT",
    fixed: "license: MIT",
  }),
  "parse/duplicate-key": entry("error", "a key that stands twice in one mapping", {
    explanation:
      "Two entries of a mapping have the same key, and which of them counts differs from reader to reader. Keys are compared as text: " +
      '`404` and `"404"` are the same.',
    example: "license: MIT\nlicense: Apache-2.0",
    fixed: "license: MIT",
  }),
  "parse/key-not-text": entry("error", "a key that is a list or a mapping", {
    explanation:
      "YAML allows any value as a key; skillc, like JSON, only text. Without quotes `{{name}}` is such a key: in other template languages a " +
      'placeholder, which here is `"{name}"`.',
    example: "metadata:\n  [a, b]: pair",
    fixed: 'metadata:\n  "a, b": pair',
  }),
  "parse/merge-key": entry("error", "a merge key", {
    explanation:
      "`<<: *name` merges another mapping's entries in YAML 1.1 tools. YAML 1.2 dropped it, so that half of all readers would see a key " +
      'named `<<` and miss the entries. An alias as a whole value is fine. `"<<"` in quotes is an ordinary key.',
    example: "metadata:\n  base: &base\n    team: orders\n  desk:\n    <<: *base",
    fixed: "metadata:\n  base: &base\n    team: orders\n  desk: *base",
  }),
  "parse/unknown-tag": entry("error", "a YAML tag that gives a value no type", {
    explanation:
      "`!name` tags belong to programs that load YAML into their own objects. The core tags are read (`!!str`, `!!int`, `!!float`, " +
      "`!!bool`, `!!null`, `!!map`, `!!seq`), where the value fits them.",
    example: "license: !vault MIT",
    fixed: "license: MIT",
  }),
  "parse/unknown-alias": entry("error", "an alias without an anchor", {
    explanation:
      "`*name` stands for the value marked `&name`, which must come earlier in the same document. A value that merely starts with `*` " +
      "needs quotes.",
    example: "license: *mit",
    fixed: 'license: "*mit"',
  }),
  "parse/recursive-alias": entry("error", "an alias inside the value it names", {
    explanation: "The value would contain itself without end.",
    example: "metadata: &all\n  copy: *all",
    fixed: "metadata: &all\n  copy: none",
  }),
  "parse/multiple-documents": entry("error", "a second YAML document", {
    explanation: "A line that starts with `---` begins another document. Exactly one is read.",
    example: "--- # more\nlicense: MIT",
    fixed: "# more\nlicense: MIT",
  }),
  "parse/number-not-json": entry("error", "a number that JSON does not have", {
    explanation:
      "`.nan`, `.inf` and numbers too large for a double can't be passed on as JSON. In quotes they are text.",
    example: "metadata:\n  limit: .inf",
    fixed: 'metadata:\n  limit: ".inf"',
  }),
  "parse/unsafe-integer": entry("warning", "an integer beyond 2^53", {
    explanation:
      "Numbers are doubles, as everywhere in JavaScript: an integer above 9007199254740991 may be read as one of its neighbours. Identifiers " +
      "belong in quotes.",
    example: "metadata:\n  account: 12345678901234567890",
    fixed: 'metadata:\n  account: "12345678901234567890"',
  }),
};

interface YamlEntry {
  readonly explanation: string;
  /** Lines of front matter. */
  readonly example: string;
  readonly fixed: string;
}

function entry(
  severity: CatalogueEntry["severity"],
  title: string,
  texts: YamlEntry,
): CatalogueEntry {
  return {
    severity,
    title,
    explanation: texts.explanation,
    example: skill(texts.example),
    fixed: skill(texts.fixed),
  };
}

function skill(lines: string): ProjectFiles {
  const front = `---\nname: desk\ndescription: Answer customers.\n${lines}\n---\n`;
  return { "skills/desk/SKILL.md": `${front}\nAnswer politely.\n` };
}
