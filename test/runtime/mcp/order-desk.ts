/** The example skills behind an MCP server, with the order service that they call. */
import type { Governance } from "@skillc/runtime/governance";
import { createMcpServer, type McpServerOptions, type SkillcMcpServer } from "@skillc/runtime/mcp";
import { createMemoryLedger, type MemoryLedger } from "@skillc/runtime";
import { onTestFinished } from "vitest";
import { apiBuilder } from "../../../examples/demo/api-builder.js";
import { startOrderService } from "../../../examples/order-service/server.js";
import type { Handlers } from "../../../generated/handlers.js";
import { catalog, createRuntime, tools } from "../../../generated/index.js";

/** A server, and the ledger of its calls. */
export interface ServedDesk {
  readonly server: SkillcMcpServer;
  readonly ledger: MemoryLedger;
}

/** Options of the server, governance, and the handler of `order-desk/quote-shipping`. */
export interface DeskOptions extends Partial<McpServerOptions> {
  readonly governance?: Governance;
  readonly quote?: Handlers["order-desk/quote-shipping"];
}

/** Serves the example skills until the test ends. */
export async function serveDesk({
  governance,
  quote = () => ({ price: 4.9, currency: "EUR" }),
  ...options
}: DeskOptions = {}): Promise<ServedDesk> {
  const token = "t-0k3n";
  const service = await startOrderService({ token });
  onTestFinished(service.close);
  const ledger = createMemoryLedger();
  const runtime = createRuntime({
    inherit: false,
    ledger,
    ...(governance && { governance }),
    credentials: { ORDERS_URL: service.url, ORDERS_TOKEN: token },
    handlers: {
      ...apiBuilder,
      "order-desk/quote-shipping": quote,
    },
  });
  const mcp = { version: 1, tools: {}, skills: [] } as const;
  const server = createMcpServer({ mcp, catalog, tools, runtime, auth: "none", ...options });
  onTestFinished(() => server.close({ deadlineMs: 0 }));
  return { server, ledger };
}
