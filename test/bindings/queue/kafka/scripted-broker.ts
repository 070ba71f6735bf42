/**
 * A Kafka of one broker for producers. It does what a test scripts, and can reject, lose and forget
 * messages where a mock cluster can't. Like real brokers, it detects repetitions by their sequence
 * numbers.
 */
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { TlsOptions } from "node:tls";
import { setTimeout as pause } from "node:timers/promises";
import { Reader, readBatch, type RecordBatch, writer } from "./wire.js";

export interface ScriptedBroker {
  readonly port: number;
  /** Messages of all topics, in the order of arrival. */
  readonly log: readonly Written[];
  /** Kafka's API key of each request. */
  readonly asked: readonly number[];
  /** All produce requests, also rejected ones. */
  readonly produced: readonly Produced[];
  /** Logins of the clients. */
  readonly logins: readonly Login[];
  close(): Promise<void>;
}

export interface Written {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly value: string;
}

export interface Login {
  readonly mechanism: string;
  readonly bytes: Buffer;
}

/** The broker's reaction to a produce request. By default the broker writes and answers it. */
export interface Reaction {
  readonly isWritten?: boolean;
  /** Sends no answer, and keeps the connection open or ends it. */
  readonly answer?: "none" | "end";
  /** Kafka's number of an error. */
  readonly error?: number;
  readonly afterMs?: number;
}

export interface Produced extends RecordBatch {
  readonly topic: string;
  readonly partition: number;
  /** Number of the produce request, from 1. */
  readonly count: number;
}

export interface Script {
  readonly partitions?: number;
  readonly onProduce?: (produced: Produced) => Reaction;
  /** Returns Kafka's error number for a request of a topic's metadata. */
  readonly topicError?: (topic: string) => number;
  /** True if the partition has no leader. */
  readonly isLeaderless?: (partition: number) => boolean;
  /** Returns the port of another broker, which metadata name as the leader of all partitions. */
  readonly leaderPort?: () => number | undefined;
  readonly controllerId?: number;
  /** `max.message.bytes`. */
  readonly limit?: number;
  /** Kafka's error number for every login, or 0 to accept it. If absent, no login is required. */
  readonly loginError?: number;
  /** Kafka's number of a kind of request that gets no answer. */
  readonly mutedKind?: number;
  readonly tls?: TlsOptions;
}

const versions = [
  [0, 3, 3],
  [3, 4, 4],
  [17, 1, 1],
  [18, 0, 2],
  [22, 0, 0],
  [32, 0, 0],
  [36, 0, 0],
] as const;

export async function startScriptedBroker(script: Script = {}): Promise<ScriptedBroker> {
  const state = createState();
  const sockets = new Set<Socket>();
  const take = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
    serve(socket, (request, kind, version) => answer(script, state, port, request, kind, version));
  };
  const server: Server = script.tls ? createTlsServer(script.tls, take) : createServer(take);
  server.on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The address of a TCP server that listens has this type.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    log: state.log,
    asked: state.asked,
    produced: state.produced,
    logins: state.logins,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

interface State {
  readonly log: Written[];
  readonly asked: number[];
  readonly logins: Login[];
  /**
   * Batches of each producer in each partition: first sequence number, number of messages and
   * offset.
   */
  readonly sequences: Map<string, { first: number; count: number; offset: number }[]>;
  producers: number;
  readonly produced: Produced[];
  mechanism: string;
}

function createState(): State {
  const sequences = new Map();
  return { log: [], asked: [], logins: [], sequences, producers: 0, produced: [], mechanism: "" };
}

type Answer = Buffer | "none" | "end";

function serve(
  socket: Socket,
  answerTo: (request: Reader, kind: number, version: number) => Answer | Promise<Answer>,
): void {
  let held = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    while (held.length >= 4 && held.length >= 4 + held.readInt32BE()) {
      const frame = held.subarray(4, 4 + held.readInt32BE());
      held = held.subarray(4 + frame.length);
      void respond(socket, new Reader(frame), answerTo);
    }
  });
}

async function respond(
  socket: Socket,
  request: Reader,
  answerTo: Parameters<typeof serve>[1],
): Promise<void> {
  const [kind, version, correlation] = [request.int16(), request.int16(), request.int32()];
  request.string();
  const body = await answerTo(request, kind, version);
  if (body === "none") return;
  if (body === "end") return void socket.destroy();
  socket.write(writer().bytes(writer().int32(correlation).raw(body).done()).done());
}

function answer(
  script: Script,
  state: State,
  port: number,
  request: Reader,
  kind: number,
  version: number,
): Answer | Promise<Answer> {
  state.asked.push(kind);
  if (kind === script.mutedKind) return "none";
  if (kind === 0) return produce(script, state, request);
  if (kind === 3) return metadata(script, port, request);
  if (kind === 17) return handshake(state, request);
  if (kind === 22) return producerId(state);
  if (kind === 32) return configs(script, request);
  if (kind === 36) return authenticate(script, state, request);
  const all = writer()
    .int16(0)
    .array(versions, (each, row) => {
      for (const number of row) each.int16(number);
    });
  return version > 0 ? all.int32(0).done() : all.done();
}

async function produce(script: Script, state: State, request: Reader): Promise<Answer> {
  request.string();
  request.int16();
  request.int32();
  request.int32();
  const topic = request.string() ?? "";
  request.int32();
  const partition = request.int32();
  const batch = readBatch(request.bytes() ?? Buffer.alloc(0));
  const produced = { ...batch, topic, partition, count: state.produced.length + 1 };
  state.produced.push(produced);
  const reaction = script.onProduce?.(produced) ?? {};
  if (reaction.afterMs !== undefined) await pause(reaction.afterMs);
  const isWritten = reaction.isWritten ?? (reaction.error ?? 0) === 0;
  const written = isWritten ? write(state, topic, partition, batch) : { error: 0, offset: -1 };
  if (reaction.answer !== undefined) return reaction.answer;
  return writer()
    .array([topic], (out) =>
      out.string(topic).array([partition], (place) => {
        place.int32(partition).int16(reaction.error ?? written.error);
        place.int64(BigInt(written.offset)).int64(-1n);
      }),
    )
    .int32(0)
    .done();
}

/**
 * Writes a batch like a broker: answers a repeated batch with its first offset, and rejects a gap.
 */
function write(state: State, topic: string, partition: number, batch: RecordBatch) {
  const { producerId, baseSequence: first, values } = batch;
  const key = `${producerId}/${topic}/${partition}`;
  const known = state.sequences.get(key) ?? [];
  const same = known.find((each) => each.first === first && each.count === values.length);
  if (same !== undefined) return { error: 0, offset: same.offset };
  const last = known.at(-1);
  const expected = last === undefined ? 0 : last.first + last.count;
  if (producerId >= 0n && first !== expected) return { error: 45, offset: -1 };
  const offset = state.log.filter(
    (each) => each.topic === topic && each.partition === partition,
  ).length;
  for (const [index, value] of values.entries())
    state.log.push({ topic, partition, offset: offset + index, value: value.toString() });
  state.sequences.set(key, [...known, { first, count: values.length, offset }]);
  return { error: 0, offset };
}

/** A topic to which nobody publishes. */
const elsewhere = "elsewhere";

function metadata(script: Script, port: number, request: Reader): Buffer {
  const asked = request.array(() => request.string() ?? "");
  const partitions = Array.from({ length: script.partitions ?? 1 }, (_, index) => index);
  const leaderPort = script.leaderPort?.();
  const brokers = [
    [1, port] as const,
    ...(leaderPort === undefined ? [] : [[2, leaderPort] as const]),
  ];
  return writer()
    .int32(0)
    .array(brokers, (out, [id, at]) => out.int32(id).string("127.0.0.1").int32(at).string(null))
    .string("test")
    .int32(script.controllerId ?? 1)
    .array(asked.length === 0 ? [elsewhere] : asked, (out, topic) => {
      const error = script.topicError?.(topic) ?? 0;
      out.int16(error).string(topic).int8(0);
      out.array(error === 0 ? partitions : [], (each, id) => {
        const isLeaderless = script.isLeaderless?.(id) ?? false;
        each
          .int16(isLeaderless ? 5 : 0)
          .int32(id)
          .int32(isLeaderless ? -1 : brokers.length);
        each.array([1], (replica) => replica.int32(1)).array([1], (isr) => isr.int32(1));
      });
    })
    .done();
}

function producerId(state: State): Buffer {
  state.producers += 1;
  return writer().int32(0).int16(0).int64(BigInt(state.producers)).int16(0).done();
}

function configs({ limit }: Script, request: Reader): Buffer {
  request.int32();
  const type = request.int8();
  const name = request.string();
  const entries = limit === undefined ? [] : [["max.message.bytes", String(limit)] as const];
  return writer()
    .int32(0)
    .array([name], (out) => {
      out.int16(0).string(null).int8(type).string(name);
      out.array(entries, (entry, [option, value]) =>
        entry.string(option).string(value).int8(0).int8(1).int8(0),
      );
    })
    .done();
}

function handshake(state: State, request: Reader): Buffer {
  state.mechanism = request.string() ?? "";
  const mechanisms = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"];
  return writer()
    .int16(0)
    .array(mechanisms, (out, each) => out.string(each))
    .done();
}

function authenticate({ loginError = 0 }: Script, state: State, request: Reader): Buffer {
  const bytes = Buffer.from(request.bytes() ?? Buffer.alloc(0));
  state.logins.push({ mechanism: state.mechanism, bytes });
  const message = loginError === 0 ? null : `no: ${bytes.toString()}`;
  return writer().int16(loginError).string(message).bytes(Buffer.alloc(0)).done();
}
