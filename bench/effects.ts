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
  readonly from: string;
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

export async function measureEffects(): Promise<readonly Measurement[]> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "skillc-bench-effects-")));
  try {
    return await measureIn(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function measureIn(directory: string): Promise<readonly Measurement[]> {
  for (const each of ["a", "b", "none"])
    mkdirSync(join(directory, "from", each), { recursive: true });
  for (const each of ["sandbox", "effects"]) mkdirSync(join(directory, each));
  for (let at = 0; at < files; at += 1)
    for (const each of ["a", "b"])
      writeFileSync(
        join(directory, "from", each, `${at}`),
        Buffer.alloc(fileBytes, `${each}${at}`),
      );
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
        argv: (p) => ["cp", "-rT", joined("../from/", p.from), "."],
        cwd: name,
        read: ["from"],
        write: [name],
        output: "none",
      }),
    });
    let isSecond = false;
    return {
      nothing: () => callTool(tool, { from: "none" }, { runtime }),
      /** Each call changes all files. */
      everything: () => {
        isSecond = !isSecond;
        return callTool(tool, { from: isSecond ? "a" : "b" }, { runtime });
      },
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
