import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { repository } from "../test/support/repository.js";
import type { Measurement } from "./measurement.js";

/** Ratios of one benchmark, as the repository stores them. */
interface StoredBenchmark {
  /** Commit at which the benchmark ran. */
  readonly commit: string;
  /** Version of Node.js, such as `v20.20.2`. */
  readonly node: string;
  /** Ratios by the name of the measurement. */
  readonly ratios: { readonly [name: string]: number };
}

type StoredRatios = { readonly [benchmark: string]: StoredBenchmark };

const file = `${repository}bench/ratios.json`;

/** The last stored ratios of a benchmark, by name; empty if there are none. */
export function storedRatios(benchmark: string): ReadonlyMap<string, number> {
  const kept = new Map(Object.entries(readStoredRatios())).get(benchmark);
  return new Map(Object.entries(kept?.ratios ?? {}));
}

/** Replaces the stored ratios of a benchmark. */
export function storeRatios(benchmark: string, measured: readonly Measurement[]): void {
  const ratios = measured
    .filter(({ unit }) => unit === "×")
    .map(({ name, value }) => [name, Math.round(value * 100) / 100] as const);
  const kept: StoredBenchmark = {
    commit: execFileSync("git", ["rev-parse", "--short=8", "HEAD"], { encoding: "utf8" }).trim(),
    node: process.version,
    ratios: Object.fromEntries(ratios),
  };
  const all = Object.entries({ ...readStoredRatios(), [benchmark]: kept });
  const sorted = Object.fromEntries(all.toSorted(([a], [b]) => a.localeCompare(b, "en")));
  writeFileSync(file, `${JSON.stringify(sorted, undefined, 2)}\n`);
}

function readStoredRatios(): StoredRatios {
  // `storeRatios` wrote the file.
  return JSON.parse(readFileSync(file, "utf8")) as StoredRatios;
}
