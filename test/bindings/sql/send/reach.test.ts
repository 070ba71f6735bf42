import { expect, test } from "vitest";
import { sqlReach, tableText, withoutLogin } from "../../../../src/bindings/sql/send/reach.js";

test("each table of a statement is a capability", () => {
  const tables = { reads: ["public.orders", "public.lines"], writes: ["public.orders"] };
  expect(sqlReach("${SHOP_URL}", "write", tables).capabilities).toEqual([
    "sql:read ${SHOP_URL} public.orders",
    "sql:read ${SHOP_URL} public.lines",
    "sql:write ${SHOP_URL} public.orders",
  ]);
});

test("a statement without a table uses the capability of its connection", () => {
  expect(sqlReach("${SHOP_URL}", "read", {}).capabilities).toEqual(["sql:read ${SHOP_URL}"]);
});

test("a write that names no changed table needs the capability to write on its connection", () => {
  expect(sqlReach("${SHOP_URL}", "write", {}).capabilities).toEqual(["sql:write ${SHOP_URL}"]);
  expect(sqlReach("${SHOP_URL}", "write", { reads: ["public.orders"] }).capabilities).toEqual([
    "sql:read ${SHOP_URL} public.orders",
    "sql:write ${SHOP_URL}",
  ]);
});

test("different tables never have the same text", () => {
  expect(tableText("public", "orders")).toBe("public.orders");
  expect(tableText("a.b", "c")).toBe('"a.b".c');
  expect(tableText("a", "b.c")).toBe('a."b.c"');
  expect(tableText("public", 'Order "x"')).toBe('public."Order ""x"""');
});

test("a setting that is not a URL reports no target", () => {
  expect(withoutLogin("host=db password=secret")).toBe("");
});
