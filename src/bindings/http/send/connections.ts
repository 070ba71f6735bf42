import { Agent, type Dispatcher } from "undici";
import { onShutdown } from "../../../runtime/sink.js";

/** One pool for each origin, shared by all tools. Idle connections are closed after four seconds and never keep the process alive. */
let agent: Agent | undefined;

/** The attempt's signal is the only clock: undici's own would cut a long `timeout_ms` short, and cost a timer a request. */
export function connections(): Dispatcher {
  agent ??= new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  return agent;
}

/** Waits for requests under way and closes all connections. A later call opens new ones. */
export async function closeHttp(): Promise<void> {
  const closing = agent;
  agent = undefined;
  await closing?.close();
}

onShutdown(closeHttp);
