import { Socket } from "node:net";
import type { NatsConnection } from "@nats-io/transport-node";

/** Internals of the client that its types leave out. */
interface Internals {
  readonly protocol?: {
    readonly transport?: { readonly socket?: unknown };
    readonly heartbeats?: { readonly timer?: unknown };
  };
}

/**
 * Returns the socket of a connection. If another version of the client has none there, returns
 * undefined; the connection then keeps the process alive until it is closed.
 */
export function socketOf(connection: NatsConnection): Socket | undefined {
  const { protocol } = connection as NatsConnection & Internals;
  const socket = protocol?.transport?.socket;
  return socket instanceof Socket ? socket : undefined;
}

/** Lets the process end while the client's timer waits; only the socket keeps it alive. */
export function releaseTimer(connection: NatsConnection): void {
  const { protocol } = connection as NatsConnection & Internals;
  const timer = protocol?.heartbeats?.timer;
  if (isTimer(timer)) timer.unref();
}

function isTimer(value: unknown): value is NodeJS.Timeout {
  return typeof value === "object" && value !== null && "unref" in value;
}
