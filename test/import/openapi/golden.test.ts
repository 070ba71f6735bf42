/**
 * Golden cases: `cases/<name>/` holds a document, `skills/` as they are written of it, and what is
 * told (`report.txt`). `UPDATE_CASES=1 npx vitest run test/import/openapi/golden.test.ts` writes
 * both anew. Read the diff.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { filesIn, makeProject, skillc } from "../../cli/support/command-line.js";
import { importText } from "./support.js";

const root = fileURLToPath(new URL("cases", import.meta.url));
const update = process.env["UPDATE_CASES"] !== undefined;

function sourcesOf(folder: string): Readonly<Record<string, string>> {
  const all = Object.entries(filesIn(folder));
  return Object.fromEntries(
    all.filter(([path]) => !path.startsWith("skills/") && path !== "report.txt"),
  );
}

function writtenIn(folder: string): Readonly<Record<string, string>> {
  const skills = join(folder, "skills");
  if (!existsSync(skills)) return {};
  return Object.fromEntries(
    Object.entries(filesIn(skills)).filter(([path]) => !path.startsWith(".")),
  );
}

describe("the import of a document", () => {
  test.each(readdirSync(root))("writes the skills of the case %s", async (name) => {
    const folder = join(root, name);
    const project = makeProject(sourcesOf(folder));
    const document = existsSync(join(folder, "api.json")) ? "api.json" : "api.yaml";
    const ran = await skillc(project, ["import", "openapi", document]);
    const told = `${ran.stdout}\n${ran.stderr}`.replace(/ · [\d.]+ m?s$/m, "");
    const files = writtenIn(project);
    if (update) {
      rmSync(join(folder, "skills"), { recursive: true, force: true });
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, "skills", path)), { recursive: true });
        writeFileSync(join(folder, "skills", path), text);
      }
      writeFileSync(join(folder, "report.txt"), told);
    }
    expect(ran.code).toBe(0);
    expect(files).toEqual(writtenIn(folder));
    expect(told).toBe(readFileSync(join(folder, "report.txt"), "utf8"));
    const again = await skillc(project, ["import", "openapi", document, "--check"]);
    expect(again.stdout).toContain("up to date");
  });
});

test("the order service's own document is taken whole", async () => {
  const document = fileURLToPath(
    new URL("../../../examples/order-service/openapi.json", import.meta.url),
  );
  const { files, report, told } = await importText(readFileSync(document, "utf8"));
  expect(told).toEqual([]);
  expect(report.operations.map(({ taken, tool }) => [tool, taken])).toEqual([
    ["list-orders", "whole"],
    ["get-order", "whole"],
    ["remove-order", "whole"],
    ["put-note", "whole"],
    ["create-order", "whole"],
  ]);
  expect(files["skills/orders/metadata.yaml"]).toContain(
    "paginate: { next: link_header, items: $.data }",
  );
});

const pagedDocument = (schema: object): string =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url: "https://shop.example.com" }],
    paths: {
      "/orders": {
        get: {
          operationId: "listOrders",
          responses: {
            "200": {
              description: "Orders.",
              headers: { Link: { schema: { type: "string" } } },
              content: { "application/json": { schema } },
            },
          },
        },
      },
    },
    components: { schemas: { List: { type: "array", items: { type: "string" } } } },
  });

const list = { type: "array", items: { type: "string" } };

test.each([
  [list, "paginate: { next: link_header }"],
  [{ $ref: "#/components/schemas/List" }, "paginate: { next: link_header }"],
  [
    { type: "object", properties: { total: { type: "integer" }, orders: list } },
    "paginate: { next: link_header, items: $.orders }",
  ],
  [
    { allOf: [{ properties: { orders: { $ref: "#/components/schemas/List" } } }, {}] },
    "paginate: { next: link_header, items: $.orders }",
  ],
  [
    { type: "object", properties: { "or-ders": list } },
    `paginate: { next: link_header, items: '$["or-ders"]' }`,
  ],
])("pages by a Link header have the one list of the answer for items: %j", async (schema, line) => {
  const { files, told } = await importText(pagedDocument(schema));
  expect(told).toEqual([]);
  expect(Object.values(files).join("\n")).toContain(line);
});

test.each([
  [{ type: "object", properties: { total: { type: "integer" } } }, "the response has no list"],
  [{ type: "object", properties: { a: list, b: list } }, "the response has several lists"],
])("reports pages whose items are unknown: %j", async (schema, why) => {
  const { files, report } = await importText(pagedDocument(schema));
  expect(Object.values(files).join("\n")).not.toContain("paginate");
  expect(JSON.stringify(report)).toContain(why);
});
