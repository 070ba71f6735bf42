/** What the catalogue says of SQL tools: the tables and columns that a policy can be checked against. */
import { expect, test } from "vitest";
import { catalog } from "../../generated/index.js";

const tools = catalog.skills.flatMap((skill) => skill.tools);
const tablesOf = (id: string) => tools.find((tool) => tool.id === id)?.tables;
const table = (name: string, ...columns: readonly string[]) => ({
  table: `public.${name}`,
  kind: "table",
  columns,
  behind: [],
});

test("a write's own tables, and the columns it changes", () => {
  expect(tablesOf("warehouse/cancel-order")).toEqual({
    reads: [table("orders", "id", "status", "reference")],
    writes: [table("orders", "status")],
  });
  expect(tablesOf("warehouse/move-stock")?.writes).toEqual([
    table("movements", "sku", "location", "quantity", "reason", "note"),
    table("stock", "quantity"),
  ]);
});

test("tables behind a view", () => {
  const { reads = [], writes } = tablesOf("warehouse/recent-orders") ?? {};
  expect(writes).toEqual([]);
  expect(reads.map((each) => [each.table, each.kind, each.behind])).toEqual([
    ["public.customers", "table", []],
    ["public.order_lines", "table", ["public.order_totals"]],
    ["public.order_totals", "view", []],
    ["public.orders", "table", ["public.order_totals"]],
  ]);
});

test("nothing of a tool that has no tables; of every SQL tool something", () => {
  expect(tablesOf("order-desk/get-order")).toBeUndefined();
  const ofSql = tools.filter(({ kind }) => kind === "sql");
  const writing = ofSql.filter(({ tables }) => (tables?.writes.length ?? 0) > 0);
  expect(writing).toEqual(ofSql.filter(({ side_effect }) => side_effect === "write"));
  const reading = ofSql.filter(({ tables }) => (tables?.reads.length ?? 0) > 0);
  expect(reading.length + writing.length).toBeGreaterThanOrEqual(ofSql.length);
});
