import type {
  DiagnosticEntries,
  DiagnosticEntry,
  ProjectFiles,
} from "../../core/diagnostic-entry.js";
import { maxLevels, maxNodes, maxTokens } from "./compose-yaml.js";

/** Codes that YAML anywhere can cause. */
const yamlDiagnosticEntries: DiagnosticEntries = {
  "parse/invalid-yaml": yamlEntry("error", "text that is not YAML", {
    explanation:
      "The YAML can't be read from here on. The usual causes: a `: ` or ` #` in a value without quotes, a tab as indentation, a quote or " +
      "bracket that is never closed, a line that is indented like nothing above it.",
    example: "compatibility: Node: 20 or later",
    fixed: 'compatibility: "Node: 20 or later"',
  }),
  "parse/doubtful-yaml": yamlEntry("warning", "YAML that readers understand in different ways", {
    explanation:
      "The YAML is valid, but its writer may have meant something else: an anchor or alias whose name ends in a colon, an unknown directive.",
    example: "license: &a: MIT",
    fixed: "license: &a MIT",
  }),
  "parse/control-character": yamlEntry("error", "a control character in YAML", {
    explanation:
      "YAML allows no control characters but tabs and line breaks; most editors don't even show them. A carriage return counts when no " +
      "line feed follows it. In double quotes an escape such as `\\u0007` spells one.",
    example: "license: M\u0007IT",
    fixed: "license: MIT",
  }),
  "parse/duplicate-key": yamlEntry("error", "a key that stands twice in one mapping", {
    explanation:
      "Two entries of a mapping have the same key, and which of them counts differs from reader to reader. Keys are compared as text: " +
      '`404` and `"404"` are the same.',
    example: "license: MIT\nlicense: Apache-2.0",
    fixed: "license: MIT",
  }),
  "parse/key-not-text": yamlEntry("error", "a key that is a list or a mapping", {
    explanation:
      "YAML allows any value as a key; skillc, like JSON, only text. Without quotes `{{name}}` is such a key: in other template languages a " +
      'placeholder, which here is `"{name}"`.',
    example: "metadata:\n  [a, b]: pair",
    fixed: 'metadata:\n  "a, b": pair',
  }),
  "parse/merge-key": yamlEntry("error", "a merge key", {
    explanation:
      "`<<: *name` merges another mapping's entries in YAML 1.1 tools. YAML 1.2 dropped it, so that half of all readers would see a key " +
      'named `<<` and miss the entries. An alias as a whole value is fine. `"<<"` in quotes is an ordinary key. ' +
      "In a document that `skillc import` reads, which is of others, it merges mappings, and nothing else.",
    example: "metadata:\n  base: &base\n    team: orders\n  desk:\n    <<: *base",
    fixed: "metadata:\n  base: &base\n    team: orders\n  desk: *base",
  }),
  "parse/unknown-tag": yamlEntry("error", "a YAML tag that gives a value no type", {
    explanation:
      "`!name` tags belong to programs that load YAML into their own objects. The core tags are read (`!!str`, `!!int`, `!!float`, " +
      "`!!bool`, `!!null`, `!!map`, `!!seq`), where the value fits them.",
    example: "license: !vault MIT",
    fixed: "license: MIT",
  }),
  "parse/unknown-alias": yamlEntry("error", "an alias without an anchor", {
    explanation:
      "`*name` stands for the value marked `&name`, which must come earlier in the same document. A value that merely starts with `*` " +
      "needs quotes.",
    example: "license: *mit",
    fixed: 'license: "*mit"',
  }),
  "parse/recursive-alias": yamlEntry("error", "an alias inside the value it names", {
    explanation: "The value would contain itself without end.",
    example: "metadata: &all\n  copy: *all",
    fixed: "metadata: &all\n  copy: none",
  }),
  "parse/multiple-documents": yamlEntry("error", "a second YAML document", {
    explanation: "A line that starts with `---` begins another document. Exactly one is read.",
    example: "--- # more\nlicense: MIT",
    fixed: "# more\nlicense: MIT",
  }),
  "parse/number-not-json": yamlEntry("error", "a number that JSON does not have", {
    explanation:
      "`.nan`, `.inf` and numbers too large for a double can't be passed on as JSON. In quotes they are text.",
    example: "metadata:\n  limit: .inf",
    fixed: 'metadata:\n  limit: ".inf"',
  }),
  "parse/unsafe-integer": yamlEntry("warning", "an integer beyond 2^53", {
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

/** Codes that JSON files can cause beyond those of YAML. */
const jsonDiagnosticEntries: DiagnosticEntries = {
  "parse/invalid-json": {
    severity: "error",
    title: "text that is not JSON",
    explanation:
      "The file is read as strict JSON (RFC 8259): no comments, no comma before a closing bracket, strings and keys in double quotes.",
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

/** Every code that reading SKILL.md and the metadata file as trees can report. */
export const parseDiagnosticEntries: DiagnosticEntries = {
  ...yamlDiagnosticEntries,
  ...jsonDiagnosticEntries,
  "parse/no-front-matter": entry("warning", "SKILL.md has no front matter", {
    explanation:
      "The Agent Skills specification wants every SKILL.md to start with YAML between two `---` lines. Without it the file is read as " +
      "Markdown alone: the skill has its folder's name, no description and no tools.",
    example: "# Help desk\n\nAnswer politely.\n",
    fixed:
      "---\nname: desk\ndescription: Answer customers.\n---\n\n# Help desk\n\nAnswer politely.\n",
  }),
  "parse/late-front-matter": entry("error", "front matter that does not start on the first line", {
    explanation:
      "Front matter is what stands between a `---` on the very first line and the next `---`. Below a blank line it is Markdown to every " +
      "reader, and the tools in it would silently be missing.",
    example: "\n---\nname: desk\ndescription: Answer customers.\n---\n",
    fixed: "---\nname: desk\ndescription: Answer customers.\n---\n",
  }),
  "parse/unclosed-front-matter": entry("error", "front matter without an end", {
    explanation:
      "The first line `---` opens front matter, and no later line is `---`. The line must start in the first column and hold nothing else.",
    example: "---\nname: desk\ndescription: Answer customers.\n\n# Help desk\n",
    fixed: "---\nname: desk\ndescription: Answer customers.\n---\n\n# Help desk\n",
  }),
  "parse/unopened-front-matter": entry("error", "front matter without a beginning", {
    explanation:
      "The file starts with keys of front matter, and a line `---` ends them, but none opens them. To every reader they are Markdown: the " +
      "skill would have no tools, and the modules of those that it had would be removed.",
    example: "name: desk\ndescription: Answer customers.\n---\n\n# Help desk\n",
    fixed: "---\nname: desk\ndescription: Answer customers.\n---\n\n# Help desk\n",
  }),
  "parse/front-matter-not-a-mapping": entry("error", "front matter that is no mapping", {
    explanation: "Front matter is a list, or a single value, where `key: value` lines belong.",
    example: "---\n- name\n- desk\n---\n",
    fixed: "---\nname: desk\ndescription: Answer customers.\n---\n",
  }),
  "parse/too-deep": entry("error", "nesting that goes too deep", {
    explanation: `Maps and lists may be nested ${maxLevels} levels, counted after aliases have taken their values' place.`,
    example: front(`a: ${"[".repeat(maxLevels + 1)}${"]".repeat(maxLevels + 1)}`),
    fixed: front("metadata: [[[]]]"),
  }),
  "parse/too-large": entry("error", "a document with too many parts", {
    explanation:
      `A document may hold ${maxNodes} values once every alias has taken its value's place, and ${maxTokens} tokens. A few lines of ` +
      "aliases to aliases can stand for billions of values; so can no document that a person wrote.",
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

/** Each line ten times the one above. */
function laughs(lines: number): string {
  const all = ["metadata:", "  l0: &l0 ha"];
  for (let line = 1; line <= lines; line += 1) {
    const aliases = Array.from({ length: 10 }, () => `*l${line - 1}`).join(", ");
    all.push(`  l${line}: &l${line} [${aliases}]`);
  }
  return all.join("\n");
}
