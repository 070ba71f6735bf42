/** A plan that an import wrote, against a server that answers as its API says. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { makeProject, put, skillc } from "../../cli/support/command-line.js";
import { serve } from "../openapi/support.js";

const folder = fileURLToPath(new URL("cases/shop", import.meta.url));
const source = (name: string) => readFileSync(join(folder, name), "utf8");

test("a plan of a workflow makes its calls in order, and answers with the outputs", async () => {
  const asked: string[] = [];
  let order: object = { id: 7, state: "open", paid: true, total: 1200 };
  const at = await serve((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      asked.push(`${request.method} ${request.url} ${body}`.trim());
      const url = request.url ?? "";
      const answer =
        url === "/refunds" ? { receipt: "r1" } : url.endsWith("/notes") ? { id: 9 } : order;
      response.writeHead(url.endsWith("/notes") ? 201 : 200, {
        "content-type": "application/json",
      });
      response.end(JSON.stringify(answer));
    });
  });
  const root = makeProject({
    "flows.arazzo.yaml": source("flows.arazzo.yaml"),
    "api.yaml": source("api.yaml"),
  });
  expect((await skillc(root, ["import", "arazzo", "flows.arazzo.yaml"])).code).toBe(0);
  expect((await skillc(root, ["generate"])).code).toBe(0);
  put(root, ".env", `SHOP_URL=${at}\nSHOP_TOKEN=t0ken\n`);
  const call = async (args: object) => {
    const argv = ["call", "flows-workflows/refund-order", "--args", JSON.stringify(args), "--json"];
    return skillc(root, argv);
  };
  const done = await call({ order: 7, reason: "late", input_state: "Ada" });
  expect(done.stderr).toBe("");
  expect(JSON.parse(done.stdout)).toMatchObject({
    status: "success",
    data: { receipt: "r1", note: 9 },
  });
  expect(asked).toEqual([
    "GET /orders/7",
    'POST /refunds {"order":7,"amount":1200,"note":"Refund late"}',
    'POST /orders/7/notes {"text":"Refunded order 7","author":"Ada"}',
  ]);

  asked.length = 0;
  order = { id: 8, state: "open", paid: true };
  const lacking = await call({ order: 8, reason: "late" });
  expect(lacking.stdout).toContain("PLAN.NO_VALUE");
  order = { id: 9, state: "open", paid: false, total: 5 };
  const unpaid = await call({ order: 9, reason: "late" });
  expect(JSON.parse(unpaid.stdout)).toMatchObject({ status: "success", data: {} });
  expect(asked).toEqual(["GET /orders/8", "GET /orders/9"]);
});
