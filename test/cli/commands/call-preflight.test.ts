import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { callPreflight } from "../../../src/cli/commands/call-preflight.js";
import { createContext } from "../../../src/cli/command-context.js";
import { readSettings } from "../../../src/cli/project/read-settings.js";
import type { Io } from "../../../src/cli/io.js";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import { createMemoryStore } from "../../../src/runtime/governance/index.js";
import { exampleTool, succeed } from "../../runtime/example-tool.js";
import { policyOf } from "../../runtime/governance/governed.js";
import { deskFiles, makeProject, put, skillc } from "../support/command-line.js";

const settings = `governance: strict
quotas:
  - { name: all, per: [tenant], calls_per_minute: 5 }
`;
const env = { ORDERS_URL: "https://orders.example", ORDERS_TOKEN: "a-token-of-ours" };

/** Generated once: what is called changes nothing in it. */
let governed: string;
let ungoverned: string;
beforeAll(async () => {
  governed = mkdtempSync(join(tmpdir(), "skillc-preflight-"));
  ungoverned = mkdtempSync(join(tmpdir(), "skillc-preflight-"));
  for (const root of [governed, ungoverned])
    for (const [path, text] of Object.entries(deskFiles)) put(root, path, text);
  put(governed, "skillc.yaml", settings);
  for (const root of [governed, ungoverned]) {
    const { code, stderr } = await skillc(root, ["generate"]);
    if (code !== 0) throw new Error(stderr);
  }
});

const call = (root: string, ...more: readonly string[]) =>
  skillc(root, ["call", "desk/get-order", "--args", '{"order_id":"7"}', ...more], { env });

const caller = ["--caller", '{"tenant":"acme","subject":"ada","origin":"api"}'] as const;

describe("skillc call --preflight", () => {
  test("shows what would become of a call, and sends and records nothing", async () => {
    const { code, stderr, stdout } = await call(governed, "--preflight", ...caller);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^desk\/get-order {2}would be sent\n/);
    expect(stdout).toMatch(/decided by +implicit-permit/);
    expect(stdout).toMatch(
      /budget +calls_per_minute of all, tenant acme: takes 1, 4 of 5 left then/,
    );
    expect(stdout).toContain('"url": "${ORDERS_URL}/orders/7"');
    expect(stdout).not.toContain("a-token-of-ours");
    expect(stderr).toContain("names no `store:`");
    expect(readdirSync(governed)).not.toContain("ledger");
    expect(readdirSync(join(governed, ".skillc"))).not.toContain("ledger");
  });

  test("exits with 1 and prints the reason if a call would be denied", async () => {
    const strict = await call(governed, "--preflight");
    expect(strict.code).toBe(1);
    expect(strict.stdout).toContain("would not be sent");
    expect(strict.stdout).toMatch(/reason +AUTH\.FORBIDDEN: no policy permits/);
    const json = await call(governed, "--preflight", "--json");
    const found: unknown = JSON.parse(json.stdout);
    expect(found).toMatchObject({
      allow: false,
      governed: true,
      reason: { code: "AUTH.FORBIDDEN" },
    });
    expect(found).not.toHaveProperty("request");
  });

  test("prints that nothing was checked in a project without policy", async () => {
    const { code, stdout } = await call(ungoverned, "--preflight");
    expect(code).toBe(0);
    expect(stdout).toContain("nothing: the project has no policy");
    const json = await call(ungoverned, "--preflight", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ allow: true, governed: false });
  });

  test.each([
    ["no JSON", "{", "is not a caller"],
    ["no object", "1", "a caller must be an object"],
    ["another field", '{"tenants":"a"}', "a caller can't have the field `tenants`"],
    ["a name that every object inherits from", '{"tenant":"__proto__"}', "`tenant` of a caller"],
  ])("refuses a caller that is %s", async (_, text, why) => {
    const { code, stderr } = await call(ungoverned, "--preflight", "--caller", text);
    expect(code).toBe(2);
    expect(stderr).toContain(why);
  });

  test("asks the store that skillc.yaml names of states and budgets", async () => {
    const root = makeProject({
      "skillc.yaml": "store: ${GOVERNANCE_URL}\n",
      "generated/policy.ts": `export const policy = ${JSON.stringify(policyOf())};`,
    });
    const store = createMemoryStore();
    await store.setState({ tool: "desk/do-it", state: "paused", by: "ops", because: "a leak" });
    let text = "";
    const output: Io["stdout"] = { isTTY: false, columns: 120, write: (more) => (text += more) };
    const io = {
      stdout: output,
      stderr: output,
      env: { GOVERNANCE_URL: "redis://x" },
      cwd: root,
    } as unknown as Io; // as much as is used
    const contract = exampleTool(succeed);
    const code = await callPreflight(createContext(io, {}), {
      root,
      settings: await readSettings(root),
      id: "desk/do-it",
      tool: (params, options) => callTool(contract, params as never, options),
      params: { id: "a" },
      handlers: {},
      options: {},
      shared: {},
      json: false,
      open: () => Promise.resolve(store),
    });
    expect(code).toBe(1);
    expect(text).toMatch(/reason +POLICY\.DENY_TOOL: `desk\/do-it` is paused: a leak/);
    expect(text).not.toContain("names no `store:`");
  });
});

test("skillc call is governed as the application's calls are", async () => {
  const refused = await call(governed, "--json");
  expect(refused.code).toBe(1);
  // Nothing listens there: what is sent fails otherwise.
  expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: "AUTH.FORBIDDEN" } });
  expect(refused.stderr).toContain("names no `store:`");
  const sent = await call(governed, ...caller, "--json");
  expect(JSON.parse(sent.stdout)).toMatchObject({ error: { code: "PROVIDER.UNAVAILABLE" } });
});
