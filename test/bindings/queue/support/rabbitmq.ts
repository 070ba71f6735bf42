import { execFile, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type ChannelModel, connect, type ConfirmChannel, type GetMessage } from "amqplib";
import type { RabbitmqPlace } from "../../../../src/bindings/queue/providers/rabbitmq/contract.js";
import type { Outgoing } from "../../../../src/bindings/queue/send/broker.js";
import { describeUnless } from "../../../support/service.js";
import { freePort, isListening, startServer, until } from "./server-process.js";

const run = promisify(execFile);

/**
 * Folders in which packages install the broker's own scripts. The scripts on the path would run it
 * as another user, with the machine's settings.
 */
const scripts = "/usr/lib/rabbitmq/bin";
const isThere =
  existsSync(`${scripts}/rabbitmq-server`) && spawnSync("erl", ["-version"]).error === undefined;

const absence = isThere
  ? undefined
  : `there is no RabbitMQ in ${scripts}; on Debian: \`apt-get install rabbitmq-server\``;

export function withRabbitmq(name: string, tests: () => void): void {
  describeUnless(absence, name, tests);
}

/** Another client's view of a broker. */
export interface RabbitmqClient {
  readonly url: string;
  /** Runs `work` on a channel of a new connection. */
  side<Result>(work: (channel: ConfirmChannel) => Promise<Result>): Promise<Result>;
  /** Removes and returns all messages of a queue. */
  drain(queue: string): Promise<readonly GetMessage[]>;
}

/**
 * A RabbitMQ for one test file, which may change its settings, raise alarms and kill it. A start
 * takes three seconds of CPU; `rabbitmq-vhost.ts` is cheaper for tests that only publish.
 */
export interface TestRabbitmq extends RabbitmqClient {
  readonly port: number;
  ctl(...args: readonly string[]): Promise<string>;
  /** Stops the broker at once, like a crash. */
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** @param settings lines of rabbitmq.conf */
export async function startRabbitmq(settings: readonly string[] = []): Promise<TestRabbitmq> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "skillc-rabbitmq-"));
  const env = environment(folder, port, await freePort());
  mkdirSync(join(folder, "home"));
  writeFileSync(join(folder, "plugins"), "[].\n");
  const lines = [`listeners.tcp.1 = 127.0.0.1:${port}`, "loopback_users = none", ...settings];
  writeFileSync(join(folder, "rabbitmq.conf"), `${lines.join("\n")}\n`);
  const url = `amqp://guest:guest@127.0.0.1:${port}`;
  const ctl = async (...args: readonly string[]) =>
    (await run(`${scripts}/rabbitmqctl`, args, { env: { ...process.env, ...env } })).stdout;
  const halt = () => {
    const cookie = readFileSync(join(folder, "home", ".erlang.cookie"), "utf8");
    const node = ["-c", cookie, "-sname", env.RABBITMQ_NODENAME, "-e"];
    // RabbitMQ writes its list of queues with a delay, and messages without one.
    const input = "mnesia:sync_log(), erlang:halt(137, [{flush, false}]).\n";
    // `erl_call` is a small C program; `rabbitmqctl` would start another Erlang.
    spawnSync("erl_call", node, { input });
  };
  let server: ChildProcess;
  const start = async () => {
    server = startServer(`${scripts}/rabbitmq-server`, [], env);
    await until("RabbitMQ", () => isListening(port));
  };
  // The script's process is a shell; the broker is its child.
  const stop = async () => {
    if (!(await isListening(port))) return;
    halt();
    await until("RabbitMQ's end", () => server.exitCode !== null);
  };
  await start();
  return {
    ...rabbitmqClient(url),
    port,
    ctl,
    kill: stop,
    start,
    async close() {
      // A request to stop would start another Erlang.
      endChildrenOf(server);
      await until("RabbitMQ's end", () => server.exitCode !== null);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Kills the children of a process, if it still runs. */
function endChildrenOf({ exitCode, pid }: ChildProcess): void {
  if (exitCode !== null || pid === undefined) return;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
  for (const child of children.filter((each) => /^\d+$/.test(each)))
    process.kill(Number(child), "SIGKILL");
}

function environment(folder: string, port: number, distribution: number) {
  return {
    HOME: join(folder, "home"),
    RABBITMQ_NODENAME: `skillc-test-${port}@localhost`,
    RABBITMQ_CONF_ENV_FILE: join(folder, "none"),
    RABBITMQ_CONFIG_FILE: join(folder, "rabbitmq.conf"),
    RABBITMQ_MNESIA_BASE: join(folder, "data"),
    RABBITMQ_LOG_BASE: join(folder, "log"),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, "plugins"),
    RABBITMQ_PID_FILE: join(folder, "pid"),
    RABBITMQ_DIST_PORT: String(distribution),
    ERL_EPMD_ADDRESS: "127.0.0.1",
  };
}

export function rabbitmqClient(url: string): RabbitmqClient {
  const side: RabbitmqClient["side"] = async (work) => {
    const connection: ChannelModel = await connect(url);
    connection.on("error", () => {});
    try {
      return await work(await connection.createConfirmChannel());
    } finally {
      await connection.close().catch(() => {});
    }
  };
  return { url, side, drain: (queue) => side((channel) => drain(channel, queue)) };
}

async function drain(channel: ConfirmChannel, queue: string): Promise<readonly GetMessage[]> {
  const messages: GetMessage[] = [];
  for (;;) {
    const message = await channel.get(queue, { noAck: true });
    if (message === false) return messages;
    messages.push(message);
  }
}

/** A message for a queue, through the default exchange. */
export function messageFor(
  queue: string,
  text: string | Uint8Array,
  more: Partial<Outgoing & RabbitmqPlace> = {},
): Outgoing & RabbitmqPlace {
  const body = typeof text === "string" ? Buffer.from(text) : text;
  return {
    exchange: "",
    routingKey: queue,
    body,
    contentType: "application/json",
    headers: [["source", "test"]],
    ...more,
  };
}
