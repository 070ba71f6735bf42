import type { Described, SqlFault } from "./engine.js";

const EXPLAIN = "EXPLAIN (GENERIC_PLAN) ";

/**
 * Plans a statement for any parameters. Only the simple protocol takes GENERIC_PLAN with parameters, and it would run what stands behind a semicolon: so
 * the statement is described before, which refuses more than one.
 */
export async function explain(
  sql: string,
  describe: (sql: string) => Promise<Described>,
  execute: (sql: string) => Promise<SqlFault | undefined>,
): Promise<SqlFault | undefined> {
  const described = await describe(sql);
  if (described.kind === "fault") return described.fault;
  const fault = await execute(EXPLAIN + sql);
  return fault && planFault(fault);
}

function planFault(fault: SqlFault): SqlFault | undefined {
  // The statement itself was described: it is of a kind that has no plan, such as TRUNCATE.
  if (fault.code === "42601") return undefined;
  // It was planned. Who asks may be somebody else than who runs it, and versions that don't plan look at no table's permissions either.
  if (fault.code === "42501") return undefined;
  // A foreign table whose server has only a stand-in has nobody who would plan it.
  if (fault.code === "55000") return undefined;
  if (fault.position === undefined) return fault;
  return { ...fault, position: Math.max(1, fault.position - EXPLAIN.length) };
}
