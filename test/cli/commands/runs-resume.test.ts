/** `skillc runs resume` end to end: runs that an application began, and that the command goes on with. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadEntryPoints } from "../../../src/cli/project/entry-points.js";
import { loadModule } from "../../../src/cli/project/load-module.js";
import { createPostgresStore } from "../../../src/runtime/governance/store/postgres/postgres-store.js";
import { governance, type ProjectPolicy } from "../../../src/runtime/governance/index.js";
import {
  type AnyResult,
  type CallOptions,
  createRuntime,
  type Runtime,
  type RuntimeOptions,
} from "../../../src/runtime/index.js";
import { folderRuns, type KeptRun, type RunStore } from "../../../src/runtime/runs/index.js";
import { migrateRuns, postgresRuns } from "../../../src/runtime/runs/postgres/index.js";
import { ownDatabase } from "../../runtime/ledger/kinds.js";
import { postgresService } from "../../support/postgres.js";
import { describeWithService } from "../../support/service.js";
import { makeProject, put, skillc } from "../support/command-line.js";
import { commitAll, createRepository } from "../support/git-objects.js";

const key = Buffer.alloc(32, 7).toString("base64");
const env = { RUNS_KEY: key, PATH: process.env["PATH"] };

interface Desk {
  /** Description of the read of the last step. */
  readonly about?: string;
  /** Further parameters of that read. */
  readonly more?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  /** Further keys of the write. */
  readonly charge?: Readonly<Record<string, unknown>>;
  /** Steps of the inner plan after its first. */
  readonly steps?: readonly object[];
  /** Further tools; a tool that is undefined is removed. */
  readonly tools?: Readonly<Record<string, object | undefined>>;
}

const usualSteps = [{ id: "stock", tool: "get-stock", bindings: { id: "id" } }];

/** A plan that reads, writes, and calls a plan whose read fails as long as a file says so. */
function desk({ about, charge, more, required = ["id"], steps = usualSteps, tools }: Desk = {}) {
  const returns = { type: "object", required: ["id"], properties: { id: { type: "string" } } };
  const tool = (effect: string, keys: object = {}) => ({
    description: "Does it.",
    parameters: {
      type: "object",
      additionalProperties: false,
      required: ["id"],
      properties: { id: { type: "string" } },
    },
    binding: { type: "handler", effect },
    returns,
    ...keys,
  });
  const stock = tool("read", { description: about ?? "Looks at the stock." });
  const all = {
    "get-order": tool("read"),
    charge: tool("write", charge),
    "get-stock": {
      ...stock,
      parameters: {
        ...stock.parameters,
        required,
        properties: { id: { type: "string" }, ...more },
      },
    },
    look: {
      description: "Looks.",
      id: "string",
      binding: { type: "plan", steps, output: "step_stock.output.id" },
    },
    settle: {
      description: "Settles an order.",
      id: "string",
      binding: {
        type: "plan",
        steps: [
          { id: "order", tool: "get-order", bindings: { id: "id" } },
          { id: "paid", tool: "charge", bindings: { id: "step_order.output.id" } },
          { id: "look", tool: "look", bindings: { id: "step_order.output.id" } },
        ],
        output: "step_look.output",
      },
    },
    ...tools,
  };
  return {
    "skills/desk/SKILL.md": "---\nname: desk\ndescription: Settles orders.\n---\nAsk.\n",
    "skills/desk/metadata.json": JSON.stringify({ tools_schema: all }, null, 2),
  };
}

/** Handlers that write down what they did. */
const handlers = `import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
const root = import.meta.dirname;
const done = (name) => ({ id }) => {
  appendFileSync(join(root, "log.txt"), name + "\\n");
  return { id };
};
export const handlers = {
  "desk/get-order": done("order"),
  "desk/charge": (params) => {
    const answer = done("charge")(params);
    if (existsSync(join(root, "silent"))) throw new Error("no answer");
    return answer;
  },
  "desk/get-stock": (params) => {
    if (existsSync(join(root, "broken"))) throw new Error("broken");
    return done("stock")(params);
  },
};
`;

/** Creates a project with a commit for its skills, and with generated modules. */
async function project(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const root = makeProject({
    "skillc.yaml": "key: ${RUNS_KEY}\n",
    ...desk(),
    "handlers.mjs": handlers,
    ...files,
  });
  createRepository(root);
  commitAll(root);
  await generate(root);
  return root;
}

async function generate(root: string): Promise<void> {
  const { code, stderr } = await skillc(root, ["generate"]);
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
}

/** Changes the skills of a project, and generates its modules again. */
async function change(root: string, changed: Desk): Promise<void> {
  for (const [path, text] of Object.entries(desk(changed))) put(root, path, text);
  await generate(root);
}

interface Begun extends Pick<CallOptions, "caller"> {
  readonly run?: string;
  readonly runs?: RunStore;
  readonly options?: (policy: ProjectPolicy) => RuntimeOptions;
}

const storeOf = (root: string): RunStore =>
  folderRuns({ directory: join(root, ".skillc/runs"), key });

/** Calls the plan as an application does, and returns its answer or its error. */
async function begin(
  root: string,
  { caller, options, run = "r-1", runs = storeOf(root) }: Begun = {},
): Promise<{ readonly answer: AnyResult | Error; readonly runtime: Runtime }> {
  const shared = await loadEntryPoints("@skillc/runtime");
  const load = async (module: string) => (await loadModule(root, module, shared)).exports;
  const { handlers: own } = await load("./handlers.mjs");
  const { settle } = await load("./generated/desk/index.ts");
  const { policy } = options === undefined ? {} : await load("./generated/policy.ts");
  const runtime = createRuntime({
    directory: root,
    ledger: false,
    runs,
    // The modules were written by this file, and generated from it.
    handlers: own as NonNullable<RuntimeOptions["handlers"]>,
    ...options?.(policy as ProjectPolicy),
  });
  const call = settle as (params: unknown, options: CallOptions) => Promise<AnyResult>;
  const answer = await call(
    { id: "7" },
    { runtime, run, ...(caller !== undefined && { caller }) },
  ).catch((error: unknown) => error as Error);
  return { answer, runtime };
}

/** Begins a run that fails in its last step, and mends the step. */
async function beginBroken(root: string, begun: Begun = {}): Promise<void> {
  put(root, "broken", "");
  const { answer, runtime } = await begin(root, begun);
  expect(answer).toBeInstanceOf(Error);
  await runtime.close();
  rmSync(join(root, "broken"));
}

const resume = (root: string, ...flags: readonly string[]) =>
  skillc(root, ["runs", "resume", "r-1", "--handlers", "handlers.mjs", ...flags], { env });

const log = (root: string): readonly string[] =>
  readFileSync(join(root, "log.txt"), "utf8").trimEnd().split("\n");

async function kept(root: string, tenant?: string): Promise<KeptRun> {
  const found = await storeOf(root).read({ id: "r-1", tenant });
  if (found === undefined) throw new Error("no run");
  return found;
}

/** The texts that the run keeps about accepted changes. */
async function accepted(root: string): Promise<readonly string[]> {
  return (await kept(root)).events.flatMap((each) =>
    each.type === "resumed" && each.forced !== undefined ? [each.forced] : [],
  );
}

const done = { status: "success", data: "7" };

describe("a run that stopped at a write of unknown outcome", () => {
  test.each([
    ["done", ["--answer", '{"id": "paid"}'], ["order", "charge", "stock"]],
    ["not-done", [], ["order", "charge", "charge", "stock"]],
  ])("goes on after the write is settled as %s", async (as, answer, made) => {
    const root = await project();
    put(root, "silent", "");
    const { runtime } = await begin(root);
    await runtime.close();
    rmSync(join(root, "silent"));
    const stopped = JSON.parse((await resume(root, "--json")).stdout);
    expect(stopped).toMatchObject({ error: { code: "PLAN.OUTCOME_UNKNOWN", step: "paid" } });
    const { events } = await kept(root);
    const begun = events.find((each) => each.type === "begun" && each.key === "paid");
    const call = begun?.type === "begun" ? begun.call : "";
    const args = ["ledger", "settle", call, "--as", as, "--because", "seen", ...answer];
    expect(await skillc(root, args, { env })).toMatchObject({ code: 0 });
    const { code, stdout } = await resume(root);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(done);
    expect(log(root)).toEqual(made);
  });
});

describe("a run whose tools are the same", () => {
  test("goes on, repeats no answered step, and prints the plan's answer", async () => {
    const root = await project();
    await beginBroken(root);
    const { code, stderr, stdout } = await resume(root);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual(done);
    expect(log(root)).toEqual(["order", "charge", "stock"]);
    expect(await accepted(root)).toEqual([]);
    const listed = await skillc(root, ["ledger", "list", "--json"], { env });
    expect(JSON.parse(listed.stdout)).toMatchObject({
      calls: [{ tool: "settle" }, { step: "look" }, { step: "look.stock" }],
    });
  });

  test("its calls go to the ledger that skillc.yaml names, and nothing is made without it", async () => {
    const root = await project();
    await beginBroken(root);
    const before = log(root);
    put(root, "skillc.yaml", "key: ${RUNS_KEY}\nledger: ${MY_LEDGER}\n");
    const { code, stderr } = await resume(root);
    expect(code).toBe(1);
    expect(stderr).toContain("`${MY_LEDGER}` is not set");
    expect(log(root)).toEqual(before);
  });

  test("gives its answer again once it has ended, even if tools have changed since", async () => {
    const root = await project();
    await beginBroken(root);
    await resume(root);
    await change(root, { required: [] });
    const again = await resume(root, "--json", "--force", "because");
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toEqual(done);
    expect(again.stderr).toContain("note: the run has ended, so nothing had to be accepted");
    expect(log(root)).toHaveLength(3);
  });

  test("notes that nothing had to be accepted", async () => {
    const root = await project();
    await beginBroken(root);
    const { code, stderr } = await resume(root, "--was", "main");
    expect(code).toBe(0);
    expect(stderr).toBe(
      "note: no tool of the run's steps has changed, so nothing had to be accepted\n",
    );
    expect(await accepted(root)).toEqual([]);
  });

  test("prints the plan's error if a step fails again, and the run stays", async () => {
    const root = await project();
    await beginBroken(root);
    put(root, "broken", "");
    const text = await resume(root);
    expect(text).toMatchObject({ code: 1, stdout: "" });
    expect(text.stderr).toContain("error: UNKNOWN.INTERNAL");
    const json = await resume(root, "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: "UNKNOWN.INTERNAL" } });
    rmSync(join(root, "broken"));
    expect((await resume(root)).code).toBe(0);
  });

  test("refuses a run that another process holds", async () => {
    const root = await project();
    await beginBroken(root);
    const held = await storeOf(root).hold({ id: "r-1" });
    const { code, stdout } = await resume(root, "--json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: "PLAN.RUN_UNAVAILABLE", run: "r-1", reason: "held" },
    });
    await held?.release();
    expect(log(root)).toEqual(["order", "charge"]);
  });

  test("refuses a run of DBOS, and names the workflow", async () => {
    const root = await project();
    const beginning = {
      tool: "desk/settle",
      params: { id: "7" },
      trace: "t",
      manifests: {},
      driver: { name: "dbos", workflow: "r-1" },
    } as const;
    const held = await storeOf(root).hold({ id: "r-1" }, beginning);
    await held?.release();
    const { code, stderr } = await resume(root);
    expect(code).toBe(1);
    expect(stderr).toContain("the run `r-1` belongs to the workflow `r-1` of DBOS");
    expect(stderr).toContain("call `goOn` of `@skillc/runtime/dbos`");
    const shown = await skillc(root, ["runs", "show", "r-1"], { env });
    expect(shown.stdout).toMatch(/workflow +r-1 of DBOS/);
    const json = await skillc(root, ["runs", "show", "r-1", "--json"], { env });
    expect(JSON.parse(json.stdout)).toMatchObject({ driver: beginning.driver });
  });

  test("refuses a run of a dynamic plan, and says what makes it go on", async () => {
    const root = await project();
    const beginning = {
      tool: "(dynamic plan)",
      params: { goal: null, plan: null, inputs: {} },
      trace: "t",
      manifests: {},
      driver: { name: "planner" },
    } as const;
    const held = await storeOf(root).hold({ id: "r-1" }, beginning);
    await held?.release();
    const { code, stderr } = await resume(root);
    expect(code).toBe(1);
    expect(stderr).toContain("the run `r-1` has a plan that was made at run time");
    expect(stderr).toContain('call `runPlan` again with `run: "r-1"`');
    const shown = await skillc(root, ["runs", "show", "r-1"], { env });
    expect(shown.stdout).toContain("(dynamic plan)");
  });

  test("refuses a cancelled run", async () => {
    const root = await project();
    await beginBroken(root);
    await skillc(root, ["runs", "cancel", "r-1"], { env });
    const { code, stderr } = await resume(root);
    expect(code).toBe(1);
    expect(stderr).toContain("error: PLAN.RUN_ENDED");
  });
});

describe("the caller of a resumed run", () => {
  const caller = { tenant: "acme", subject: "ada" };
  const json = JSON.stringify(caller);

  test("refuses a caller with another subject, and names the run's subject", async () => {
    const root = await project();
    await beginBroken(root, { caller });
    const none = await resume(root, "--tenant", "acme");
    expect(none).toMatchObject({ code: 1, stdout: "" });
    expect(none.stderr).toContain("belongs to the subject `ada`");
    expect(none.stderr).toContain(`--caller '{"tenant":"acme","subject":"ada"}'`);
    const other = await resume(root, "--caller", '{"tenant":"acme","subject":"eve"}', "--json");
    expect(other.code).toBe(1);
    expect(JSON.parse(other.stdout)).toMatchObject({
      error: { message: expect.stringContaining("nobody else may resume it") },
    });
    expect(log(root)).toEqual(["order", "charge"]);
    expect((await resume(root, "--caller", json)).code).toBe(0);
  });

  test("refuses a caller with another tenant", async () => {
    const root = await project();
    await beginBroken(root, { caller });
    const without = await resume(root, "--caller", '{"subject":"ada"}');
    expect(without.code).toBe(1);
    expect(without.stderr).toContain("there is no run `r-1` without a tenant");
    const two = await resume(root, "--caller", json, "--tenant", "other");
    expect(two.code).toBe(2);
    expect(two.stderr).toContain("`--tenant` is `other`, but the tenant of `--caller` is `acme`");
    const unclear = await resume(root, "--tenant", "");
    expect(unclear.code).toBe(2);
    expect(unclear.stderr).toContain("no caller can have the tenant of `--tenant`");
    const both = await resume(root, "--caller", '{"subject":"ada"}', "--tenant", "acme");
    expect(both.code).toBe(0);
  });

  test("refuses a caller with a subject if the run has none", async () => {
    const root = await project();
    await beginBroken(root);
    const { code, stderr } = await resume(root, "--caller", '{"subject":"ada"}');
    expect(code).toBe(1);
    expect(stderr).toContain("the run `r-1` has no subject, but `--caller` has one");
    const wrong = await resume(root, "--caller", "{");
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("`--caller` is not a caller");
  });
});

describe("a run whose tools have changed", () => {
  test("refuses changed tools without `--was`, and names the option", async () => {
    const root = await project();
    await beginBroken(root);
    await change(root, { about: "Counts the stock." });
    const { code, stderr } = await resume(root);
    expect(code).toBe(1);
    expect(stderr).toContain("error: PLAN.CHANGED");
    expect(stderr).toContain("`look`");
    expect(stderr).toContain("`--was` names the folder or git revision");
    expect(log(root)).toEqual(["order", "charge"]);
  });

  test("goes on after a patch in a plan within the plan, and keeps what was accepted", async () => {
    const root = await project();
    await beginBroken(root);
    await change(root, { about: "Counts the stock." });
    const { code, stderr, stdout } = await resume(root, "--was", "main", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(done);
    expect(stderr).toContain("note: the run goes on with changed tools: patch since main (commit");
    const [text, ...others] = await accepted(root);
    expect(others).toEqual([]);
    expect(text).toMatch(
      /^patch since main \(commit [0-9a-f]{10}\): desk\/get-stock patch, desk\/look patch$/,
    );
    expect(log(root)).toEqual(["order", "charge", "stock"]);
    const shown = await skillc(root, ["runs", "show", "r-1"], { env });
    expect(shown.stdout).toMatch(/accepted changes {2}\d{4}-\S+ \S+ +patch since main/);
    const json = await skillc(root, ["runs", "show", "r-1", "--json"], { env });
    expect(JSON.parse(json.stdout)).toMatchObject({
      accepted: [{ at: expect.stringMatching(/^\d{4}-/), text }],
    });
  });

  test("goes on after a minor change since the state of a folder", async () => {
    const root = await project();
    const before = makeProject({ "skillc.yaml": "", ...desk() });
    await beginBroken(root);
    await change(root, { more: { shelf: { type: "string" } } });
    const { code } = await resume(root, "--was", before);
    expect(code).toBe(0);
    expect(await accepted(root)).toEqual([
      `minor since ${before}: desk/get-stock minor, desk/look patch`,
    ]);
  });

  test("refuses a major change, and goes on with a reason", async () => {
    const root = await project();
    await beginBroken(root);
    await change(root, { charge: { risk_level: "critical" } });
    const refused = await resume(root, "--was", "main");
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain(
      "the run can't go on: its tools have a major change since main (commit",
    );
    expect(refused.stderr).toContain("desk/charge: risk_level");
    expect(refused.stderr).toContain("--force");
    expect((await kept(root)).events.some(({ type }) => type === "resumed")).toBe(false);
    const json = await resume(root, "--was", "main", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { help: expect.any(String) } });
    expect((await resume(root, "--was", "main", "--force", " ")).code).toBe(2);
    expect((await resume(root, "--was", "main", "--force", "x".repeat(501))).code).toBe(2);
    const forced = await resume(root, "--was", "main", "--force", "grace: it was charged");
    expect(forced.code).toBe(0);
    expect(await accepted(root)).toEqual([
      expect.stringMatching(
        /^major since main \(commit \w{10}\): desk\/charge major, forced: grace: it was charged$/,
      ),
    ]);
  });

  test("keeps that nothing was compared if it is forced without an old side", async () => {
    const root = await project();
    await beginBroken(root);
    await change(root, { about: "Counts the stock." });
    expect((await resume(root, "--force", "grace: only words")).code).toBe(0);
    expect(await accepted(root)).toEqual(["forced, nothing was compared: grace: only words"]);
  });

  test("keeps no credential of a reason", async () => {
    const secret = "hunter2-hunter2-hunter2";
    const binding = {
      type: "http",
      method: "GET",
      url: "https://notes.example.com/{id}",
      headers: { Authorization: "Bearer ${NOTES_TOKEN}" },
    };
    const tools = { "get-note": { description: "Gets a note.", id: "string", binding } };
    const root = await project(desk({ tools }));
    put(root, ".env", `NOTES_TOKEN=${secret}\n`);
    await beginBroken(root);
    await change(root, { about: "Counts the stock.", tools });
    const { code, stderr } = await resume(root, "--force", `checked with ${secret}`);
    expect(code).toBe(0);
    expect(stderr).not.toContain(secret);
    const [text] = await accepted(root);
    expect(text).toContain("checked with ");
    expect(text).not.toContain(secret);
  });

  test("refuses an old side that isn't what the run began with", async () => {
    const root = await project();
    await change(root, { about: "Counts." });
    await beginBroken(root);
    await change(root, { about: "Counts the stock." });
    const { code, stderr } = await resume(root, "--was", "main", "--force", "because");
    expect(code).toBe(1);
    expect(stderr).toContain(
      "`main` isn't what the run began with: its tools of the step `look` differ",
    );
    expect(await accepted(root)).toEqual([]);
    const none = await resume(root, "--was", "nowhere");
    expect(none.code).toBe(2);
    expect(none.stderr).toContain("`nowhere` is not a folder, a file or a git revision here");
  });

  test("compares with the tools that were accepted last", async () => {
    const root = await project();
    await beginBroken(root);
    await change(root, { about: "Counts." });
    commitAll(root);
    put(root, "broken", "");
    expect((await resume(root, "--was", "main~1")).code).toBe(1);
    rmSync(join(root, "broken"));
    await change(root, { about: "Counts the stock." });
    const old = await resume(root, "--was", "main~1");
    expect(old.stderr).toContain("`main~1` isn't what the run began with");
    expect((await resume(root, "--was", "main")).code).toBe(0);
    expect(await accepted(root)).toHaveLength(2);
  });

  test("a tool that is gone and a step that calls another tool are major changes", async () => {
    const root = await project();
    await beginBroken(root);
    const steps = [{ id: "stock", tool: "count", bindings: { id: "id" } }];
    const count = { ...JSON.parse(desk()["skills/desk/metadata.json"]).tools_schema["get-order"] };
    await change(root, { steps, tools: { "get-stock": undefined, count } });
    const { code, stderr } = await resume(root, "--was", "main");
    expect(code).toBe(1);
    expect(stderr).toContain("desk/get-stock: id is gone");
    expect(stderr).toContain("step look.stock called desk/get-stock, and now calls desk/count");
  });

  test("a new step and a removed step are major changes", async () => {
    const root = await project();
    await beginBroken(root);
    const more = { id: "again", tool: "get-order", bindings: { id: "id" } };
    await change(root, { steps: [...usualSteps, more] });
    expect((await resume(root, "--was", "main")).stderr).toContain("step look.again is new");
    const { tools_schema: tools } = JSON.parse(desk()["skills/desk/metadata.json"]);
    const { settle } = tools;
    settle.binding.steps = settle.binding.steps.filter(({ id }: { id: string }) => id !== "paid");
    await change(root, { tools: { settle } });
    expect((await resume(root, "--was", "main")).stderr).toContain("step paid is gone");
  });

  test("names a plan that is gone, and a tool that is a plan no more", async () => {
    const root = await project();
    await beginBroken(root);
    const { tools_schema: tools } = JSON.parse(desk()["skills/desk/metadata.json"]);
    await change(root, { tools: { settle: tools["get-order"] } });
    const other = await resume(root, "--force", "because");
    expect(other).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("`desk/settle` is not a plan any more"),
    });
    await change(root, { tools: { settle: undefined } });
    const gone = await resume(root, "--force", "because");
    expect(gone).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("`desk/settle` is not in `generated/` any more"),
    });
  });

  test("refuses to compare skills that are newer than the generated modules", async () => {
    const root = await project();
    await beginBroken(root);
    await change(root, { about: "Counts." });
    for (const [path, text] of Object.entries(desk({ about: "Counts more." })))
      put(root, path, text);
    const { code, stderr } = await resume(root, "--was", "main");
    expect(code).toBe(1);
    expect(stderr).toContain("the generated modules are not those of the skills");
    put(root, "skills/desk/metadata.json", "{");
    expect((await resume(root, "--was", "main")).stderr).toContain("the project doesn't compile");
  });

  test("refuses an old side without the tools of steps, and one that doesn't compile", async () => {
    const root = await project();
    await beginBroken(root);
    const { stdout } = await skillc(root, ["catalog", "--json"]);
    put(root, "old.json", stdout);
    await change(root, { about: "Counts." });
    for (const side of ["old.json", "generated"]) {
      const { code, stderr } = await resume(root, "--was", side);
      expect(code).toBe(1);
      expect(stderr).toContain(`\`${side}\` has a catalog`);
    }
    const broken = makeProject({ ...desk(), "skillc.yaml": "", "skills/desk/metadata.json": "{" });
    expect((await resume(root, "--was", broken)).stderr).toContain("doesn't compile");
  });
});

describe("a run that the command line can't go on with", () => {
  test("rejects a handler in the place of the plan", async () => {
    const root = await project({
      "wrong.mjs": 'export const handlers = { "desk/settle": () => 1 };\n',
    });
    await beginBroken(root);
    const { code, stderr } = await resume(root, "--handlers", "wrong.mjs");
    expect(code).toBe(2);
    expect(stderr).toContain("`--handlers` has a function for the plan `desk/settle`");
  });

  test("refuses a plan with a keyed tool, which needs the application's key", async () => {
    const root = await project({
      "skillc.yaml": "key: ${RUNS_KEY}\ngovernance: standard\n",
      ...desk({ charge: { governance: { idempotency: "keyed" } } }),
    });
    await beginBroken(root);
    const { code, stderr, stdout } = await resume(root);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("the plan calls `desk/charge`, whose calls need the key");
    expect(log(root)).toEqual(["order", "charge"]);
  });

  test("refuses a plan with a hashed answer in a plan within, which needs the application's key", async () => {
    const root = await project({
      "skillc.yaml": `key: \${RUNS_KEY}
governance: standard
obligations:
  - { name: hide-id, tools: [desk/get-stock], do: hash, at: /id }
`,
    });
    await beginBroken(root, {
      options: (policy) => ({ governance: governance({ policy, key: Buffer.alloc(32) }) }),
    });
    const { code, stderr } = await resume(root);
    expect(code).toBe(1);
    expect(stderr).toContain("the plan calls `desk/get-stock`, whose calls need the key");
    expect(log(root)).toEqual(["order", "charge"]);
  });

  test("reports an unknown id as `runs show` does", async () => {
    const root = await project();
    const { code, stderr } = await skillc(root, ["runs", "resume", "none"], { env });
    expect(code).toBe(1);
    expect(stderr).toContain("there is no run `none` without a tenant");
  });
});

await describeWithService(postgresService, () => {
  const database = ownDatabase();

  test("a suspended run in PostgreSQL goes on with an approval", async () => {
    const { url } = database();
    await migrateRuns({ url });
    const root = await project({
      "skillc.yaml":
        "key: ${RUNS_KEY}\nruns: ${RUNS}\ngovernance: standard\nstore: ${GOVERNANCE}\n",
      ...desk({ charge: { governance: { approval: { ttl: "1h" } } } }),
    });
    const all = { env: { ...env, RUNS: url, GOVERNANCE: url } };
    const migrated = await skillc(root, ["tools", "migrate"], all);
    expect(migrated.code).toBe(0);
    const caller = { subject: "ada", origin: "api" } as const;
    // The command closes all stores of its process at its end, which is this process.
    const governed = (policy: ProjectPolicy) =>
      governance({ policy, store: createPostgresStore({ url }), key: Buffer.alloc(32) });
    let known: ProjectPolicy | undefined;
    const { answer, runtime } = await begin(root, {
      caller,
      runs: postgresRuns({ url, key }),
      options(policy) {
        known = policy;
        return { governance: governed(policy) };
      },
    });
    expect(answer).toMatchObject({ status: "suspended", step: "paid" });
    await runtime.close();
    const run = (...flags: readonly string[]) => {
      const given = ["--handlers", "handlers.mjs", "--caller", JSON.stringify(caller)];
      return skillc(root, ["runs", "resume", "r-1", ...given, ...flags], all);
    };
    const still = await run();
    expect(still.code).toBe(0);
    const { request, ...suspended } = JSON.parse(still.stdout);
    expect(suspended).toEqual({ status: "suspended", run: "r-1", step: "paid" });
    if (known === undefined) throw new Error("no policy");
    const approver = createRuntime({ ledger: false, governance: governed(known) });
    const approval = await approver.approve(request, { subject: "grace" });
    const approved = await run("--approval", approval);
    expect(approved).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(approved.stdout)).toEqual(done);
    expect(log(root)).toEqual(["order", "charge", "stock"]);
    await approver.close();
  });
});
