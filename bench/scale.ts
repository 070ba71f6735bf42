/** Whole runs of the built `skillc generate` over many skills, and of `tsc` over what comes out. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Measurement } from "./measurement.js";
import { writeProject } from "./many-skills.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const skillc = join(root, "dist/cli/bin.js");
const tsc = join(root, "node_modules/typescript/bin/tsc");
/** Inside the repository, so that the generated modules find `skillc/runtime`. */
const work = join(root, ".skillc/bench");

export async function measureScale(): Promise<readonly Measurement[]> {
  try {
    const thousand = measureProject(100, 10);
    const twoThousand = measureProject(200, 10);
    const cold = "a cold run over 1,000 tools of 100 skills";
    return [
      {
        name: "generate 1,000 tools, cold",
        value: thousand.coldMs,
        unit: "ms",
        baseline: "nothing: whole process",
      },
      ...thousand.stages.map(({ stage, ms }): Measurement => ({
        name: `  of it ${stage}`,
        value: ms / thousand.coldMs,
        unit: "×",
        baseline: cold,
      })),
      {
        name: "generate 2,000 tools, cold",
        value: twoThousand.coldMs / thousand.coldMs,
        unit: "×",
        baseline: cold,
      },
      {
        name: "generate after an edit to one skill of 100",
        value: thousand.editMs / thousand.coldMs,
        unit: "×",
        baseline: cold,
      },
      {
        name: "generate with nothing changed",
        value: thousand.idleMs / thousand.coldMs,
        unit: "×",
        baseline: cold,
      },
      {
        name: "tsc --noEmit, a tool",
        value: thousand.tscMs / 1000,
        unit: "ms",
        baseline: "whole process over 1,000 tools",
      },
      {
        name: "tsc --noEmit, memory",
        value: thousand.tscMegabytes,
        unit: "MB",
        baseline: "whole process over 1,000 tools",
      },
    ];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

interface ProjectTimes {
  readonly coldMs: number;
  readonly stages: readonly { readonly stage: string; readonly ms: number }[];
  readonly idleMs: number;
  readonly editMs: number;
  readonly tscMs: number;
  readonly tscMegabytes: number;
}

function measureProject(skills: number, tools: number): ProjectTimes {
  const folder = join(work, `${skills}x${tools}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeProject(folder, skills, tools);
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
