import type { Socket } from "node:net";
import type { ChannelModel } from "amqplib";
import { Cork } from "../../../send/link/cork.js";

/** The smallest frame limit that AMQP allows, in bytes. */
const leastFrame = 4096;

/** Internals of amqplib that its types leave out. */
interface ClientConnection {
  readonly frameMax: number;
  readonly heartbeater: Partial<Readonly<Record<"sendTimer" | "recvTimer", NodeJS.Timeout>>> | null;
  readonly stream: Socket;
}

/** The socket below amqplib's connection. */
export class AmqplibSocket {
  /** Maximum size of a frame, in bytes. */
  readonly frameMax: number;
  readonly #socket: Socket | undefined;
  readonly #cork: Cork | undefined;

  constructor({ connection }: ChannelModel) {
    // Another version of amqplib may not have these properties.
    const { frameMax, heartbeater, stream } = connection as Partial<ClientConnection>;
    this.frameMax = frameMax ?? leastFrame;
    this.#socket = stream;
    this.#cork = stream && new Cork(stream, afterWrites);
    // Only the socket should keep the process alive.
    heartbeater?.sendTimer?.unref();
    heartbeater?.recvTimer?.unref();
  }

  /** Joins everything that is sent in this turn of the event loop. */
  cork(): void {
    this.#cork?.add();
  }

  keepAlive(isNeeded: boolean): void {
    if (isNeeded) this.#socket?.ref();
    else this.#socket?.unref();
  }
}

/** amqplib collects frames for a tick, and writes them in the phase for immediates. */
function afterWrites(handOver: () => void): void {
  process.nextTick(() => setImmediate(handOver));
}

/**
 * Returns AMQP's reply code if RabbitMQ closed the connection during login. amqplib has no field
 * for the code; it is only in the message: `Handshake terminated by server: 403 (ACCESS-REFUSED)
 * with …`.
 */
export function handshakeCode(error: unknown): number | undefined {
  const [, code] = /^Handshake terminated by server: (\d+) /.exec(messageOf(error)) ?? [];
  return code === undefined ? undefined : Number(code);
}

/**
 * Returns whether RabbitMQ closed the connection instead of opening its vhost. amqplib expects a
 * single frame there, and its error message names the frame that arrived.
 */
export function isClosedAtVhost(error: unknown): boolean {
  return messageOf(error).startsWith("Expected ConnectionOpenOk; got <ConnectionClose");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}
