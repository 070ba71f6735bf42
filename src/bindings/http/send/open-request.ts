import type { WireBody } from "./payloads.js";

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A request with its credentials, or what stands for them, put in. */
export interface OpenRequest {
  readonly method: HttpMethod;
  readonly origin: string;
  /** With the query. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: WireBody | undefined;
}
