/**
 * `npm run bench [-- NAME…] [-- --json FILE] [-- --keep]`
 *
 * Runs all benchmarks, or the named ones, and prints a table with differences to the ratios in
 * `ratios.json`. `--keep` stores the new ratios; use it only on a quiet machine.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { measureCall } from "./call.js";
import { measureCommands } from "./commands.js";
import { measureEdits } from "./edits.js";
import { measureEffects } from "./effects.js";
import { measureGovernance } from "./governance.js";
import { measureHttp } from "./http.js";
import { measureImport } from "./import.js";
import { measureLedger } from "./ledger.js";
import { measureDurableLedgers } from "./ledger-postgres.js";
import { storeRatios, storedRatios } from "./stored-ratios.js";
import { measureLedgerQueries } from "./ledger-queries.js";
import type { Measurement } from "./measurement.js";
import { measureMcp } from "./mcp.js";
import { measureOpenApi } from "./openapi.js";
import { measurePlanner } from "./planner.js";
import { measurePlans } from "./plans.js";
import { measureQueue } from "./queue.js";
import { measureRollback } from "./rollback.js";
import { measureScale } from "./scale.js";
import { measureSql } from "./sql.js";
import { measureSqlScale } from "./sql-scale.js";

const benchmarks: Readonly<Record<string, () => Promise<readonly Measurement[]>>> = {
  call: measureCall,
  commands: measureCommands,
  edits: measureEdits,
  effects: measureEffects,
  governance: measureGovernance,
  http: measureHttp,
  import: measureImport,
  ledger: measureLedger,
  "ledger-postgres": measureDurableLedgers,
  "ledger-queries": measureLedgerQueries,
  mcp: measureMcp,
  openapi: measureOpenApi,
  planner: measurePlanner,
  plans: measurePlans,
  queue: measureQueue,
  rollback: measureRollback,
  scale: measureScale,
  sql: measureSql,
  "sql-scale": measureSqlScale,
};

const { values, positionals } = parseArgs({
  options: { json: { type: "string" }, keep: { type: "boolean" } },
  allowPositionals: true,
});
const wanted = positionals.length === 0 ? Object.keys(benchmarks) : positionals;
const unknown = wanted.find((name) => !Object.hasOwn(benchmarks, name));
if (unknown !== undefined) {
  console.error(`no benchmark \`${unknown}\`; there are ${Object.keys(benchmarks).join(", ")}`);
  process.exit(2);
}
const measured: Measurement[] = [];
const table = new Table({
  head: ["what", "value", "", "last", "against"],
  style: { head: [], border: [] },
});
for (const name of wanted) {
  console.error(`measuring ${name} …`);
  const figures = (await benchmarks[name]?.()) ?? [];
  const last = storedRatios(name);
  for (const each of figures) table.push(rowOf(each, last.get(each.name)));
  if (values.keep === true) storeRatios(name, figures);
  measured.push(...figures);
}

console.log(table.toString());
if (values.json !== undefined)
  writeFileSync(values.json, `${JSON.stringify(measured, undefined, 2)}\n`);

function rowOf({ baseline, name, unit, value }: Measurement, last: number | undefined) {
  const digits = unit === "×" ? 2 : value < 10 ? 1 : 0;
  const right = (content: string) => ({ content, hAlign: "right" as const });
  return [name, right(value.toFixed(digits)), unit, right(differenceTo(last, value)), baseline];
}

/** `1.06, +0.02`; empty if there is no previous value. */
function differenceTo(last: number | undefined, value: number): string {
  if (last === undefined) return "";
  const difference = value - last;
  return `${last.toFixed(2)}, ${difference < 0 ? "-" : "+"}${Math.abs(difference).toFixed(2)}`;
}
