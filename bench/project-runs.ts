import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../test/support/repository.js";

const skillc = join(repository, "dist/cli/bin.js");
const tsc = join(repository, "node_modules/typescript/bin/tsc");
/** The folder is inside the repository, so that the generated modules find `@skillc/runtime`. */
const work = join(repository, ".skillc/bench");

/** Creates an empty folder for a project. */
export function projectFolder(name: string): string {
  const folder = join(work, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Times of whole processes on a project, in milliseconds. */
export interface ProjectTimes {
  readonly coldMs: number;
  /** Stages of the cold run. */
  readonly stages: readonly { readonly stage: string; readonly ms: number }[];
  /** Time of a run without any change. */
  readonly idleMs: number;
  /** Time of a run after an edit to one skill. */
  readonly editMs: number;
  readonly tscMs: number;
  readonly tscMegabytes: number;
}

/**
 * Runs the built `skillc generate` on a project: cold, without changes, and after an edit to
 * skill-7. Then runs `tsc` on the generated code.
 *
 * @param write puts the project into a folder
 */
export function measureProject(name: string, write: (folder: string) => void): ProjectTimes {
  const folder = projectFolder(name);
  write(folder);
  const cold = generate(folder);
  const idle = generate(folder);
  const edited = join(folder, "skills/skill-7/metadata.json");
  writeFileSync(edited, readFileSync(edited, "utf8").replace("Does thing 3", "Does the thing 3"));
  const edit = generate(folder);
  const types = run([tsc, "--noEmit", "--extendedDiagnostics"], folder);
  return {
    coldMs: cold.ms,
    stages: cold.stages,
    idleMs: idle.ms,
    editMs: edit.ms,
    tscMs: types.ms,
    tscMegabytes: Number(/Memory used:\s*(\d+)K/.exec(types.output)?.[1]) / 1024,
  };
}

export function removeProjects(): void {
  rmSync(work, { recursive: true, force: true });
}

function generate(folder: string): {
  readonly ms: number;
  readonly stages: ProjectTimes["stages"];
} {
  const { ms, output } = run([skillc, "generate", "--timings"], folder);
  const stages = [...output.matchAll(/^ {2}(\w+) +([\d.]+) ms$/gm)];
  const times = stages.map(([, stage = "", time]) => ({ stage, ms: Number(time) }));
  return { ms, stages: times.filter(({ stage }) => stage !== "total") };
}

function run(
  args: readonly string[],
  cwd: string,
): { readonly ms: number; readonly output: string } {
  const since = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${args.join(" ")} failed:\n${stdout}${stderr}`);
  return { ms: performance.now() - since, output: stdout + stderr };
}
