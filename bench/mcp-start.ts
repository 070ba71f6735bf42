/**
 * Measures the CPU time from the start of `skillc mcp` to its first answer, as a difference to a
 * Node.js that does nothing. CPU time leaves out other work on the machine.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../test/support/repository.js";
import { httpTool, writeSkills } from "./many-skills.js";
import { type Measurement, median } from "./measurement.js";
import { projectFolder, removeProjects } from "./project-runs.js";

export const skillc = join(repository, "dist/cli/bin.js");
const runs = 11;

const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  },
});

export function measureMcpStart(): readonly Measurement[] {
  try {
    const small = project("mcp-1x10", 1, "");
    const app = project("mcp-app", 1, "mcp: { app: ./app.js }\n");
    const large = project("mcp-100x10", 100, "governance: strict\n");
    const nothing = cpuMs(small, ["-e", "0"]);
    const over = (folder: string) => cpuMs(folder, [skillc, "mcp"]) - nothing;
    const baseline = `node -e 0 (${nothing.toFixed(0)} ms of CPU time)`;
    return [
      {
        name: "first answer of skillc mcp over stdio, CPU time",
        value: over(small),
        unit: "ms",
        baseline,
      },
      { name: "  with an application in JavaScript", value: over(app), unit: "ms", baseline },
      { name: "  with policies and 1,000 tools", value: over(large), unit: "ms", baseline },
    ];
  } finally {
    removeProjects();
  }
}

/** Writes and compiles a project whose tools can all be called. */
function project(name: string, skills: number, settings: string): string {
  const folder = projectFolder(name);
  const credentials = Array.from(
    { length: skills },
    (_, skill) => `API_${skill}=http://127.0.0.1:1\nTOKEN_${skill}=t\n`,
  );
  const files = {
    "skillc.yaml": `skills: skills\nout: generated\nmcp: {}\n${settings}`.replace(
      "mcp: {}\nmcp:",
      "mcp:",
    ),
    ".env": credentials.join(""),
    "package.json": '{ "type": "module" }\n',
    "app.js":
      'import { createRuntime } from "@skillc/runtime";\nexport const runtime = createRuntime();\n',
    ...(settings.startsWith("governance") && {
      "policies/all.cedar": "permit(principal, action, resource);\n",
    }),
  };
  writeSkills(folder, skills, 10, files, httpTool);
  runNode(folder, [skillc, "generate"]);
  // The first start keeps the JavaScript of the project's modules.
  runNode(folder, [skillc, "mcp"]);
  return folder;
}

/**
 * Median of the CPU time of a process and its threads, in milliseconds.
 *
 * @param prepare is run before each process
 */
export function cpuMs(folder: string, args: readonly string[], prepare?: () => void): number {
  const report = join(folder, ".cpu");
  const hook = join(folder, "report-cpu.mjs");
  writeFileSync(
    hook,
    `import { writeFileSync } from "node:fs";
process.on("exit", () => {
  const { system, user } = process.cpuUsage();
  writeFileSync(${JSON.stringify(report)}, String((system + user) / 1000));
});
`,
  );
  const times = Array.from({ length: runs }, () => {
    prepare?.();
    runNode(folder, ["--import", hook, ...args]);
    return Number(readFileSync(report, "utf8"));
  });
  rmSync(report);
  return median(times);
}

export function runNode(cwd: string, args: readonly string[]): void {
  mkdirSync(cwd, { recursive: true });
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd,
    input: `${initialize}\n`,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${args.join(" ")} failed: ${stderr}`);
}
