import { createRequire } from "node:module";
import type { Socket } from "node:net";
import { dirname, join } from "node:path";
import type { ChannelModel } from "amqplib";
import { Cork } from "../../../send/link/cork.js";

/** What is used of amqplib's own connection. */
interface Connection {
  open(fields: Fields | undefined, callback: Opened | undefined): void;
  recvFrame?(): unknown;
}

interface Fields {
  /** What it logs in with. */
  readonly response?: unknown;
}

type Opened = (error: unknown, ok?: unknown) => void;

/** Of our connections: amqplib passes each on as the very object that it was given. */
const logins = new WeakSet<object>();

/** By the error of the handshake that it ended. */
const reasons = new WeakMap<Error, string>();

/** What RabbitMQ said when it closed one of our connections in its handshake: `NOT_ALLOWED - vhost x not found`. */
export function closeReasonOf(error: unknown): string | undefined {
  return error instanceof Error ? reasons.get(error) : undefined;
}

let isPatched = false;

/**
 * Takes note of what RabbitMQ says when it closes a connection instead of opening its vhost. amqplib 2.3.1 drops it, whether there is no such vhost or it
 * has no room at the moment; where amqplib is built otherwise, nothing is noted.
 *
 * @param login what the connection logs in with; others are left alone
 */
export function keepCloseReason(login: Buffer): void {
  logins.add(login);
  if (isPatched) return;
  isPatched = true;
  const prototype = connectionPrototype();
  if (typeof prototype?.open !== "function") return;
  const { open } = prototype;
  prototype.open = function (fields, callback) {
    return open.call(this, fields, isOurs(fields) ? keeping(this, callback) : callback);
  };
}

function isOurs(fields: Fields | undefined): boolean {
  const login = fields?.response;
  return isObject(login) && logins.has(login);
}

function connectionPrototype(): Connection | undefined {
  try {
    const require = createRequire(import.meta.url);
    const file = join(dirname(require.resolve("amqplib")), "lib/connection.js");
    // The file's own form, which has no types.
    return (require(file) as { readonly Connection?: { readonly prototype: Connection } })
      .Connection?.prototype;
  } catch {
    return undefined;
  }
}

/** Looks at what comes in until the handshake is over. */
function keeping(connection: Connection, callback: Opened | undefined): Opened | undefined {
  const { recvFrame } = connection;
  if (typeof recvFrame !== "function" || typeof callback !== "function") return callback;
  let reason: string | undefined;
  connection.recvFrame = () => {
    const frame = recvFrame.call(connection);
    reason ??= replyTextIn(frame);
    return frame;
  };
  return (error, ok) => {
    delete connection.recvFrame;
    if (error instanceof Error && reason !== undefined) reasons.set(error, reason);
    callback(error, ok);
  };
}

/** In a handshake only `connection.close` has one. */
function replyTextIn(frame: unknown): string | undefined {
  const fields: unknown = isObject(frame) ? frame["fields"] : undefined;
  const text: unknown = isObject(fields) ? fields["replyText"] : undefined;
  return typeof text === "string" ? text : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** The least that a connection's frames may be limited to. */
const leastFrame = 4096;

/** The client's own, which its types leave out. */
interface ClientConnection {
  readonly frameMax: number;
  readonly heartbeater: Partial<Readonly<Record<"sendTimer" | "recvTimer", NodeJS.Timeout>>> | null;
  readonly stream: Socket;
}

/** What is below amqplib's connection. */
export class AmqplibSocket {
  /** Bytes of a frame, at most. */
  readonly frameMax: number;
  readonly #socket: Socket | undefined;
  readonly #cork: Cork | undefined;

  constructor({ connection }: ChannelModel) {
    // Where amqplib is built otherwise, they are not there.
    const { frameMax, heartbeater, stream } = connection as Partial<ClientConnection>;
    this.frameMax = frameMax ?? leastFrame;
    this.#socket = stream;
    this.#cork = stream && new Cork(stream, afterWrites);
    // The socket alone keeps the process alive.
    heartbeater?.sendTimer?.unref();
    heartbeater?.recvTimer?.unref();
  }

  /** What is sent in this turn of the event loop goes together. */
  cork(): void {
    this.#cork?.add();
  }

  keepAlive(isNeeded: boolean): void {
    if (isNeeded) this.#socket?.ref();
    else this.#socket?.unref();
  }
}

/** The client collects frames for a tick, and writes them in the phase for immediates. */
function afterWrites(handOver: () => void): void {
  process.nextTick(() => setImmediate(handOver));
}
