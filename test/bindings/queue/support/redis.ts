import type { ChildProcess } from "node:child_process";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import type { RedisPlace } from "../../../../src/bindings/queue/providers/redis/contract.js";
import type { Outgoing } from "../../../../src/bindings/queue/send/broker.js";
import { describeUnless } from "../../../support/service.js";
import { freePort, kill, startServer, until } from "./server-process.js";

/** A Redis for one test file, which may change its settings and kill it. */
export interface TestRedis {
  readonly port: number;
  readonly url: string;
  /** Another client's connection, to read what Redis contains. */
  readonly side: Redis;
  /** Entries of a stream, every value as bytes. */
  entries(stream: string): Promise<readonly Entry[]>;
  /** Stops the server at once, like a crash. */
  kill(): Promise<void>;
  /** Starts the server again, on the same port. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface Entry {
  readonly id: string;
  readonly fields: ReadonlyMap<string, Buffer>;
}

const isThere = spawnSync("redis-server", ["--version"]).status === 0;
const absence = isThere
  ? undefined
  : "there is no `redis-server`; on Debian: `apt-get install redis-server`";

export function withRedis(name: string, tests: () => void): void {
  describeUnless(absence, name, tests);
}

/** @param settings as in redis.conf, `--` before each name */
export async function startRedis(
  settings: readonly string[] = [],
  { password }: { readonly password?: string } = {},
): Promise<TestRedis> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "skillc-redis-"));
  const usual = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder];
  const login = password === undefined ? [] : ["--requirepass", password];
  const durable = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];
  let server: ChildProcess;
  const start = async () => {
    server = startServer("redis-server", [...usual, ...durable, ...login, ...settings]);
    await until("Redis", () => isReady(port));
  };
  await start();
  const side = new Redis({
    host: "127.0.0.1",
    port,
    retryStrategy: () => 50,
    ...(password !== undefined && { password }),
  });
  side.on("error", () => {});
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    side,
    entries: (stream) => readEntries(side, stream),
    kill: () => kill(server),
    start,
    async close() {
      side.disconnect();
      await kill(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Redis listens before it has loaded its data, and only answers LOADING until then. */
function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port }, () => socket.write("PING\r\n"));
    socket.once("error", () => resolve(false)).once("close", () => resolve(false));
    socket.once("data", (answer) => {
      resolve(!answer.toString().startsWith("-LOADING"));
      socket.destroy();
    });
  });
}

async function readEntries(side: Redis, stream: string): Promise<readonly Entry[]> {
  // The client's types don't describe the command's reply.
  const entries = (await side.xrangeBuffer(stream, "-", "+")) as [Buffer, Buffer[]][];
  return entries.map(([id, values]) => ({
    id: id.toString(),
    fields: new Map(
      values.flatMap((name, at) => (at % 2 === 0 ? [[name.toString(), values[at + 1]!]] : [])),
    ),
  }));
}

/** A message for a stream. */
export function entryFor(
  stream: string,
  text: string | Uint8Array,
  more: Partial<Outgoing & RedisPlace> = {},
): Outgoing & RedisPlace {
  const body = typeof text === "string" ? Buffer.from(text) : text;
  return { stream, body, contentType: "application/json", headers: [["source", "test"]], ...more };
}
