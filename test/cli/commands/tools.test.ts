import { describe, expect, test } from "vitest";
import { createContext } from "../../../src/cli/command-context.js";
import { tools, type ToolsFlags, type ToolsPart } from "../../../src/cli/commands/tools.js";
import type { Io } from "../../../src/cli/io.js";
import { createMemoryStore } from "../../../src/runtime/governance/index.js";
import { inGenerated, makeProject, put, skillc } from "../support/command-line.js";
import { ownDatabase } from "../../runtime/ledger/kinds.js";
import { postgresService } from "../../support/postgres.js";
import { describeWithService } from "../../support/service.js";

const catalog = inGenerated([
  {
    name: "desk",
    file: "skills/desk/SKILL.md",
    tools: ["get-order", "refund"].map((name) => ({ id: `desk/${name}`, function: name })),
  },
]);

const governed = "store: ${GOVERNANCE_URL}\n";
const env = { GOVERNANCE_URL: "redis://somewhere" };

function project(settings = governed): string {
  return makeProject({
    "skillc.yaml": settings,
    ...catalog,
  });
}

/** The command in this process, over a store that several of them share. */
function setUp(root = project()) {
  const now = Date.UTC(2026, 6, 25);
  const shared = createMemoryStore({ now: () => now });
  let opened = 0;
  let closed = 0;
  const open = async (url: string) => {
    expect(url).toBe(env.GOVERNANCE_URL);
    opened += 1;
    return Object.assign(Object.create(null) as object, {
      states: () => shared.states(),
      setState: shared.setState.bind(shared),
      resetState: shared.resetState.bind(shared),
      close: async () => void (closed += 1),
    }) as unknown as typeof shared; // what the command asks for
  };
  const run = async (part: ToolsPart, tool?: string, flags: ToolsFlags = {}) => {
    let text = "";
    const output: Io["stdout"] = { isTTY: false, columns: 120, write: (more) => (text += more) };
    const io = { stdout: output, stderr: output, env, cwd: root } as unknown as Io; // as much as is used
    const code = await tools(createContext(io, {}), part, tool, flags, open);
    return { code, text };
  };
  return { closed: () => closed, opened: () => opened, run, shared };
}

describe("skillc tools", () => {
  test("refuses a tenant that no caller can have, whose state would stop nobody", async () => {
    const { run, shared } = setUp();
    for (const flags of [{ tenant: "acme " }, { exceptTenant: ["ac\ufe0fme"] }])
      await expect(run("pause", "desk/refund", flags)).rejects.toThrow("no caller can have");
    expect(await shared.states()).toEqual([]);
  });

  test("sets a state in the store that skillc.yaml names, for every tenant or for one", async () => {
    const { closed, opened, run, shared } = setUp();
    const change = { by: "ada", because: "a leak" };
    expect(await run("pause", "desk/refund", change)).toEqual({
      code: 0,
      text: "`desk/refund` is paused for every tenant\n",
    });
    expect(await run("deprecate", "desk/refund", { ...change, tenant: "acme" })).toMatchObject({
      text: expect.stringMatching(/^`desk\/refund` is deprecated for the tenant `acme`\n/),
    });
    expect(await shared.states()).toMatchObject([
      { tool: "desk/refund", state: "paused", by: "ada", because: "a leak" },
      { tool: "desk/refund", state: "deprecated", tenant: "acme" },
    ]);
    expect([opened(), closed()]).toEqual([2, 2]);
  });

  test("lists the tenants with a state of their own in a pause for all", async () => {
    const { run } = setUp();
    await run("pause", "desk/refund", { tenant: "acme" });
    await run("enable", "desk/refund", { tenant: "acme" });
    await run("pause", "desk/refund", { tenant: "globex" });
    expect(await run("pause", "desk/refund")).toEqual({
      code: 0,
      text: [
        "`desk/refund` is paused for every tenant",
        "the tenant `acme` has a state of its own: enabled, but is paused anyway",
        "the tenant `globex` has a state of its own: paused",
        "",
      ].join("\n"),
    });
    const { text } = await run("pause", "desk/refund", { json: true });
    expect(JSON.parse(text)).toMatchObject({
      state: "paused",
      tenants: [
        { tenant: "acme", state: "enabled", counts: "paused" },
        { tenant: "globex", state: "paused", counts: "paused" },
      ],
    });
    const listed = await run("list", undefined, { json: true, tenant: "acme" });
    expect(JSON.parse(listed.text)).toMatchObject({
      tools: [{ tool: "desk/get-order" }, { tool: "desk/refund", state: "paused" }],
    });
  });

  test("a tool that its skill declares as paused is listed so, until somebody enables it", async () => {
    const tool = { id: "desk/refund", function: "refund", governance: { state: "paused" } };
    const generated = inGenerated([{ name: "desk", file: "skills/desk/SKILL.md", tools: [tool] }]);
    const { run } = setUp(makeProject({ "skillc.yaml": governed, ...generated }));
    expect((await run("list")).text).toMatch(/desk\/refund +paused/);
    await run("enable", "desk/refund", { tenant: "acme" });
    const ofOne = async (tenant: string) => {
      const { text } = await run("list", undefined, { json: true, tenant });
      return JSON.parse(text);
    };
    expect(await ofOne("acme")).toMatchObject({ tools: [{ state: "enabled" }] });
    expect(await ofOne("other")).toMatchObject({ tools: [{ state: "paused" }] });
    await run("enable", "desk/refund");
    expect((await run("list")).text).not.toContain("paused");
  });

  test("a pause of many tenants with states of their own names the first twenty", async () => {
    const { run } = setUp();
    for (let at = 0; at < 23; at += 1) await run("enable", "desk/refund", { tenant: `t${at}` });
    const { text } = await run("pause", "desk/refund");
    expect(text.split("\n")).toHaveLength(23);
    expect(text).toContain("3 more tenants have a state of their own: `skillc tools list`");
  });

  test("a pause leaves out the tenants that `--except-tenant` names", async () => {
    const { run } = setUp();
    const flags = { exceptTenant: ["acme", "globex"] };
    expect(await run("pause", "desk/refund", flags)).toMatchObject({
      text: "`desk/refund` is paused for every tenant but `acme`, `globex`\n",
    });
    expect((await run("list")).text).toMatch(/desk\/refund +paused +all but acme, globex/);
    const stateOf = async (tenant: string) => {
      const { text } = await run("list", undefined, { json: true, tenant });
      return (JSON.parse(text) as { tools: { state: string }[] }).tools[1]?.state;
    };
    expect([await stateOf("acme"), await stateOf("other")]).toEqual(["enabled", "paused"]);
    await run("pause", "desk/refund");
    expect(await stateOf("acme")).toBe("paused");
  });

  test("reports that a tool enabled for one tenant is still paused for all others", async () => {
    const { run } = setUp();
    await run("pause", "desk/refund", { exceptTenant: ["globex"] });
    const { text } = await run("enable", "desk/refund", { tenant: "acme" });
    expect(text).toMatch(
      /^`desk\/refund` is enabled for the tenant `acme`\nits calls are still den/,
    );
    expect(text).toContain("`skillc tools pause desk/refund --except-tenant globex acme`");
    expect((await run("enable", "desk/refund", { tenant: "globex" })).text).toBe(
      "`desk/refund` is enabled for the tenant `globex`\n",
    );
  });

  test("reset removes a tenant's own state, and rejects a tenant that has none", async () => {
    const { run, shared } = setUp();
    await run("deprecate", "desk/refund");
    await run("pause", "desk/refund", { tenant: "acme" });
    await expect(run("reset", "desk/refund", { tenant: "Acme" })).rejects.toMatchObject({
      message: "the tenant `Acme` has no state of `desk/refund` of its own",
      help: "`acme` has one",
    });
    expect(await run("reset", "desk/refund", { tenant: "acme" })).toEqual({
      code: 0,
      text: "the tenant `acme` no longer has a state of its own: `desk/refund` is deprecated for it\n",
    });
    expect(await shared.states()).toMatchObject([{ state: "deprecated" }]);
    await run("pause", "desk/refund", { tenant: "acme" });
    const { text } = await run("reset", "desk/refund", { json: true, tenant: "acme" });
    expect(JSON.parse(text)).toEqual({ tool: "desk/refund", tenant: "acme", counts: "deprecated" });
  });

  test("rejects `--tenant` beside `--except-tenant`, and a reset without `--tenant`", async () => {
    const root = project();
    const both = ["tools", "pause", "desk/refund", "--tenant", "a", "--except-tenant", "b"];
    expect(await skillc(root, both)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--except-tenant"),
    });
    expect(await skillc(root, ["tools", "reset", "desk/refund"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--tenant"),
    });
  });

  test("lists each tool with its state, those of tenants, and since when", async () => {
    const { run } = setUp();
    await run("deprecate", "desk/refund", { by: "ada", because: "use pay-back" });
    await run("pause", "desk/refund", { by: "ada", tenant: "acme" });
    const { text } = await run("list");
    expect(text).toMatch(/desk\/get-order +enabled/);
    expect(text).toMatch(/desk\/refund +deprecated +2026-07-25T00:00:00.000Z +ada +use pay-back/);
    expect(text).toMatch(/desk\/refund +paused +acme +2026/);
    const json = await run("list", undefined, { json: true, tenant: "acme" });
    expect(JSON.parse(json.text)).toMatchObject({
      tools: [
        { tool: "desk/get-order", state: "enabled" },
        { tool: "desk/refund", state: "paused", tenant: "acme" },
      ],
    });
  });

  test("records the user who is logged in if no option names one", async () => {
    const { run } = setUp();
    const { text } = await run("pause", "desk/refund", { json: true });
    expect(JSON.parse(text)).toMatchObject({ by: expect.stringMatching(/./) });
  });

  test("rejects an unknown tool, and suggests a similar one", async () => {
    const { opened, run } = setUp();
    await expect(run("pause", "desk/refnd", {})).rejects.toThrow("there is no tool `desk/refnd`");
    expect(opened()).toBe(0);
  });

  test("reports a store that can't be reached, and closes it", async () => {
    const { closed, run, shared } = setUp();
    shared.setState = () => {
      throw new Error("away");
    };
    await expect(run("pause", "desk/refund", {})).rejects.toThrow("cannot be reached: away");
    expect(closed()).toBe(1);
  });

  test("reports a missing store on the command line", async () => {
    const ran = await skillc(project("out: generated\n"), ["tools", "list"]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("names no `store:`");
    expect(ran.stderr).toContain("store: ${GOVERNANCE_URL}");
  });

  test("names the missing setting, and never prints an invalid URL", async () => {
    const root = project();
    const unset = await skillc(root, ["tools", "list"], { env: {} });
    expect(unset).toMatchObject({ code: 1 });
    expect(unset.stderr).toContain("`${GOVERNANCE_URL}`, which is not set here");
    put(root, ".env", "GOVERNANCE_URL=mysql://user:a-password@host\n");
    const wrong = await skillc(root, ["tools", "pause", "desk/refund"], { env: {} });
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain("can't be opened");
    expect(wrong.stderr).not.toContain("a-password");
  });
});

await describeWithService(postgresService, () => {
  const database = ownDatabase();

  test("makes the tables of a store in PostgreSQL, and pauses a tool in it", async () => {
    const root = project();
    const run = (...args: readonly string[]) =>
      skillc(root, ["tools", ...args], { env: { GOVERNANCE_URL: database().url } });
    expect(await run("list")).toMatchObject({ code: 1, stdout: "" });
    const first = await run("migrate");
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toMatch(/^migrated the store's tables from version 0 to \d+\n$/);
    expect((await run("migrate")).stdout).toMatch(/^nothing to do: /);
    expect(await run("pause", "desk/refund")).toMatchObject({ code: 0 });
    expect((await run("list")).stdout).toMatch(/desk\/refund +paused/);
  });
});
