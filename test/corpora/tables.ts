/** Tables of the results: by class, by error, and compared with openapi-typescript. */
import Table from "cli-table3";
import type { Judged } from "./judged.js";
import { limitSeconds } from "./run-program.js";

/** Documents of similar size, for the comparison of both compilers. */
interface Stratum {
  readonly name: string;
  readonly documents: number;
  /** Number of documents that both compiled. */
  readonly compared: number;
  readonly ours: Effort;
  readonly theirs: Effort;
}

interface Effort {
  readonly cpuMs: number;
  readonly ms: number;
  readonly bytes: number;
}

/** Maximum size of the documents in each stratum, in bytes. */
const strata: readonly (readonly [name: string, most: number])[] = [
  ["to 10 kB", 10_000],
  ["to 30 kB", 30_000],
  ["to 100 kB", 100_000],
  ["to 300 kB", 300_000],
  ["to 1 MB", 1_000_000],
  ["more", Infinity],
];

/** All results as data, for `--json`. */
export function reportOf(results: readonly Judged[]) {
  const sum = (number: (each: Judged) => number) =>
    results.reduce((total, each) => total + number(each), 0);
  const errors: Record<string, { tools: number; documents: number; example: string }> = {};
  for (const { document, errors: own } of results)
    for (const [code, { count, example }] of Object.entries(own)) {
      const entry = (errors[code] ??= {
        tools: 0,
        documents: 0,
        example: `${document}: ${example}`,
      });
      entry.tools += count;
      entry.documents += 1;
    }
  return {
    documents: results.length,
    bytes: sum(({ size }) => size),
    versions: counted(results.map(({ version }) => version)),
    operations: {
      all: sum(({ operations }) => operations),
      whole: sum(({ taken }) => taken.whole),
      part: sum(({ taken }) => taken.part),
      leftOut: sum(({ taken }) => taken.no),
      lost: sum(({ lost }) => lost.length),
    },
    outcomes: counted(results.map(({ outcome }) => outcome)),
    errors,
    cut: results.filter(isCut).map(({ document, outcome }) => `${document}: ${outcome}`),
    long: results
      .filter((each) => cpuOf(each) > 1000 * limitSeconds)
      .map(({ document }) => document),
    strata: strataOf(results),
    results,
  };
}

export function tablesOf(results: readonly Judged[]): string {
  const { operations, ...report } = reportOf(results);
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`)];
  return [
    documentTable(results),
    "",
    strataTable(report.strata),
    "",
    `${report.documents} documents, ${report.bytes} bytes, ${operations.all} operations:`,
    `taken whole ${operations.whole}, in part ${operations.part}, left out ${operations.leftOut}, lost ${operations.lost}`,
    ...list("Versions", countLines(report.versions)),
    ...list("Outcomes", countLines(report.outcomes)),
    ...list(
      "Tools that are errors",
      Object.entries(report.errors).map(
        ([code, { documents, example, tools }]) =>
          `${code}: ${tools} of ${documents} documents, as ${example}`,
      ),
    ),
    ...list(
      "Lost",
      results.flatMap(({ document, lost }) => lost.map((each) => `${document}: ${each}`)),
    ),
    ...list(`Cut, as a step took more than ${limitSeconds} s of CPU`, report.cut),
    ...list(`More than ${limitSeconds} s of CPU for all steps together`, report.long),
  ].join("\n");
}

const isCut = ({ outcome }: Judged) => outcome.endsWith("out of time");

const isMade = ({ outcome }: Judged) => /^(?:whole|but)/.test(outcome);

/** Effort of import and generate, which openapi-typescript does in one step. */
function effortOf({ bytes, cost: { generate, import: imported } }: Judged): Effort {
  return {
    cpuMs: imported.cpuMs + (generate?.cpuMs ?? 0),
    ms: imported.ms + (generate?.ms ?? 0),
    bytes,
  };
}

function cpuOf(each: Judged): number {
  return effortOf(each).cpuMs + (each.cost.tsc?.cpuMs ?? 0);
}

function strataOf(results: readonly Judged[]): readonly Stratum[] {
  const least = (index: number) => strata[index - 1]?.[1] ?? -1;
  const rows = strata.map(([name, most], index) =>
    stratumOf(
      name,
      results.filter(({ size }) => size > least(index) && size <= most),
    ),
  );
  return [...rows.filter(({ documents }) => documents > 0), stratumOf("all", results)];
}

function stratumOf(name: string, results: readonly Judged[]): Stratum {
  const both = results.filter((each) => each.other !== null && isMade(each));
  const total = (efforts: readonly (Effort | null)[]): Effort => ({
    cpuMs: efforts.reduce((sum, each) => sum + (each?.cpuMs ?? 0), 0),
    ms: efforts.reduce((sum, each) => sum + (each?.ms ?? 0), 0),
    bytes: efforts.reduce((sum, each) => sum + (each?.bytes ?? 0), 0),
  });
  return {
    name,
    documents: results.length,
    compared: both.length,
    ours: total(both.map(effortOf)),
    theirs: total(both.map(({ other }) => other)),
  };
}

const effortHead = [
  "CPU s",
  "theirs",
  "ratio",
  "wall s",
  "theirs",
  "ratio",
  "kB",
  "theirs",
  "ratio",
];

function effortCells(ours: Effort, theirs: Effort | null): readonly string[] {
  return (["cpuMs", "ms", "bytes"] as const).flatMap((key) => [
    thousands(ours[key]),
    theirs === null ? "" : thousands(theirs[key]),
    theirs === null ? "" : ratio(ours[key], theirs[key]),
  ]);
}

function strataTable(rows: readonly Stratum[]): string {
  const table = plainTable(["size", "documents", "compared", ...effortHead]);
  for (const { compared, documents, name, ours, theirs } of rows)
    table.push([name, documents, compared, ...effortCells(ours, theirs)]);
  return table.toString();
}

function documentTable(results: readonly Judged[]): string {
  const table = plainTable(["document", "kB", "operations", ...effortHead, "tsc s", "outcome"]);
  for (const each of results.toSorted((a, b) => a.size - b.size)) {
    const { cost, document, operations, other, outcome, size } = each;
    const tsc = cost.tsc === undefined ? "" : thousands(cost.tsc.cpuMs);
    const cells = effortCells(effortOf(each), other);
    table.push([document, thousands(size), operations, ...cells, tsc, outcome]);
  }
  return table.toString();
}

function plainTable(head: string[]): Table.Table {
  const none = { mid: "", "left-mid": "", "mid-mid": "", "right-mid": "" };
  return new Table({ head, chars: none, style: { head: [], border: [] } });
}

const thousands = (number: number) => (number / 1000).toFixed(1);

const ratio = (ours: number, theirs: number) => (theirs === 0 ? "" : (ours / theirs).toFixed(1));

function countLines(counts: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(counts).map(([text, count]) => `${String(count).padStart(5)}  ${text}`);
}

function counted(texts: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return Object.fromEntries([...counts].toSorted(([, a], [, b]) => b - a));
}
