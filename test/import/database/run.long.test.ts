/** Tools that an import wrote, against the server that it asked. */
import { expect, test } from "vitest";
import { put, skillc } from "../../cli/support/command-line.js";
import { postgresService } from "../../support/postgres.js";
import { describeWithService } from "../../support/service.js";
import { importTables, shopWith } from "./support.js";

const schema = `
  CREATE TYPE order_status AS ENUM ('open', 'shipped');
  CREATE TABLE orders (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    reference varchar(20) NOT NULL UNIQUE,
    status order_status NOT NULL DEFAULT 'open',
    total numeric(10, 2) NOT NULL,
    note text,
    tags text[] NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    version integer NOT NULL DEFAULT 1
  );
  CREATE TABLE "Order Lines" (order_id bigint REFERENCES orders, "Line No" integer, "__proto__" text, PRIMARY KEY (order_id, "Line No"));
`;

interface Answered {
  readonly status: string;
  readonly data?: unknown;
}

await describeWithService(postgresService, () => {
  test("insert, get, list in pages, update with the version that was read, delete", async () => {
    const { root } = await shopWith(schema);
    const { code, report } = await importTables(root, "${SHOP_URL}");
    expect([code, report.tables.map(({ name, taken }) => [name, taken])]).toEqual([
      0,
      [
        ["Order Lines", "whole"],
        ["orders", "whole"],
      ],
    ]);
    put(root, "skillc.yaml", "databases: { SHOP_URL: { introspect: true } }\n");
    const generated = await skillc(root, ["generate"]);
    expect(generated.stderr).not.toMatch(/^(?:error|warning)/m);
    expect(generated.code).toBe(0);
    const call = async (tool: string, args: object): Promise<Answered> => {
      const argv = ["call", `shop/${tool}`, "--args", JSON.stringify(args), "--json"];
      const { stdout, stderr } = await skillc(root, argv);
      if (!stdout.startsWith("{")) throw new Error(stdout + stderr);
      return JSON.parse(stdout);
    };
    const insert = (reference: string, total: string, more: object = {}) =>
      call("insert-order", { reference, total, ...more });

    const first = await insert("A-1", "10.50", { tags: ["gift", "new"], note: "ring twice" });
    expect(first).toMatchObject({
      status: "success",
      data: { id: "1", status: "open", total: "10.50", note: "ring twice", version: 1 },
    });
    for (const [reference, total] of [
      ["A-2", "5.00"],
      ["A-3", "70.00"],
      ["A-4", "8.00"],
      ["A-5", "9.00"],
    ] as const)
      await insert(reference, total, { status: "shipped" });
    expect(await insert("A-1", "1.00")).toMatchObject({ status: "conflict" });
    expect(await call("get-order", { id: "1" })).toMatchObject({ data: { reference: "A-1" } });
    expect(await call("get-order-by-reference", { reference: "A-3" })).toMatchObject({
      data: { id: "3" },
    });
    expect(await call("get-order", { id: "99" })).toMatchObject({ status: "not_found" });

    const ids = async (tool: string, args: object): Promise<readonly string[]> => {
      const { data } = await call(tool, args);
      return (data as readonly { readonly id: string }[]).map(({ id }) => id);
    };
    expect(await ids("list-orders", { limit: 2 })).toEqual(["1", "2"]);
    expect(await ids("list-orders", { limit: 2, after_id: "2" })).toEqual(["3", "4"]);
    expect(await ids("list-orders", { limit: 2, after_id: "4" })).toEqual(["5"]);
    expect(await ids("list-orders", { limit: 2, descending: true })).toEqual(["5", "4"]);
    expect(await ids("list-orders", { after_id: "3", descending: true })).toEqual(["2", "1"]);
    expect(await ids("list-orders", { status: "shipped", total_max: "8.00" })).toEqual(["2", "4"]);
    expect(await ids("list-orders", { tags: ["gift"] })).toEqual(["1"]);
    expect(await ids("list-orders", { created_at_before: "2000-01-01T00:00:00Z" })).toEqual([]);

    const newest = await call("list-orders-by-created-at", { limit: 3 });
    const page = newest.data as readonly { readonly id: string; readonly created_at: string }[];
    expect(page.map(({ id }) => id)).toEqual(["5", "4", "3"]);
    const after = { after_id: page[2]?.id, after_created_at: page[2]?.created_at };
    expect(await ids("list-orders-by-created-at", after)).toEqual(["2", "1"]);

    const change = { id: "1", version: 1, status: "shipped" };
    expect(await call("update-order", change)).toMatchObject({
      data: { status: "shipped", note: "ring twice", total: "10.50", version: 2 },
    });
    expect(await call("update-order", { ...change, status: "open" })).toMatchObject({
      status: "not_found",
    });
    expect(await call("update-order", { id: "1", version: 2, clear: ["note"] })).toMatchObject({
      data: { status: "shipped", note: null, version: 3 },
    });
    const line = { order_id: "1", line_no: 7, proto: "x" };
    expect(await call("insert-order-line", line)).toMatchObject({ data: { "Line No": 7 } });
    expect(await call("delete-order", { id: "1", version: 3 })).toMatchObject({
      status: "invalid_reference",
    });
    const key = { order_id: "1", line_no: 7 };
    expect(await call("delete-order-line", key)).toMatchObject({ status: "success" });
    expect(await call("delete-order", { id: "1", version: 2 })).toMatchObject({
      status: "not_found",
    });
    expect(await call("delete-order", { id: "1", version: 3 })).toMatchObject({
      data: { id: "1" },
    });
    expect(await ids("list-orders", {})).toEqual(["2", "3", "4", "5"]);
  }, 600_000);
});
