/** Types of calls that a model requests. `npx tsc --noEmit` is the test; nothing runs. */
import { expectTypeOf } from "vitest";
import { catalog, tools } from "../../generated/index.js";
import type { ModelName } from "../../generated/tools.js";
import type {
  CreateOrderResult,
  GetOrderResult,
  QuoteShippingResult,
} from "../../generated/order-desk/index.js";
import {
  type AnyResult,
  type Catalog,
  dispatchTool,
  dispatchToolJson,
  type ModelResult,
  offerKnowledge,
  offerTools,
  type OfferedTool,
  resultForModel,
  type ToolMap,
} from "@skillc/runtime";

export async function names(text: string, either: ModelName, args: unknown): Promise<void> {
  const created = dispatchTool(tools, "order-desk__create-order", args);
  expectTypeOf(created).resolves.toEqualTypeOf<CreateOrderResult>();
  const quoted = dispatchToolJson(tools, "order-desk__quote-shipping", text);
  expectTypeOf(quoted).resolves.toEqualTypeOf<QuoteShippingResult>();

  // A union of names gives a union of their answers.
  const name = text === "get" ? "order-desk__get-order" : "order-desk__create-order";
  const answer = await dispatchTool(tools, name, args);
  expectTypeOf(answer).toEqualTypeOf<GetOrderResult | CreateOrderResult>();
  if (answer.status === "shadow") expectTypeOf(answer.request.url).toEqualTypeOf<string>();

  // A model's tool name is any text, so the answer is only known to have a status.
  expectTypeOf(dispatchTool(tools, text, args)).resolves.toEqualTypeOf<AnyResult>();
  expectTypeOf(dispatchToolJson(tools, text, text)).resolves.toEqualTypeOf<AnyResult>();
  expectTypeOf((await dispatchTool(tools, either, args)).status).toExtend<string>();

  const built = dispatchTool(tools, `order-desk__${text}`, args);
  expectTypeOf(built).resolves.toEqualTypeOf<AnyResult>();

  // @ts-expect-error no such tool
  void dispatchTool(tools, "order-desk__make-order", args);
  // @ts-expect-error a tool's id is not the name that a model knows
  void dispatchTool(tools, "order-desk/create-order", args);
  // @ts-expect-error a function's name is not the name that a model knows
  void dispatchToolJson(tools, "createOrder", text);
  // @ts-expect-error arguments as a value are not text
  void dispatchToolJson(tools, "order-desk__get-order", { order_id: "ord_1001" });
  // @ts-expect-error `data` exists only after a check of `status`
  void (await created).data;
  // @ts-expect-error only the tools of the project have model names
  const wrong: ModelName = "order-desk__make-order";
  void wrong;
}

export async function options(text: string, args: unknown, signal: AbortSignal): Promise<void> {
  const offered = await offerTools(catalog);
  expectTypeOf(offered).toEqualTypeOf<readonly OfferedTool[]>();
  await dispatchTool(tools, text, args, { offered, signal, mode: "shadow" });
  // An offer that an application converts for another API still has the names.
  await dispatchTool(tools, text, args, { offered: [{ name: "order-desk__get-order" }] });
  // @ts-expect-error a list of names is no offer
  await dispatchTool(tools, text, args, { offered: ["order-desk__get-order"] });
  // @ts-expect-error no such option
  await dispatchTool(tools, text, args, { timeout: 5 });
}

export async function skillNames(text: string): Promise<void> {
  expectTypeOf(
    await offerKnowledge(catalog, { skills: ["refund-policy"] }),
  ).toEqualTypeOf<string>();
  await offerTools(catalog, { skills: ["order-desk", "warehouse"] });
  // @ts-expect-error no such skill
  await offerTools(catalog, { skills: ["order-desks"] });
  // @ts-expect-error no such skill
  await offerKnowledge(catalog, { skills: [text] });
  // The type of a catalog from a file has no names.
  await offerKnowledge({ skills: [...catalog.skills] } as Catalog, { skills: [text] });
}

export async function results(args: unknown): Promise<void> {
  const result = await resultForModel(dispatchTool(tools, "order-desk__get-order", args));
  expectTypeOf(result).toEqualTypeOf<ModelResult>();
}

export function maps(): void {
  expectTypeOf(tools).toExtend<ToolMap>();
  // A part of the map rejects names of tools outside of the part.
  const some = { "order-desk__get-order": tools["order-desk__get-order"] };
  void dispatchTool(some, "order-desk__get-order", {});
  // @ts-expect-error not in this map
  void dispatchTool(some, "order-desk__create-order", {});
}
