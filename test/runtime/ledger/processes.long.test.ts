import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

import { loaderArgs } from "../../support/node-loader.js";
import { temporaryDirectory } from "./fixtures.js";
import { callsOf, describeEachLedger } from "./kinds.js";

const script = fileURLToPath(new URL("./writer-process.ts", import.meta.url));

interface Writer {
  readonly child: ChildProcess;
  /** Where it tells what it does. A file takes that at full speed, and keeps it when the child is killed. */
  readonly toldPath: string;
}

function startWriter(calls: number, ledger: readonly string[]): Writer {
  const toldPath = join(temporaryDirectory(), "told");
  const told = openSync(toldPath, "a");
  const args = [...loaderArgs, script, `${calls}`, ...ledger];
  const child = spawn(process.execPath, args, { stdio: ["ignore", told, "inherit"] });
  closeSync(told);
  return { child, toldPath };
}

/** Waits until the child has told so many bytes, and kills it. */
async function killAfter({ child, toldPath }: Writer, bytes: number): Promise<readonly string[]> {
  while (child.exitCode === null && statSync(toldPath).size < bytes) await setTimeout(1);
  child.kill("SIGKILL");
  await once(child, "close");
  return readFileSync(toldPath, "utf8").split("\n").slice(0, -1);
}

/** Which calls must have, and which may have, an unknown outcome, given what the child told before it was killed. */
function expectedUnknown(told: readonly string[]): {
  must: readonly string[];
  may: ReadonlySet<string>;
} {
  const ids = (what: string) =>
    new Set(told.filter((line) => line.startsWith(what)).map((line) => line.slice(3)));
  const [begins, begun, ends, ended] = [ids("b? "), ids("b! "), ids("e? "), ids("e! ")];
  return {
    must: [...begun].filter((id) => !ends.has(id)),
    may: new Set([...begins].filter((id) => !ended.has(id))),
  };
}

await describeEachLedger((ledgers) => {
  describe("kill -9 in the middle of 20,000 writes", () => {
    it.each([50, 1234, 7000])(
      "after about %i steps leaves exactly the calls in flight unknown",
      async (steps) => {
        const place = await ledgers.place();
        const writer = startWriter(20_000, place.processArguments);
        // A told line has about 10 bytes.
        const told = await killAfter(writer, 10 * (steps + Math.random() * 500));
        expect(writer.child.signalCode).toBe("SIGKILL");
        const ledger = place.open();
        const { problems, unknownOutcomes } = await ledger.verify();
        expect(problems).toEqual([]);
        const unknown = unknownOutcomes.map((each) => each.id);
        const { must, may } = expectedUnknown(told);
        expect(unknown).toEqual(expect.arrayContaining([...must]));
        expect(unknown.filter((id) => !may.has(id))).toEqual([]);
        // Of the two that were under way, one begins and one ends: a full file may part their records.
        expect(unknown.length).toBeLessThanOrEqual(must.length + 2);
        expect(unknownOutcomes.every((each) => each.writer === "gone")).toBe(true);
        const queried = (await callsOf(ledger, { status: "unknown" })).map((call) => call.id);
        expect(queried.toSorted()).toEqual(unknown.toSorted());
      },
    );
  });

  describe("several processes at once", () => {
    it("write side by side, each a chain of its own", async () => {
      const place = await ledgers.place();
      const children = [1, 2, 3].map(() => startWriter(400, place.processArguments).child);
      await Promise.all(children.map((child) => once(child, "close")));
      expect(children.map((child) => child.exitCode)).toEqual([0, 0, 0]);
      const ledger = place.open();
      const verification = await ledger.verify();
      expect(verification).toMatchObject({
        records: 2400,
        problems: [],
        tornLines: [],
        unknownOutcomes: [],
      });
      const states = verification.writers.map((each) => each.state);
      expect(states).toEqual(["closed", "closed", "closed"]);
      expect(await callsOf(ledger)).toHaveLength(1200);
    });
  });
});
