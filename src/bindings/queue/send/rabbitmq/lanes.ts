import { Lane } from "./lane.js";
import type { LaneHost } from "./lane-host.js";
import type { Learned } from "./learned.js";
import type { RabbitmqMessage } from "./message.js";

/** Larger messages go one at a time, apart from the rest: one that is too large closes its channel. */
const largeBytes = 1_048_576;

/** Channels that a connection keeps for exchanges that it is not publishing to. RabbitMQ allows 2047 in all. */
const keptLanes = 64;

/** The lanes of a connection. */
export class Lanes {
  readonly #host: LaneHost;
  readonly #learned: Learned;
  readonly #lanes = new Map<string, Lane>();

  constructor(host: LaneHost, learned: Learned) {
    this.#host = host;
    this.#learned = learned;
  }

  /** The one for a message. */
  for({ exchange, body }: RabbitmqMessage): Lane {
    const oneByOne = body.length > largeBytes;
    const name = `${oneByOne ? "large" : "any"} ${exchange}`;
    const known = this.#lanes.get(name);
    if (known !== undefined) return known;
    this.#closeIdle();
    const lane = new Lane(this.#host, this.#learned, { oneByOne });
    this.#lanes.set(name, lane);
    return lane;
  }

  /** RabbitMQ reads again. */
  advance(): void {
    for (const lane of this.#lanes.values()) lane.advance();
  }

  /** The connection is gone. */
  lose(reason: string): void {
    for (const lane of this.#lanes.values()) lane.lose(reason);
  }

  #closeIdle(): void {
    for (const [name, lane] of this.#lanes) {
      if (this.#lanes.size < keptLanes) return;
      if (!lane.isIdle) continue;
      this.#lanes.delete(name);
      lane.close();
    }
  }
}
