/**
 * Runs the built `skillc generate` as in daily work: 50 tools in one skill, half of them SQL, and
 * one edit after another.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../test/support/repository.js";
import { httpTool, writeSkills } from "./many-skills.js";
import { sqlTool, warehouseFiles } from "./many-sql-tools.js";
import { type Measurement, median } from "./measurement.js";
import { projectFolder, removeProjects } from "./project-runs.js";

const skillc = join(repository, "dist/cli/bin.js");
const toolCount = 50;
const rounds = 5;

/** Each round makes each edit once, with new text. */
const edits: Readonly<Record<string, (folder: string, round: number) => void>> = {
  "nothing changed": () => {},
  "the description of one SQL tool": (folder, round) =>
    edit(folder, "metadata.json", /Does thing 10 [^"]*/, `Does thing 10 in round ${round}.`),
  "the description of one HTTP tool": (folder, round) =>
    edit(folder, "metadata.json", /Does thing 11 [^"]*/, `Does thing 11 in round ${round}.`),
  "one query": (folder, round) =>
    edit(folder, "metadata.json", /< (\d* \+ )?:below/, `< ${round} + :below`),
  "one line of prose": (folder, round) =>
    edit(folder, "SKILL.md", /^# .*$/m, `# Skill 0, round ${round}`),
};

export async function measureEdits(): Promise<readonly Measurement[]> {
  try {
    const folder = projectFolder("edits");
    writeSkills(folder, 1, toolCount, warehouseFiles, (skill, tool) =>
      (tool % 2 === 0 ? sqlTool : httpTool)(skill, tool),
    );
    const cold = generate(folder);
    const measured: Measurement[] = [
      { name: "CPU of a cold run", value: cold, unit: "ms", baseline: "nothing: whole process" },
    ];
    for (const [name, change] of Object.entries(edits))
      measured.push(...measureEdit(folder, name, change, cold));
    return [...measured, ...(await measureWatch(folder, cold))];
  } finally {
    removeProjects();
  }
}

function measureEdit(
  folder: string,
  name: string,
  change: (folder: string, round: number) => void,
  cold: number,
): readonly Measurement[] {
  const runs = Array.from({ length: rounds }, (_, round) => {
    const before = modified(folder);
    change(folder, round + 1);
    const cpu = generate(folder);
    return { cpu, files: countChanged(before, modified(folder)) };
  });
  const cpu = median(runs.map((run) => run.cpu));
  const written = median(runs.map((run) => run.files));
  return [
    { name: `CPU after ${name}`, value: cpu, unit: "ms", baseline: "nothing: whole process" },
    { name: `CPU after ${name}`, value: cpu / cold, unit: "×", baseline: "a cold run" },
    { name: `files written after ${name}`, value: written, unit: "count", baseline: "nothing" },
  ];
}

/** Measures the time that a person waits: from an edit to the end of the run that it starts. */
async function measureWatch(folder: string, cold: number): Promise<readonly Measurement[]> {
  const child = spawn(process.execPath, [skillc, "generate", "--watch"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const finished = async (): Promise<void> => {
    for (let seen = ""; !seen.includes("watching for changes");)
      seen += String((await once(child.stdout, "data"))[0]);
  };
  try {
    await finished();
    const times: number[] = [];
    // The first edit loads modules that later edits reuse, so it does not count.
    for (let round = 0; round <= rounds; round += 1) {
      const since = performance.now();
      edit(folder, "metadata.json", /Does thing 10 [^"]*/, `Does thing 10 on watch ${round}.`);
      await finished();
      if (round > 0) times.push(performance.now() - since);
    }
    const ms = median(times);
    const name = "watch, from the edit of one description to its end";
    return [
      { name, value: ms, unit: "ms", baseline: "nothing: wall clock" },
      { name, value: ms / cold, unit: "×", baseline: "a cold run's CPU" },
    ];
  } finally {
    child.kill();
  }
}

/** Prints the CPU time of the process when it exits. */
const tellCpu = `data:text/javascript,${encodeURIComponent(
  'process.on("exit", () => { const { user, system } = process.cpuUsage(); process.stderr.write("\\ncpu " + (user + system) + "\\n"); });',
)}`;

/** @returns CPU time of the process with all its threads, in milliseconds */
function generate(folder: string): number {
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", tellCpu, skillc, "generate"],
    { cwd: folder, encoding: "utf8" },
  );
  const [, cpu] = /\ncpu (\d+)\n/.exec(stderr) ?? [];
  if (status !== 0 || cpu === undefined) throw new Error(`generate failed:\n${stderr}`);
  return Number(cpu) / 1000;
}

function edit(folder: string, file: string, what: RegExp, to: string): void {
  const path = join(folder, "skills/skill-0", file);
  const before = readFileSync(path, "utf8");
  const after = before.replace(what, to);
  if (after === before) throw new Error(`${what.source} is not in ${file}`);
  writeFileSync(path, after);
}

/** Time of the last change of each generated file, by path. */
function modified(folder: string): ReadonlyMap<string, number> {
  const output = join(folder, "generated");
  const paths = readdirSync(output, { recursive: true, encoding: "utf8" });
  return new Map(paths.map((path) => [path, statSync(join(output, path)).mtimeMs]));
}

function countChanged(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): number {
  return [...after].filter(([path, time]) => before.get(path) !== time && /\.(ts|json)$/.test(path))
    .length;
}
