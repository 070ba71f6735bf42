/**
 * The service that gets the calls of all processes. It counts how many calls it has at one time.
 */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import type { ToolName } from "./policy.js";

export interface Arrival {
  /** Id of the call. */
  readonly id: string;
  readonly tool: ToolName;
  readonly tenant: string;
  /** The key of a keyed call. */
  readonly key?: string;
}

export interface Provider {
  readonly port: number;
  readonly arrivals: readonly Arrival[];
  /** Returns the maximum number of a tool's calls at one time, for any of the tenants. */
  most(tool: ToolName, tenants: readonly string[]): number;
  /** Stops answers to a tenant until `answer` is called for the tenant. */
  mute(tenant: string): void;
  answer(tenant: string): void;
  close(): Promise<void>;
}

/** Message of a process: a call, or the id of a call that it has given up. */
export type ToProvider = Arrival | { readonly givenUp: string };

/** Time of a `narrow` call in milliseconds, long enough for several calls at one time. */
const narrowMs = 30;

export async function startProvider(): Promise<Provider> {
  const arrivals: Arrival[] = [];
  const running = new Map<string, Arrival>();
  /** Maximum number of concurrent calls, by tool and tenant. */
  const most = new Map<string, number>();
  const muted = new Set<string>();
  const sockets = new Set<Socket>();
  const arrive = (arrival: Arrival, socket: Socket): void => {
    const { id, tenant, tool } = arrival;
    arrivals.push(arrival);
    running.set(id, arrival);
    const there = [...running.values()].filter(
      (each) => each.tool === tool && each.tenant === tenant,
    );
    const lane = `${tool} ${tenant}`;
    most.set(lane, Math.max(most.get(lane) ?? 0, there.length));
    if (muted.has(tenant)) return;
    // Answers may overtake each other.
    setTimeout(
      () => {
        running.delete(id);
        socket.write(`${id}\n`);
      },
      (tool === "narrow" ? narrowMs : 1) + (arrivals.length % 5),
    );
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    // A process that is gone has given up all of its calls.
    const own = new Set<string>();
    socket.on("close", () => own.forEach((id) => running.delete(id)));
    createInterface({ input: socket }).on("line", (line) => {
      const told = JSON.parse(line) as ToProvider;
      if ("givenUp" in told) return void running.delete(told.givenUp);
      own.add(told.id);
      arrive(told, socket);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The address of a TCP server that listens has this type.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    arrivals,
    most: (tool, tenants) =>
      Math.max(...tenants.map((tenant) => most.get(`${tool} ${tenant}`) ?? 0)),
    mute: (tenant) => void muted.add(tenant),
    answer: (tenant) => void muted.delete(tenant),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
