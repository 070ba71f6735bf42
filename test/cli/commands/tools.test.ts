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
  test("sets a state in the store that skillc.yaml names, for every tenant or for one", async () => {
    const { closed, opened, run, shared } = setUp();
    const change = { by: "ada", because: "a leak" };
    expect(await run("pause", "desk/refund", change)).toEqual({
      code: 0,
      text: "`desk/refund` is paused for every tenant\n",
    });
    expect(await run("enable", "desk/refund", { ...change, tenant: "acme" })).toMatchObject({
      text: "`desk/refund` is enabled for the tenant `acme`\n",
    });
    expect(await shared.states()).toMatchObject([
      { tool: "desk/refund", state: "paused", by: "ada", because: "a leak" },
      { tool: "desk/refund", state: "enabled", tenant: "acme" },
    ]);
    expect([opened(), closed()]).toEqual([2, 2]);
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

  test("names the user who is logged in where nobody says who changes it", async () => {
    const { run } = setUp();
    const { text } = await run("pause", "desk/refund", { json: true });
    expect(JSON.parse(text)).toMatchObject({ by: expect.stringMatching(/./) });
  });

  test("knows no other tool, and says which is near", async () => {
    const { opened, run } = setUp();
    await expect(run("pause", "desk/refnd", {})).rejects.toThrow("there is no tool `desk/refnd`");
    expect(opened()).toBe(0);
  });

  test("tells of a store that can't be asked, and closes it", async () => {
    const { closed, run, shared } = setUp();
    shared.setState = () => {
      throw new Error("away");
    };
    await expect(run("pause", "desk/refund", {})).rejects.toThrow("can't be asked: away");
    expect(closed()).toBe(1);
  });

  test("says that there is no store, from the command line", async () => {
    const ran = await skillc(project("out: generated\n"), ["tools", "list"]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("names no `store:`");
    expect(ran.stderr).toContain("store: ${GOVERNANCE_URL}");
  });

  test("says which setting is missing, and never the URL that is wrong", async () => {
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
