import picomatch from "picomatch";
import type { TableModel } from "../../core/database-model.js";

export interface ChosenTables {
  readonly chosen: readonly TableModel[];
  /** Patterns that name no table. */
  readonly unknown: readonly string[];
}

/**
 * @param patterns of names, `order*`, or of names with their schemas, `billing.*`; undefined: all
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

/** A pattern also matches a name that is equal to it, whatever its characters mean in a pattern. */
function isNamed({ name, schema }: TableModel, pattern: string): boolean {
  const names = [name, `${schema}.${name}`];
  const options = { nobrace: true, noextglob: true, dot: true, bash: true };
  return names.some((each) => each === pattern || picomatch.isMatch(each, pattern, options));
}
