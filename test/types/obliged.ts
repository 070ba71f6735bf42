/** Types of answers with obligations. `npx tsc --noEmit` is the test; nothing runs. */
import { expectTypeOf } from "vitest";
import type { Handler, ItemStream } from "@skillc/runtime";
import type { Masked, Obliged, ToolResult } from "@skillc/runtime/v1";
import { mask } from "../../src/runtime/governance/obligations/mask.js";
import { valueKind } from "../../src/runtime/governance/obligations/obligation-kind.js";
import type { ToolId } from "../cases/governed-project/generated/catalog.js";
import {
  getOrder,
  type GetOrderAnswer,
  type GetOrderArguments,
  type GetOrderData,
  type GetOrderResult,
} from "../cases/governed-project/generated/order-desk/get-order.js";
import type { OrderDeskHandlers } from "../cases/governed-project/generated/order-desk/handlers.js";
import type { GetAccountResult } from "../cases/hashed-answers/generated/accounts/get-account.js";
import { policy } from "../cases/governed-project/generated/policy.js";

interface Customer {
  id: string;
  email: string | null;
  phone?: string;
  tier: "gold" | "silver";
}

interface Order {
  customer: Customer;
  lines: { sku: string; price: number }[];
  notes: { [by: string]: string };
  pair: [string, number];
  parent?: Order;
  any: unknown;
}

type Answer = ToolResult<Order, "not_found">;
type DataOf<Result> = Extract<Result, { readonly data: unknown }>["data"];
interface Change {
  readonly do: "mask" | "drop" | "hash" | "redact";
  readonly at: readonly string[];
  readonly unless?: true;
}
type With<Obligation extends Change> = DataOf<Obliged<Answer, [Obligation]>>;

export function masks(): void {
  type Hidden = With<{ do: "mask"; at: ["customer", "email"] }>;
  expectTypeOf<Hidden["customer"]["email"]>().toEqualTypeOf<Masked>();
  expectTypeOf<Hidden["customer"]["id"]>().toEqualTypeOf<string>();
  expectTypeOf<Hidden["lines"]>().toEqualTypeOf<Order["lines"]>();
  type Freed = With<{ do: "mask"; at: ["customer", "email"]; unless: true }>;
  expectTypeOf<Freed["customer"]["email"]>().toEqualTypeOf<string | null | Masked>();
  // An optional property stays optional.
  type Phone = With<{ do: "mask"; at: ["customer", "phone"] }>["customer"];
  expectTypeOf<Phone>().toEqualTypeOf<{
    id: string;
    email: string | null;
    phone?: Masked;
    tier: "gold" | "silver";
  }>();
  expectTypeOf<With<{ do: "mask"; at: ["lines", "*", "sku"] }>["lines"]>().toEqualTypeOf<
    { sku: Masked; price: number }[]
  >();
  expectTypeOf<With<{ do: "mask"; at: ["notes", "*"] }>["notes"]>().toEqualTypeOf<{
    [by: string]: Masked;
  }>();
  expectTypeOf<With<{ do: "mask"; at: ["any", "x"] }>["any"]>().toEqualTypeOf<unknown>();
  expectTypeOf<With<{ do: "mask"; at: ["any"] }>["any"]>().toEqualTypeOf<Masked>();
  expectTypeOf<With<{ do: "mask"; at: [] }>>().toEqualTypeOf<Masked>();
  const masked = null as unknown as Hidden["customer"]["email"];
  expectTypeOf(masked).toExtend<string>();
  // @ts-expect-error plain text is not a masked text
  const own: Masked = "***";
  // @ts-expect-error a masked text is not a number
  const other: number = masked;
  // @ts-expect-error without a scope every caller gets the masked text
  const open: Hidden["customer"]["email"] = "ada@example.com";
  void [own, other, open];
}

export function others(): void {
  type Dropped = With<{ do: "drop"; at: ["customer", "email"] }>["customer"];
  expectTypeOf<Dropped>().toEqualTypeOf<{
    id: string;
    email?: string | null;
    phone?: string;
    tier: "gold" | "silver";
  }>();
  // @ts-expect-error the property may be missing
  const email: string | null = (null as unknown as Dropped).email;
  expectTypeOf<With<{ do: "drop"; at: ["lines", "*", "price"] }>["lines"]>().toEqualTypeOf<
    { sku: string; price?: number }[]
  >();
  type Redacted = With<{ do: "redact"; at: ["customer"] }>["customer"];
  expectTypeOf<Redacted["tier"]>().toEqualTypeOf<string>();
  expectTypeOf<Redacted["email"]>().toEqualTypeOf<string | null>();
  expectTypeOf<With<{ do: "redact"; at: [] }>["lines"][number]["price"]>().toEqualTypeOf<number>();
  // @ts-expect-error a redaction may change the text
  const tier: "gold" | "silver" = (null as unknown as Redacted).tier;
  void [email, tier];
}

export function severalObligations(): void {
  type Several<Obligations extends readonly Change[]> = DataOf<Obliged<Answer, Obligations>>;
  type Text = Several<[{ do: "mask"; at: ["customer", "id"] }, { do: "redact"; at: ["customer"] }]>;
  expectTypeOf<Text["customer"]["id"]>().toEqualTypeOf<string>();
  type Mask = Several<[{ do: "redact"; at: ["customer"] }, { do: "mask"; at: ["customer", "id"] }]>;
  expectTypeOf<Mask["customer"]["id"]>().toEqualTypeOf<Masked>();
  expectTypeOf<Mask["customer"]["tier"]>().toEqualTypeOf<string>();
  expectTypeOf<
    Several<
      [
        { do: "drop"; at: ["customer", "email"] },
        { do: "mask"; at: ["customer", "*"] },
        { do: "drop"; at: ["customer", "id"] },
      ]
    >["customer"]
  >().toEqualTypeOf<{ email?: Masked; id?: Masked; phone?: Masked; tier: Masked }>();
  expectTypeOf<
    Several<
      [{ do: "drop"; at: ["lines", "*", "sku"] }, { do: "hash"; at: ["lines", "*", "*"] }]
    >["lines"]
  >().toEqualTypeOf<{ sku?: string; price: string }[]>();
  expectTypeOf<
    Several<
      [{ do: "drop"; at: ["customer", "id"] }, { do: "drop"; at: ["customer", "*"] }]
    >["customer"]
  >().toEqualTypeOf<Partial<Customer>>();
  expectTypeOf<Several<[{ do: "mask"; at: ["parent", "parent", "any"] }]>["parent"]>().toExtend<
    { any: unknown; parent?: { any: Masked } } | undefined
  >();
}

export function answers(): void {
  type Marked = Obliged<Answer, [{ do: "watermark" }, { do: "mask"; at: ["customer", "id"] }]>;
  expectTypeOf<Extract<Marked, { status: "success" }>["watermark"]>().toEqualTypeOf<
    string | undefined
  >();
  expectTypeOf<DataOf<Marked>["customer"]["id"]>().toEqualTypeOf<Masked>();
  expectTypeOf<Extract<Marked, { status: "not_found" }>>().toEqualTypeOf<
    Extract<Answer, { status: "not_found" }>
  >();
  // @ts-expect-error an answer without data has no watermark
  type None = Extract<Marked, { status: "not_found" }>["watermark"];
  expectTypeOf<Obliged<Answer, []>>().toEqualTypeOf<Answer>();
  void (null as unknown as None);
}

export function hashes(): void {
  type Hashed<Path extends readonly string[]> = With<{ do: "hash"; at: Path }>;
  type Customer = Hashed<["customer", "*"]>["customer"];
  expectTypeOf<Customer>().toEqualTypeOf<{
    id: string;
    email: string | null;
    phone?: string;
    tier: string;
  }>();
  expectTypeOf<Hashed<["lines", "*", "price"]>["lines"]>().toEqualTypeOf<
    { sku: string; price: string }[]
  >();
  expectTypeOf<Hashed<["lines"]>["lines"]>().toEqualTypeOf<string>();
  expectTypeOf<Hashed<["any"]>["any"]>().toEqualTypeOf<string | null | undefined>();
  expectTypeOf<Hashed<[]>>().toEqualTypeOf<string>();
  type Freed = With<{ do: "hash"; at: ["lines", "*", "price"]; unless: true }>["lines"];
  expectTypeOf<Freed>().toEqualTypeOf<{ sku: string; price: string | number }[]>();
  type Open = With<{ do: "hash"; at: ["any"]; unless: true }>["any"];
  expectTypeOf<Open>().toEqualTypeOf<unknown>();
  // @ts-expect-error a hash is none of the listed texts
  const tier: "gold" | "silver" = (null as unknown as Customer).tier;
  // @ts-expect-error a hash of a number is a text
  const price: number = (null as unknown as Hashed<["lines", "*", "price"]>).lines[0]!.price;
  void [tier, price];
}

export function hashesOfItems(): void {
  interface Streamed {
    readonly status: "success";
    readonly data: ItemStream<{ id: number }>;
  }
  type Items = Obliged<Streamed, [{ do: "hash"; at: ["id"] }]>["data"];
  expectTypeOf<Items>().toEqualTypeOf<ItemStream<{ id: string }>>();
}

export function generatedHashes(): void {
  expectTypeOf<DataOf<GetAccountResult>>().toEqualTypeOf<{
    id: string;
    owner: { email: string | null; name: string };
    state?: string;
    links: string[];
  }>();
}

export function kindsOfObligations(): void {
  const { do: _, ...parts } = mask;
  valueKind({ ...parts, do: "mask" });
  // @ts-expect-error a kind without a type
  valueKind({ ...parts, do: "blur" });
  const { effect: __, ...withoutEffect } = mask;
  // @ts-expect-error a kind without an effect
  valueKind(withoutEffect);
  const { check: ___, ...withoutCheck } = mask;
  // @ts-expect-error a kind without a check
  valueKind(withoutCheck);
  const { keys: ____, ...withoutKeys } = mask;
  // @ts-expect-error a kind without keys in skillc.yaml
  valueKind(withoutKeys);
  // @ts-expect-error a kind that changes values needs the key of the place
  valueKind({ ...parts, do: "mask", keys: {} });
  void [_, __, ___, ____];
}

export function generated(): void {
  type Got = Extract<GetOrderResult, { status: "success" }>;
  expectTypeOf<Got["data"]["customer"]["email"]>().toEqualTypeOf<string | null | Masked>();
  expectTypeOf<NonNullable<Got["data"]["customer"]["phones"]>>().toEqualTypeOf<Masked[]>();
  expectTypeOf<Got["data"]["lines"]>().toEqualTypeOf<{ sku: string; price?: number }[]>();
  expectTypeOf<Got["watermark"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf(getOrder).returns.resolves.toEqualTypeOf<GetOrderResult>();
  // A handler returns the data without the obligations.
  expectTypeOf<NonNullable<OrderDeskHandlers["order-desk/get-order"]>>().toEqualTypeOf<
    Handler<GetOrderArguments, GetOrderData, GetOrderAnswer>
  >();
  expectTypeOf<Exclude<keyof (typeof policy)["tools"], ToolId>>().toEqualTypeOf<never>();
  // @ts-expect-error a tool of the project is missing
  const missing: typeof policy = { ...policy, tools: {} };
  // @ts-expect-error the obligation may have dropped the property
  const price: number = (null as unknown as Got).data.lines[0]!.price;
  void [missing, price];
}
