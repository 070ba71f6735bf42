/** A body that is read while it arrives. */
import { pipeline, Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { decoders, UnreadableAnswer } from "../../../runtime/executor.js";

/** Number of bytes that are read ahead. */
const readAhead = 64 * 1024;

/**
 * The body of one response. It reads only as much as is requested. Destroying it closes the
 * connection.
 */
export class IncomingBody {
  readonly #raw: Readable;
  readonly #controller: Dispatcher.DispatchController;
  /** The body with its content codings undone. */
  readonly decoded: Readable;

  /**
   * @param codings content codings to undo, in the order in which they were applied
   * @throws UnreadableAnswer for an unknown coding
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
    // Errors are reported to the reader of the last stream.
    if (last !== undefined) pipeline([this.#raw, ...steps], () => {});
    this.decoded.on("error", () => {});
  }

  take(chunk: Buffer): void {
    if (!this.#raw.destroyed && !this.#raw.push(chunk)) this.#controller.pause();
  }

  end(): void {
    if (!this.#raw.destroyed) this.#raw.push(null);
  }

  /** Ends the body. Its reader gets the error, if one is given. */
  destroy(error?: Error): void {
    this.decoded.destroy(error);
    this.#raw.destroy(error);
  }
}

/** Closing a connection requires a reason, but nobody sees it. */
const abandoned = new Error("abandoned");

/** Converts a decoder's error; undefined for any other error. */
export function unreadable(error: unknown): UnreadableAnswer | undefined {
  if (error instanceof UnreadableAnswer) return error;
  const isDamage =
    error instanceof Error && "code" in error && /^(?:Z_|ERR__?ERROR)/.test(String(error.code));
  return isDamage ? new UnreadableAnswer("the body doesn't match its content encoding") : undefined;
}
