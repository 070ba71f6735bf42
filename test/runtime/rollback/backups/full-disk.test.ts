import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { loaderArgs } from "../../../support/node-loader.js";
import { emptyFolder } from "./trees.js";

const script = fileURLToPath(new URL("./full-disk.ts", import.meta.url));

/** Runs a program while a folder is a small disk of its own. */
function onSmallDisk(folder: string, program: readonly string[]) {
  const mount = 'mount -t tmpfs -o size=1536k none "$0" && exec "$@"';
  return spawnSync("unshare", ["-Urm", "sh", "-c", mount, folder, ...program]);
}

// Some machines let nobody make namespaces.
const canMount = onSmallDisk(tmpdir(), ["true"]).status === 0;

test.skipIf(!canMount)("a full disk stops keeping and restoring, and nothing is changed", () => {
  const folder = emptyFolder();
  const { stderr, stdout } = onSmallDisk(folder, [process.execPath, ...loaderArgs, script, folder]);
  expect(stderr.toString()).toBe("");
  expect(JSON.parse(stdout.toString())).toEqual({
    kept: "there is no space left (ENOSPC)",
    copiesLeft: [],
    full: {
      status: "refused",
      reason: "not-possible",
      message: "there is no space left (ENOSPC)",
    },
    leftFull: [["a.bin", "c.md"], "b"],
    free: "restored",
    leftFree: [["a.bin"], "a"],
  });
});
