/** Runs MCP's conformance suites against a server. */
import { execFile, execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { repository } from "../../../support/repository.js";

/** A run of a suite. */
export interface SuiteRun {
  /** Package of the suite, by its name in packages/package.json. */
  readonly suite: "conformance" | "conformance-of-earlier";
  /** Arguments that choose the scenarios. */
  readonly args: readonly string[];
}

/** Result of a check: part of a scenario. */
export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

/** Checks of each scenario that ran. */
export type SuiteResult = ReadonlyMap<string, readonly Check[]>;

/** Runs scenarios against a server, and reads their results. */
export async function runSuite({ args, suite }: SuiteRun, url: string): Promise<SuiteResult> {
  const modules = installed();
  const results = mkdtempSync(join(tmpdir(), "conformance-"));
  const node = join(modules, `node-linux-${process.arch}/bin/node`);
  const program = join(modules, suite, "dist/index.js");
  const argv = [program, "server", "--url", url, "--output-dir", results, ...args];
  // The suite fails if a scenario fails, even an expected one. Its results say more.
  const { stderr } = await promisify(execFile)(node, argv, { maxBuffer: 2 ** 26 }).catch(
    (error: { readonly stderr: string }) => error,
  );
  const folders = readdirSync(results);
  if (folders.length === 0) throw new Error(`the suite ran no scenario: ${stderr}`);
  const read = folders
    .toSorted()
    .map((folder) => [nameIn(folder), checksIn(results, folder)] as const);
  rmSync(results, { recursive: true });
  return new Map(read);
}

function nameIn(folder: string): string {
  return /^server-(.+?)-\d{4}-\d\d-\d\dT/.exec(folder)?.[1] ?? folder;
}

function checksIn(results: string, folder: string): readonly Check[] {
  // The suite wrote the file.
  return JSON.parse(readFileSync(join(results, folder, "checks.json"), "utf8")) as readonly Check[];
}

/** Installs the suites by their lock file, which has a checksum of each package. */
function installed(): string {
  const from = join(repository, "test/runtime/mcp/conformance/packages");
  const folder = join(repository, ".skillc/conformance");
  const lock = "package-lock.json";
  const isThere =
    existsSync(join(folder, "node_modules/.package-lock.json")) &&
    readFileSync(join(folder, lock), "utf8") === readFileSync(join(from, lock), "utf8");
  if (isThere) return join(folder, "node_modules");
  mkdirSync(folder, { recursive: true });
  for (const name of ["package.json", lock]) copyFileSync(join(from, name), join(folder, name));
  execFileSync("npm", ["ci", "--ignore-scripts", "--silent", "--prefix", folder]);
  return join(folder, "node_modules");
}
