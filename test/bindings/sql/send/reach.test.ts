import { expect, test } from "vitest";
import { sqlReach, tableText, withoutLogin } from "../../../../src/bindings/sql/send/reach.js";

test("each table that a statement touches is a capability", () => {
  const tables = { reads: ["public.orders", "public.lines"], writes: ["public.orders"] };
  expect(sqlReach("${SHOP_URL}", "write", tables).capabilities).toEqual([
    "sql:read ${SHOP_URL} public.orders",
    "sql:read ${SHOP_URL} public.lines",
    "sql:write ${SHOP_URL} public.orders",
  ]);
});

test("a statement that touches no table takes its connection", () => {
  expect(sqlReach("${SHOP_URL}", "read", {}).capabilities).toEqual(["sql:read ${SHOP_URL}"]);
});

test("a write that names no table it changes takes writing on its connection", () => {
  expect(sqlReach("${SHOP_URL}", "write", {}).capabilities).toEqual(["sql:write ${SHOP_URL}"]);
  expect(sqlReach("${SHOP_URL}", "write", { reads: ["public.orders"] }).capabilities).toEqual([
    "sql:read ${SHOP_URL} public.orders",
    "sql:write ${SHOP_URL}",
  ]);
});

test("no two tables are written alike", () => {
  expect(tableText("public", "orders")).toBe("public.orders");
  expect(tableText("a.b", "c")).toBe('"a.b".c');
  expect(tableText("a", "b.c")).toBe('a."b.c"');
  expect(tableText("public", 'Order "x"')).toBe('public."Order ""x"""');
});

test("a connection that is no URL tells nothing", () => {
  expect(withoutLogin("host=db password=secret")).toBe("");
});
