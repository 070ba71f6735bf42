import picomatch from "picomatch";
import type { TableModel } from "../../core/database-model.js";

export interface ChosenTables {
  readonly chosen: readonly TableModel[];
  /** Patterns without a matching table. */
  readonly unknown: readonly string[];
}

/**
 * @param patterns patterns of names, `order*`, or of names with schemas, `billing.*`; undefined for
 * all tables
 */
export function chooseTables(
  tables: readonly TableModel[],
  patterns: readonly string[] | undefined,
): ChosenTables {
  if (patterns === undefined) return { chosen: tables, unknown: [] };
  return {
    chosen: tables.filter((table) => patterns.some((each) => isNamed(table, each))),
    unknown: patterns.filter((each) => !tables.some((table) => isNamed(table, each))),
  };
}

/**
 * Checks if a pattern matches a table. A name equal to the pattern always matches, even if its
 * characters have a meaning in patterns.
 */
function isNamed({ name, schema }: TableModel, pattern: string): boolean {
  const names = [name, `${schema}.${name}`];
  const options = { nobrace: true, noextglob: true, dot: true, bash: true };
  return names.some((each) => each === pattern || picomatch.isMatch(each, pattern, options));
}
