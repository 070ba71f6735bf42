/** Calls with effects on a disk that is too small for them. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createLayers } from "../../../../../src/bindings/command/run/layers/place.js";
import { loaderArgs } from "../../../../support/node-loader.js";
import { absenceOf, describeUnless } from "../../../../support/service.js";
import { placedScript } from "./run-script.js";
import { overlays } from "./support.js";

const script = fileURLToPath(new URL("./full-disk.ts", import.meta.url));

/** Runs a program while a folder is a small disk of its own. */
function onSmallDisk(folder: string, program: readonly string[]) {
  const mount = 'mount -t tmpfs -o size=1536k none "$0" && exec "$@"';
  return spawnSync("unshare", ["-Urm", "sh", "-c", mount, folder, ...program]);
}

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "skillc-full-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describeUnless(await absenceOf(overlays), "layers on a full disk", () => {
  test("a call whose layer or copies have no space applies nothing, and leaves nothing", () => {
    const folder = emptyFolder();
    const program = [process.execPath, ...loaderArgs, script, folder];
    const { stderr, stdout } = onSmallDisk(folder, program);
    expect(stderr.toString()).toBe("");
    const nothing = { files: { a: "1" }, layers: [] };
    expect(JSON.parse(stdout.toString())).toMatchObject({
      process: {
        ...nothing,
        ended: {
          outcome: "not-done",
          message: expect.stringContaining("No space left on device") as string,
        },
      },
      copies: {
        ...nothing,
        ended: {
          outcome: "not-done",
          message:
            "`desk/change` changed nothing, because its way back can't be kept: there is no space left (ENOSPC)",
        },
      },
      start: {
        ...nothing,
        ended: {
          outcome: "not-done",
          message: "`desk/change` was not started: its layers can't be created (ENOSPC)",
        },
      },
      free: { files: { a: "2\n" }, layers: [], ended: { status: "success" } },
    });
  }, 60_000);
});

test("layers that can't be created leave no folder and no lock", async () => {
  const root = emptyFolder();
  const command = { ...placedScript(root, "true"), write: [join(root, "gone")] };
  await expect(createLayers(command)).rejects.toMatchObject({ code: "ENOENT" });
  expect(readdirSync(join(root, ".skillc/layers"))).toEqual([]);
});
