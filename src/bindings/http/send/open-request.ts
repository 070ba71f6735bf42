import type { WireBody } from "./payloads.js";

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A request with credentials, or with placeholders for them. */
export interface OpenRequest {
  readonly method: HttpMethod;
  readonly origin: string;
  /** Path with the query. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: WireBody | undefined;
}
