/**
 * The state that a client keeps while it asks its user. The client can read it, so it has digests
 * and a random number, and no argument of the call. It is signed, and bound to the tool, the caller
 * and the client.
 */
import { createHmac } from "node:crypto";
import {
  createRequestStateCodec,
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Connection } from "../served.js";

/** A question to a person about one call. */
export interface Question {
  /** Digest of the request that the person sees. */
  readonly digest: string;
  /** SHA-256 of the trial that the person sees. */
  readonly trial?: string;
  /** Random number of this question. */
  readonly nonce: string;
}

/** Maximum time for an answer, in seconds. */
const longestSeconds = 600;

/**
 * Signs a question.
 *
 * @param ttlMs lifetime of an approval, in milliseconds. A question ends before its approval, so
 * that the store knows the approval as long as the answer can be sent again.
 */
export function signQuestion(
  connection: Connection,
  toolId: string,
  question: Question,
  { context, ttlMs }: { readonly context: ServerContext; readonly ttlMs: number },
): Promise<string> {
  const seconds = Math.min(longestSeconds, Math.max(1, Math.floor(ttlMs / 1000) - 1));
  return codecFor(connection, toolId, seconds).mint(question, context);
}

/**
 * Reads the question that a client answers.
 *
 * @throws ProtocolError if the server did not sign it for this tool, caller and client, or its time
 * is over
 */
export async function readQuestion(
  connection: Connection,
  toolId: string,
  state: string,
  context: ServerContext,
): Promise<Question> {
  try {
    return await codecFor(connection, toolId, longestSeconds).verify(state, context);
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState", {
      reason: "invalid_request_state",
    });
  }
}

/** Makes a codec for one tool, because the SDK hands the name of the tool to no binding. */
function codecFor(
  { client: { caller, clientId, door }, served }: Connection,
  toolId: string,
  ttlSeconds: number,
): RequestStateCodec<Question> {
  const whose = [door, clientId ?? null, caller.tenant ?? null, caller.subject ?? null, toolId];
  return createRequestStateCodec({
    key: served.confirmationKey,
    ttlSeconds,
    bind: () => JSON.stringify(whose),
  });
}

/** Returns the id of the approval that a yes to a question gives. */
export function approvalIdOf(key: Uint8Array, { nonce }: Question): string {
  const hex = createHmac("sha256", key).update(`approval ${nonce}`).digest("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return [...parts, hex.slice(20, 32)].join("-");
}
