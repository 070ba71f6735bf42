import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { queueSchema } from "../../src/bindings/queue/schema.js";
import { tlsOptionNames } from "../../src/runtime/connection/tls-options.js";
import { compileFiles, linesOf } from "../support/compile.js";

const page = readFileSync(new URL("../../docs/queues.md", import.meta.url), "utf8");

const files = Object.fromEntries(
  [...page.matchAll(/^```(?:yaml|json) title=(\S+)\n([\s\S]*?)^```$/gm)].map(
    ([, path = "", text = ""]) => [path, text],
  ),
);
const skill = "skills/order-desk-events/SKILL.md";

test("the example of docs/queues.md compiles as it stands there", async () => {
  expect(Object.keys(files)).toHaveLength(2);
  const compilation = await compileFiles(files);
  const lines = linesOf(compilation, files);
  expect(lines.filter((line) => !line.includes("skill/not-portable"))).toEqual([]);
  expect(compilation.files.map(({ path }) => path)).toContain(
    "order-desk-events/announce-order.ts",
  );
});

test("its diagnostic is what the misspelt field gives", async () => {
  const broken = { ...files, [skill]: (files[skill] ?? "").replace('order_id: "{', 'orderID: "{') };
  const lines = linesOf(await compileFiles(broken), broken);
  const [shown = ""] = /(?<=^```text\n).*$/m.exec(page) ?? [];
  expect(lines.some((line) => line.endsWith(` error ${shown}`))).toBe(true);
});

test("it names every key of a binding, and every option of a URL", () => {
  const keys = Object.keys(queueSchema["properties"] ?? {});
  const options = [
    ...tlsOptionNames,
    "heartbeat",
    "sasl",
    "client_id",
    "create_topics",
    "register",
  ];
  expect([...keys, ...options].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
