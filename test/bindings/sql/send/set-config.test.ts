/** Settings that a call's transaction has, and no other: what row level security tells tenants apart by. */
import { expect, test } from "vitest";
import type { SettingTemplate } from "../../../../src/bindings/sql/contract.js";
import { serverUrl, serverProxy } from "../../../support/postgres.js";
import type { Caller } from "../../../../src/runtime/caller.js";
import { type Answer, attempt, onEachEngine, onServer, prepare, type Tool } from "./support.js";

const schema = "CREATE TABLE notes (id int PRIMARY KEY, tenant text NOT NULL);";

const asked = "current_setting('app.tenant', true)";
const tenantOf: readonly SettingTemplate[] = [["app.tenant", { caller: "tenant" }]];

interface Setting {
  readonly caller?: Caller;
  readonly setConfig?: readonly SettingTemplate[];
}

/** Without more: a call that sets the tenant `acme`. */
async function ask(
  url: string,
  tool: Partial<Tool>,
  { caller = { tenant: "acme" }, setConfig = tenantOf }: Setting = {},
): Promise<Answer> {
  const text = `SELECT ${asked} AS tenant`;
  const call = prepare({ text, columns: { tenant: "text" }, ...tool }, { caller, setConfig });
  return (await call.send(attempt(url))).result;
}

const plain: Setting = { caller: {}, setConfig: [] };

onEachEngine(schema, (database) => {
  test("a read finds the settings, and sees only its own rows", async () => {
    expect(await ask(database().url, {})).toEqual({
      status: "success",
      data: [{ tenant: "acme" }],
      truncated: false,
    });
  });

  test("a write finds the settings, whether or not it returns rows", async () => {
    const { url, rows } = database();
    const insert = `INSERT INTO notes VALUES ($1, ${asked})`;
    const one = { values: [1], parameters: ["int4"], effect: "write" } as const;
    expect(
      await ask(url, { ...one, text: `${insert} RETURNING tenant`, rows: "one" }),
    ).toMatchObject({ status: "success", data: { tenant: "acme" } });
    expect(
      await ask(url, { ...one, values: [2], text: insert, columns: {}, rows: "none" }),
    ).toMatchObject({ status: "success", data: { affected_rows: 1 } });
    expect(await rows("SELECT tenant FROM notes ORDER BY id")).toEqual([
      { tenant: "acme" },
      { tenant: "acme" },
    ]);
  });

  test("combines constant text and several caller fields, and keeps each unchanged", async () => {
    const setConfig: readonly SettingTemplate[] = [
      ["app.tenant", "by ", { caller: "subject" }, " of ", { caller: "tenant" }],
      ["app.other_one", "$1"],
    ];
    const caller = { tenant: `o'neill"; DROP TABLE notes; --`, subject: "\\ü $2 東京" };
    const text = `SELECT ${asked} || ' ' || current_setting('app.other_one') AS tenant`;
    expect(await ask(database().url, { text }, { caller, setConfig })).toMatchObject({
      data: [{ tenant: `by \\ü $2 東京 of o'neill"; DROP TABLE notes; -- $1` }],
    });
    expect(await database().rows("SELECT count(*)::int AS n FROM notes")).toMatchObject([{}]);
  });

  test("settings end with their transaction: after a read, a write, and a failed statement", async () => {
    const { url } = database();
    const failing = { text: `SELECT (1 / 0)::text AS tenant` };
    const writing = {
      text: `INSERT INTO notes VALUES (9, 'x') RETURNING ${asked} AS tenant`,
      effect: "write",
      rows: "one",
    } as const;
    for (const before of [{}, writing, failing]) {
      await ask(url, before).catch(() => undefined);
      // A setting that some transaction of the session had is empty from then on, and not NULL.
      const left = await ask(url, { text: `SELECT coalesce(${asked}, '') AS tenant` }, plain);
      expect(left).toMatchObject({ data: [{ tenant: "" }] });
    }
  });

  test("each of many concurrent calls finds its own settings", async () => {
    const { url } = database();
    const tenants = Array.from({ length: 60 }, (_, index) => `tenant-${index % 7}`);
    const found = await Promise.all(tenants.map((tenant) => ask(url, {}, { caller: { tenant } })));
    expect(found).toMatchObject(tenants.map((tenant) => ({ data: [{ tenant }] })));
  });
});

onServer(schema, () => {
  test("a call without settings sends nothing else than the statement in its transaction", async () => {
    const sent: string[] = [];
    const proxy = await serverProxy(serverUrl, (text) => sent.push(text) < 0);
    await ask(proxy.url, { text: "SELECT 'x' AS tenant" }, plain);
    expect(sent.join("")).toContain("BEGIN READ ONLY");
    expect(sent.join("")).not.toContain("set_config");
    await ask(proxy.url, { text: "SELECT 'x' AS tenant" });
    expect(sent.join("")).toContain("SELECT pg_catalog.set_config($1, $2, true)");
  });
});

test("the record of shadow mode contains the settings beside the parameters", () => {
  const call = prepare(
    { text: "SELECT 1", columns: {} },
    { caller: { tenant: "acme" }, setConfig: tenantOf },
  );
  expect(call.describe()).toMatchObject({ parameters: [], settings: { "app.tenant": "acme" } });
  expect(prepare({ text: "SELECT 1", columns: {} }).describe()).not.toHaveProperty("settings");
});
