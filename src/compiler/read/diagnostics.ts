import type {
  DiagnosticEntries,
  DiagnosticEntry,
  ProjectFiles,
} from "../../core/diagnostic-entry.js";

const skill = "---\nname: desk\ndescription: Answer customers.\n---\n\nAnswer politely.\n";
const desk: ProjectFiles = { "skills/desk/SKILL.md": skill };

/** Entries of all codes about reading a project's files. */
export const readDiagnosticEntries: DiagnosticEntries = {
  "read/no-skills-folder": entry("error", "no skills folder", {
    explanation:
      "skillc looks for skills below `skills`, or below the folder that skillc.yaml names. It must be a folder in the project. skillc does not follow a link " +
      "that leads out of the project or nowhere; the message says if there is such a link.",
    example: { "skillc.yaml": "skills: skils\n", ...desk },
    fixed: { "skillc.yaml": "skills: skills\n", ...desk },
  }),
  "read/no-skills": aboutProject("warning", "a skills folder without skills", {
    explanation:
      "The folder exists, but no folder in it has a SKILL.md. skillc generates nothing, and removes the modules of earlier skills. `skillc init` writes a " +
      "first skill.",
    example: { "skills/desk/notes.json": "{}\n" },
    fixed: desk,
  }),
  "read/no-skill-folder": entry("error", "a SKILL.md without a folder of its own", {
    explanation:
      "A skill is a folder with a SKILL.md. The name of the folder is the name of the skill.",
    example: { "skills/SKILL.md": skill },
    fixed: desk,
  }),
  "read/misnamed-skill": entry("error", "a skill's file with the wrong name", {
    explanation:
      "The file of a skill is `SKILL.md` or `skill.md`. A file with a similar name (`Skill.md`, `skil.md`) is probably meant as one. If skillc ignored the " +
      "file, the skill would seem to be deleted, and its generated modules would be removed.",
    example: { "skills/desk/Skill.md": skill },
    fixed: desk,
  }),
  "read/nested-skill": entry("info", "a SKILL.md inside another skill", {
    explanation:
      "A skill's folder may have folders with material: references, templates, scripts. A SKILL.md in one of them belongs to the outer skill, and skillc does " +
      "not compile it. To make it a skill, move its folder out.",
    example: { ...desk, "skills/desk/assets/SKILL.md": skill },
    fixed: { ...desk, "skills/desk/assets/template.md": skill },
  }),
  "read/two-skill-files": entry("error", "SKILL.md and skill.md in one folder", {
    explanation:
      "Both names mark a skill, and a skill has one file. Some file systems can hold only one of the two.",
    example: { ...desk, "skills/desk/skill.md": skill },
    fixed: desk,
  }),
  "read/two-metadata-files": entry("error", "metadata.json and metadata.yaml in one folder", {
    explanation:
      "A skill's tools and settings may be in `metadata.json`, `metadata.yaml` or `metadata.yml` beside SKILL.md. If there are two of these files, skillc " +
      "cannot know which one you mean. The message says which one it read.",
    example: {
      ...desk,
      "skills/desk/metadata.json": "{}\n",
      "skills/desk/metadata.yaml": "risk_level: high\n",
    },
    fixed: { ...desk, "skills/desk/metadata.yaml": "risk_level: high\n" },
  }),
  "read/misnamed-metadata": aboutProject("warning", "a skill's metadata file with the wrong name", {
    explanation:
      "Beside SKILL.md, skillc reads `metadata.json`, `metadata.yaml` or `metadata.yml`. In a folder without such a file, a file with a similar name " +
      "(`Metadata.json`, `metadta.yaml`) is probably meant as one. skillc does not read the file, so its tools would be missing.",
    example: { ...desk, "skills/desk/metadta.yaml": "risk_level: high\n" },
    fixed: { ...desk, "skills/desk/metadata.yaml": "risk_level: high\n" },
  }),
  "read/too-large": entry("error", "a file that is too large", {
    explanation:
      "A file may have at most 2 MiB if it is part of a skill, if a skill refers to it, or if skillc.yaml names it. A larger file in a skill's folder is fine " +
      "if nothing refers to it.",
    example: { "skills/desk/SKILL.md": skill.padEnd(2 * 1024 * 1024 + 1, "Answer politely.\n") },
    fixed: desk,
  }),
  "read/not-utf-8": entry("error", "a file that is not UTF-8", {
    explanation:
      "skillc reads files as UTF-8. The message gives the first byte that is not UTF-8, counted from 0. The file may be in Latin-1 or UTF-16, or it may be cut " +
      "off. Save the file as UTF-8.",
    example: { "skills/desk/SKILL.md": skill.replace("politely", "na\ufffdvely") },
    fixed: { "skills/desk/SKILL.md": skill.replace("politely", "na\u00efvely") },
  }),
  "read/merge-conflict": entry("error", "a merge conflict that is not resolved", {
    explanation:
      "A merge left both sides in the file, between lines of `<<<<<<<`, `=======` and `>>>>>>>`. skillc checks every file that it reads: SKILL.md, " +
      "metadata.json or metadata.yaml, skillc.yaml, the schema files that they name, policies, and with `skillc check --env` also .env. The place is the first " +
      "of these lines. In Markdown, a conflict inside a code fence counts as an example.",
    example: {
      "skills/desk/SKILL.md": skill.replace(
        "description: Answer customers.\n",
        "<<<<<<< HEAD\ndescription: Answer customers.\n=======\ndescription: Answer buyers.\n>>>>>>> buyers\n",
      ),
    },
    fixed: desk,
  }),
  "read/unreadable": entry("error", "a file that cannot be read", {
    explanation:
      "The file or folder exists, but skillc could not read it. The message gives the system's name for the reason: `EACCES` is a missing permission. skillc " +
      "cannot read a folder or a pipe in the place of a file either.",
    example: { "skills/desk/SKILL.md/notes.json": "{}\n" },
    fixed: desk,
  }),
  "read/not-in-project": entry("error", "a file in skillc.yaml that is outside the project", {
    explanation:
      "skillc.yaml names files, such as the schema of a database. skillc reads these files only inside the project, and never through a symbolic link. A link " +
      "may have come with the project and may lead anywhere.",
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
      "skillc looks for policies in `policies`, or in the folder that skillc.yaml names. If skillc.yaml names a folder, the folder must exist. Without it, " +
      "nothing would forbid the calls that the policies forbid.",
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
      "skillc reads the project's settings only from `skillc.yaml`. It does not read a file with a similar name (`skillc.yml`, `.skillc.yaml`, `skilc.yaml`, " +
      "`skillc.yaml.txt`, `skillc.json`). A `governance: strict` in such a file would have no effect. A template such as `skillc.example.yaml` may stay.",
    example: { ...desk, "skillc.yml": "governance: strict\n" },
    fixed: { ...desk, "skillc.yaml": "governance: strict\n" },
  }),
  "read/policy-not-read": entry("error", "a policy, or a test of policies, that is not read", {
    explanation:
      "skillc reads policies from files directly in the folder of policies. Their names end in `.cedar`, in lower case, and do not begin with a dot. Names of " +
      "tests end in `.test.yaml` or `.test.yml`. skillc does not read a file in a subfolder, behind a symbolic link or with a similar name (`desk.CEDAR`, " +
      "`desk.ceder`, `desk.cedar.txt`, `desk.tests.yaml`, `desk_test.yaml`, `desk.test.json`), nor a pipe or a folder with such a name. If there is no folder " +
      "of policies, skillc also reports policies in the project's own folder, or in a folder with a similar name (`policy`). A policy that is not read forbids " +
      "nothing, and a test that is not read checks nothing.",
    example: { ...desk, "policies/desk/orders.cedar": "permit (principal, action, resource);\n" },
    fixed: { ...desk, "policies/orders.cedar": "permit (principal, action, resource);\n" },
  }),
  "read/link": aboutProject("warning", "a symbolic link that is not followed", {
    explanation:
      "skillc follows a link below the skills folder only if the link leads to a file below that folder. It ignores links to folders, and links that lead " +
      "elsewhere or nowhere. So it compiles only files of the project.",
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
