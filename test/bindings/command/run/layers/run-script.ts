/** Runs shell scripts over layers. Programs that tests start use this too. */
import { randomUUID } from "node:crypto";
import type { PlacedCommand } from "../../../../../src/bindings/command/run/executors/executor.js";
import {
  inSandbox,
  probeSandbox,
} from "../../../../../src/bindings/command/run/executors/sandbox.js";
import { listEffects } from "../../../../../src/bindings/command/run/layers/effects.js";
import { createLayers } from "../../../../../src/bindings/command/run/layers/place.js";
import { openView } from "../../../../../src/bindings/command/run/layers/view.js";
import { startProcess } from "../../../../../src/bindings/command/run/process.js";
import type { EntryState } from "../../../../../src/runtime/rollback/backups/entry-state.js";
import type { TreeChange } from "../../../../../src/runtime/rollback/backups/tree-change.js";

/** A script that may change one folder. */
export function placedScript(root: string, script: string): PlacedCommand {
  return {
    program: "/bin/sh",
    shownProgram: "sh",
    args: ["-c", script],
    directory: root,
    cwd: root,
    read: [],
    write: [root],
    temporary: { access: "read", places: [] },
    kept: [],
    network: "none",
    env: {},
    stdin: undefined,
    scripts: undefined,
    timeoutMs: 60_000,
    callId: randomUUID(),
  };
}

/** Listeners of a run. */
interface Listeners {
  /** Gets the folder of the layers. */
  readonly opened?: (path: string) => void;
  /** Gets everything that the script has printed so far. */
  readonly printed?: (output: string) => void;
}

/** Runs a shell script over a layer; returns its output and its effects. */
export async function runScript(command: PlacedCommand, { opened, printed }: Listeners = {}) {
  const sandbox = probeSandbox();
  if ("problem" in sandbox) throw new Error(sandbox.problem);
  const layers = await createLayers(command);
  opened?.(layers.path);
  try {
    const view = await openView(layers);
    if ("problem" in view) throw new Error(view.problem);
    try {
      let output = "";
      const take = (chunk: Buffer): void => {
        output += chunk.toString();
        printed?.(output);
      };
      const plan = inSandbox(command, sandbox, view);
      const { code } = await startProcess(plan, { stdout: take, stderr: take }).ended;
      const effects = await listEffects(layers, view);
      return { code, output, effects: effects.map((each) => shown(command.cwd, each)) };
    } finally {
      await view.close();
    }
  } finally {
    await layers.close();
  }
}

/** Shows an effect as a line: `changed a file 1 -> file 2`. */
function shown(root: string, { from, path, to }: TreeChange): string {
  const verb = from.kind === "absent" ? "+" : to.kind === "absent" ? "-" : "~";
  return `${verb} ${path.slice(root.length + 1) || "."} ${describeEntry(from)} > ${describeEntry(to)}`;
}

function describeEntry(state: EntryState): string {
  if (state.kind === "absent") return "none";
  if (state.kind === "link") return `-> ${state.target}`;
  if (state.kind === "other") return "other";
  const mode = state.mode.toString(8);
  return state.kind === "file" ? `${mode} ${state.bytes}` : `${mode}/`;
}
