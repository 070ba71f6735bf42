/** Types of handlers, credentials and names. `npx tsc --noEmit` is the test; nothing runs. */
import { expectTypeOf } from "vitest";
import {
  catalog,
  configure,
  createRuntime,
  type CredentialName,
  type Handlers,
} from "../../generated/index.js";
import type { SkillName, ToolId } from "../../generated/catalog.js";
import { credentials } from "../../generated/credentials.js";
import type {
  CreateOrderData,
  CreateOrderParams,
  CreateOrderResult,
  QuoteShippingData,
  QuoteShippingParams,
  QuoteShippingResult,
} from "../../generated/order-desk/index.js";
import { answer, type Handler, type HandlerContext } from "@skillc/runtime";
import { apiBuilder as api } from "../../examples/demo/api-builder.js";

const quote = ({ weight_kg }: QuoteShippingParams): QuoteShippingData => ({
  price: weight_kg * 2,
  currency: "EUR",
});

const freight = ({ zone }: { zone: string }): QuoteShippingData => ({
  price: zone.length,
  currency: "EUR",
});

export function handlers(order: CreateOrderData): void {
  const shipping = "order-desk/quote-shipping";
  const create = "order-desk/create-order";
  configure({ handlers: { ...api, [shipping]: quote } });
  configure({ handlers: { ...api, [shipping]: async (params) => quote(params) } });
  configure({ handlers: { ...api, [shipping]: quote, [create]: () => order } });
  // @ts-expect-error the handler is missing
  configure({ handlers: { ...api } });
  // @ts-expect-error all handlers are missing
  configure({});
  // @ts-expect-error no such tool
  configure({ handlers: { ...apiBuilder, [shipping]: quote, "order-desk/quote": quote } });
  configure({
    // @ts-expect-error the price is text
    handlers: { ...apiBuilder, [shipping]: () => ({ price: "4.90", currency: "EUR" }) },
  });
  // @ts-expect-error a field of the result is missing
  configure({ handlers: { ...apiBuilder, [shipping]: () => ({ price: 4.9 }) } });
  configure({
    // @ts-expect-error another currency than the one that `returns` allows
    handlers: { ...apiBuilder, [shipping]: async () => ({ price: 4.9, currency: "USD" }) },
  });
  configure({
    // @ts-expect-error a handler returns plain data, which the runtime wraps
    handlers: { ...apiBuilder, [shipping]: () => ({ status: "success", data: quote }) },
  });
  configure({
    // @ts-expect-error the handler wants a parameter that the tool does not have
    handlers: { ...apiBuilder, [shipping]: (params: { zone: string }) => freight(params) },
  });
  // @ts-expect-error a handler for a tool with a binding is typed the same
  configure({ handlers: { ...api, [shipping]: quote, [create]: () => ({ id: 1 }) } });

  expectTypeOf<Handlers["order-desk/quote-shipping"]>().toEqualTypeOf<
    Handler<QuoteShippingParams, QuoteShippingData, QuoteShippingResult>
  >();
  expectTypeOf<Handlers["order-desk/create-order"]>().toEqualTypeOf<
    Handler<CreateOrderParams, CreateOrderData, CreateOrderResult> | undefined
  >();
  // A handler gets filled-in defaults, so optional parameters are present.
  expectTypeOf<NonNullable<Handlers["order-desk/list-orders"]>>()
    .parameter(0)
    .toHaveProperty("limit")
    .toEqualTypeOf<number>();
  expectTypeOf<Handlers["order-desk/quote-shipping"]>()
    .parameter(1)
    .toEqualTypeOf<HandlerContext>();
}

export function answers(order: CreateOrderData): void {
  const with404 = answer({ status: "not_found", error: "no such order", status_code: 404 });
  const handlers = (its: Pick<Handlers, "order-desk/get-order" | "order-desk/create-order">) => its;
  handlers({ "order-desk/get-order": () => with404 });
  handlers({
    "order-desk/get-order": async ({ order_id }) =>
      order_id === order.id
        ? order
        : answer({ status: "error", error: { code: "gone" }, status_code: 410 }),
  });
  handlers({ "order-desk/create-order": () => answer({ status: "success", data: order }) });
  const gone = answer({ status: "gone", error: 1, status_code: 410 });
  // @ts-expect-error a status that the tool does not have
  handlers({ "order-desk/get-order": () => gone });
  // @ts-expect-error a field that every answer with this status has is missing
  handlers({ "order-desk/get-order": () => answer({ status: "not_found" }) });
  // @ts-expect-error data of another shape
  handlers({ "order-desk/create-order": () => answer({ status: "success", data: { id: 1 } }) });
  // @ts-expect-error only the runtime says that a call was recorded
  handlers({ "order-desk/create-order": () => answer({ status: "shadow", request: null }) });
}

export function credentialNames(): void {
  const handlers = { ...api, "order-desk/quote-shipping": quote };
  createRuntime({
    handlers,
    credentials: { ORDERS_URL: "http://127.0.0.1:8080", ORDERS_TOKEN: "test" },
  });
  createRuntime({
    handlers,
    credentials: {
      ORDERS_URL: ({ name }) => `https://${name}.example.com`,
      ORDERS_TOKEN: async () => ({ value: "test", expiresAt: new Date() }),
    },
  });
  // @ts-expect-error a function gives text
  createRuntime({ handlers, credentials: { ORDERS_TOKEN: () => 1 } });
  // @ts-expect-error the time of the end is missing
  createRuntime({ handlers, credentials: { ORDERS_TOKEN: () => ({ value: "test" }) } });
  // @ts-expect-error no binding uses that name
  createRuntime({ handlers, credentials: { ORDER_TOKEN: "test" } });
  // @ts-expect-error a credential is text
  createRuntime({ handlers, credentials: { ORDERS_TOKEN: 1 } });

  expectTypeOf<"ORDERS_TOKEN" | "ORDERS_URL">().toExtend<CredentialName>();
  // @ts-expect-error not a credential of this project
  expectTypeOf<"ORDER_TOKEN">().toExtend<CredentialName>();
  expectTypeOf(credentials.ORDERS_TOKEN).toEqualTypeOf<readonly string[]>();
}

export function names(): void {
  expectTypeOf(catalog.skills[0]!.name).toEqualTypeOf<SkillName>();
  expectTypeOf(catalog.skills[0]!.tools[0]!.id).toEqualTypeOf<ToolId>();
  expectTypeOf<keyof Handlers>().toEqualTypeOf<ToolId>();
  expectTypeOf<"refund-policy">().toExtend<SkillName>();
  const id: ToolId = "order-desk/create-order";
  // @ts-expect-error no such tool
  const wrong: ToolId = "order-desk/createOrder";
  // @ts-expect-error no such skill
  const skill: SkillName = "orders";
  void [id, wrong, skill];
}
