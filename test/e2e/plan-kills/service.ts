/** A service that counts the writes of each run, and kills the process that writes. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { onTestFinished } from "vitest";

/** Time of a kill, relative to a request. */
export type KillMoment = "before the write" | "before the answer" | "after the answer";

export interface Kill {
  /** Number of the request, from 0. */
  readonly request: number;
  readonly moment: KillMoment;
  /** Time between the answer and the kill, in milliseconds. */
  readonly delayMs: number;
  readonly kill: () => void;
}

/** What the service knows of a run. */
export interface CountedRun {
  /** Number of times that each write changed something. */
  readonly made: Map<string, number>;
  /** Number of requests of each kind. */
  readonly sent: Map<string, number>;
  /** Idempotency keys of each write. */
  readonly keys: Map<string, Set<string>>;
  /** Kill of the process that runs it now. */
  planned: Kill | undefined;
  /** Number of requests since the process started. */
  requests: number;
  /** Kind of the request at which the last kill happened. */
  killedAt: string | undefined;
}

export interface CountingService {
  urlOf(run: string): string;
  of(run: string): CountedRun;
}

export async function startService(): Promise<CountingService> {
  const runs = new Map<string, CountedRun>();
  const of = (run: string): CountedRun => {
    const known = runs.get(run) ?? {
      made: new Map<string, number>(),
      sent: new Map<string, number>(),
      keys: new Map<string, Set<string>>(),
      planned: undefined,
      requests: 0,
      killedAt: undefined,
    };
    runs.set(run, known);
    return known;
  };
  const server = createServer((request, response) => {
    const run = of(request.url?.split("/")[1] ?? "");
    // A client that was killed resets its connection.
    serve(run, request, response).catch(() => response.destroy());
  }).on("clientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  // A TCP server that listens has an address of this form.
  const { port } = server.address() as AddressInfo;
  return { of, urlOf: (run) => `http://127.0.0.1:${port}/${run}` };
}

async function serve(
  run: CountedRun,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  // `IncomingMessage` gives buffers unless an encoding is set.
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const number = run.requests;
  run.requests += 1;
  const { planned } = run;
  const moment = planned?.request === number ? planned.moment : undefined;
  const write = writeOf(request, Buffer.concat(chunks).toString("utf8"));
  run.sent.set(kindOf(write), (run.sent.get(kindOf(write)) ?? 0) + 1);
  const kill = (): void => {
    run.planned = undefined;
    run.killedAt = kindOf(write);
    planned?.kill();
  };
  if (moment === "before the write") return kill();
  if (write !== undefined) count(run, write, keyOf(request));
  if (moment === "before the answer") return kill();
  if (request.method === "DELETE") response.writeHead(204).end();
  else {
    response.writeHead(write === undefined ? 200 : 201, { "content-type": "application/json" });
    response.end(JSON.stringify({ data: answerOf(write) }));
  }
  if (moment === undefined) return;
  await setTimeout(planned?.delayMs ?? 0);
  kill();
}

/** A provider makes a write with a known key once. Without a key, it makes every write. */
function count(run: CountedRun, write: string, key: string | string[] | undefined): void {
  const keys = run.keys.get(write) ?? new Set();
  run.keys.set(write, keys);
  if (typeof key === "string" && keys.has(key)) return;
  if (typeof key === "string") keys.add(key);
  run.made.set(write, (run.made.get(write) ?? 0) + 1);
}

/** A thing that was deleted is not deleted again, as if its name were a key. */
function keyOf({ headers, method, url }: IncomingMessage): string | string[] | undefined {
  return method === "DELETE" ? url : headers["idempotency-key"];
}

/** Returns the key of the write in its run; undefined for a read. */
function writeOf({ method, url = "" }: IncomingMessage, text: string): string | undefined {
  if (method === "DELETE") return `cancels:${url.at(-1)}`;
  if (method !== "POST") return undefined;
  const body = JSON.parse(text);
  if (!url.endsWith("/refunds")) return body.reference;
  return body.amount_cents === 100 ? "other" : `others:${body.amount_cents - 1}`;
}

function kindOf(write: string | undefined): string {
  if (write === undefined) return "read";
  if (write.startsWith("cancels")) return "idempotent write in a loop";
  const kind = write.startsWith("keyed") ? "keyed write" : "other write";
  return write.includes(":") ? `${kind} in a loop` : kind;
}

/** Data of an answer to a write, or to a read. */
export function answerOf(write: string | undefined): unknown {
  if (write?.startsWith("other")) return { id: `ref_${write}`, order_id: "ord_1", amount_cents: 1 };
  const lines = [{ sku: "LAMP-OAK", quantity: 1, price: 8900 }];
  const order = { id: "ord_1", customer_id: "cus_kill", status: "open", lines, total: 8900 };
  return { ...order, created_at: "2026-01-01T00:00:00Z" };
}
