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
