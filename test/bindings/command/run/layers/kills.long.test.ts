/** A process that makes a call with effects is killed before each of its steps. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { loaderArgs } from "../../../../support/node-loader.js";
import { absenceOf, describeUnless } from "../../../../support/service.js";
import { after, before, runOverWork } from "./changing-call.js";
import { overlays, treeOf } from "./support.js";

const program = fileURLToPath(new URL("./killed-call.ts", import.meta.url));

/** Returns whether the process was killed: it ends by itself if it has fewer steps. */
function callAndDieAfter(directory: string, steps: number): boolean {
  const args = [...loaderArgs, program, directory, `${steps}`];
  const { signal, status, stderr } = spawnSync(process.execPath, args);
  expect([signal ?? status, stderr.toString("utf8")]).toBeOneOf([
    ["SIGKILL", ""],
    [0, ""],
  ]);
  return signal === "SIGKILL";
}

function filesIn(directory: string, path = "work"): Record<string, string> {
  const found: Record<string, string> = {};
  for (const each of readdirSync(join(directory, path), { withFileTypes: true })) {
    const at = join(path, each.name);
    if (each.isDirectory()) Object.assign(found, filesIn(directory, at));
    else found[at] = readFileSync(join(directory, at), "utf8");
  }
  return found;
}

describeUnless(await absenceOf(overlays), "a killed call with effects", () => {
  test("the next call finds all changes made or none, if it was killed before any third step", async () => {
    const outcomes = new Set<string>();
    for (let steps = 0, isKilled = true; isKilled; steps += 3) {
      const { root } = treeOf(before);
      isKilled = callAndDieAfter(root, steps);
      await runOverWork(root, "echo > next");
      const { "work/next": next, ...files } = filesIn(root);
      expect(next).toBe("\n");
      expect([before, after], `killed after ${steps} steps`).toContainEqual(files);
      expect(readdirSync(join(root, ".skillc/layers"))).toEqual([]);
      expect(readdirSync(join(root, "work")).filter((each) => each.startsWith("."))).toEqual([]);
      outcomes.add(JSON.stringify(files));
    }
    expect(outcomes.size).toBe(2);
  }, 600_000);

  test("no process is left of a call that is killed while its command runs", async () => {
    const { root } = treeOf(before);
    const marker = `${process.pid}.25`;
    const args = [...loaderArgs, program, root, "Infinity", `echo 2 > a; sleep 1${marker}`];
    const child = spawn(process.execPath, args, { stdio: "ignore" });
    const layers = join(root, ".skillc/layers");
    const changed = () =>
      existsSync(layers) &&
      readdirSync(layers).some((each) => existsSync(join(layers, each, "0/upper/a")));
    await expect.poll(changed, { timeout: 60_000 }).toBe(true);
    child.kill("SIGKILL");
    await expect
      .poll(() => processesWith(marker) + processesWith(root), { timeout: 20_000 })
      .toBe(0);
    await runOverWork(root, "cat a");
    expect(filesIn(root)).toEqual(before);
    expect(readdirSync(layers)).toEqual([]);
  });
});

/** Returns the number of processes whose arguments contain a text. */
function processesWith(text: string): number {
  const ids = readdirSync("/proc").filter((each) => /^\d+$/.test(each));
  return ids.filter((each) => argumentsOf(each).includes(text)).length;
}

function argumentsOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
