/**
 * Reads and writes the record of `npm run test:record`: the modules that each test file loaded, and
 * the functions that it ran. It covers the test's process, its threads and its child processes.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { globSync } from "tinyglobby";

export const repository = fileURLToPath(new URL("../../", import.meta.url));

/** Folder of the record. Each test file has a folder below. */
export const recordFolder = join(repository, ".build/reach");

/** Short names of functions. */
export interface Ran {
  /** Functions that ran while the tests did. */
  readonly inTests: ReadonlySet<string>;
  /** Functions that ran while modules were loaded. */
  readonly atLoad: ReadonlySet<string>;
}

/** Modules that a test file loaded, and the functions that ran in each. */
export type Reach = ReadonlyMap<string, Ran>;

export interface ReachRecord {
  /** Commit with the recorded sources. */
  readonly commit: string;
  readonly reaches: ReadonlyMap<string, Reach>;
}

/** Coverage as V8 prints it. */
export interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

/**
 * Returns the last word of a function's name, on which V8 and the parser agree: `read` for
 * `Table.#read` and `get read`.
 */
export function shortName(name: string): string {
  return /[\w$]+(?=\W*$)/.exec(name)?.[0] ?? "";
}

/** Returns the module of this repository behind a script: `src/x.ts` for its build `dist/x.js`. */
export function moduleOf(url: string): string | undefined {
  const path = url.replace(/^file:\/\//, "").replace(/\?.*$/, "");
  if (!path.startsWith(repository) || path.includes("/node_modules/")) return undefined;
  const file = path.slice(repository.length);
  const source = file.replace(/^dist\/(.*)\.js$/, "src/$1.ts");
  return existsSync(join(repository, source)) ? source : file;
}

/** Adds functions that ran to the record of a test file. */
export function addReach(test: string, phase: keyof Ran, { result }: Coverage): void {
  const file = reachFile(test);
  const reach = new Map(existsSync(file) ? readReach(file) : []);
  for (const { url, functions } of result) {
    const module = moduleOf(url);
    const ran = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
    if (module === undefined || ran.length === 0) continue;
    const names = ran.map(({ functionName }) => shortName(functionName)).filter(Boolean);
    const known = reach.get(module) ?? { inTests: new Set(), atLoad: new Set() };
    reach.set(module, { ...known, [phase]: new Set([...known[phase], ...names]) });
  }
  mkdirSync(dirname(file), { recursive: true });
  const rows = [...reach].map(([module, ran]) => [module, [...ran.inTests], [...ran.atLoad]]);
  writeFileSync(file, JSON.stringify(rows));
}

/** Adds the coverage that threads and child processes of a test file wrote when they ended. */
export function addProcesses(test: string): void {
  const files = globSync("coverage-*.json", { cwd: join(recordFolder, test), absolute: true });
  for (const file of files) {
    addReach(test, "inTests", JSON.parse(readFileSync(file, "utf8")));
    rmSync(file);
  }
}

/** Reads the record; undefined before the first recording. */
export function readRecord(): ReachRecord | undefined {
  if (!existsSync(join(recordFolder, "commit"))) return undefined;
  const commit = readFileSync(join(recordFolder, "commit"), "utf8");
  return {
    commit,
    reaches: new Map(recordedTests().map((test) => [test, readReach(reachFile(test))])),
  };
}

export function recordedTests(): readonly string[] {
  const files = globSync("**/reach.json", { cwd: recordFolder });
  return files.map((file) => dirname(file));
}

function reachFile(test: string): string {
  return join(recordFolder, test, "reach.json");
}

function readReach(file: string): Reach {
  const rows: readonly [string, string[], string[]][] = JSON.parse(readFileSync(file, "utf8"));
  return new Map(
    rows.map(([module, inTests, atLoad]) => [
      module,
      { inTests: new Set(inTests), atLoad: new Set(atLoad) },
    ]),
  );
}
