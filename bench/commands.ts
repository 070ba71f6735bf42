/**
 * Measures the cost of a command over a plain `spawn` of the same program: on the host, and in the
 * sandbox. The ledger is off.
 */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { callTool, createRuntime, defineTool } from "@skillc/runtime";
import { command, value } from "@skillc/runtime/v1/command";
import { compareTasks, type Measurement } from "./measurement.js";

interface Params {
  readonly word: string;
}

interface Printed {
  readonly status: "success";
  readonly data: string;
}

const isParams = Object.assign((given: unknown): given is Params => given !== null, {
  errors: null,
});
const program = "/bin/echo";

export async function measureCommands(): Promise<readonly Measurement[]> {
  const runtime = createRuntime({ ledger: false, env: {}, inherit: false });
  const toolOf = (executor: "host" | "sandbox") =>
    defineTool<Params, Params, Printed>({
      skill: "bench",
      name: executor,
      version: { skill: "s", binding: "b", manifest: "m" },
      effect: "read",
      params: isParams,
      binding: command<Params, Printed>({
        executor,
        effect: "read",
        argv: (p) => [program, value("/word", p.word)],
      }),
    });
  const [host, sandbox] = [toolOf("host"), toolOf("sandbox")];
  const call = async (tool: typeof host): Promise<string> =>
    (await callTool(tool, { word: "hello" }, { runtime })).data;
  const tasks = {
    spawn: byHand,
    host: () => call(host),
    sandbox: () => call(sandbox),
  };
  for (const [name, task] of Object.entries(tasks))
    if ((await task()) !== "hello\n") throw new Error(`${name} printed something else`);
  const measured = await compareTasks(tasks, { rounds: 5, roundMs: 2000 });
  await runtime.close();
  const ms = (name: keyof typeof tasks): number => measured.get(name)?.ms ?? Number.NaN;
  const [byHandMs, hostMs, sandboxMs] = [ms("spawn"), ms("host"), ms("sandbox")];
  const baseline = `\`spawn\` of the same program (${byHandMs.toFixed(1)} ms)`;
  const overHost = `the same command on the host (${hostMs.toFixed(1)} ms)`;
  return [
    { name: "a command on the host: p50", value: hostMs / byHandMs, unit: "×", baseline },
    { name: "a command on the host, added: p50", value: hostMs - byHandMs, unit: "ms", baseline },
    {
      name: "a command in the sandbox: p50",
      value: sandboxMs / hostMs,
      unit: "×",
      baseline: overHost,
    },
    {
      name: "a command in the sandbox, added: p50",
      value: sandboxMs - hostMs,
      unit: "ms",
      baseline: overHost,
    },
  ];
}

async function byHand(): Promise<string> {
  const child = spawn(program, ["hello"], { detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<void>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => resolve());
  });
  const [printed] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return printed;
}
