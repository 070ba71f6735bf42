import { Agent, type Dispatcher } from "undici";
import { onShutdown } from "../../../runtime/sink.js";

/** One pool for each origin, shared by all tools. Idle connections are closed after four seconds and never keep the process alive. */
let agent: Agent | undefined;

/**
 * The attempt's own clock counts: undici's would cut a long `timeout_ms` short, and cost a timer a request. Only connecting keeps undici's
 * limit of ten seconds, which no answer waits for: past it a target is unavailable.
 */
export function connections(): Dispatcher {
  agent ??= new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  return agent;
}

/** Waits for requests under way and closes all connections. A later call opens new ones. */
async function closeHttp(): Promise<void> {
  const closing = agent;
  agent = undefined;
  await closing?.close();
}

onShutdown(closeHttp);
