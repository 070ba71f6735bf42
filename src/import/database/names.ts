/** Derives names of skills, tools and parameters from those of a database. */
import type { TableModel } from "../../core/database-model.js";
import { shortHash } from "../../core/hash.js";
import { portableName } from "../../core/names.js";
import { distinctNames, slug, usableSkillName } from "../skills/names.js";

/** Makes one skill per schema, or one per group of tables with a common prefix. */
export type Grouping = "schema" | "group";

/** Name of a database from its setting: `shop` from `SHOP_DATABASE_URL`. */
export function databaseName(setting: string): string {
  const name = setting.replace(
    /_?(?:(?:DATABASE|POSTGRES|POSTGRESQL|PG|DB)_?)?(?:URL|URI|DSN)$/i,
    "",
  );
  return slug(name === "" ? setting : name, "database");
}

/** Name of a table's skill. */
export function skillOf(
  { name, schema }: TableModel,
  database: string,
  { by, prefix }: { readonly by: Grouping; readonly prefix: string },
): string {
  const own = schema === "public" ? [] : [slug(schema, "schema")];
  if (by === "schema") {
    const skill = `${prefix}${own[0] ?? database}`;
    return usableSkillName(skill, database, skill);
  }
  const [first = "table"] = slug(name, "table").split("-");
  const skill = `${prefix}${[...own, singular(first)].join("-")}`;
  return usableSkillName(skill, database, skill);
}

/** Singular of an English plural. It is a guess, and a wrong one only reads badly. */
function singular(name: string): string {
  if (/(?:ss|us|is|news|series|species)$/.test(name)) return name;
  if (/[^aeiou]ies$/.test(name)) return name.replace(/ies$/, "y");
  if (/(?:ss|sh|ch|x|tus|rus)es$/.test(name)) return name.replace(/es$/, "");
  return name.length > 2 ? name.replace(/s$/, "") : name;
}

/** The operation of a tool on a table, and the columns that select rows. */
export interface Operation {
  readonly verb: "get" | "list" | "insert" | "update" | "delete";
  readonly table: TableModel;
  /**
   * Columns that distinguish the operation from others with the same verb; empty for the usual one.
   */
  readonly by: readonly string[];
}

/** Stable key of an operation: `get public.orders by reference`. */
export function keyOf({ by, table: { name, schema }, verb }: Operation): string {
  const columns = by.length === 0 ? "" : ` by ${by.join(", ")}`;
  return `${verb} ${schema}.${name}${columns}`;
}

/**
 * Names the tools of one skill, in the order of the operations.
 *
 * @param known names of operations from the last import, by `keyOf`; they win a conflict
 */
export function toolNames(
  skill: string,
  operations: readonly Operation[],
  known: ReadonlyMap<string, string>,
): readonly string[] {
  const named = operations.map((each) => ({ identity: keyOf(each), name: wordsOf(each) }));
  return distinctNames(skill, named, known);
}

function wordsOf({ by, table: { name }, verb }: Operation): string {
  const table = portableName(name) ?? `table-${shortHash(name).slice(0, 6)}`;
  const subject = verb === "list" ? table : singular(table);
  const columns = by.map((each) => portableName(each) ?? shortHash(each).slice(0, 6));
  return [verb, subject, ...(columns.length === 0 ? [] : ["by", columns.join("-and-")])].join("-");
}

/** Assigns each column a parameter of the same name, or of the nearest valid name. */
export interface ParameterNames {
  /** @param before,after words around the name: `after_`, `_min` */
  take(column: string, before?: string, after?: string): string;
}

/** @param reserved names of other parameters of the tool */
export function createParameterNames(reserved: readonly string[]): ParameterNames {
  const taken = new Set(reserved);
  return {
    take(column, before = "", after = "") {
      const plain = `${before}${plainWord(column)}${after}`;
      const names = [plain, `${plain}_column`];
      for (let count = 2; names.every((name) => taken.has(name)); count++)
        names.push(`${plain}_${count}`);
      const name = names.find((each) => !taken.has(each)) ?? plain;
      taken.add(name);
      return name;
    },
  };
}

/**
 * Converts a name to letters, digits and underscores after a letter, which a placeholder allows.
 */
function plainWord(column: string): string {
  if (/^[A-Za-z]\w*$/.test(column)) return column;
  const word =
    portableName(column)?.replaceAll("-", "_") ?? `column_${shortHash(column).slice(0, 6)}`;
  return /^[a-z]/.test(word) ? word : `column_${word}`;
}
