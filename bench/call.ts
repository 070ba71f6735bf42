/**
 * Measures the CPU time of `skillc call`, as a ratio to a Node.js that does nothing: for the second
 * call of a tool and for one without kept modules. CPU time leaves out other work on the machine.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { writeSkills } from "./many-skills.js";
import { cpuMs, runNode, skillc } from "./mcp-start.js";
import type { Measurement } from "./measurement.js";
import { projectFolder, removeProjects } from "./project-runs.js";

/** Serves `{"id":"1"}` on a free port, and prints the port. */
const server = `const { createServer } = require("node:http");
const answer = (_, response) => response.setHeader("content-type", "application/json").end('{"id":"1"}');
createServer(answer).listen(0, "127.0.0.1", function () { console.log(this.address().port); });`;

export async function measureCall(): Promise<readonly Measurement[]> {
  const service = spawn(process.execPath, ["-e", server], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [port] = await once(service.stdout, "data");
    const url = `API_URL=http://127.0.0.1:${String(port).trim()}\n`;
    const plain = project("call-50", url, {});
    const governed = project("call-governed", url, {
      "policies/all.cedar": "permit(principal, action, resource);\n",
    });
    const nothing = cpuMs(plain, ["-e", "0"]);
    const call = [skillc, "call", "skill-0/tool-7", "--args", '{"id": "1"}'];
    const baseline = `node -e 0 (${nothing.toFixed(0)} ms of CPU time)`;
    const ratio = (name: string, ms: number) =>
      ({ name, value: ms / nothing, unit: "×", baseline }) as const;
    return [
      ratio("second skillc call of an HTTP tool, CPU time", cpuMs(plain, call)),
      ratio("  governed", cpuMs(governed, call)),
      ratio(
        "  first call",
        cpuMs(plain, call, () => rmSync(join(plain, ".skillc/cache"), { recursive: true })),
      ),
    ];
  } finally {
    service.kill();
    removeProjects();
  }
}

/** Writes and compiles a project with a skill of 50 tools, and calls one once. */
function project(name: string, env: string, files: Readonly<Record<string, string>>): string {
  const folder = projectFolder(name);
  const settings = `skills: skills\nout: generated\n${files["policies/all.cedar"] === undefined ? "" : "governance: strict\n"}`;
  writeSkills(folder, 1, 50, { ...files, "skillc.yaml": settings, ".env": env }, httpTool);
  runNode(folder, [skillc, "generate"]);
  runNode(folder, [skillc, "call", "skill-0/tool-7", "--args", '{"id": "1"}']);
  return folder;
}

function httpTool(_: number, tool: number): object {
  return {
    description: `Gets entry ${tool}.`,
    parameters: { type: "object", required: ["id"], properties: { id: { type: "string" } } },
    returns: { type: "object", properties: { id: { type: "string" } } },
    binding: { type: "http", method: "GET", url: "${API_URL}/entries/{id}" },
  };
}
