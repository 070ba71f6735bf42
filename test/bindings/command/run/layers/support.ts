import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { probeSandbox } from "../../../../../src/bindings/command/run/executors/sandbox.js";
import { createLayers } from "../../../../../src/bindings/command/run/layers/place.js";
import { openView } from "../../../../../src/bindings/command/run/layers/view.js";
import type { Service } from "../../../../support/service.js";
import { placedScript, runScript } from "./run-script.js";

/** Overlays, as the runtime mounts them. */
export const overlays: Service = {
  name: "overlay file systems",
  start: "allow `unshare -Urm` to this user, and install util-linux and bubblewrap",
  probe: async () => {
    const found = probeSandbox();
    if ("problem" in found) throw new Error(found.problem);
    const root = mkdtempSync(join(tmpdir(), "skillc-overlay-"));
    try {
      const layers = await createLayers(placedScript(root, "true"));
      const view = await openView(layers);
      if ("problem" in view) throw new Error(view.problem);
      await view.close();
      await layers.close();
    } finally {
      rmSync(root, { recursive: true });
    }
  },
};

/** How a script runs over a tree. */
interface Options {
  /** The allowed folder, if it is not the root of the tree. */
  readonly folder?: string;
  /** Runs once the script has printed `ready`. The script goes on if `$SIGNALS/go` exists. */
  readonly meanwhile?: () => void;
}

/** A tree of files in a folder of its own, over which shell scripts run. */
export function treeOf(files: Readonly<Record<string, string>> = {}) {
  const root = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return { root, run: (script: string, options?: Options) => runOver(root, script, options) };
}

function temporaryFolder(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "skillc-layer-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  chmodSync(root, 0o755);
  return root;
}

/** Runs a shell script over a layer. */
async function runOver(root: string, script: string, { folder = root, meanwhile }: Options = {}) {
  const signals = temporaryFolder();
  const command = { ...placedScript(folder, script), read: [signals], env: { SIGNALS: signals } };
  const paths: string[] = [];
  try {
    return await runScript(command, {
      opened: (path) => paths.push(path),
      printed: (output) => {
        if (meanwhile === undefined || !output.includes("ready")) return;
        meanwhile();
        writeFileSync(join(signals, "go"), "");
      },
    });
  } finally {
    expect(paths.map((each) => existsSync(each))).toEqual([false]);
  }
}
