import { httpConnections } from "../../../runtime/http/connections.js";
import { onShutdown } from "../../../runtime/sink.js";

/** Shared by all tools. */
export const connections = httpConnections();

onShutdown(() => connections.close());
