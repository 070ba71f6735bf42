import type { Client, PoolClient } from "pg";

/** How long a server has to answer what costs it nothing: a ROLLBACK, a request to cancel, a goodbye. In milliseconds. */
export const graceMs = 2_000;

/** Waits for what the connection is to answer, and hangs up when it takes longer than that: then the work rejects. */
export async function orHangUp<Result>(
  client: Client,
  ms: number,
  work: Promise<Result>,
): Promise<Result> {
  const timer = setTimeout(() => hangUp(client), ms);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

/** Gives up a connection. The pool has its place back at once, and calls that wait for one as soon as the connection is closed. */
export function discard(client: PoolClient): void {
  const timer = setTimeout(() => hangUp(client), graceMs).unref();
  client.connection.once("end", () => clearTimeout(timer));
  client.release(true);
}

export function hangUp(client: Client): void {
  client.connection.stream.destroy();
}
