import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderRuns, type RunEvent, type RunStore } from "../../../src/runtime/runs/index.js";
import { migrateRuns, postgresRuns } from "../../../src/runtime/runs/postgres/index.js";
import { digestOfRun } from "../../../src/runtime/runs/sealed-run.js";
import { ownDatabase } from "../../runtime/ledger/kinds.js";
import { postgresService } from "../../support/postgres.js";
import { describeWithService } from "../../support/service.js";
import { makeProject, skillc } from "../support/command-line.js";

const key = Buffer.alloc(32, 7).toString("base64");
const env = { RUNS_KEY: key };
const settings = "key: ${RUNS_KEY}\n";

const beginning = {
  tool: "desk/create-api",
  params: { query: "hidden wish" },
  subject: "ada",
  trace: "trace-1",
  manifests: {},
};

async function keep(
  store: RunStore,
  id: string,
  events: readonly RunEvent[] = [],
  tenant?: string,
): Promise<void> {
  const held = await store.hold({ id, tenant }, beginning);
  for (const each of events) await held?.append(each);
  await held?.release();
}

/** A project with an ended run, a run that waits, and one of a tenant. */
async function project(): Promise<{ readonly root: string; readonly store: RunStore }> {
  const root = makeProject({ "skillc.yaml": settings });
  const store = folderRuns({ directory: join(root, ".skillc/runs"), key });
  await keep(store, "order-1", [
    { type: "begun", key: "1", call: "call-1" },
    { type: "answered", key: "1", call: "call-1", result: { note: "hidden answer" } },
    { type: "ended", status: "created", result: { data: "hidden end" } },
  ]);
  await keep(store, "order-2", [
    { type: "begun", key: "1", call: "call-2" },
    { type: "answered", key: "1", call: "call-2", result: 1 },
    { type: "begun", key: "2:0", call: "call-3" },
    { type: "suspended", key: "3" },
  ]);
  await keep(store, "order-3", [{ type: "begun", key: "1", call: "call-4" }], "acme");
  return { root, store };
}

describe("skillc runs list", () => {
  test("prints a table of the newest runs, with no value", async () => {
    const { root } = await project();
    const { code, stderr, stdout } = await skillc(root, ["runs", "list"], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^run +tenant +plan +state +begun \(UTC\) +changed \(UTC\) +subject$/);
    expect(lines).toHaveLength(4);
    expect(stdout).toMatch(/order-1 +desk\/create-api +created/);
    expect(stdout).toMatch(/order-2 +desk\/create-api +suspended/);
    expect(stdout).toMatch(/order-3 +acme +desk\/create-api +unfinished/);
    expect(stdout).not.toContain("hidden");
  });

  test("selects by tenant, plan, state and number", async () => {
    const { root } = await project();
    const ids = async (...flags: readonly string[]) => {
      const { stdout } = await skillc(root, ["runs", "list", "--json", ...flags], { env });
      const { more, runs } = JSON.parse(stdout) as {
        readonly more: boolean;
        readonly runs: readonly { readonly id: string }[];
      };
      return [...runs.map(({ id }) => id).toSorted(), more];
    };
    expect(await ids()).toEqual(["order-1", "order-2", "order-3", false]);
    expect(await ids("--tenant", "acme")).toEqual(["order-3", false]);
    expect(await ids("--state", "suspended")).toEqual(["order-2", false]);
    expect(await ids("--tool", "desk/other")).toEqual([false]);
    expect(await ids("--limit", "2")).toHaveLength(3);
    expect((await ids("--limit", "2")).at(-1)).toBe(true);
  });

  test("prints hostile ids as harmless text", async () => {
    const { root, store } = await project();
    await keep(store, "\u001b[31mred\u202e\n`x`");
    const { stdout } = await skillc(root, ["runs", "list"], { env });
    expect(stdout).toContain("\\u001b[31mred\\u202e\\u000a`x`");
  });

  test("prints the intact runs before the error of a changed one", async () => {
    const { root } = await project();
    writeFileSync(join(root, ".skillc/runs", digestOfRun({ id: "order-1" }), "beginning"), "x\n");
    const { code, stderr, stdout } = await skillc(root, ["runs", "list"], { env });
    expect(code).toBe(1);
    expect(stdout.trimEnd().split("\n")).toHaveLength(3);
    expect(stderr).toContain("was changed, or is damaged");
    expect(stderr).toContain("help:");
  });

  test("works in a project without runs", async () => {
    const root = makeProject({ "skillc.yaml": settings });
    expect(await skillc(root, ["runs", "list"], { env })).toEqual({
      code: 0,
      stdout: "no runs\n",
      stderr: "",
    });
  });
});

describe("skillc runs show", () => {
  test("prints the steps and their calls, and values only if they are wanted", async () => {
    const { root } = await project();
    const { code, stdout } = await skillc(root, ["runs", "show", "order-1"], { env });
    expect(code).toBe(0);
    expect(stdout).toContain("desk/create-api  created");
    expect(stdout).toMatch(/1 +answered +call-1 +\d{4}-/);
    expect(stdout).not.toContain("hidden");
    const values = await skillc(root, ["runs", "show", "order-1", "--values"], { env });
    for (const each of ["hidden wish", "hidden answer", "hidden end"])
      expect(values.stdout).toContain(each);
  });

  test("prints the same as JSON", async () => {
    const { root } = await project();
    const show = async (...flags: readonly string[]) =>
      JSON.parse((await skillc(root, ["runs", "show", "--json", ...flags], { env })).stdout);
    expect(await show("order-2")).toMatchObject({
      id: "order-2",
      tool: "desk/create-api",
      state: "suspended",
      steps: [
        { key: "1", state: "answered", call: "call-2" },
        { key: "2:0", state: "begun", call: "call-3" },
        { key: "3", state: "suspended" },
      ],
    });
    expect(JSON.stringify(await show("order-1"))).not.toContain("hidden");
    expect(await show("order-1", "--values")).toMatchObject({
      params: { query: "hidden wish" },
      status: "created",
      steps: [{ result: { note: "hidden answer" } }],
      result: { data: "hidden end" },
    });
  });

  test("shows a step that failed, and that the plan went on without", async () => {
    const { root, store } = await project();
    const failure = { code: "PROVIDER.TIMEOUT", timeoutMs: 1 } as const;
    const error = { tool: "a/b", failure, message: "m", attempts: 1, outcome: "not-done" } as const;
    await keep(store, "order-4", [
      { type: "begun", key: "1", call: "call-5" },
      { type: "passed", key: "1", on: "skip", error },
    ]);
    const { stdout } = await skillc(root, ["runs", "show", "order-4"], { env });
    expect(stdout).toMatch(/1 +passed .*PROVIDER\.TIMEOUT/);
  });

  test("names the tenant of a run that has one", async () => {
    const { root } = await project();
    const missing = await skillc(root, ["runs", "show", "order-3"], { env });
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain("there is no run `order-3` without a tenant");
    expect(missing.stderr).toContain("add `--tenant acme`");
    const found = await skillc(root, ["runs", "show", "order-3", "--tenant", "acme"], { env });
    expect(found.stdout).toContain("unfinished");
    const other = await skillc(root, ["runs", "show", "order-3", "--tenant", "x"], { env });
    expect(other.stderr).toContain("of the tenant `x`");
    const json = await skillc(root, ["runs", "show", "none", "--json"], { env });
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { help: expect.any(String) } });
  });

  test("a missing id names the command that shows ids", async () => {
    const { code, stderr } = await skillc(makeProject(), ["runs", "show"], { env });
    expect(code).toBe(2);
    expect(stderr).toContain("`skillc runs list` shows the runs and their ids");
  });
});

describe("skillc runs cancel", () => {
  test("ends a run, and names calls without an answer", async () => {
    const { root, store } = await project();
    const { code, stderr, stdout } = await skillc(root, ["runs", "cancel", "order-2"], { env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "cancelled the run `order-2`\n" });
    expect(stderr).toBe("note: the step `2:0` was not answered: `skillc ledger show call-3`\n");
    expect((await store.read({ id: "order-2" }))?.events.at(-1)).toMatchObject({
      type: "ended",
      status: "cancelled",
    });
    const again = await skillc(root, ["runs", "cancel", "order-2"], { env });
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("has ended as `cancelled`");
    const json = await skillc(root, ["runs", "cancel", "order-3", "--tenant", "acme", "--json"], {
      env,
    });
    expect(JSON.parse(json.stdout)).toMatchObject({ id: "order-3", status: "cancelled" });
  });

  test("refuses a run that somebody holds", async () => {
    const { root, store } = await project();
    const held = await store.hold({ id: "order-2" });
    const { code, stderr } = await skillc(root, ["runs", "cancel", "order-2"], { env });
    expect(code).toBe(1);
    expect(stderr).toContain("is held by");
    expect((await store.read({ id: "order-2" }))?.events).toHaveLength(4);
    await held?.release();
    expect((await skillc(root, ["runs", "cancel", "none"], { env })).stderr).toContain(
      "there is no run",
    );
  });
});

describe("skillc runs prune", () => {
  test("removes runs that have ended, and no others", async () => {
    const { root } = await project();
    const prune = (...flags: readonly string[]) =>
      skillc(root, ["runs", "prune", "--before", ...flags], { env });
    expect((await prune("1d")).stdout).toBe("removed 0 runs\n");
    expect((await prune("2999-01-01", "--dry-run")).stdout).toBe("would remove 1 run\n");
    expect(JSON.parse((await prune("2999-01-01", "--json")).stdout)).toEqual({
      removed: 1,
      dryRun: false,
    });
    expect(readdirSync(join(root, ".skillc/runs"))).toHaveLength(2);
    const wrong = await prune("soon");
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("how long ago");
  });
});

describe("the place of runs", () => {
  test("a project without a key is told what to write", async () => {
    const none = await skillc(makeProject(), ["runs", "list"], { env });
    expect(none.code).toBe(1);
    expect(none.stderr).toContain("write `key: ${RUNS_KEY}`");
    const root = makeProject({ "skillc.yaml": settings });
    const unset = await skillc(root, ["runs", "list"], { env: {} });
    expect(unset.stderr).toContain("`${RUNS_KEY}`, which is not set here");
    const short = await skillc(root, ["runs", "list"], { env: { RUNS_KEY: "c2VjcmV0" } });
    expect(short).toMatchObject({ code: 1, stderr: expect.stringContaining("32 bytes") });
    expect(short.stderr).not.toContain("c2VjcmV0");
  });

  test("another key is named as the reason", async () => {
    const { root } = await project();
    const other = { RUNS_KEY: Buffer.alloc(32, 8).toString("base64") };
    const { code, stderr } = await skillc(root, ["runs", "show", "order-1"], { env: other });
    expect(code).toBe(1);
    expect(stderr).toContain("was stored with another key");
  });

  test.each(["runs: ./state/runs\n", "runs: ${RUNS}\n"])(
    "a folder is found by `%s`",
    async (text) => {
      const root = makeProject({ "skillc.yaml": settings + text });
      await keep(folderRuns({ directory: join(root, "state/runs"), key }), "here");
      const { stdout } = await skillc(root, ["runs", "list"], {
        env: { ...env, RUNS: "state/runs" },
      });
      expect(stdout).toContain("here");
    },
  );

  test("a link in place of a folder of the project is not followed", async () => {
    const root = makeProject({ "skillc.yaml": `${settings}runs: ./state\n` });
    const elsewhere = makeProject({ "keep.txt": "x" });
    symlinkSync(elsewhere, join(root, "state"));
    const { code, stderr } = await skillc(root, ["runs", "prune", "--before", "1d"], { env });
    expect(code).toBe(1);
    expect(stderr).toContain("is a link, but must be a folder");
    expect(readFileSync(join(elsewhere, "keep.txt"), "utf8")).toBe("x");
  });

  test("a file in place of the folder is reported", async () => {
    const root = makeProject({ "skillc.yaml": settings });
    mkdirSync(join(root, ".skillc"));
    writeFileSync(join(root, ".skillc/runs"), "");
    const { code, stderr } = await skillc(root, ["runs", "list"], { env });
    expect(code).toBe(1);
    expect(stderr).toContain("is a file, but must be a folder");
  });

  test("a wrong URL is reported without it", async () => {
    const root = makeProject({ "skillc.yaml": `${settings}runs: \${RUNS}\n` });
    const list = (RUNS?: string) =>
      skillc(root, ["runs", "list"], { env: { ...env, ...(RUNS !== undefined && { RUNS }) } });
    expect((await list()).stderr).toContain("`${RUNS}`, which is not set here");
    const wrong = await list("redis://me:hunter2@host");
    expect(wrong.stderr).toContain("neither a folder nor a URL of PostgreSQL");
    expect(wrong.stderr).not.toContain("hunter2");
    const away = await list("postgres://me:hunter2@127.0.0.1:1/db");
    expect(away).toMatchObject({ code: 1, stderr: expect.stringContaining("can't be reached") });
    expect(away.stderr).not.toContain("hunter2");
  });

  test("a folder has no schema and no tables", async () => {
    const root = makeProject({ "skillc.yaml": settings });
    const list = await skillc(root, ["runs", "list", "--schema", "x"], { env });
    expect(list).toMatchObject({ code: 2, stderr: expect.stringContaining("in a folder") });
    const migrate = await skillc(root, ["runs", "migrate"], { env });
    expect(migrate).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("nothing to migrate"),
    });
  });
});

await describeWithService(postgresService, () => {
  const database = ownDatabase();

  test("runs in PostgreSQL are migrated, listed, cancelled and removed", async () => {
    const root = makeProject({ "skillc.yaml": `${settings}runs: \${RUNS}\n` });
    const all = { ...env, RUNS: database().url };
    const runs = (...args: readonly string[]) => skillc(root, ["runs", ...args], { env: all });
    const early = await runs("list");
    expect(early).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("skillc runs migrate"),
    });
    expect((await runs("migrate")).stdout).toBe(
      "migrated the tables of runs of `${RUNS}` from version 0 to 1\n",
    );
    expect(JSON.parse((await runs("migrate", "--json")).stdout)).toEqual({ before: 1, after: 1 });
    const store = postgresRuns({ url: database().url, key });
    await keep(store, "order-1", [{ type: "begun", key: "1", call: "call-1" }], "acme");
    await store.close();
    expect((await runs("list")).stdout).toMatch(/order-1 +acme/);
    expect((await runs("cancel", "order-1", "--tenant", "acme")).code).toBe(0);
    expect((await runs("prune", "--before", "2999-01-01")).stdout).toBe("removed 1 run\n");
  });

  test("`--schema` names other tables", async () => {
    const root = makeProject({ "skillc.yaml": `${settings}runs: \${RUNS}\n` });
    const all = { ...env, RUNS: database().url };
    await migrateRuns({ url: database().url, schema: "other_runs" });
    const list = (schema: string) =>
      skillc(root, ["runs", "list", "--schema", schema], { env: all });
    expect(await list("other_runs")).toMatchObject({ code: 0, stdout: "no runs\n" });
    expect(await list('a"b')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--schema"),
    });
  });
});
