import type { Engine } from "./engine.js";
import { CASTS, FUNCTIONS, OPERATORS, RELATIONS, SEARCH_PATH, TYPES } from "./snapshot-queries.js";
import { readCast, readFunction, readOperator, readRelation, readType } from "./snapshot-rows.js";
import type { Snapshot } from "./snapshot.js";

/** Reads the catalogues with six queries. Two engines with the same schema give the same snapshot, OIDs aside. */
export async function readSnapshot(engine: Engine): Promise<Snapshot> {
  const [path] = await engine.rows(SEARCH_PATH);
  const searchPath: readonly string[] = JSON.parse(path?.["path"] ?? "[]");
  return {
    searchPath,
    types: (await engine.rows(TYPES)).map(readType),
    relations: (await engine.rows(RELATIONS)).map(readRelation),
    functions: (await engine.rows(FUNCTIONS)).map(readFunction),
    operators: (await engine.rows(OPERATORS)).map(readOperator),
    casts: (await engine.rows(CASTS)).map(readCast),
  };
}
