import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { queueSchema } from "../../src/bindings/queue/schema.js";
import { tlsOptionNames } from "../../src/runtime/connection/tls-options.js";
import { compileFiles, linesOf } from "../support/compile.js";
import { blocksOf, readPage } from "../support/page-blocks.js";

const folder = "docs/queues";
const pages = readdirSync(new URL(`../../${folder}`, import.meta.url)).map((name) =>
  readPage(`${folder}/${name}`),
);

/** The files that a page shows, by their paths. */
function filesOf(name: string): Record<string, string> {
  const shown = blocksOf(readPage(`${folder}/${name}`));
  return Object.fromEntries(
    shown.flatMap(({ path, text }) => (path === undefined ? [] : [[path, text]])),
  );
}

describe("docs/queues", () => {
  test.each([
    { page: "send-a-message.md", skill: "order-desk-events", count: 2 },
    { page: "formats.md", skill: "order-desk-records", count: 3 },
  ])("the example of $page compiles without a problem", async ({ page, skill, count }) => {
    const files = filesOf(page);
    expect(Object.keys(files)).toHaveLength(count);
    const compilation = await compileFiles(files);
    const lines = linesOf(compilation, files);
    expect(lines.filter((line) => !line.includes("skill/not-portable"))).toEqual([]);
    expect(compilation.files.map(({ path }) => path)).toContain(`${skill}/announce-order.ts`);
  });

  test("the diagnostic of formats.md is reported for the misspelt field", async () => {
    const files = filesOf("formats.md");
    const tools = "skills/order-desk-records/metadata.yaml";
    const misspelt = (files[tools] ?? "").replace('order_id: "{', 'orderID: "{');
    const broken = { ...files, [tools]: misspelt };
    const lines = linesOf(await compileFiles(broken), broken);
    const shown = blocksOf(readPage(`${folder}/formats.md`)).find(
      ({ language }) => language === "text",
    );
    expect(lines.some((line) => line.endsWith(` error ${shown?.text.trimEnd()}`))).toBe(true);
  });

  test("the pages name every key of a binding and every option of a URL", () => {
    const keys = Object.keys(queueSchema["properties"] ?? {});
    const options = [
      ...tlsOptionNames,
      "heartbeat",
      "sasl",
      "client_id",
      "create_topics",
      "register",
    ];
    const text = pages.join("\n");
    expect([...keys, ...options].filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});
