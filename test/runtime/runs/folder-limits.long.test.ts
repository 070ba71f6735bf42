/** Runs in a folder of a system that lets a process write no more. */
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { loaderArgs } from "../../support/node-loader.js";
import { folderPlace } from "./places.js";

const script = fileURLToPath(new URL("./run-process.ts", import.meta.url));

test("a file that may not grow fails the event, and keeps the events before it", async () => {
  const place = folderPlace();
  const args = [...loaderArgs, script, "big", "100", "5000", ...place.processArguments];
  // Node.js gives a child a socket for its output, and a write to a full one fails: a pipe waits.
  const command = 'ulimit -f 64 && "$@" | cat; exit "${PIPESTATUS[0]}"';
  const { stdout } = spawnSync("bash", ["-c", command, "bash", process.execPath, ...args], {
    encoding: "utf8",
  });
  const told = stdout.trimEnd().split("\n");
  expect(told.at(-1)).toBe("failed full");
  const stored = told.length - 2;
  expect(stored).toBeGreaterThan(3);
  expect((await place.open().hold({ id: "big" }))?.events).toHaveLength(stored);
});

test.runIf(process.getuid?.() === 0)(
  "a folder that a user may not write is reported as read-only",
  () => {
    const place = folderPlace();
    mkdirSync(place.directory);
    const outer = fileURLToPath(new URL(".", `file://${place.directory}`));
    chownSync(outer, 65534, 65534);
    chmodSync(place.directory, 0o555);
    const args = [...loaderArgs, script, "one", "1", "1", ...place.processArguments];
    const { stdout } = spawnSync(process.execPath, args, {
      encoding: "utf8",
      uid: 65534,
      env: { ...process.env, JITI_FS_CACHE: "false" },
    });
    expect(stdout).toBe("failed read-only\n");
  },
);
