/** Two processes that go on with one run at the same time, in both stores. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { ownDatabase } from "../../../runtime/ledger/kinds.js";
import { folderPlace, postgresPlace, type RunsPlace } from "../../../runtime/runs/places.js";
import { loaderArgs } from "../../../support/node-loader.js";
import { postgresService } from "../../../support/postgres.js";
import { describeWithService } from "../../../support/service.js";
import { createProject, errorOf } from "./plan-project.js";
import { plan } from "./resumed/plan.js";

const script = fileURLToPath(new URL("resumed/process.ts", import.meta.url));

async function resumeTwice(place: RunsPlace): Promise<readonly string[]> {
  const store = place.open();
  const { runtime } = createProject(
    { a: () => Promise.reject(new Error("broken")) },
    { runs: store },
  );
  await errorOf(plan({}, { runtime, run: "r" }));
  // The read is answered, and the write is not begun.
  const held = await store.hold({ id: "r" });
  await held?.append({
    type: "answered",
    key: "1",
    call: "c",
    result: { status: "success", data: 1 },
  });
  await held?.release();
  const both = [1, 2].map(() => {
    const args = [...loaderArgs, script, ...place.processArguments];
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    return { child, told: text(child.stdout), ended: once(child, "close") };
  });
  // The one that goes on waits for the end of its input, so the other one ends first.
  await Promise.race(both.map(({ ended }) => ended));
  for (const { child } of both) child.stdin.end();
  return (await Promise.all(both.map(({ told }) => told))).toSorted();
}

const expected = ["PLAN.RUN_UNAVAILABLE held\n", "made\nsuccess\n"];

describe("two processes that go on with one run", () => {
  test("one goes on with a run in a folder, and the other learns that it is held", async () => {
    expect(await resumeTwice(folderPlace())).toEqual(expected);
  });
});

await describeWithService(postgresService, () => {
  const database = ownDatabase();

  test("one goes on with a run in PostgreSQL, and the other learns that it is held", async () => {
    expect(await resumeTwice(await postgresPlace(database()))).toEqual(expected);
  });
});
