/**
 * Measures the cost of effects: a command whose changes are applied after it, over the same command
 * that changes its folder itself. Both run in the sandbox, and the ledger is off.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callTool, createRuntime, defineTool } from "@skillc/runtime";
import { command, joined } from "@skillc/runtime/v1/command";
import { compareTasks, type Measurement } from "./measurement.js";

interface Params {
  readonly script: keyof typeof scripts;
}

interface Copied {
  readonly status: "success";
  readonly data: null;
}

const isParams = Object.assign((given: unknown): given is Params => given !== null, {
  errors: null,
});
const files = 100;
const fileBytes = 64 * 1024;

const scripts = {
  nothing: "exit 0",
  /** Each run writes new contents, so that copies of the old ones are never there yet. */
  everything: `head -c ${files * fileBytes} /dev/urandom | split -b ${fileBytes} -a 3 -d -`,
};

export async function measureEffects(): Promise<readonly Measurement[]> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "skillc-bench-effects-")));
  try {
    return await measureIn(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function measureIn(directory: string): Promise<readonly Measurement[]> {
  for (const each of ["scripts", "sandbox", "effects"]) mkdirSync(join(directory, each));
  for (const [name, script] of Object.entries(scripts))
    writeFileSync(join(directory, "scripts", name), script);
  const runtime = createRuntime({ directory, ledger: false, env: {}, inherit: false });
  const copying = (name: "sandbox" | "effects") => {
    const tool = defineTool<Params, Params, Copied>({
      skill: "bench",
      name,
      version: { skill: "s", binding: "b", manifest: "m" },
      effect: "write",
      params: isParams,
      ...(name === "effects" && { rollback: { strategy: "effects" } }),
      binding: command<Params, Copied>({
        effect: "write",
        argv: (p) => ["sh", joined("../scripts/", p.script)],
        cwd: name,
        read: ["scripts"],
        write: [name],
        output: "none",
      }),
    });
    return {
      nothing: () => callTool(tool, { script: "nothing" }, { runtime }),
      everything: () => callTool(tool, { script: "everything" }, { runtime }),
    };
  };
  const [sandbox, effects] = [copying("sandbox"), copying("effects")];
  const measured = await compareTasks(
    {
      sandbox: sandbox.nothing,
      effects: effects.nothing,
      changes: sandbox.everything,
      changedEffects: effects.everything,
    },
    { rounds: 5, roundMs: 3000 },
  );
  await runtime.close();
  const ms = (name: string): number => measured.get(name)?.ms ?? Number.NaN;
  const added = ms("effects") - ms("sandbox");
  const addedByChanges = ms("changedEffects") - ms("changes") - added;
  const overSandbox = `the same command in the sandbox (${ms("sandbox").toFixed(1)} ms)`;
  const overChanges = `the same command without effects (${ms("changes").toFixed(1)} ms)`;
  return [
    {
      name: "effects: p50",
      value: ms("effects") / ms("sandbox"),
      unit: "×",
      baseline: overSandbox,
    },
    { name: "effects, added: p50 (bar 60)", value: added, unit: "ms", baseline: overSandbox },
    {
      name: `effects, ${files} changed files of 64 KiB: p50`,
      value: ms("changedEffects") / ms("changes"),
      unit: "×",
      baseline: overChanges,
    },
    {
      name: `effects, added by ${files} changed files of 64 KiB: p50 (bar 30)`,
      value: addedByChanges,
      unit: "ms",
      baseline: `${overChanges}, and ${added.toFixed(1)} ms of effects`,
    },
  ];
}
