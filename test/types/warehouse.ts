/** Types of code that calls SQL tools. `npx tsc --noEmit` is the test; nothing runs. */
import { expectTypeOf } from "vitest";
import {
  type BestSellersData,
  cancelOrder,
  type CancelOrderData,
  categoryPath,
  deleteEmptyStock,
  getProduct,
  lowStock,
  type LowStockData,
  moveStock,
  type MoveStockParams,
  orderCount,
  recentOrders,
  type RecentOrdersData,
  recordCount,
  searchProducts,
  type StockHistoryData,
} from "../../generated/warehouse/index.js";
import type { Database } from "../../generated/databases/warehouse-url.js";
import type { SqlFaultNames, SqlRecord } from "@skillc/runtime/v1/sql";

const movement = { sku: "MUG", location: "A-01", quantity: 1, reason: "count" } as const;

export async function parameters(): Promise<void> {
  await moveStock(movement);
  await moveStock({ ...movement, note: "counted twice" });
  // @ts-expect-error a reason that the enum lacks
  await moveStock({ ...movement, reason: "theft" });
  // @ts-expect-error text for a number
  await moveStock({ ...movement, quantity: "1" });
  // @ts-expect-error a forgotten parameter
  await moveStock({ sku: "MUG", location: "A-01", quantity: 1 });
  // @ts-expect-error null for an absent parameter
  await moveStock({ ...movement, note: null });
  // @ts-expect-error the placeholder's name instead of the parameter's
  await recentOrders({ since: "2026-01-01T00:00:00Z", status: "open" });
  await recentOrders({ since: "2026-01-01T00:00:00Z", order_status: "open" });
  // @ts-expect-error an int4 is a number
  await categoryPath({ category_id: "4" });
  // @ts-expect-error an int8 is text, because a number would lose digits
  await cancelOrder({ order_id: 4 });
  await searchProducts({ tags: ["lid"] });
  // @ts-expect-error a single tag instead of a list
  await searchProducts({ tags: "lid" });
  await orderCount();

  expectTypeOf<MoveStockParams>().toEqualTypeOf<{
    sku: string;
    location: string;
    quantity: number;
    reason: "delivery" | "order" | "count" | "loss";
    note?: string;
  }>();
}

export function columns(): void {
  expectTypeOf<RecentOrdersData[number]>().toEqualTypeOf<{
    id: string;
    status: "open" | "picked" | "shipped" | "cancelled";
    lines: string;
    total: string;
    created_at: string;
    customer: string | null;
  }>();
  // An outer join, an aggregate without rows and `lag` may give null. The sum of a window over a
  // column without nulls does not.
  expectTypeOf<BestSellersData[number]["category"]>().toEqualTypeOf<string | null>();
  expectTypeOf<LowStockData[number]["locations"]>().toEqualTypeOf<(string | null)[] | null>();
  expectTypeOf<StockHistoryData[number]["since_last"]>().toEqualTypeOf<string | null>();
  expectTypeOf<StockHistoryData[number]["balance"]>().toEqualTypeOf<string>();
  expectTypeOf<StockHistoryData[number]["quantity"]>().toEqualTypeOf<number>();
}

export async function many(): Promise<void> {
  const orders = await recentOrders({ since: "2026-01-01T00:00:00Z" });
  // Reads of many rows have only one status.
  expectTypeOf(orders.status).toEqualTypeOf<"success">();
  expectTypeOf(orders.truncated).toEqualTypeOf<boolean>();
  const [first] = orders.data;
  // @ts-expect-error there may be no first row
  void first.id.length;
  // @ts-expect-error the customer may be null
  void first?.customer.length;
  // @ts-expect-error a total is text
  void first?.total.toFixed(2);
  // @ts-expect-error a column that the query does not select
  void first?.note;
  const stock = await lowStock({ below: 3 });
  // @ts-expect-error the array may be null
  void stock.data[0]?.locations.length;
}

export async function one(): Promise<void> {
  const product = await getProduct({ sku: "MUG" });
  // @ts-expect-error only a success has data
  void product.data.name;
  if (product.status === "success") expectTypeOf(product.data.tags).toEqualTypeOf<string[]>();
  else {
    expectTypeOf(product.status).toEqualTypeOf<"not_found">();
    expectTypeOf(product.error).toEqualTypeOf<SqlFaultNames>();
  }
}

export async function writes(): Promise<void> {
  const counted = await recordCount({ sku: "MUG", location: "A-01", quantity: 3 });
  expectTypeOf(counted.status).toEqualTypeOf<
    | "success"
    | "not_found"
    | "shadow"
    | "conflict"
    | "invalid_reference"
    | "check_failed"
    | "missing_value"
  >();
  if (counted.status === "shadow") expectTypeOf(counted.request).toEqualTypeOf<SqlRecord>();
  if (counted.status === "invalid_reference")
    expectTypeOf(counted.error.constraint).toEqualTypeOf<string | undefined>();
  // @ts-expect-error a rejected write has no data
  if (counted.status === "conflict") void counted.data;

  const cancelled = await cancelOrder({ order_id: "7" });
  // @ts-expect-error there may have been nothing to cancel
  if (cancelled.status === "success") void cancelled.data.id;
  expectTypeOf<CancelOrderData>().toEqualTypeOf<{
    id: string;
    status: "open" | "picked" | "shipped" | "cancelled";
    reference: string | null;
  } | null>();

  const deleted = await deleteEmptyStock();
  if (deleted.status === "success")
    expectTypeOf(deleted.data).toEqualTypeOf<{ readonly affected_rows: number }>();
}

export function tables(): void {
  expectTypeOf<Database["products"]["tags"]>().not.toBeAny();
  expectTypeOf<Database["order_totals"]>().toHaveProperty("customer_id");
  // @ts-expect-error no such table
  expectTypeOf<Database["product"]>();
}
