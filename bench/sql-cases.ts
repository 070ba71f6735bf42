/**
 * `node --import jiti/register bench/sql-cases.ts FILE [--json]`
 *
 * Compiles the SQL statements of a file, each as a tool, and prints each result in a table or as
 * JSON. The exit code is 1 if a share is below its bar.
 */
import { parseArgs } from "node:util";
import { barsOf, isMet } from "./sql-cases/bars.js";
import { readCases } from "./sql-cases/case.js";
import { judgeCases } from "./sql-cases/judge-cases.js";
import { barTable, verdictTable } from "./sql-cases/print.js";

const { values, positionals } = parseArgs({
  options: { json: { type: "boolean" } },
  allowPositionals: true,
});
const [file] = positionals;
if (file === undefined) throw new Error("which file of cases?");

const cases = readCases(file);
const verdicts = await judgeCases(cases, (done) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${cases.length} cases`);
});
const bars = barsOf(verdicts);
console.log(
  values.json === true
    ? JSON.stringify({ cases: verdicts, bars }, undefined, 2)
    : `${verdictTable(verdicts)}\n${barTable(bars)}`,
);
process.exitCode = bars.every(isMet) ? 0 : 1;
