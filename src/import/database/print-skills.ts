/** Prints the files of skills for tables. */
import type { DatabaseModel, TableModel } from "../../core/database-model.js";
import type { JsonObject } from "../../core/json.js";
import { quote } from "../../core/names.js";
import {
  harmless,
  headingOf,
  longestDescription,
  printKnowledge,
  printYaml,
  type SkillFiles,
} from "../skills/print-files.js";
import { cut, oneLine, prose } from "../skills/texts.js";
import { isVersion } from "./columns.js";

export interface DatabaseSkill {
  readonly name: string;
  /** Names of the tables' schemas. */
  readonly schemas: readonly string[];
  readonly tables: readonly TableModel[];
  /** Tools by name. */
  readonly tools: readonly (readonly [string, JsonObject])[];
}

export function printDatabaseSkills(
  { schemaComments }: DatabaseModel,
  database: string,
  skills: readonly DatabaseSkill[],
): SkillFiles {
  return new Map(
    skills.flatMap((skill) => [
      [`${skill.name}/SKILL.md`, printSkill(skill, database, schemaComments)],
      [
        `${skill.name}/metadata.yaml`,
        printYaml(
          { tools_schema: Object.fromEntries(skill.tools) },
          headingOf("skillc import database"),
        ),
      ],
    ]),
  );
}

function printSkill(
  skill: DatabaseSkill,
  database: string,
  comments: ReadonlyMap<string, string>,
): string {
  const { name, schemas, tables } = skill;
  const about = schemas.flatMap((each) => {
    const comment = prose(comments.get(each) ?? "");
    return comment === "" || comment === "standard public schema" ? [] : [comment];
  });
  const names = tables.map((each) => oneLine(each.name));
  const start = cut(oneLine(about[0] ?? ""), 300) || `Tables of the database ${database}.`;
  const uses = `Use it to read ${names.join(", ")}${skill.tools.some(isChange) ? ", and to change them" : ""}.`;
  return printKnowledge(name, cut(`${start.replace(/[.…]?$/, ".")} ${uses}`, longestDescription), [
    `# ${name}`,
    ...about.map(harmless),
    manners(skill),
    ...tables.flatMap(printTable),
  ]);
}

function isChange([name]: readonly [string, JsonObject]): boolean {
  return !/^(?:get|list)-/.test(name);
}

/** Text that applies to all tables. */
function manners({ tables, tools }: DatabaseSkill): string {
  const versioned = tables.some(({ columns }) => columns.some(isVersion));
  return [
    "- Lists return pages of `limit` rows. A page with fewer rows is the last page.",
    ...(tools.some(isChange)
      ? ["- Before a change, read the row, and tell the user what will change."]
      : []),
    ...(versioned && tools.some(isChange)
      ? [
          "- If a change needs a version, pass the version that you read with the row. `not_found` then means that somebody else has changed the row. Read the row again, and ask the user if the change is still wanted.",
        ]
      : []),
  ].join("\n");
}

/** Describes a table; empty if neither the table nor its columns have a comment. */
function printTable({ columns, comment, kind, name }: TableModel): readonly string[] {
  const about = prose(comment ?? "");
  const lines = columns.flatMap((column) => {
    const words = cut(oneLine(column.comment ?? ""), 500);
    const whose = column.references === undefined ? "" : `Refers to ${quote(column.references)}.`;
    const description = [words, whose].filter((each) => each !== "").join(" ");
    return description === "" ? [] : [`- ${quote(oneLine(column.name))}: ${description}`];
  });
  const parts = [
    ...(about === "" ? [] : [harmless(about)]),
    ...(kind === "table" ? [] : [`A ${kind}.`]),
    ...(lines.length === 0 ? [] : [harmless(lines.join("\n"))]),
  ];
  return parts.length === 0 ? [] : [[`## ${oneLine(name)}`, ...parts].join("\n\n")];
}
