/** No column of skills/warehouse that is typed non-null is ever null: every read, over random small data that is full of NULLs. */
import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import {
  bestSellers,
  type BestSellersData,
  categoryPath,
  type CategoryPathData,
  getProduct,
  type GetProductData,
  lowStock,
  type LowStockData,
  orderCount,
  type OrderCountData,
  productsWithAttribute,
  type ProductsWithAttributeData,
  recentOrders,
  type RecentOrdersData,
  searchProducts,
  type SearchProductsData,
  stockHistory,
  type StockHistoryData,
  stockOf,
  type StockOfData,
} from "../../generated/warehouse/index.js";
import { shutdown } from "../../src/runtime/index.js";
import { deskOf, load, openEmbedded } from "./warehouse-database.js";
import { runs } from "../support/runs.js";

/** The columns that may be null, as the result's own type has it: this file does not compile when one of them is typed non-null. */
type Nullable<Row> = { [Name in keyof Row]-?: null extends Row[Name] ? Name : never }[keyof Row];

function read<Row extends object>(
  nullable: readonly Nullable<Row>[],
  call: (as: Parameters<typeof orderCount>[1]) => Promise<readonly Row[]>,
) {
  return async (as: Parameters<typeof orderCount>[1]): Promise<readonly string[]> => {
    const allowed = new Set<PropertyKey>(nullable);
    const rows = await call(as);
    return rows.flatMap((row) =>
      Object.entries(row).flatMap(([name, value]) =>
        value === null && !allowed.has(name) ? [name] : [],
      ),
    );
  };
}

const sku = "A";
const always = { from: "2000-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" };

const reads = {
  "get-product": read<GetProductData>(["category"], async (as) => {
    const answer = await getProduct({ sku }, as);
    return answer.status === "success" ? [answer.data] : [];
  }),
  "search-products": read<SearchProductsData[number]>([], async (as) => {
    return (await searchProducts({ limit: 100 }, as)).data;
  }),
  "products-with-attribute": read<ProductsWithAttributeData[number]>(["volume_ml"], async (as) => {
    return (await productsWithAttribute({ attribute: "colour", value: "red" }, as)).data;
  }),
  "category-path": read<CategoryPathData[number]>([], async (as) => {
    return (await categoryPath({ category_id: 3 }, as)).data;
  }),
  "stock-of": read<StockOfData[number]>(["counted_at"], async (as) => {
    return (await stockOf({ sku }, as)).data;
  }),
  "low-stock": read<LowStockData[number]>(["locations"], async (as) => {
    return (await lowStock({ below: 5 }, as)).data;
  }),
  "recent-orders": read<RecentOrdersData[number]>(["customer"], async (as) => {
    return (await recentOrders({ since: always.from }, as)).data;
  }),
  "order-count": read<OrderCountData[number]>([], async (as) => {
    return (await orderCount({}, as)).data;
  }),
  "best-sellers": read<BestSellersData[number]>(["category"], async (as) => {
    return (await bestSellers(always, as)).data;
  }),
  "stock-history": read<StockHistoryData[number]>(["note", "since_last"], async (as) => {
    return (await stockHistory({ sku }, as)).data;
  }),
};

const skus = ["A", "B", "C"];
const places = ["X", "Y"];
const orNull = (values: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom("NULL", ...values);
const quoted = (values: readonly string[]): readonly string[] =>
  values.map((value) => `'${value}'`);
const time = fc.integer({ min: 1, max: 28 }).map((day) => `'2026-05-${day}'`);
const rowsOf = (...columns: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...columns).map((values) => `(${values.join(", ")})`);
const some = (row: fc.Arbitrary<string>): fc.Arbitrary<readonly string[]> =>
  fc.array(row, { maxLength: 4 });
const number = (least: number): fc.Arbitrary<string> =>
  fc.integer({ min: least, max: 9 }).map((value) => String(value || 1));

/** INSERTs of few rows, with NULL wherever the schema lets it be. */
const data: fc.Arbitrary<string> = fc
  .record({
    parents: fc.tuple(orNull([]), orNull(["1"]), orNull(["1", "2"])),
    products: fc.tuple(
      ...skus.map((each) =>
        rowsOf(
          fc.constant(`'${each}'`),
          orNull(["1", "2", "3"]),
          fc.constantFrom("'{}'", "'{lid}'"),
          fc.constantFrom("'{}'", `'{"colour": "red"}'`, `'{"colour": null}'`),
          orNull(["'2026-01-01'"]),
        ),
      ),
    ),
    stock: some(
      rowsOf(
        fc.constantFrom(...quoted(skus)),
        fc.constantFrom(...quoted(places)),
        number(0),
        orNull(["'2026-02-02'"]),
      ),
    ),
    movements: some(
      rowsOf(
        fc.constantFrom(...quoted(skus)),
        fc.constantFrom(...quoted(places)),
        number(-9),
        orNull(["'note'"]),
        time,
      ),
    ),
    orders: some(
      rowsOf(
        orNull(["'6f1c1d9e-0b1a-4c55-9d2e-1f4f6a2b7c01'"]),
        fc.constantFrom("'open'", "'cancelled'"),
        time,
      ),
    ),
    lines: some(fc.constantFrom(...quoted(skus))),
  })
  .map(({ parents, products, stock, movements, orders, lines }) => {
    const into = (table: string, rows: readonly string[], clause = "") =>
      rows.length === 0 ? "" : `INSERT INTO ${table} VALUES ${rows.join(", ")} ${clause};`;
    return [
      into(
        "categories (parent_id, name)",
        parents.map((parent) => `(${parent}, 'c')`),
      ),
      into(
        "products (sku, category_id, tags, attributes, discontinued_at, name, price)",
        products.map((row) => row.replace(/\)$/, ", 'p', 1.5)")),
      ),
      into(
        "locations",
        quoted(places).map((place) => `(${place}, 1, 10)`),
      ),
      into("stock", stock, "ON CONFLICT DO NOTHING"),
      into(
        "movements (sku, location, quantity, note, moved_at, reason)",
        movements.map((row) => row.replace(/\)$/, ", 'count')")),
      ),
      "INSERT INTO customers (id, name) VALUES ('6f1c1d9e-0b1a-4c55-9d2e-1f4f6a2b7c01', 'Ada');",
      into("orders (customer_id, status, created_at)", orders),
      into(
        "order_lines",
        orders.length === 0
          ? []
          : lines.map((line, at) => `(${1 + (at % orders.length)}, ${at}, ${line}, 1, 2.5)`),
      ),
    ].join("\n");
  });

afterAll(() => shutdown());

test("columns typed non-null are never null", async () => {
  const warehouse = await openEmbedded();
  const { as } = deskOf(warehouse);
  await fc.assert(
    fc.asyncProperty(data, async (inserts) => {
      await load(warehouse, inserts);
      const nulls: Record<string, readonly string[]> = {};
      for (const [tool, check] of Object.entries(reads)) nulls[tool] = await check(as);
      expect(nulls).toEqual(Object.fromEntries(Object.keys(reads).map((tool) => [tool, []])));
    }),
    { numRuns: runs(60) },
  );
});
