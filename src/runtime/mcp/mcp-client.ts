import { type Caller, calledByModel, ownCaller } from "../caller.js";

/** How a client reached the server. */
export type Door = "stdio" | "http";

/** The client that sent a request, and the caller for whom it acts. */
export interface McpClient {
  /** Caller of the client's calls. Its origin is `llm`, or `api` for programs that the project lists. */
  readonly caller: Caller;
  /** OAuth client id; absent if nobody checked one. */
  readonly clientId?: string;
  /** How the client reached the server. */
  readonly door: Door;
}

/**
 * Makes the client of a model. The origin of its calls is `llm`.
 *
 * @throws TypeError if the caller is not valid
 */
export function modelClient(caller: Caller, door: Door): McpClient {
  return { caller: calledByModel(caller), door };
}

/**
 * Makes the client of a program without a model. The origin of its calls is `api`.
 *
 * @throws TypeError if the caller is not valid
 */
export function programClient(caller: Caller, door: Door): McpClient {
  return { caller: ownCaller({ ...caller, origin: "api" }), door };
}
