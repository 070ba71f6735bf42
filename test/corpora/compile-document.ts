/** Runs one API document through skillc like users do: import, generate, tsc. */
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { extname, join } from "node:path";
import { parse, parseDocument } from "yaml";
import { repository } from "../support/repository.js";
import { skillc } from "./built.js";
import { type Cost, type Ended, runProgram } from "./run-program.js";

const tsc = join(repository, "node_modules/typescript/bin/tsc");

export interface Compiled {
  /** `whole`, or the first failure. */
  readonly outcome: string;
  readonly operations: number;
  /** Operations of the document that the report doesn't name. */
  readonly lost: readonly string[];
  readonly taken: { readonly whole: number; readonly part: number; readonly no: number };
  /** Tools with errors, by code: their number and an example. */
  readonly errors: Readonly<Record<string, { readonly count: number; readonly example: string }>>;
  /** Cost of each step that was started. */
  readonly cost: { readonly import: Cost; readonly generate?: Cost; readonly tsc?: Cost };
  /** Size of the generated TypeScript. */
  readonly bytes: number;
  /** What the import told, and then `generate` besides errors: counts by code. */
  readonly told: { readonly import: Counts; readonly generate: Counts };
}

type Counts = Readonly<Record<string, number>>;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly taken: "whole" | "part" | "no";
}

interface Finding {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly skill: string | null;
  readonly tool: string | null;
}

export interface CompileOptions {
  /** Operations such as `GET /a`; all by default. */
  readonly chosen?: readonly string[];
  /** Limit of CPU time for each step, in seconds. */
  readonly seconds?: number;
}

/** @param folder created anew inside the repository, so that generated code finds the runtime */
export async function compileDocument(
  document: string,
  folder: string,
  { chosen = [], seconds }: CompileOptions = {},
): Promise<Compiled> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const copy = `api${extname(document)}`;
  cpSync(document, join(folder, copy));
  writeFileSync(join(folder, "skillc.yaml"), "out: generated\n");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const expected = chosen.length > 0 ? chosen : operationsOf(document);
  const choice = chosen.length > 0 ? ["--operation", ...chosen] : [];
  const imported = await runProgram(folder, [
    skillc,
    "import",
    "openapi",
    copy,
    "--json",
    ...choice,
  ]);
  const report = jsonOf(imported) as {
    operations?: readonly Operation[];
    diagnostics?: readonly Finding[];
  };
  const { operations = [], diagnostics = [] } = report;
  const named = new Set(operations.map(({ method, path }) => `${method} ${path}`));
  const count = (taken: Operation["taken"]) =>
    operations.filter((each) => each.taken === taken).length;
  const known = {
    operations: expected.length,
    lost: imported.code === 0 ? expected.filter((each) => !named.has(each)) : [],
    taken: { whole: count("whole"), part: count("part"), no: count("no") },
  };
  const toldOf = (generated: readonly Finding[]) => ({
    import: countsOf(diagnostics),
    generate: countsOf(generated),
  });
  const none = { errors: {}, bytes: 0, told: toldOf([]) };
  const failed = failureOf(imported, diagnostics);
  if (failed !== undefined)
    return {
      ...known,
      ...none,
      outcome: `import: ${failed}`,
      cost: { import: costOf(imported) },
    };
  const generated = await generate(folder, seconds);
  const { errors } = generated;
  const told = toldOf(generated.others);
  const cost = { import: costOf(imported), generate: generated.cost };
  const bytes = bytesBelow(join(folder, "generated"));
  if (generated.failure !== undefined)
    return { ...known, errors, bytes, told, outcome: `generate: ${generated.failure}`, cost };
  const typed = await typeCheck(folder, seconds);
  const codes = [...new Set(typed.stdout.match(/TS\d+/g) ?? [])].join(" ");
  const failure =
    typed.code === 0 ? undefined : `tsc: ${typed.code === null ? "out of time" : codes}`;
  const outcome = failure ?? (Object.keys(errors).length === 0 ? "whole" : "but for some tools");
  return { ...known, errors, bytes, told, outcome, cost: { ...cost, tsc: costOf(typed) } };
}

function countsOf(found: readonly Finding[]): Counts {
  const counts: Record<string, number> = {};
  for (const { code } of found) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

function costOf({ cpuMs, ms }: Ended): Cost {
  return { ms, cpuMs };
}

interface Generated {
  readonly cost: Cost;
  readonly errors: Compiled["errors"];
  /** Warnings and notes. */
  readonly others: readonly Finding[];
  readonly failure?: string;
}

/** Generates, and again without the tools with errors, so that no error hides another. */
async function generate(folder: string, seconds: number | undefined): Promise<Generated> {
  const first = await runProgram(folder, [skillc, "generate", "--json"], seconds);
  const { diagnostics = [] } = jsonOf(first) as { diagnostics?: readonly Finding[] };
  const found = diagnostics.filter(({ severity }) => severity === "error");
  const errors: Record<string, { count: number; example: string }> = {};
  for (const { code, message, skill, tool } of found) {
    const entry = (errors[code] ??= { count: 0, example: `${skill}/${tool}: ${message}` });
    entry.count += 1;
  }
  const others = diagnostics.filter(({ severity }) => severity !== "error");
  const failure = failureOf(first, diagnostics);
  if (failure === undefined || found.length === 0 || found.some(({ tool }) => tool === null))
    return { cost: costOf(first), errors, others, ...(failure !== undefined && { failure }) };
  const bad = new Set(found.map(({ skill, tool }) => `${skill}/${tool}`));
  removeTools(folder, bad);
  const second = await runProgram(folder, [skillc, "generate", "--json"], seconds);
  const further = jsonOf(second) as { diagnostics?: readonly Finding[] };
  const still = failureOf(second, further.diagnostics ?? []);
  return { cost: costOf(first), errors, others, ...(still !== undefined && { failure: still }) };
}

/** Returns the failure of a step; undefined if the step succeeded. */
function failureOf(ended: Ended, diagnostics: readonly Finding[]): string | undefined {
  const { code, stderr } = ended;
  if (code === 0) return undefined;
  if (code === null) return "out of time";
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const codes = [...new Set(errors.map((each) => each.code))];
  if (code === 1 && codes.length > 0) return codes.join(" ");
  // A failure of the whole command is not a diagnostic.
  const { error } = jsonOf(ended) as { error?: { readonly message: string } };
  if (code === 1 && error !== undefined) return error.message;
  return `exit ${code}: ${stderr.trim().slice(0, 200)}`;
}

function jsonOf({ stdout }: Ended): unknown {
  return stdout.startsWith("{") ? JSON.parse(stdout) : {};
}

function typeCheck(folder: string, seconds: number | undefined): Promise<Ended> {
  const compilerOptions = {
    target: "es2023",
    module: "nodenext",
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    noEmit: true,
  };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["generated"] }),
  );
  return runProgram(folder, [tsc, "-p", "."], seconds);
}

const methods = /^(?:get|put|post|delete|options|head|patch|trace)$/;

/** Returns the operations in the paths of a document, such as `GET /a`. */
export function operationsOf(document: string): readonly string[] {
  const text = readFileSync(document, "utf8").replace(/^\ufeff/, "");
  // JSON is also YAML, but a YAML parser takes a hundred times as long.
  const { paths = {} } = (document.endsWith(".json") ? JSON.parse(text) : parse(text)) as {
    paths?: Readonly<Record<string, object | null>>;
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item ?? {})
      .filter((key) => methods.test(key))
      .map((key) => `${key.toUpperCase()} ${path}`),
  );
}

/** Removes tools from the imported skills. */
function removeTools(folder: string, ids: ReadonlySet<string>): void {
  for (const skill of readdirSync(join(folder, "skills"))) {
    const path = join(folder, "skills", skill, "metadata.yaml");
    if (!statSync(path, { throwIfNoEntry: false })) continue;
    const document = parseDocument(readFileSync(path, "utf8"));
    const { tools_schema: tools = {} } = document.toJS() as {
      tools_schema?: object;
    };
    const names = Object.keys(tools).filter((name) => ids.has(`${skill}/${name}`));
    for (const name of names) document.deleteIn(["tools_schema", name]);
    if (names.length === Object.keys(tools).length)
      rmSync(join(folder, "skills", skill), { recursive: true });
    else if (names.length > 0) writeFileSync(path, String(document));
  }
}

function bytesBelow(folder: string): number {
  if (!statSync(folder, { throwIfNoEntry: false })) return 0;
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);
}
