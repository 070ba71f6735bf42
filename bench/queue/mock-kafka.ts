import { execFile, spawn, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { MissingProgram } from "../missing-program.js";
import { kill, until } from "../../test/bindings/queue/support/server-process.js";

const run = promisify(execFile);

/**
 * A mock cluster of librdkafka. It prints to a file, because reading a pipe would be measured with
 * the client.
 */
export interface MockKafka {
  readonly port: number;
  /** Returns all messages of a topic as text, with partition, key and headers. */
  read(topic: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function startMockKafka(): Promise<MockKafka> {
  if (spawnSync("kcat", ["-V"]).error !== undefined)
    throw new MissingProgram("kcat", "apt-get install kcat");
  const folder = mkdtempSync(join(tmpdir(), "skillc-bench-kafka-"));
  const log = join(folder, "log");
  const mock = ["-b", "x", "-X", "test.mock.num.brokers=1", "-C", "-t", "keep", "-d", "mock"];
  const printed = openSync(log, "a");
  const server = spawn("kcat", mock, { stdio: ["ignore", "ignore", printed] });
  closeSync(printed);
  const portIn = () =>
    /bootstrap\.servers=127\.0\.0\.1:(\d+)/.exec(readFileSync(log, "latin1"))?.[1];
  await until("the mock cluster", () => portIn() !== undefined);
  const port = Number(portIn());
  return {
    port,
    read: (topic) => read(port, topic),
    async close() {
      await kill(server);
      rmSync(folder, { recursive: true });
    },
  };
}

async function read(port: number, topic: string): Promise<readonly string[]> {
  const whole = ["-C", "-e", "-q", "-o", "beginning"];
  const form = ["-f", "partition %p, key %k, %h, %s\\n--\\n"];
  const args = ["-b", `127.0.0.1:${port}`, "-t", topic, ...whole, ...form];
  const { stdout } = await run("kcat", args, { encoding: "latin1" });
  return stdout.split("\n--\n").slice(0, -1);
}
