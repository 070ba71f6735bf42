import type { ChildProcess } from "node:child_process";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstream, jetstreamManager, type StreamConfig } from "@nats-io/jetstream";
import { connect, type MsgHdrs, type NatsConnection } from "@nats-io/transport-node";
import type { NatsPlace } from "../../../../src/bindings/queue/providers/nats/contract.js";
import type { Outgoing } from "../../../../src/bindings/queue/send/broker.js";
import { describeUnless } from "../../../support/service.js";
import { freePort, isListening, kill, startServer, until } from "./server-process.js";

/** A NATS server with JetStream for one test file, which may change its settings and kill it. */
export interface TestNats {
  readonly port: number;
  readonly url: string;
  /** Another client's connection. */
  readonly side: NatsConnection;
  /** Creates a stream of these subjects, in memory. */
  addStream(name: string, subjects: string[], more?: Partial<StreamConfig>): Promise<void>;
  /** Messages of a stream. */
  messages(stream: string): Promise<readonly StoredMessage[]>;
  /** Stops the server at once, like a crash. */
  kill(): Promise<void>;
  /** Starts the server again, on the same port. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface StoredMessage {
  readonly subject: string;
  readonly body: Buffer;
  readonly headers: MsgHdrs;
}

const isThere = spawnSync("nats-server", ["--version"]).status === 0;
const absence = isThere
  ? undefined
  : "there is no `nats-server`; on Debian: `apt-get install nats-server`";

export function withNats(name: string, tests: () => void): void {
  describeUnless(absence, name, tests);
}

/**
 * @param settings lines of nats-server.conf
 * @param login login for the connection `side`, if the settings require a login
 */
export async function startNats(
  settings: readonly string[] = [],
  login: { readonly user?: string; readonly pass?: string } = {},
): Promise<TestNats> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "skillc-nats-"));
  const file = join(folder, "nats.conf");
  const usual = ["host: 127.0.0.1", `port: ${port}`, `jetstream { store_dir: "${folder}/js" }`];
  writeFileSync(file, [...usual, ...settings, ""].join("\n"));
  let server: ChildProcess;
  const start = async () => {
    server = startServer("nats-server", ["-c", file]);
    await until("NATS", () => isListening(port));
  };
  await start();
  const isTls = settings.some((line) => line.startsWith("tls"));
  const side = await connect({
    servers: `127.0.0.1:${port}`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 50,
    ...login,
    ...(isTls && { tls: { rejectUnauthorized: false } as object }),
  });
  const manager = await jetstreamManager(side);
  return {
    port,
    url: `nats://127.0.0.1:${port}`,
    side,
    async addStream(name, subjects, more = {}) {
      await manager.streams.add({ name, subjects, storage: "memory", ...more });
    },
    async messages(stream) {
      const { state } = await manager.streams.info(stream);
      if (state.messages === 0) return [];
      const consumer = await jetstream(side).consumers.get(stream);
      const found: StoredMessage[] = [];
      for await (const each of await consumer.fetch({ max_messages: state.messages })) {
        if (each.headers === undefined) throw new Error("a message without headers");
        found.push({ subject: each.subject, body: Buffer.from(each.data), headers: each.headers });
      }
      return found;
    },
    kill: () => kill(server),
    start,
    async close() {
      await side.close();
      await kill(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A message for a subject. */
export function messageTo(
  subject: string,
  text: string | Uint8Array,
  more: Partial<Outgoing> = {},
): Outgoing & NatsPlace {
  const body = typeof text === "string" ? Buffer.from(text) : text;
  return { subject, body, contentType: "application/json", headers: [["source", "test"]], ...more };
}
