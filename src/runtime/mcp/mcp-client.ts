import { type Caller, calledByModel, ownCaller } from "../caller.js";

/** Way on which a client reached the server. */
export type Door = "stdio" | "http";

/** The client that sent a request, and the caller for whom it acts. */
export interface McpClient {
  /** Caller of the client's calls. Its origin is `llm`, or `api` for programs that the project lists. */
  readonly caller: Caller;
  /** OAuth client id; absent if nobody checked one. */
  readonly clientId?: string;
  /** Way on which the client reached the server. */
  readonly door: Door;
}

/**
 * Makes a client whose calls a model makes, so their origin is `llm`.
 *
 * @throws TypeError if the caller is not valid
 */
export function modelClient(caller: Caller, door: Door): McpClient {
  return { caller: calledByModel(caller), door };
}

/**
 * Makes a client that a program is, so the origin of its calls is `api`.
 *
 * @throws TypeError if the caller is not valid
 */
export function programClient(caller: Caller, door: Door): McpClient {
  return { caller: ownCaller({ ...caller, origin: "api" }), door };
}
