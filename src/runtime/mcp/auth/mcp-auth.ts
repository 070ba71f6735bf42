import type { McpClient } from "../mcp-client.js";

/** Finds out who sends HTTP requests. `oauth` makes one for OAuth access tokens. */
export interface McpAuth {
  /**
   * Returns the client that sent a request, or the response that rejects the request.
   *
   * @param request a request whose body nobody has read
   */
  authenticate(request: Request): Promise<McpClient | Response>;
  /** Answers a request for a document about the authentication; undefined for other requests. */
  document?(request: Request): Response | undefined;
  /** Hostnames by which clients reach the server, without ports. */
  readonly hosts?: readonly string[];
}
