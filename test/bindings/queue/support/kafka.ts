import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import type { KafkaPlace } from "../../../../src/bindings/queue/providers/kafka/contract.js";
import type { Outgoing } from "../../../../src/bindings/queue/send/broker.js";
import { describeUnless } from "../../../support/service.js";
import { readdress, startMock } from "./mock-kafka.js";
import { type Proxy, startProxy } from "./proxy.js";

const run = promisify(execFile);

/**
 * A Kafka server: librdkafka's mock cluster of one broker with the real wire protocol. It creates
 * a topic with four partitions when a client first names the topic.
 */
export interface TestKafka {
  readonly port: number;
  readonly url: string;
  /** All messages of a topic, read by kcat, in the order of partition and offset. */
  read(topic: string): Promise<readonly ReadMessage[]>;
  close(): Promise<void>;
}

export interface ReadMessage {
  readonly partition: number;
  /** Decimal digits. */
  readonly offset: string;
  readonly key: Buffer | null;
  readonly body: Buffer;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/**
 * Address of a running Kafka, `127.0.0.1:port`, by which the broker also names itself. If it is
 * absent, tests start a mock cluster.
 */
const given = process.env["SKILLC_TEST_KAFKA"];

const isThere = spawnSync("kcat", ["-V"]).status === 0;

const absence = isThere ? undefined : "there is no `kcat`; on Debian: `apt-get install kcat`";

export function withKafka(name: string, tests: () => void): void {
  describeUnless(absence, name, tests);
}

/** Returns the Kafka that `SKILLC_TEST_KAFKA` names, or starts a mock cluster. */
export async function startKafka(): Promise<TestKafka> {
  if (given === undefined) return startMockKafka();
  const [host = "", port = "9092"] = given.split(":");
  return testKafka(host, Number(port), async () => {});
}

/** Starts a mock cluster for the caller, which loses all data when it closes. */
export async function startMockKafka(): Promise<TestKafka> {
  const { ports, close } = await startMock();
  return testKafka("127.0.0.1", ports[0] ?? 0, close);
}

function testKafka(host: string, port: number, close: () => Promise<void>): TestKafka {
  const address = `${host}:${port}`;
  return { port, url: `kafka://${address}`, read: (topic) => readTopic(address, topic), close };
}

async function readTopic(address: string, topic: string): Promise<readonly ReadMessage[]> {
  const read = ["-b", address, "-C", "-t", topic, "-e", "-q", "-o", "beginning"];
  const options = { encoding: "buffer", maxBuffer: 2 ** 30 } as const;
  const [bytes, json] = await Promise.all([
    run("kcat", [...read, "-f", "%p %o %K %S\\n%k%s\\n"], options),
    run("kcat", [...read, "-J"], options),
  ]);
  const headers = headersByPlace(json.stdout.toString());
  return [...records(bytes.stdout)]
    .map((each) => ({ ...each, headers: headers.get(`${each.partition}/${each.offset}`) ?? [] }))
    .toSorted((a, b) => a.partition - b.partition || Number(BigInt(a.offset) - BigInt(b.offset)));
}

/** Reads kcat's output: a line of places and lengths, then key and body as bytes. */
function* records(bytes: Buffer): Generator<Omit<ReadMessage, "headers">> {
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf("\n", at);
    const [partition, offset = "", keyLength, length] = bytes
      .toString("latin1", at, end)
      .split(" ");
    const keyEnd = end + 1 + Math.max(0, Number(keyLength));
    const bodyEnd = keyEnd + Number(length);
    const key = Number(keyLength) < 0 ? null : bytes.subarray(end + 1, keyEnd);
    yield { partition: Number(partition), offset, key, body: bytes.subarray(keyEnd, bodyEnd) };
    at = bodyEnd + 1;
  }
}

function headersByPlace(lines: string): ReadonlyMap<string, ReadMessage["headers"]> {
  const parsed = lines.split("\n").filter((line) => line !== "");
  return new Map(
    parsed.map((line) => {
      // kcat prints such objects.
      const { partition, offset, headers = [] } = JSON.parse(line) as Json;
      const pairs = headers.flatMap((name, at) =>
        at % 2 === 0 ? [[name, headers[at + 1] ?? ""] as const] : [],
      );
      return [`${partition}/${offset}`, pairs];
    }),
  );
}

interface Json {
  readonly partition: number;
  readonly offset: number;
  readonly headers?: readonly string[];
}

/** A proxy in front of a Kafka on 127.0.0.1. Clients get the proxy's port as the broker's. */
export async function startKafkaProxy({ port }: { readonly port: number }): Promise<Proxy> {
  const answers = () => readdress(() => new Map([[port, proxy.port]]));
  const proxy = await startProxy({ port }, { answers });
  return proxy;
}

/** A message for a topic. */
export function messageFor(
  topic: string,
  text: string | Uint8Array,
  more: Partial<Outgoing & KafkaPlace> = {},
): Outgoing & KafkaPlace {
  const body = typeof text === "string" ? Buffer.from(text) : text;
  return { topic, body, contentType: "application/json", headers: [["source", "test"]], ...more };
}
