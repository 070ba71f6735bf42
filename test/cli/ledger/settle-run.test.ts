/** `skillc ledger settle` for calls of plans whose runs are kept. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ledgerSettle } from "../../../src/cli/ledger/settle.js";
import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import { entryOf } from "../../../src/runtime/ledger/store.js";
import {
  folderRuns,
  type RunBeginning,
  type RunEvent,
  type RunId,
  type RunStore,
  RunStoreError,
} from "../../../src/runtime/runs/index.js";
import { migrateRuns, postgresRuns } from "../../../src/runtime/runs/postgres/index.js";
import { beginRecord, endRecord, fileIn, filesIn, linesIn } from "../../runtime/ledger/fixtures.js";
import { ownDatabase } from "../../runtime/ledger/kinds.js";
import { postgresService } from "../../support/postgres.js";
import { describeWithService } from "../../support/service.js";
import { inGenerated, makeProject, put, skillc } from "../support/command-line.js";

const key = Buffer.alloc(32, 7).toString("base64");
const env = { RUNS_KEY: key };

const refund = {
  id: "desk/refund",
  output_schema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "skillc:/desk/refund/output",
    type: "object",
    required: ["receipt", "lines"],
    properties: {
      receipt: { type: "string", readOnly: true },
      lines: { type: "array", items: { $ref: "#/$defs/line" } },
    },
  },
};
const desk = {
  name: "desk",
  $defs: { line: { type: "object", properties: { cents: { type: "integer" } } } },
  tools: [refund, { id: "desk/notify", output_schema: null }],
};

const run: RunId = { id: "r-1", tenant: "acme" };
const plan = { tool: "desk/plan", params: { wish: 1 }, subject: "ada", manifests: {} };
const begun = { type: "begun", key: "pay", call: "bbbb-1", tool: "desk/refund" } as const;
const because = "the shop lists r-17";
const answer = { receipt: "hidden r-17", lines: [{ cents: 5 }] };
const done = ["--as", "done", "--because", because];
const withAnswer = [...done, "--answer", JSON.stringify(answer)];
const notDone = ["--as", "not-done", "--because", because];

interface Kept {
  readonly events?: readonly RunEvent[];
  readonly run?: RunId;
  readonly driver?: RunBeginning["driver"];
  /** Changes of the begin record; null if the ledger has none. */
  readonly record?: Parameters<typeof beginRecord>[0] | null;
  readonly settings?: string;
  /** False if the ledger's record names no step. */
  readonly isStep?: boolean;
}

/** A project whose process died in a write, which a step of a kept run made. */
async function project(kept: Kept = {}) {
  const {
    driver,
    events = [begun],
    isStep = true,
    record = {},
    run: id = run,
    settings = "key: ${RUNS_KEY}\n",
  } = kept;
  const root = makeProject({ "skillc.yaml": settings, ...inGenerated([desk]) });
  const folder = join(root, ".skillc/ledger");
  const ledger = createFileLedger({ directory: folder });
  const common = { id: "bbbb-1", trace: "trace-1", caller: { tenant: "acme" } };
  const call = { ...common, ...(isStep && { step: "pay" }) };
  if (record !== null)
    ledger.append(entryOf(beginRecord({ skill: "desk", tool: "refund", ...call, ...record })));
  ledger.append(entryOf(beginRecord({ id: "cccc-1" })));
  const runs = folderRuns({ directory: join(root, ".skillc/runs"), key });
  // Another run, which nobody has ended either.
  const other = await runs.hold({ id: "other" }, { ...plan, trace: "trace-0" });
  await other?.release();
  const held = await runs.hold(id, { ...plan, trace: "trace-1", driver });
  for (const each of events) await held?.append(each);
  await held?.release();
  return {
    root,
    folder,
    ledger,
    runs,
    settle: (...args: readonly string[]) =>
      skillc(root, ["ledger", "settle", "bbbb", ...args], { env }),
    lastEvent: async () => (await runs.read(id))?.events.at(-1),
    inLedger: async () =>
      JSON.parse((await skillc(root, ["ledger", "show", "bbbb", "--json"], { env })).stdout),
  };
}

describe("a call of a kept run", () => {
  test("a call of a kept run is settled as done in ledger and run, and the ledger doesn't get the answer", async () => {
    const { folder, inLedger, lastEvent, root, settle } = await project();
    const { code, stderr, stdout } = await settle(...withAnswer);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "note: to go on with the run: `skillc runs resume r-1 --tenant acme`\n",
    });
    expect(stdout).toMatch(/^desk\/refund {2}settled-done$/m);
    const result = { status: "success", data: answer };
    expect(await lastEvent()).toMatchObject({ type: "answered", result, settled: because });
    expect(await inLedger()).toMatchObject({ settlement: { as: "done", because } });
    const lines = filesIn(folder).flatMap((_, index) => linesIn(fileIn(folder, index)));
    expect(lines.join("\n")).toContain(because);
    expect(lines.join("\n")).not.toContain("hidden");
    const shown = await skillc(root, ["runs", "show", "r-1", "--tenant", "acme"], { env });
    expect(shown.stdout).toMatch(/settled because/);
    expect(shown.stdout).toMatch(/pay +answered +bbbb-1 .*the shop lists r-17/);
    expect(shown.stdout).not.toContain("hidden");
  });

  test("a call of a kept run is settled as not done in the ledger and in the run", async () => {
    const { inLedger, lastEvent, settle } = await project();
    expect(await settle(...notDone)).toMatchObject({ code: 0 });
    expect(await lastEvent()).toMatchObject({ type: "not-done", key: "pay", settled: because });
    expect(await inLedger()).toMatchObject({ settlement: { as: "not-done" } });
  });

  test.each([{ record: {} }, { record: null }])(
    "names the workflow of a run that DBOS runs (record: $record)",
    async ({ record }) => {
      const { settle } = await project({ driver: { name: "dbos", workflow: "r-1" }, record });
      const { code, stderr } = await settle(...withAnswer);
      expect(code).toBe(0);
      expect(stderr).toContain(
        "note: to go on with the run: call `goOn` of `@skillc/runtime/dbos` with its workflow `r-1`\n",
      );
    },
  );

  test("prints a settled call as JSON with its run", async () => {
    const { settle } = await project();
    const { stdout } = await settle(...withAnswer, "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      id: "bbbb-1",
      outcome: "settled",
      settlement: { as: "done" },
      run: { id: "r-1", tenant: "acme", step: "pay" },
    });
    expect(stdout).not.toContain("hidden");
  });

  test("takes the answer of a call from a file", async () => {
    const { lastEvent, root, settle } = await project();
    put(root, "answer.json", `\ufeff${JSON.stringify(answer)}`);
    expect(await settle(...done, "--answer", "@answer.json")).toMatchObject({ code: 0 });
    expect(await lastEvent()).toMatchObject({ result: { data: answer } });
  });

  test.each(["each:3", "outer.pay:0"])("finds the call at the step `%s` of a run", async (step) => {
    const { lastEvent, settle } = await project({
      events: [{ ...begun, key: step }],
      record: { step },
    });
    expect(await settle(...withAnswer)).toMatchObject({ code: 0 });
    expect(await lastEvent()).toMatchObject({ type: "answered", key: step });
  });

  test("finds a call in a run without a tenant that an earlier version began", async () => {
    const old = { type: "begun", key: "pay", call: "bbbb-1" } as const;
    const { lastEvent, settle } = await project({
      events: [old],
      run: { id: "r-1" },
      record: { caller: {} },
    });
    expect(await settle(...withAnswer)).toMatchObject({ code: 0 });
    expect(await lastEvent()).toMatchObject({ type: "answered" });
  });

  test("needs no answer if the tool declares no `returns` and the plan reads no data", async () => {
    const notify = { ...begun, tool: "desk/notify", isRead: false };
    const { lastEvent, settle } = await project({ events: [notify] });
    expect(await settle(...done)).toMatchObject({ code: 0 });
    expect(await lastEvent()).toMatchObject({ result: { status: "success", data: null } });
  });

  test("takes an answer that nobody can check, and a note says so", async () => {
    const notify = { ...begun, tool: "desk/notify", isRead: true };
    const { lastEvent, settle } = await project({ events: [notify] });
    const { code, stderr } = await settle(...done, "--answer", "[1]");
    expect(code).toBe(0);
    expect(stderr).toContain(
      "`desk/notify` declares no schema of its result, so `--answer` was not checked",
    );
    expect(await lastEvent()).toMatchObject({ result: { data: [1] } });
  });

  test("settles the step after a crash between the ledger and the run", async () => {
    const { folder, lastEvent, root, runs, settle } = await project();
    // The command died after the ledger: the run doesn't know the finding.
    rmSync(join(root, "skillc.yaml"));
    expect(await settle(...done)).toMatchObject({ code: 0 });
    put(root, "skillc.yaml", "key: ${RUNS_KEY}\n");
    expect(await lastEvent()).toMatchObject({ type: "begun" });
    const before = filesIn(folder);
    const contrary = await settle(...notDone);
    expect(contrary).toMatchObject({ code: 1, stderr: expect.stringContaining("add `--correct`") });
    const { code, stderr } = await settle(...withAnswer);
    expect(code).toBe(0);
    expect(stderr).toContain("note: the ledger has this finding already");
    expect(await lastEvent()).toMatchObject({ type: "answered" });
    expect(filesIn(folder)).toEqual(before);
    const third = await settle(...withAnswer);
    expect(third).toMatchObject({ code: 2, stderr: expect.stringContaining("omit `--answer`") });
    const fourth = await settle(...done);
    expect(fourth).toMatchObject({ code: 1, stderr: expect.stringContaining("was settled as") });
    expect((await runs.read(run))?.events).toHaveLength(2);
  });

  test("asks to repeat the command if the run can't be stored after the ledger", async () => {
    const { inLedger, ledger, root, runs, settle } = await project();
    const lost = new RunStoreError("lost", "another process took the run over");
    const store: RunStore = {
      ...runs,
      kind: "folder",
      read: (id) => runs.read(id),
      list: (filter) => runs.list(filter),
      prune: (time) => runs.prune(time),
      close: () => runs.close(),
      async hold(id) {
        const held = await runs.hold(id);
        return (
          held && { ...held, append: () => Promise.reject(lost), release: () => held.release() }
        );
      },
    };
    const output = await ledgerSettle({
      store: ledger,
      where: "there",
      color: false,
      width: 100,
      json: false,
      id: "bbbb",
      as: "not-done",
      because,
      correct: false,
      tools: { root, out: "generated" },
      openRuns: async () => ({ store, where: "there" }),
    });
    expect(output).toMatchObject({
      exitCode: 1,
      failure: { help: "the ledger has the finding; repeat the command to settle the run" },
    });
    expect(await inLedger()).toMatchObject({ outcome: "settled" });
    expect(await settle(...notDone)).toMatchObject({ code: 0 });
  });

  test("a call without a record in the ledger is settled in the run alone", async () => {
    const { lastEvent, settle } = await project({ record: null });
    const { code, stderr, stdout } = await settle(...withAnswer);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "settled the step `pay` of the run `r-1` as `done`\n",
    });
    expect(stderr).toContain("the ledger has no record of the call, so only the run keeps");
    expect(await lastEvent()).toMatchObject({ type: "answered", settled: because });
    const again = await settle(...withAnswer);
    expect(again.stderr).toContain("the run `r-1` has settled the call `bbbb-1` as `done`");
    const corrected = await settle(...notDone, "--correct", "--json");
    expect(JSON.parse(corrected.stdout)).toEqual({
      id: "bbbb-1",
      settlement: { as: "not-done", because },
      run: { id: "r-1", tenant: "acme", step: "pay" },
    });
    expect(await lastEvent()).toMatchObject({ type: "not-done" });
  });

  test("a call whose end the ledger has is settled in the run alone, as the ledger says", async () => {
    const { lastEvent, ledger, settle } = await project();
    const failure = { code: "PROVIDER.TIMEOUT" as const, message: "m" };
    ledger.append(
      entryOf(
        endRecord({
          id: "bbbb-1",
          step: "pay",
          trace: "trace-1",
          status: "failed",
          result: null,
          error: failure,
        }),
      ),
    );
    const wrong = await settle(...withAnswer);
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("it ended as `failed`"),
    });
    const { code, stderr } = await settle(...notDone);
    expect(code).toBe(0);
    expect(stderr).toContain("the ledger has the end of the call, so only the run keeps");
    expect(await lastEvent()).toMatchObject({ type: "not-done" });
  });

  test("a correction changes the run until somebody resumes it, and then only the ledger", async () => {
    const { inLedger, lastEvent, runs, settle } = await project();
    await settle(...withAnswer);
    const refused = await settle(...notDone);
    expect(refused.stderr).toContain("add `--correct`");
    expect(await settle(...notDone, "--correct")).toMatchObject({ code: 0 });
    expect(await lastEvent()).toMatchObject({ type: "not-done" });
    expect(await inLedger()).toMatchObject({ settlement: { as: "not-done", correction: true } });
    const held = await runs.hold(run);
    await held?.append({ type: "resumed" });
    await held?.release();
    const late = await settle(...done, "--correct");
    expect(late).toMatchObject({ code: 0, stderr: expect.stringContaining("was resumed since") });
    expect(await lastEvent()).toMatchObject({ type: "resumed" });
    expect(await inLedger()).toMatchObject({ settlement: { as: "done" } });
  });
});

describe("skillc ledger settle of a call of a kept run", () => {
  const big = '{"receipt":"r","lines":[{"cents":12345678901234567890}]}';
  const deep = `${"[".repeat(2000)}${"]".repeat(2000)}`;
  test.each<[string, readonly string[], number, string]>([
    [
      "a missing answer",
      done,
      2,
      "`desk/refund` was done as a step of a plan, which needs its answer",
    ],
    [
      "an answer that is not JSON",
      [...done, "--answer", "{receipt"],
      2,
      "`--answer` is not JSON: expected",
    ],
    [
      "an integer that would be rounded",
      [...done, "--answer", big],
      2,
      "/lines/0/cents is an integer beyond",
    ],
    [
      "an answer that nests too deeply",
      [...done, "--answer", deep],
      2,
      "nests deeper than 1000 levels",
    ],
    [
      "an answer without a required property",
      [...done, "--answer", '{"lines":[]}'],
      2,
      "must have required property 'receipt'",
    ],
    [
      "an answer with a wrong value",
      [...done, "--answer", '{"receipt":"r","lines":[{"cents":"5"}]}'],
      2,
      "`/lines/0/cents` must be integer",
    ],
    [
      "a file that is missing",
      [...done, "--answer", "@none.json"],
      1,
      "the file of `--answer` can't be read",
    ],
    [
      "an answer of a call that was not made",
      [...notDone, "--answer", "{}"],
      2,
      "a call that was not made has no answer",
    ],
    ["a correction of nothing", [...withAnswer, "--correct"], 1, "there is nothing to correct"],
  ])("rejects %s, and records nothing", async (_, args, exit, told) => {
    const { folder, lastEvent, settle } = await project();
    const before = filesIn(folder);
    const { code, stderr, stdout } = await settle(...args);
    expect(stderr).toContain(told);
    expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
    expect(await lastEvent()).toMatchObject({ type: "begun" });
    expect(filesIn(folder)).toEqual(before);
    expect(filesIn(folder)).toHaveLength(1);
  });

  test.each<[string, Kept, string]>([
    ["a call that no plan made", { isStep: false }, "it is not a step of a plan"],
    [
      "a step of a run that has ended",
      { events: [begun, { type: "ended", status: "failed" }] },
      "no kept run that goes on has begun it",
    ],
    [
      "a step of a plan whose run is not kept",
      { events: [] },
      "no kept run that goes on has begun it",
    ],
    [
      "a step whose answer the run has",
      { events: [begun, { type: "answered", key: "pay", call: "bbbb-1", result: 1 }] },
      "the run has its answer",
    ],
  ])("rejects an answer for %s, and settles it without one", async (_, kept, told) => {
    const { folder, settle } = await project(kept);
    const { code, stderr } = await settle(...withAnswer);
    expect(stderr).toContain(told);
    expect(stderr).toContain("help: omit `--answer`");
    expect(code).toBe(2);
    expect(filesIn(folder)).toHaveLength(1);
    expect(await settle(...done)).toMatchObject({ code: 0 });
  });

  test("rejects a call whose run is held, and records nothing", async () => {
    const { folder, runs, settle } = await project();
    const held = await runs.hold(run);
    const { code, stderr } = await settle(...withAnswer);
    expect(code).toBe(1);
    expect(stderr).toContain("is held by");
    expect(filesIn(folder)).toHaveLength(1);
    await held?.release();
  });

  test("rejects a tool that the generated catalog doesn't have", async () => {
    const { folder, settle } = await project({ events: [{ ...begun, tool: "desk/gone" }] });
    const { code, stderr } = await settle(...withAnswer);
    expect(code).toBe(2);
    expect(stderr).toContain("there is no tool `desk/gone` in `generated/`");
    expect(filesIn(folder)).toHaveLength(1);
    expect(await settle(...notDone)).toMatchObject({ code: 0 });
  });

  test("rejects a run that was stored with another key, and records nothing", async () => {
    const { folder, root } = await project();
    const other = { RUNS_KEY: Buffer.alloc(32, 8).toString("base64") };
    const args = ["ledger", "settle", "bbbb", ...notDone];
    const { code, stderr } = await skillc(root, args, { env: other });
    expect(code).toBe(1);
    expect(stderr).toContain("was stored with another key");
    const unset = await skillc(root, args, { env: {} });
    expect(unset).toMatchObject({ code: 1, stderr: expect.stringContaining("not set here") });
    expect(filesIn(folder)).toHaveLength(1);
  });

  test("says why the runs were not searched for a call that the ledger doesn't have", async () => {
    const { root } = await project();
    const args = ["ledger", "settle", "dddd", ...notDone];
    const { code, stderr } = await skillc(root, args, { env: {} });
    expect(code).toBe(1);
    expect(stderr).toContain("no call has an id that begins with `dddd`");
    expect(stderr).toContain("kept runs of plans were not searched: ");
    const searched = await skillc(root, args, { env });
    expect(searched.stderr).not.toContain("searched");
  });

  test("settles the ledger alone in a project that names no runs, and says so", async () => {
    const { lastEvent, settle } = await project({ settings: "skills: skills\n" });
    const { code, stderr } = await settle(...notDone);
    expect(code).toBe(0);
    expect(stderr).toContain("the call is the step `pay` of a plan: if its run is kept");
    expect(await lastEvent()).toMatchObject({ type: "begun" });
  });

  test("lists the calls of runs if several match", async () => {
    const second = { ...begun, key: "two", call: "bbbb-2" };
    const { settle } = await project({ record: null, events: [begun, second] });
    const { code, stderr } = await settle(...notDone);
    expect(code).toBe(1);
    expect(stderr).toContain("the ids of several calls begin with `bbbb`");
    expect(stderr).toContain("`bbbb-2` `r-1` `two`");
  });
});

await describeWithService(postgresService, () => {
  const database = ownDatabase();

  test("settles a step of a run in PostgreSQL", async () => {
    const { root } = await project({ settings: "key: ${RUNS_KEY}\nruns: ${RUNS}\n" });
    const { url } = database();
    await migrateRuns({ url });
    const store = postgresRuns({ url, key });
    const held = await store.hold(run, { ...plan, trace: "trace-1" });
    await held?.append(begun);
    await held?.release();
    const args = ["ledger", "settle", "bbbb", ...withAnswer];
    expect(await skillc(root, args, { env: { ...env, RUNS: url } })).toMatchObject({ code: 0 });
    expect((await store.read(run))?.events.at(-1)).toMatchObject({ type: "answered" });
    await store.close();
  });
});
