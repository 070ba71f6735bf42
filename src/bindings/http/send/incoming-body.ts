/** A body as it comes, for what doesn't wait for the whole of it. */
import { pipeline, Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { decoders, UnreadableAnswer } from "../../../runtime/executor.js";

/** Bytes that are read ahead of whoever takes them. */
const readAhead = 64 * 1024;

/** The body of one answer: as much of it is read as is asked for, and destroyed it cuts the connection. */
export class IncomingBody {
  readonly #raw: Readable;
  readonly #controller: Dispatcher.DispatchController;
  /** The body with its content codings undone. */
  readonly decoded: Readable;

  /**
   * @param codings content codings to undo, in the order in which they were applied
   * @throws UnreadableAnswer for a coding that is not known
   */
  constructor(controller: Dispatcher.DispatchController, codings: readonly string[]) {
    this.#controller = controller;
    let isWhole = false;
    this.#raw = new Readable({
      highWaterMark: readAhead,
      read: () => controller.resume(),
      destroy: (error, done) => {
        if (!isWhole) controller.abort(error ?? abandoned);
        done(error);
      },
    });
    this.#raw.once("end", () => (isWhole = true));
    const steps = decoders(codings);
    const last = steps.at(-1);
    this.decoded = last ?? this.#raw;
    // What goes wrong is told to whoever reads the last of them.
    if (last !== undefined) pipeline([this.#raw, ...steps], () => {});
    this.decoded.on("error", () => {});
  }

  take(chunk: Buffer): void {
    if (!this.#raw.destroyed && !this.#raw.push(chunk)) this.#controller.pause();
  }

  end(): void {
    if (!this.#raw.destroyed) this.#raw.push(null);
  }

  /** Ends it with an error, which its reader gets; without one where nobody reads any more. */
  destroy(error?: Error): void {
    this.decoded.destroy(error);
    this.#raw.destroy(error);
  }
}

/** What cuts a connection wants a reason; no one sees it. */
const abandoned = new Error("abandoned");

/** What reading a body has thrown, where it is what a decoder says of it. */
export function unreadable(error: unknown): UnreadableAnswer | undefined {
  if (error instanceof UnreadableAnswer) return error;
  const isDamage =
    error instanceof Error && "code" in error && /^(?:Z_|ERR__?ERROR)/.test(String(error.code));
  return isDamage
    ? new UnreadableAnswer("the body is not what its content encoding says")
    : undefined;
}
