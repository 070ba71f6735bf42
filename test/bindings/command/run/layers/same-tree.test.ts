/** A process leaves the same files over a layer, once its effects are applied, as without a layer. */
import { randomUUID } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { absenceOf, describeUnless } from "../../../../support/service.js";
import { restoreBackup } from "../../../../../src/runtime/rollback/backups/restore-backup.js";
import type { RestoreOutcome } from "../../../../../src/runtime/rollback/restoring.js";
import type { ToolRollback } from "../../../../../src/runtime/rollback/tool-rollback.js";
import { runs } from "../../../../support/runs.js";
import { type Params, projectWith } from "../support.js";
import { overlays } from "./support.js";

const name = fc.constantFrom("a", "b", "d", "d/a", "d/b", "d/e", "d/e/a", "x", "x/a");
const step = fc.oneof(
  fc.tuple(name, fc.integer({ max: 99 })).map(([at, n]) => `echo ${n} > ${at}`),
  name.map((at) => `echo more >> ${at}`),
  name.map((at) => `rm -rf ${at}`),
  name.map((at) => `mkdir -p ${at}`),
  fc.tuple(name, name).map(([from, to]) => `mv ${from} ${to}`),
  fc.tuple(name, name).map(([from, to]) => `ln -s ${from} ${to}`),
  fc.tuple(name, name).map(([from, to]) => `ln ${from} ${to}`),
  fc.tuple(name, name).map(([from, to]) => `cp -r ${from} ${to}`),
  fc
    .tuple(name, fc.constantFrom("600", "755", "644", "444", "1777"))
    .map(([at, mode]) => `chmod ${mode} ${at}`),
);

const script = fc.array(step, { minLength: 1, maxLength: 12 }).map((steps) => steps.join("; "));

/** Describes all entries below a folder. */
function treeIn(folder: string, path = "."): readonly string[] {
  const at = join(folder, path);
  const found = lstatSync(at);
  const mode = (found.mode & 0o7777).toString(8);
  if (found.isSymbolicLink()) return [`${path} -> ${readlinkSync(at)}`];
  if (found.isFile()) return [`${path} ${mode} ${readFileSync(at, "utf8")}`];
  const entries = readdirSync(at).toSorted();
  return [`${path} ${mode}/`, ...entries.flatMap((each) => treeIn(folder, join(path, each)))];
}

/** A tool that runs a script in the sandbox on a small tree. */
function projectOver(steps: string, rollback: ToolRollback<Params>) {
  const { call, directory, put } = projectWith(
    {
      argv: () => ["sh", "-c", `(${steps}) 2> /dev/null; true`],
      cwd: "work",
      write: ["work"],
      effect: "write",
    },
    { rollback },
  );
  for (const each of ["a", "b", "d/a", "d/e/a", "d/e/b"]) put(join("work", each), each);
  return { call, directory, tree: () => treeIn(join(directory, "work")) };
}

/** Restores what the only call of a project has replaced. */
async function undo(directory: string): Promise<RestoreOutcome["status"] | "nothing"> {
  const calls = join(directory, ".skillc/backups/calls");
  const [call] = existsSync(calls) ? readdirSync(calls) : [];
  if (call === undefined) return "nothing";
  return (await restoreBackup({ directory, call, by: randomUUID() })).status;
}

describeUnless(await absenceOf(overlays), "effects that are applied", () => {
  test("the tree is the same as without a layer, and as before once the call is undone", async () => {
    await fc.assert(
      fc.asyncProperty(script, async (steps) => {
        const layered = projectOver(steps, { strategy: "effects" });
        const direct = projectOver(steps, { strategy: "none", reason: "a test" });
        const before = layered.tree();
        await layered.call();
        await direct.call();
        const after = layered.tree();
        expect(after).toEqual(direct.tree());
        const undone = await undo(layered.directory);
        expect(undone).toBe(after.join() === before.join() ? "nothing" : "restored");
        expect(layered.tree()).toEqual(before);
      }),
      { numRuns: runs(100), seed: 31 },
    );
  });
});
