/** Types of values of the caller. `npx tsc --noEmit` is the test; nothing runs. */
import { expectTypeOf } from "vitest";
import { type BoundCaller, boundCaller } from "@skillc/runtime/executor";
import { http, segment } from "@skillc/runtime/v1/http";
import { query, sql } from "@skillc/runtime/v1/sql";
import { catalog } from "../cases/caller/generated/catalog.js";
import {
  countOrders,
  findOrder,
  type FindOrderParams,
} from "../cases/caller/generated/tenant-desk/index.js";

export async function parameters(): Promise<void> {
  expectTypeOf<FindOrderParams>().toEqualTypeOf<{ id: number }>();
  await findOrder({ id: 1 }, { caller: { tenant: "acme", origin: "api" } });
  await countOrders();
  // @ts-expect-error a caller's field is no parameter
  await findOrder({ id: 1, tenant: "acme" });
  // @ts-expect-error an unknown origin
  await findOrder({ id: 1 }, { caller: { tenant: "acme", origin: "cron" } });
  // @ts-expect-error only one tenant at a time
  await findOrder({ id: 1 }, { caller: { tenant: ["acme"] } });
}

export function bindings(): void {
  expectTypeOf<BoundCaller["origin"]>().toEqualTypeOf<"llm" | "api" | "system">();
  expectTypeOf(boundCaller({ caller: { tenant: "acme" } }).tenant).toEqualTypeOf<string>();
  http<{ readonly id: string }>({
    method: "GET",
    request: (p, caller) => ({
      url: ["https://h/", segment("caller/tenant", caller.tenant), "/", segment("/id", p.id)],
    }),
  });
  http<{ readonly id: string }>({
    method: "GET",
    // @ts-expect-error a field that callers don't have
    request: (_, caller) => ({ url: ["https://h/", segment("caller/tennant", caller.tennant)] }),
  });
  http<{ readonly id: string }>({
    method: "GET",
    // @ts-expect-error a caller's roles are no value of a request
    request: (_, caller) => ({ url: ["https://h/", segment("caller/roles", caller.roles)] }),
  });
  const statement = {
    connection: "DB",
    effect: "read",
    build: () => sql`SELECT 1`,
    parameters: [],
    columns: {},
    rows: "none",
  } as const;
  query({ ...statement, setConfig: [["app.tenant", { caller: "tenant" }]] });
  query({
    ...statement,
    // @ts-expect-error a field that callers don't have
    setConfig: [["app.tenant", { caller: "tennant" }]],
  });
}

export function catalogs(): void {
  for (const { tools } of catalog.skills)
    for (const { caller } of tools)
      expectTypeOf(caller).toEqualTypeOf<
        readonly ("tenant" | "subject" | "origin" | "trace")[] | undefined
      >();
}
