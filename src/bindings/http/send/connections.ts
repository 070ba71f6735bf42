import { httpConnections } from "../../../runtime/http/connections.js";
import { onShutdown } from "../../../runtime/executor.js";

/** Shared by all tools. */
export const connections = httpConnections();

onShutdown(() => connections.close());
