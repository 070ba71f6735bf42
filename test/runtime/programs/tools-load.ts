/**
 * Prints if the HTTP client is loaded: after the map of tools, after a tool with a handler, after
 * an HTTP tool.
 */
import { createRequire } from "node:module";
import { createRuntime, tools } from "../../../generated/index.js";
import { dispatchTool } from "@skillc/runtime";
import { apiBuilder } from "../../../examples/demo/api-builder.js";

const { cache } = createRequire(import.meta.url);
const isLoaded = (): boolean => Object.keys(cache).some((path) => path.includes("undici"));

const runtime = createRuntime({
  ledger: false,
  inherit: false,
  credentials: { ORDERS_URL: "http://127.0.0.1:1", ORDERS_TOKEN: "t" },
  handlers: { ...apiBuilder, "order-desk/quote-shipping": () => ({ price: 4, currency: "EUR" }) },
});
const loaded = [isLoaded()];
const args = { country: "DE", weight_kg: 1 };
await dispatchTool(tools, "order-desk__quote-shipping", args, { runtime });
loaded.push(isLoaded());
await dispatchTool(tools, "order-desk__list-orders", { limit: "no number" }, { runtime }).catch(
  () => {},
);
loaded.push(isLoaded());
console.log(loaded.join(" "));
