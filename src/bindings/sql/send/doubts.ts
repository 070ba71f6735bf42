import type { Client } from "pg";
import { orHangUp } from "./hang-up.js";
import { ServerSession } from "./server-session.js";

/** How long a connection has to say that it lives, in milliseconds. */
const askMs = 1_000;

/**
 * Which of a pool's connections may be dead without a sign of it. When one stays silent until its call is over, those that have not been heard of since
 * are asked before they are used; when one of these is silent too, none of the others is asked any more.
 */
export class Doubts {
  #raised = 0;
  /** The latest doubt that has proved right. */
  #confirmed = 0;
  /** The doubts that there had been when a connection was last heard of. */
  readonly #heard = new WeakMap<Client, number>();

  raise(): void {
    this.#raised += 1;
  }

  /** Notes a sign of life. */
  hear(client: Client): void {
    this.#heard.set(client, this.#raised);
  }

  /** One that was not heard of yet has just been made. */
  isTrusted(client: Client): boolean {
    return (this.#heard.get(client) ?? this.#raised) === this.#raised;
  }

  /** Whether a connection that isn't trusted lives. */
  async ask(client: Client): Promise<boolean> {
    const doubt = this.#raised;
    if (this.#confirmed === doubt) return false;
    // Nothing but the end of a message.
    const asked = new ServerSession(client).exchange({ before: [], after: [] });
    const lives = await orHangUp(client, askMs, asked).then(
      () => true,
      () => false,
    );
    if (lives) this.#heard.set(client, doubt);
    else this.#confirmed = doubt;
    return lives;
  }
}
