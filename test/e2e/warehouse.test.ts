/** The generated functions of skills/warehouse on a real PostgreSQL, embedded and as a server: every tool. */
import { describe, expect, test } from "vitest";
import {
  bestSellers,
  cancelOrder,
  categoryPath,
  deleteEmptyStock,
  getProduct,
  lowStock,
  moveStock,
  orderCount,
  productsWithAttribute,
  recentOrders,
  recordCount,
  searchProducts,
  stockHistory,
  stockOf,
} from "../../generated/warehouse/index.js";
import { onEachEngine } from "./warehouse-database.js";

const year = { from: "2026-01-01T00:00:00Z", to: "2026-12-31T00:00:00Z" };
const blue = { sku: "MUG-BLUE", location: "A-01" };

await onEachEngine((desk) => {
  describe("reads", () => {
    test("get-product returns one row, or `not_found`", async () => {
      const { as } = desk();
      expect(await getProduct({ sku: "MUG-BLUE" }, as)).toEqual({
        status: "success",
        data: {
          sku: "MUG-BLUE",
          name: "Mug, blue",
          price: "12.00",
          tags: ["stoneware", "dishwasher"],
          attributes: { colour: "blue", volume_ml: 350 },
          category: "Mugs",
        },
      });
      expect(await getProduct({ sku: "OLD-CUP" }, as)).toMatchObject({ data: { category: null } });
      expect(await getProduct({ sku: "MUG" }, as)).toEqual({ status: "not_found", error: {} });
    });

    test("search-products searches by text, by tag and by neither, with absent parameters as NULL", async () => {
      const { as } = desk();
      const skus = async (params: Parameters<typeof searchProducts>[0]) =>
        (await searchProducts(params, as)).data.map(({ sku }) => sku);
      expect(await skus({ text: "MUG" })).toEqual(["MUG-BLUE", "MUG-RED", "MUG-TRAVEL"]);
      expect(await skus({ tags: ["lid", "dishwasher"] })).toEqual(["MUG-BLUE", "MUG-TRAVEL"]);
      expect(await skus({ text: "mug", tags: ["steel"] })).toEqual(["MUG-TRAVEL"]);
      expect(await skus({ limit: 2 })).toEqual(["PEN-BLACK", "PLATE-26"]);
      expect(await skus({ tags: [] })).toEqual([]);
    });

    test("products-with-attribute finds a value inside jsonb", async () => {
      const { as } = desk();
      expect(await productsWithAttribute({ attribute: "colour", value: "red" }, as)).toEqual({
        status: "success",
        data: [{ sku: "MUG-RED", name: "Mug, red", volume_ml: "350" }],
        truncated: false,
      });
      const plates = await productsWithAttribute({ attribute: "diameter_cm", value: "26" }, as);
      expect(plates.data).toEqual([{ sku: "PLATE-26", name: "Plate, 26 cm", volume_ml: null }]);
    });

    test("category-path returns all rows of a recursive query", async () => {
      const { data } = await categoryPath({ category_id: 4 }, desk().as);
      expect(data).toEqual([
        { id: 4, name: "Travel mugs", depth: 0 },
        { id: 2, name: "Mugs", depth: 1 },
        { id: 1, name: "Kitchen", depth: 2 },
      ]);
    });

    test("stock-of returns rows in order, and none for a product without stock", async () => {
      const { as } = desk();
      expect((await stockOf({ sku: "MUG-BLUE" }, as)).data).toEqual([
        { location: "A-01", aisle: 1, quantity: 120, counted_at: "2026-07-01T08:00:00Z" },
        { location: "B-01", aisle: 2, quantity: 30, counted_at: null },
      ]);
      expect(await stockOf({ sku: "none" }, as)).toEqual({
        status: "success",
        data: [],
        truncated: false,
      });
    });

    test("low-stock returns sums as text, and an array of locations or null", async () => {
      const { data } = await lowStock({ below: 5 }, desk().as);
      expect(data).toEqual([
        { sku: "MUG-TRAVEL", name: "Travel mug", left_over: "0", locations: null },
        { sku: "MUG-RED", name: "Mug, red", left_over: "4", locations: ["A-01"] },
      ]);
    });

    test("recent-orders reads through a view by an enum", async () => {
      const { as } = desk();
      const open = await recentOrders({ since: "2026-07-01T00:00:00Z", order_status: "open" }, as);
      expect(open.data).toEqual([
        {
          id: "4",
          status: "open",
          lines: "0",
          total: "0",
          created_at: "2026-07-22T14:00:00Z",
          customer: null,
        },
        {
          id: "2",
          status: "open",
          lines: "1",
          total: "25.00",
          created_at: "2026-07-20T08:15:00Z",
          customer: "Ada",
        },
      ]);
      expect((await recentOrders({ since: "2026-01-01T00:00:00+02:00" }, as)).data).toHaveLength(4);
    });

    test("recent-orders is `truncated` with more than `max_rows`, and not with exactly as many", async () => {
      const { as, rows } = desk();
      await rows(
        "INSERT INTO orders (created_at) SELECT '2030-01-01' FROM generate_series(1, 200)",
      );
      const since = "2029-01-01T00:00:00Z";
      const all = await recentOrders({ since }, as);
      expect([all.data.length, all.truncated]).toEqual([200, false]);
      await rows("INSERT INTO orders (created_at) VALUES ('2030-01-01')");
      const some = await recentOrders({ since }, as);
      expect([some.data.length, some.truncated]).toEqual([200, true]);
    });

    test("order-count returns counts as text", async () => {
      const { data } = await orderCount({}, desk().as);
      expect(data).toEqual([
        { status: "open", orders: "2", oldest: "2026-07-20T08:15:00Z" },
        { status: "picked", orders: "1", oldest: "2026-07-21T09:00:00Z" },
        { status: "shipped", orders: "1", oldest: "2026-05-04T12:00:00Z" },
      ]);
    });

    test("best-sellers ranks within categories and loses no digit", async () => {
      const { as } = desk();
      const { data } = await bestSellers({ ...year, top: 1 }, as);
      expect(
        data.map((row) => [row.category, row.sku, row.pieces, row.revenue, row.place]),
      ).toEqual([
        ["Mugs", "MUG-BLUE", "6", "69.00", "1"],
        ["Office", "PEN-BLACK", "10", "12.00", "1"],
        ["Plates", "PLATE-26", "6", "58.80", "1"],
        ["Travel mugs", "MUG-TRAVEL", "1", "24.90", "1"],
      ]);
    });

    test("stock-history returns a running balance, and null for the interval of the first row", async () => {
      const { data } = await stockHistory({ sku: "MUG-RED" }, desk().as);
      expect(data.map(({ balance, since_last, note }) => [balance, since_last, note])).toEqual([
        ["10", null, "two broken"],
        ["8", "PT10M", "broken"],
        ["4", "P19DT3H50M", null],
      ]);
    });

    test("leave every table unchanged, and only their own records in the ledger", async () => {
      const { as, everything, ledger } = desk();
      const before = await everything();
      await getProduct({ sku: "MUG-BLUE" }, as);
      await bestSellers(year, as);
      expect(await everything()).toEqual(before);
      expect(ledger.records).toMatchObject([
        { type: "end", tool: "get-product", effect: "read", status: "success" },
        { type: "end", tool: "best-sellers", effect: "read", status: "success" },
      ]);
    });
  });

  describe("writes", () => {
    test("record-count commits an upsert and returns the row", async () => {
      const { as, ledger, rows } = desk();
      const first = await recordCount({ sku: "PEN-BLACK", location: "A-02", quantity: 7 }, as);
      expect(first).toMatchObject({ status: "success", data: { quantity: 7 } });
      const again = await recordCount({ ...blue, quantity: 118 }, as);
      expect(again).toMatchObject({ status: "success", data: { ...blue, quantity: 118 } });
      const kept = "SELECT quantity FROM stock WHERE sku IN ('PEN-BLACK', 'MUG-BLUE') ORDER BY 1";
      expect((await rows(kept)).map(({ quantity }) => quantity)).toEqual([7, 30, 118, 900]);
      expect(ledger.records.map(({ type }) => type)).toEqual(["begin", "end", "begin", "end"]);
    });

    test("a violated constraint becomes a status with its name, and changes nothing", async () => {
      const { as, everything } = desk();
      const before = await everything();
      expect(await recordCount({ ...blue, sku: "NO-SUCH", quantity: 1 }, as)).toEqual({
        status: "invalid_reference",
        error: { table: "stock", constraint: "stock_sku_fkey" },
      });
      expect(await moveStock({ ...blue, quantity: -121, reason: "order" }, as)).toEqual({
        status: "check_failed",
        error: { table: "stock", constraint: "stock_quantity_check" },
      });
      expect(await moveStock({ ...blue, quantity: 0, reason: "count" }, as)).toEqual({
        status: "check_failed",
        error: { table: "movements", constraint: "movements_quantity_check" },
      });
      expect(await everything()).toEqual(before);
    });

    test("a violated unique index is a `conflict`, and changes nothing", async () => {
      const { as, everything, rows } = desk();
      await rows("CREATE UNIQUE INDEX one_note ON movements (note)");
      try {
        const booked = { ...blue, quantity: 1, reason: "delivery", note: "D-1" } as const;
        expect(await moveStock(booked, as)).toMatchObject({ status: "success" });
        const before = await everything();
        expect(await moveStock(booked, as)).toEqual({
          status: "conflict",
          error: { table: "movements", constraint: "one_note" },
        });
        expect(await everything()).toEqual(before);
      } finally {
        await rows("DROP INDEX one_note");
      }
    });

    test("move-stock changes both tables or neither, and keeps no movement of a product that is elsewhere", async () => {
      const { as, everything, rows } = desk();
      const moved = await moveStock({ ...blue, quantity: -20, reason: "order", note: "A-7" }, as);
      expect(moved).toEqual({ status: "success", data: { ...blue, quantity: 100 } });
      const last = "SELECT quantity, reason, note FROM movements ORDER BY id DESC LIMIT 1";
      expect(await rows(last)).toEqual([{ quantity: -20, reason: "order", note: "A-7" }]);
      const before = await everything();
      const elsewhere = { ...blue, location: "A-02", quantity: 5, reason: "delivery" } as const;
      expect(await moveStock(elsewhere, as)).toEqual({ status: "not_found", error: {} });
      expect(await everything()).toEqual(before);
    });

    test("cancel-order returns a row, or null if there is nothing to cancel", async () => {
      const { as } = desk();
      expect(await cancelOrder({ order_id: "3" }, as)).toEqual({
        status: "success",
        data: { id: "3", status: "cancelled", reference: "G-77" },
      });
      expect(await cancelOrder({ order_id: "1" }, as)).toEqual({ status: "success", data: null });
      expect(await cancelOrder({ order_id: "999999999999999999" }, as)).toMatchObject({
        data: null,
      });
    });

    test("delete-empty-stock returns a count, because it returns no rows", async () => {
      const { as, rows } = desk();
      await rows("UPDATE products SET discontinued_at = now() WHERE sku = 'MUG-TRAVEL'");
      expect(await deleteEmptyStock({}, as)).toEqual({
        status: "success",
        data: { affected_rows: 1 },
      });
      expect(await deleteEmptyStock({}, as)).toMatchObject({ data: { affected_rows: 0 } });
    });

    test("shadow mode records a write with its SQL", async () => {
      const { as, everything, ledger } = desk();
      const before = await everything();
      const params = { order_id: "3" };
      const answer = await cancelOrder(params, { ...as, mode: "shadow" });
      const request = {
        connection: "${WAREHOUSE_URL}",
        sql: `update "orders" set "status" = 'cancelled' where "id" = $1 and "status" in ('open', 'picked') returning "id", "status", "reference"`,
        parameters: ["3"],
      };
      expect(answer).toEqual({ status: "shadow", request });
      expect(await everything()).toEqual(before);
      expect(ledger.records).toMatchObject([
        { type: "end", mode: "shadow", parameters: params, request },
      ]);
      expect(await cancelOrder(params, as)).toMatchObject({ status: "success" });
    });
  });

  test("sensitive values and the connection's URL appear in no record", async () => {
    const { as, ledger } = desk();
    const secret = { ...blue, quantity: 1, reason: "count", note: "for Ms. Lovelace" } as const;
    await moveStock(secret, as);
    await moveStock({ ...secret, quantity: 0 }, as);
    await moveStock(secret, { ...as, mode: "shadow" });
    const records = JSON.stringify(ledger.records);
    expect(records).not.toContain("Lovelace");
    expect(records).toContain('"note":"***"');
    expect(records).not.toMatch(/pglite:|postgres:/);
    expect(ledger.records).toHaveLength(5);
  });
});
