/**
 * Converts the tables of a database to skills:
 *
 * - `choose-tables.ts`: selects the tables
 * - `draft-table.ts`: the tools of each table, both reading (`read-tools.ts`) and changing
 *   (`write-tools.ts`). They consist of `tool-parts.ts` and statements (`statements.ts`), depending
 *   on the columns (`columns.ts`). `names.ts` has their names
 * - `print-skills.ts`: prints the files
 *
 * `../again` then separates people's edits of the last import from changes in the database.
 *
 * The files contain no types, because the compiler reads them from the database. This folder writes
 * no files. The command line writes all or none.
 */
import type { DatabaseModel, TableModel } from "../../core/database-model.js";
import { groupBy } from "../../core/group-by.js";
import { quote } from "../../core/names.js";
import { compareText, type Report } from "../../core/report.js";
import { type ImportDraft, draftImportedFiles, readLastImport } from "../again/draft-import.js";
import type { Present } from "../again/draft-writes.js";
import { type ImportRequest, recordPath, type StoredImport } from "../again/stored-import.js";
import { slug } from "../skills/names.js";
import { chooseTables } from "./choose-tables.js";
import { databaseName, type Grouping, keyOf, skillOf, toolNames } from "./names.js";
import { type TableDraft, draftTable } from "./draft-table.js";
import { type DatabaseSkill, printDatabaseSkills } from "./print-skills.js";

/** Options of a database import. */
export interface DatabaseRequest {
  /** Setting with the URL. */
  readonly source: string;
  readonly skill?: string;
  readonly prefix?: string;
  readonly by?: Grouping;
  readonly tables?: readonly string[];
}

export interface ReadDatabaseImport {
  readonly database: DatabaseModel;
  readonly name: string;
  readonly request: DatabaseRequest;
  readonly stored: StoredImport | undefined;
  readonly chosen: readonly TableModel[];
  /** Patterns without a matching table. */
  readonly unknown: readonly string[];
}

/** Result for one table. */
export interface TableOutcome extends TableDraft {
  readonly skill?: string;
  readonly names: readonly string[];
}

export interface DatabaseImport extends ReadDatabaseImport, ImportDraft {
  readonly outcomes: readonly TableOutcome[];
  readonly skills: readonly DatabaseSkill[];
}

/** Default name of an import. */
export function importName({ source }: DatabaseRequest, name: string | undefined): string {
  return name === undefined ? databaseName(source) : slug(name, "database");
}

/**
 * Completes the request with the choices of the last import, and selects its tables. Undefined,
 * with an error in `report`, if the record of the last import is unusable.
 */
export function readDatabaseImport(
  database: DatabaseModel,
  asked: DatabaseRequest,
  name: string,
  present: Present,
  report: Report,
): ReadDatabaseImport | undefined {
  const stored = readLastImport("database", name, present, report);
  if (stored === "unusable") return undefined;
  const request = { ...(stored && choicesOf(stored.request)), ...asked };
  return {
    database,
    name,
    request,
    stored,
    ...chooseTables(database.tables, request.tables),
  };
}

function choicesOf({ by, prefix, skill, tables }: ImportRequest): Partial<DatabaseRequest> {
  return {
    ...(typeof skill === "string" && { skill }),
    ...(typeof prefix === "string" && { prefix }),
    ...((by === "schema" || by === "group") && { by }),
    ...(typeof tables === "object" && { tables }),
  };
}

/** Maximum number of reasons in the error that no table gets tools. */
const maxReasons = 3;

/** Drafts the skills for the tables, and the steps to write them. */
export function draftDatabaseImport(
  read: ReadDatabaseImport,
  present: Present,
  report: Report,
): DatabaseImport | undefined {
  const { chosen, database, name, request, stored } = read;
  const drafts = chosen.map((table) => draftTable(table, request.source));
  const outcomes = nameTools(drafts, read);
  const skills = skillsOf(outcomes);
  const draft = draftImportedFiles(
    {
      kind: "database",
      name,
      request: { ...request },
      names: new Map(
        outcomes.flatMap(({ names, skill, tools }) =>
          tools.map(({ operation }, index) => [keyOf(operation), `${skill}/${names[index]}`]),
        ),
      ),
      files: printDatabaseSkills(database, name, skills),
      stored,
      source: {
        file: present.nameOf(recordPath(name)),
        things: "table of the database",
        reasons: drafts
          .flatMap(({ obstacle, table }) =>
            obstacle === undefined ? [] : [`${quote(table.name)}: ${obstacle}`],
          )
          .slice(0, maxReasons)
          .join(", "),
      },
      help: {
        fewer: "choose fewer tables with `--tables`, or make more skills with `--by group`",
        otherNames:
          "give the skills other names with `--prefix shop-`, or make one skill with `--skill`",
      },
    },
    present,
    report,
  );
  return draft && { ...read, ...draft, outcomes, skills };
}

function nameTools(
  drafts: readonly TableDraft[],
  { name, request, stored }: ReadDatabaseImport,
): readonly TableOutcome[] {
  const { by = "schema", prefix = "", skill: only } = request;
  const skillFor = (table: TableModel): string => only ?? skillOf(table, name, { by, prefix });
  const used = drafts.filter(({ tools }) => tools.length > 0);
  const named = new Map<TableDraft, TableOutcome>();
  for (const [skill, tables] of groupBy(used, ({ table }) => skillFor(table))) {
    const operations = tables.flatMap(({ tools }) => tools.map(({ operation }) => operation));
    const known = new Map(
      [...(stored?.names ?? [])].flatMap(([key, id]) =>
        id.startsWith(`${skill}/`) ? [[key, id.slice(skill.length + 1)] as const] : [],
      ),
    );
    const names = toolNames(skill, operations, known);
    let start = 0;
    for (const each of tables) {
      const own = names.slice(start, (start += each.tools.length));
      named.set(each, { ...each, skill, names: own });
    }
  }
  return drafts.map((each) => named.get(each) ?? { ...each, names: [] });
}

function skillsOf(outcomes: readonly TableOutcome[]): readonly DatabaseSkill[] {
  const used = outcomes.filter(({ skill }) => skill !== undefined);
  return [...groupBy(used, ({ skill }) => skill ?? "")]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([name, own]) => ({
      name,
      schemas: [...new Set(own.map(({ table }) => table.schema))],
      tables: own.map(({ table }) => table),
      tools: own.flatMap(({ names, tools }) =>
        tools.map(({ tool }, index) => [names[index] ?? "", tool] as const),
      ),
    }));
}
