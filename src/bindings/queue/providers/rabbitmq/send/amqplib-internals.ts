import type { Socket } from "node:net";
import type { ChannelModel } from "amqplib";
import { Cork } from "../../../send/link/cork.js";

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

/**
 * AMQP's reply code of a connection that RabbitMQ closed while the client logged in. The client
 * gives it in no field: its text is `Handshake terminated by server: 403 (ACCESS-REFUSED) with …`.
 */
export function handshakeCode(error: unknown): number | undefined {
  const [, code] = /^Handshake terminated by server: (\d+) /.exec(messageOf(error)) ?? [];
  return code === undefined ? undefined : Number(code);
}

/**
 * Whether RabbitMQ closed the connection instead of opening its vhost. The client expects one
 * answer there, and names the frame that it got in the text of its error.
 */
export function isClosedAtVhost(error: unknown): boolean {
  return messageOf(error).startsWith("Expected ConnectionOpenOk; got <ConnectionClose");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}
