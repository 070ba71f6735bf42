/** What the catalog says of SQL tools: the tables and columns that a policy can be checked against. */
import { expect, test } from "vitest";
import { catalog } from "../../generated/index.js";

const tools = catalog.skills.flatMap((skill) => skill.tools);
const capabilitiesOf = (id: string) => tools.find((tool) => tool.id === id)?.capabilities ?? [];
const sql = (what: "read" | "write", name: string, ...columns: readonly string[]) => ({
  capability: `sql:${what} \${WAREHOUSE_URL} public.${name}`,
  credentials: ["WAREHOUSE_URL"],
  relation: "table",
  columns,
  behind: [],
});

test("a write may change its own tables, in the columns it names", () => {
  expect(capabilitiesOf("warehouse/cancel-order")).toEqual([
    sql("read", "orders", "id", "status", "reference"),
    sql("write", "orders", "status"),
  ]);
  const writes = capabilitiesOf("warehouse/move-stock").filter(({ capability }) =>
    capability.startsWith("sql:write"),
  );
  expect(writes).toEqual([
    sql("write", "movements", "sku", "location", "quantity", "reason", "note"),
    sql("write", "stock", "quantity"),
  ]);
});

test("a read of a view may read the tables behind it", () => {
  const told = capabilitiesOf("warehouse/recent-orders");
  const read = (name: string) => `sql:read \${WAREHOUSE_URL} public.${name}`;
  expect(told.map(({ behind, capability, relation }) => [capability, relation, behind])).toEqual([
    [read("customers"), "table", []],
    [read("order_lines"), "table", ["public.order_totals"]],
    [read("order_totals"), "view", []],
    [read("orders"), "table", ["public.order_totals"]],
  ]);
});

test("the catalog lists an HTTP tool's path and a SQL tool's writes as capabilities", () => {
  expect(capabilitiesOf("order-desk/get-order")).toEqual([
    {
      capability: "net.http:get ${ORDERS_URL}/orders",
      credentials: ["ORDERS_TOKEN", "ORDERS_URL"],
    },
  ]);
  const ofSql = tools.filter(({ kind }) => kind === "sql");
  const writing = ofSql.filter(({ capabilities }) =>
    capabilities.some(({ capability }) => capability.startsWith("sql:write ")),
  );
  expect(writing).toEqual(ofSql.filter(({ side_effect }) => side_effect === "write"));
  expect(ofSql.filter(({ capabilities }) => capabilities.length === 0)).toEqual([]);
});
