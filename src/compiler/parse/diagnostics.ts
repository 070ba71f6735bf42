import type {
  DiagnosticEntries,
  DiagnosticEntry,
  ProjectFiles,
} from "../../core/diagnostic-entry.js";
import { maxLevels, maxNodes, maxTokens } from "./compose-yaml.js";

/** Entries of codes about YAML in any file. */
const yamlDiagnosticEntries: DiagnosticEntries = {
  "parse/invalid-yaml": yamlEntry("error", "invalid YAML", {
    explanation:
      "skillc cannot read the YAML from here on. The usual causes: a `: ` or ` #` in a value without quotes, a tab as indentation, a quote or bracket that is " +
      "never closed, or a line whose indentation matches no line above it.",
    example: "compatibility: Node: 20 or later",
    fixed: 'compatibility: "Node: 20 or later"',
  }),
  "parse/doubtful-yaml": yamlEntry("warning", "YAML that may mean something else", {
    explanation:
      "The YAML is valid, but its author may mean something else: the name of an anchor or alias ends in a colon, or a directive is unknown.",
    example: "license: &a: MIT",
    fixed: "license: &a MIT",
  }),
  "parse/cut-value": yamlEntry("warning", "a value that ends at a `#`", {
    explanation:
      "Without quotes, a value ends at a `#` after a space, and the rest of the line is a comment. A word directly after the `#`, as in `the #deployments channel`, is rarely a comment, except after a single word such as `string`. " +
      "Put the whole value in quotes. If the words are a comment, write a space after the `#`.",
    example: "compatibility: Reads the #deployments channel.",
    fixed: 'compatibility: "Reads the #deployments channel."',
  }),
  "parse/control-character": yamlEntry("error", "a control character in YAML", {
    explanation:
      "YAML allows no control characters except tabs and line breaks, and most editors do not show them. A carriage return counts as one if no line feed " +
      "follows it. In double quotes, write an escape such as `\\u0007`.",
    example: "license: M\u0007IT",
    fixed: "license: MIT",
  }),
  "parse/duplicate-key": yamlEntry("error", "a key that occurs twice in one mapping", {
    explanation:
      'Two entries of a mapping have the same key, and YAML readers disagree about which one counts. skillc compares keys as text: `404` and `"404"` are the ' +
      "same key.",
    example: "license: MIT\nlicense: Apache-2.0",
    fixed: "license: MIT",
  }),
  "parse/key-not-text": yamlEntry("error", "a key that is a list or a mapping", {
    explanation:
      "YAML allows any value as a key. skillc, like JSON, allows only text. Without quotes, `{{name}}` is a mapping as a key. Other template languages use " +
      '`{{name}}` as a placeholder; in skillc, write `"{name}"`.',
    example: "metadata:\n  [a, b]: pair",
    fixed: 'metadata:\n  "a, b": pair',
  }),
  "parse/merge-key": yamlEntry("error", "a merge key", {
    explanation:
      "In YAML 1.1, `<<: *name` merges the entries of another mapping. YAML 1.2 removed it, so some readers would see a key named `<<` and miss the entries. " +
      'An alias as a whole value is fine, and `"<<"` in quotes is an ordinary key. In a document that `skillc import` reads, `<<` merges mappings, and it must ' +
      "not have another value.",
    example: "metadata:\n  base: &base\n    team: orders\n  desk:\n    <<: *base",
    fixed: "metadata:\n  base: &base\n    team: orders\n  desk: *base",
  }),
  "parse/unknown-tag": yamlEntry("error", "a YAML tag that gives a value no type", {
    explanation:
      "`!name` tags belong to programs that load YAML into their own objects. skillc reads only the core tags (`!!str`, `!!int`, `!!float`, `!!bool`, " +
      "`!!null`, `!!map`, `!!seq`), and only if the value fits the tag.",
    example: "license: !vault MIT",
    fixed: "license: MIT",
  }),
  "parse/unknown-alias": yamlEntry("error", "an alias without an anchor", {
    explanation:
      "`*name` stands for a value that is marked `&name` earlier in the same document. A value that only begins with `*` needs quotes.",
    example: "license: *mit",
    fixed: 'license: "*mit"',
  }),
  "parse/recursive-alias": yamlEntry("error", "an alias inside the value it names", {
    explanation: "The value would contain itself, without an end.",
    example: "metadata: &all\n  copy: *all",
    fixed: "metadata: &all\n  copy: none",
  }),
  "parse/multiple-documents": yamlEntry("error", "a second YAML document", {
    explanation: "A line that starts with `---` begins another document. skillc reads exactly one.",
    example: "--- # more\nlicense: MIT",
    fixed: "# more\nlicense: MIT",
  }),
  "parse/number-not-json": yamlEntry("error", "a number that JSON does not have", {
    explanation:
      "JSON has no `.nan`, no `.inf`, and no number that is too large for a double. In quotes they are text.",
    example: "metadata:\n  limit: .inf",
    fixed: 'metadata:\n  limit: ".inf"',
  }),
  "parse/unsafe-integer": yamlEntry("warning", "an integer beyond 2^53", {
    explanation:
      "JavaScript numbers are doubles: an integer above 9007199254740991 may be read as one of its neighbours. Put identifiers in quotes.",
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

function yamlEntry(
  severity: DiagnosticEntry["severity"],
  title: string,
  texts: YamlEntry,
): DiagnosticEntry {
  return {
    severity,
    title,
    explanation: texts.explanation,
    example: skillWith(texts.example),
    fixed: skillWith(texts.fixed),
  };
}

function skillWith(lines: string): ProjectFiles {
  const front = `---\nname: desk\ndescription: Answer customers.\n${lines}\n---\n`;
  return { "skills/desk/SKILL.md": `${front}\nAnswer politely.\n` };
}

const plainSkill = "---\nname: desk\ndescription: Answer customers.\n---\n\nAnswer politely.\n";

/** Entries of codes about JSON files, in addition to those about YAML. */
const jsonDiagnosticEntries: DiagnosticEntries = {
  "parse/invalid-json": {
    severity: "error",
    title: "invalid JSON",
    explanation:
      "skillc reads the file as strict JSON (RFC 8259): no comments, no comma before a closing bracket, and strings and keys in double quotes.",
    example: {
      "skills/desk/SKILL.md": plainSkill,
      "skills/desk/metadata.json": '{\n  "author": "orders",\n}\n',
    },
    fixed: {
      "skills/desk/SKILL.md": plainSkill,
      "skills/desk/metadata.json": '{\n  "author": "orders"\n}\n',
    },
  },
};

/** Entries of all codes about reading SKILL.md and the metadata file as trees. */
export const parseDiagnosticEntries: DiagnosticEntries = {
  ...yamlDiagnosticEntries,
  ...jsonDiagnosticEntries,
  "parse/no-front-matter": entry("warning", "SKILL.md has no front matter", {
    explanation:
      "The Agent Skills specification requires every SKILL.md to start with YAML between two `---` lines. Without the YAML, skillc reads the file as Markdown. " +
      "The skill has its folder's name, no description, and no tools of SKILL.md.",
    example: "# Help desk\n\nAnswer politely.\n",
    fixed:
      "---\nname: desk\ndescription: Answer customers.\n---\n\n# Help desk\n\nAnswer politely.\n",
  }),
  "parse/late-front-matter": entry("error", "front matter that does not start on the first line", {
    explanation:
      "Front matter starts with a line `---`, as the very first line of the file, and ends at the next line `---`. Below a blank line it is Markdown to every " +
      "reader, and its tools would be missing.",
    example: "\n---\nname: desk\ndescription: Answer customers.\n---\n",
    fixed: "---\nname: desk\ndescription: Answer customers.\n---\n",
  }),
  "parse/unclosed-front-matter": entry("error", "front matter without an end", {
    explanation:
      "The first line `---` opens the front matter, and no later line `---` closes it. The closing line must start in the first column and contain nothing " +
      "else.",
    example: "---\nname: desk\ndescription: Answer customers.\n\n# Help desk\n",
    fixed: "---\nname: desk\ndescription: Answer customers.\n---\n\n# Help desk\n",
  }),
  "parse/unopened-front-matter": entry("error", "front matter without a beginning", {
    explanation:
      "The file starts with keys of front matter. A line `---` ends them, but no line `---` opens them, so every reader takes them for Markdown. The skill " +
      "would have no tools, and its generated modules would be removed.",
    example: "name: desk\ndescription: Answer customers.\n---\n\n# Help desk\n",
    fixed: "---\nname: desk\ndescription: Answer customers.\n---\n\n# Help desk\n",
  }),
  "parse/front-matter-not-a-mapping": entry("error", "front matter that is not a mapping", {
    explanation:
      "Front matter consists of `key: value` lines. This front matter is a list or a single value.",
    example: "---\n- name\n- desk\n---\n",
    fixed: "---\nname: desk\ndescription: Answer customers.\n---\n",
  }),
  "parse/too-deep": entry("error", "nesting that goes too deep", {
    explanation: `Mappings and lists may be nested ${maxLevels} levels deep. skillc counts the levels after it has replaced each alias by its value.`,
    example: front(`a: ${"[".repeat(maxLevels + 1)}${"]".repeat(maxLevels + 1)}`),
    fixed: front("metadata: [[[]]]"),
  }),
  "parse/too-large": entry("error", "a document with too many values", {
    explanation:
      `A document may have ${maxTokens} tokens, and ${maxNodes} values after each alias is replaced by its value. ` +
      "A few lines of aliases to aliases can stand for billions of values. No document that a person writes has so many.",
    example: front(laughs(9)),
    fixed: front(laughs(2)),
  }),
};

interface SkillEntry {
  readonly explanation: string;
  /** Text of SKILL.md. */
  readonly example: string;
  readonly fixed: string;
}

function entry(
  severity: DiagnosticEntry["severity"],
  title: string,
  texts: SkillEntry,
): DiagnosticEntry {
  return {
    severity,
    title,
    explanation: texts.explanation,
    example: skill(texts.example),
    fixed: skill(texts.fixed),
  };
}

function skill(text: string): ProjectFiles {
  return { "skills/desk/SKILL.md": text };
}

function front(line: string): string {
  return `---\nname: desk\ndescription: Answer customers.\n${line}\n---\n`;
}

/** Makes lines of which each expands to ten times the line above. */
function laughs(lines: number): string {
  const all = ["metadata:", "  l0: &l0 ha"];
  for (let line = 1; line <= lines; line += 1) {
    const aliases = Array.from({ length: 10 }, () => `*l${line - 1}`).join(", ");
    all.push(`  l${line}: &l${line} [${aliases}]`);
  }
  return all.join("\n");
}
