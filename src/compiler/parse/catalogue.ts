import type { Catalogue, CatalogueEntry, ProjectFiles } from "../../core/catalogue.js";
import { jsonCatalogue } from "./json-catalogue.js";
import { mostLevels, mostNodes, mostTokens } from "./limits.js";
import { yamlCatalogue } from "./yaml-catalogue.js";

/** Every code that reading SKILL.md and the metadata file as trees can report. */
export const parseCatalogue: Catalogue = {
  ...yamlCatalogue,
  ...jsonCatalogue,
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
    explanation: `Maps and lists may be nested ${mostLevels} levels, counted after aliases have taken their values' place.`,
    example: front(`a: ${"[".repeat(mostLevels + 1)}${"]".repeat(mostLevels + 1)}`),
    fixed: front("metadata: [[[]]]"),
  }),
  "parse/too-large": entry("error", "a document with too many parts", {
    explanation:
      `A document may hold ${mostNodes} values once every alias has taken its value's place, and ${mostTokens} tokens. A few lines of ` +
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
  severity: CatalogueEntry["severity"],
  title: string,
  texts: SkillEntry,
): CatalogueEntry {
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
