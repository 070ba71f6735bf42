/** Offers kept results as resources. They are not listed: a caller knows their URIs from its calls. */
import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { hidingErrors } from "./hidden-errors.js";
import type { Connection } from "./served.js";

const base = "skillc://results/";

/** Returns the URI of a kept result. */
export function keptUri(id: string): string {
  return `${base}${id}`;
}

/** Lets the client of a connection read the kept results of its caller. */
export function offerKeptResults(mcp: McpServer, { client, served }: Connection): void {
  mcp.registerResource(
    "result",
    new ResourceTemplate(`${base}{id}`, { list: undefined }),
    {
      description: "The whole of a result that was too long, for 15 minutes.",
      mimeType: "application/json",
      cacheHint: { ttlMs: 0, cacheScope: "private" },
    },
    async (uri, { id }) => {
      const read = (known: string) =>
        hidingErrors(served, () => served.results.read(client.caller, known));
      const text = typeof id === "string" ? await read(id) : undefined;
      if (text === undefined) throw new ResourceNotFoundError(uri.href);
      return { contents: [{ uri: uri.href, mimeType: "application/json", text }] };
    },
  );
}
