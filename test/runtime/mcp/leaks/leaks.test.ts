import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createMemoryLedger } from "@skillc/runtime";
import { governance } from "@skillc/runtime/governance";
import { createMcpServer, type McpData } from "@skillc/runtime/mcp";
import { expect, onTestFinished, test } from "vitest";
import { apiBuilder } from "../../../../examples/demo/api-builder.js";
import { catalog, createRuntime, tools } from "../../../../generated/index.js";
import { policy } from "../../../../generated/policy.js";
import { repository } from "../../../support/repository.js";
import { connectClient, ways } from "../clients.js";
import { leaksIn } from "./leaks-in.js";
import { exampleNeedles } from "./needles.js";
import { readEverything } from "./read-everything.js";

const file = join(repository, "generated/mcp.json");
// The compiler wrote the file, and `generate --check` compares it.
const published = JSON.parse(readFileSync(file, "utf8")) as McpData;

/** Nobody listens there, so that every call fails. */
const nowhere = "127.0.0.1:9";
const secret = "p4ssw0rd";
const values: Readonly<Record<string, string>> = {
  ORDERS_URL: `http://${nowhere}`,
  RABBITMQ_API: `http://${nowhere}`,
  WAREHOUSE_URL: `postgres://u:${secret}@${nowhere}/w`,
};

/** A read of each kind, and a plan. */
const reads =
  /^(?:order-desk__get-order|rabbitmq-admin__list-queues|warehouse__get-product|returns-desk__take-back)$/;
const nothing = /^$/;

function serve(mcp: McpData) {
  const credentials = exampleNeedles.credentials.map((name) => [name, values[name] ?? secret]);
  const runtime = createRuntime({
    inherit: false,
    ledger: createMemoryLedger(),
    env: {},
    governance: governance({ policy }),
    // Every credential of the skills has a value.
    credentials: Object.fromEntries(credentials) as NonNullable<
      Parameters<typeof createRuntime>[0]["credentials"]
    >,
    handlers: { ...apiBuilder, "order-desk/quote-shipping": () => ({ price: 1, currency: "EUR" }) },
  });
  const caller = {
    tenant: "acme",
    subject: "ada",
    roles: ["support"],
    scopes: ["orders.refund"],
  };
  const server = createMcpServer({ mcp, catalog, tools, runtime, caller, auth: "none" });
  onTestFinished(() => server.close({ deadlineMs: 0 }));
  return server;
}

/** MCP has the first two words. The third is in the answer of a message, as callers get it. */
const expected = ["content", "message", "topic"];

test.each(ways)(
  "a client over $way in $era reads no URL, key or SQL of a binding, and no credential",
  async (how) => {
    const client = await connectClient(serve(published), how);
    const everything = await readEverything(client, { called: nothing });
    expect(everything.length).toBeGreaterThan(70);
    expect(JSON.stringify(everything)).toContain("SCHEMA.VALIDATION_FAILED");
    expect(leaksIn(everything, exampleNeedles).toSorted()).toEqual(expected);
  },
);

test("a client learns nothing about a service that does not answer", async () => {
  const client = await connectClient(serve(published), { era: "2026-07-28", way: "http" });
  const everything = await readEverything(client, { called: reads });
  expect(JSON.stringify(everything)).toContain("PROVIDER.UNAVAILABLE");
  expect(leaksIn(everything, exampleNeedles).toSorted()).toEqual(expected);
  const secrets = { credentials: [nowhere, secret], urls: [], sql: [], keys: [] };
  expect(leaksIn(everything, secrets)).toEqual([]);
});

test("the check finds each word in a skill that a client reads", async () => {
  const { credentials, keys, sql, urls } = exampleNeedles;
  const words = [...credentials, ...urls, ...sql, ...keys.map((key) => `  ${key}: x`)];
  const skills = published.skills.map((skill) => {
    const [manifest, ...others] = skill.files;
    if (skill.name !== "notes" || manifest === undefined) return skill;
    const text = [manifest.text, ...words].join("\n");
    return { ...skill, files: [{ ...manifest, text }, ...others] };
  });
  const client = await connectClient(serve({ ...published, skills }), {
    era: "2026-07-28",
    way: "http",
  });
  const everything = await readEverything(client, { called: nothing });
  expect(new Set(leaksIn(everything, exampleNeedles))).toEqual(
    new Set([...credentials, ...urls, ...sql, ...keys, "${"]),
  );
});

test("the check finds a key of a binding in the schema of a result", async () => {
  const id = "notes/list-notes";
  const tool = published.tools[id];
  if (tool === undefined) throw new Error("the tool has another name");
  const output_schema = { ...tool.output_schema, properties: { response_mapping: {} } };
  const client = await connectClient(
    serve({ ...published, tools: { ...published.tools, [id]: { ...tool, output_schema } } }),
    { era: "2026-07-28", way: "http" },
  );
  const everything = await readEverything(client, { called: nothing });
  expect(leaksIn(everything, exampleNeedles)).toContain("response_mapping");
});

test("the words of the check come from every sort of binding", () => {
  const { credentials, keys, sql, urls } = exampleNeedles;
  expect(credentials).toEqual(expect.arrayContaining(["ORDERS_TOKEN", "WAREHOUSE_URL"]));
  expect(urls).toEqual(expect.arrayContaining(["${ORDERS_URL}/orders", "/orders/{order_id}"]));
  expect(sql.length).toBeGreaterThan(50);
  expect(keys).toEqual(expect.arrayContaining(["response_mapping", "body_template", "connection"]));
});
