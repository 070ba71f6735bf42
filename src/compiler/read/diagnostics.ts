import type {
  DiagnosticEntries,
  DiagnosticEntry,
  ProjectFiles,
} from "../../core/diagnostic-entry.js";

const skill = "---\nname: desk\ndescription: Answer customers.\n---\n\nAnswer politely.\n";
const desk: ProjectFiles = { "skills/desk/SKILL.md": skill };

/** Every code that reading a project's files can report. */
export const readDiagnosticEntries: DiagnosticEntries = {
  "read/no-skills-folder": entry("error", "no skills folder", {
    explanation:
      "Skills are looked for below `skills`, or below the folder that skillc.yaml names. It must be a folder in the project; a link that leads " +
      "out of the project, or nowhere, is not followed, and the message says so.",
    example: { "skillc.yaml": "skills: skils\n", ...desk },
    fixed: { "skillc.yaml": "skills: skills\n", ...desk },
  }),
  "read/no-skills": aboutProject("warning", "a skills folder without skills", {
    explanation:
      "The folder is there, and no folder in it has a SKILL.md. Nothing is generated, and the modules of skills that were there are removed. " +
      "`skillc init` writes a skill to start from.",
    example: { "skills/desk/notes.json": "{}\n" },
    fixed: desk,
  }),
  "read/no-skill-folder": entry("error", "a skill without a folder", {
    explanation: "A skill is a folder with a SKILL.md, and the folder's name is the skill's.",
    example: { "skills/SKILL.md": skill },
    fixed: desk,
  }),
  "read/misnamed-skill": entry("error", "a skill's file under another name", {
    explanation:
      "A skill's text is `SKILL.md`, or `skill.md`. A file named nearly like it (`Skill.md`, `skil.md`) is most likely meant for one; passed over in silence, the skill's " +
      "generated modules would be removed as those of a skill that is gone.",
    example: { "skills/desk/Skill.md": skill },
    fixed: desk,
  }),
  "read/nested-skill": entry("info", "a SKILL.md inside another skill", {
    explanation:
      "A skill's folder may hold folders with material: references, templates, scripts. A SKILL.md among them belongs to that skill and is not " +
      "compiled. If it is meant as a skill, move its folder out.",
    example: { ...desk, "skills/desk/assets/SKILL.md": skill },
    fixed: { ...desk, "skills/desk/assets/template.md": skill },
  }),
  "read/two-skill-files": entry("error", "SKILL.md and skill.md in one folder", {
    explanation:
      "Both names mark a skill, and a skill has one text. On some systems only one of the two can exist.",
    example: { ...desk, "skills/desk/skill.md": skill },
    fixed: desk,
  }),
  "read/two-metadata-files": entry("error", "metadata.json and metadata.yaml in one folder", {
    explanation:
      "A skill's tools and settings may stand in `metadata.json`, `metadata.yaml` or `metadata.yml` beside SKILL.md. With two of them, nothing says which one holds; the message says which " +
      "was read.",
    example: {
      ...desk,
      "skills/desk/metadata.json": "{}\n",
      "skills/desk/metadata.yaml": "risk_level: high\n",
    },
    fixed: { ...desk, "skills/desk/metadata.yaml": "risk_level: high\n" },
  }),
  "read/misnamed-metadata": aboutProject("warning", "a skill's metadata under another name", {
    explanation:
      "What stands beside SKILL.md is read as `metadata.json`, `metadata.yaml` or `metadata.yml`. A file named nearly like one of them (`Metadata.json`, `metadta.yaml`), in a folder that has none, " +
      "is most likely meant for one; passed over in silence, the tools in it would seem not to be there.",
    example: { ...desk, "skills/desk/metadta.yaml": "risk_level: high\n" },
    fixed: { ...desk, "skills/desk/metadata.yaml": "risk_level: high\n" },
  }),
  "read/too-large": entry("error", "a file that is too large", {
    explanation:
      "Files that skills are made of or refer to, and those that skillc.yaml names, may have 2 MiB. Larger ones in a skill's folder are no problem as long as nothing refers to " +
      "them.",
    example: { "skills/desk/SKILL.md": skill.padEnd(2 * 1024 * 1024 + 1, "Answer politely.\n") },
    fixed: desk,
  }),
  "read/not-utf-8": entry("error", "a file that is not UTF-8", {
    explanation:
      "Files are read as UTF-8. The message names the first byte, counted from 0, that can't be part of it: a file in Latin-1 or UTF-16, or " +
      "one that was cut off. Save it as UTF-8.",
    example: { "skills/desk/SKILL.md": skill.replace("politely", "na\ufffdvely") },
    fixed: { "skills/desk/SKILL.md": skill.replace("politely", "na\u00efvely") },
  }),
  "read/merge-conflict": entry("error", "a merge conflict that is not resolved", {
    explanation:
      "A merge left both sides in the file, between lines of `<<<<<<<`, `=======` and `>>>>>>>`. This holds for every file that skillc reads: SKILL.md, metadata.json or metadata.yaml, skillc.yaml, the schema files that " +
      "they name, and with `skillc check --env` also .env. In Markdown, what stands between fences is an example.",
    example: {
      "skills/desk/SKILL.md": skill.replace(
        "description: Answer customers.\n",
        "<<<<<<< HEAD\ndescription: Answer customers.\n=======\ndescription: Answer buyers.\n>>>>>>> buyers\n",
      ),
    },
    fixed: desk,
  }),
  "read/unreadable": entry("error", "a file that can't be read", {
    explanation:
      "The file or folder is there but reading it failed, and the message gives the system's name for the reason: `EACCES` is a missing " +
      "permission. A folder or a pipe where a file belongs can't be read either.",
    example: { "skills/desk/SKILL.md/notes.json": "{}\n" },
    fixed: desk,
  }),
  "read/not-in-project": entry("error", "a file of the settings that is not in the project", {
    explanation:
      "Files that skillc.yaml names, such as the schema of a database, are read where they are in the project: none outside it, and none by a symbolic " +
      "link, which may have come with the project and lead anywhere.",
    example: {
      ...desk,
      "skillc.yaml": "databases:\n  SHOP_URL: { schema: ../schema.sql }\n",
    },
    fixed: {
      ...desk,
      "skillc.yaml": "databases:\n  SHOP_URL: { schema: db/schema.sql }\n",
      "db/schema.sql": "CREATE TABLE item (id int);\n",
    },
  }),
  "read/no-policies-folder": entry("error", "no policies folder", {
    explanation:
      "Policies are looked for in `policies`, or in the folder that skillc.yaml names. One that it names must be there: without it nothing would forbid what the policies forbid.",
    example: {
      ...desk,
      "skillc.yaml": "policies: polices\n",
      "policies/desk.cedar": "permit (principal, action, resource);\n",
    },
    fixed: {
      ...desk,
      "skillc.yaml": "policies: policies\n",
      "policies/desk.cedar": "permit (principal, action, resource);\n",
    },
  }),
  "read/misnamed-config": entry("error", "skillc.yaml under another name", {
    explanation:
      "The project's settings are read from `skillc.yaml` alone. A file of nearly that name (`skillc.yml`, `.skillc.yaml`, `skilc.yaml`, `skillc.yaml.txt`, `skillc.json`) is not read. " +
      "Passed over in silence, its `governance: strict` would be gone. A template such as `skillc.example.yaml` may stay.",
    example: { ...desk, "skillc.yml": "governance: strict\n" },
    fixed: { ...desk, "skillc.yaml": "governance: strict\n" },
  }),
  "read/policy-not-read": entry("error", "a policy, or a test of policies, that is not read", {
    explanation:
      "Policies are the files right in the folder of policies whose names end in `.cedar`, in lower case, and don't begin with a dot. One in a folder below, behind a symbolic link, or with a name " +
      "like `desk.CEDAR`, `desk.ceder` or `desk.cedar.txt` is not read, nor is a pipe or a folder. Without that folder, policies in the project's own folder or in one of nearly the name (`policy`) are reported, too. Passed over in silence, what it forbids would be allowed. The same holds for tests, whose names end in `.test.yaml` or `.test.yml`: one that " +
      "is passed over (`desk.tests.yaml`, `desk_test.yaml`, `desk.test.json`) would let pass what it was written to hold.",
    example: { ...desk, "policies/desk/orders.cedar": "permit (principal, action, resource);\n" },
    fixed: { ...desk, "policies/orders.cedar": "permit (principal, action, resource);\n" },
  }),
  "read/link": aboutProject("warning", "a symbolic link that is not followed", {
    explanation:
      "A link below the skills folder is followed only when it leads to a file below that folder. Links to folders, and links that lead " +
      "elsewhere or nowhere, are passed over, so that what is compiled is what is in the project.",
    example: desk,
    fixed: desk,
  }),
};

type Texts = Pick<DiagnosticEntry, "explanation" | "example" | "fixed">;

/** A diagnostic about the whole project: no skill can accept it. */
function aboutProject(...about: Parameters<typeof entry>): DiagnosticEntry {
  return { ...entry(...about), acceptable: false };
}

function entry(
  severity: DiagnosticEntry["severity"],
  title: string,
  texts: Texts,
): DiagnosticEntry {
  return { severity, title, ...texts };
}
