/**
 * Bytes that a process or a step of a call produced, until the ledger stores them. They are
 * collected up to the policy's limits, and scrubbed together when the call ends. So a secret is
 * found even if it spans chunks, or the call learned it later.
 */
import { isUtf8 } from "node:buffer";
import { bytesHoldSecret } from "../credentials/shows-secret.js";
import type { Scrubber } from "../credentials/scrubber.js";
import type { Attempt, BytesSink, ProducedFacts } from "../call/attempt.js";
import type { AttachmentStore, BytesPolicy, KeptAttachment } from "./attachments.js";

/** The entry of an end record for bytes that the call produced. */
export type ProducedAttachment = ProducedFacts & (KeptBytes | OmittedBytes);

/** Produced bytes that the ledger keeps. */
export interface KeptBytes extends KeptAttachment {
  /** Set if the call produced more bytes than are kept. */
  readonly cut?: true;
}

/** Produced bytes that the ledger didn't keep. */
export interface OmittedBytes {
  /** Number of bytes produced, as far as they were counted. */
  readonly bytes: number;
  /** `has-secret`: the bytes contain a secret in a form that can't be replaced. */
  readonly omitted: "too-large" | "not-written" | "has-secret";
}

type BytesScrubber = Pick<Scrubber, "longest" | "scrub">;

const defaultMaxBytes = 1024 * 1024;
const defaultMaxCallBytes = 4 * 1024 * 1024;

/** Maximum number of attachments of one call. Further ones are not kept. */
const maxAttachments = 100;

/**
 * Number of bytes after the limit in which a secret that begins before it may end, beside the
 * secret's own length.
 */
const searchMargin = 64 * 1024;

/** Returns whether the policy keeps bytes that a tool produces. */
export function wantsBytes(policy: BytesPolicy | undefined, toolId: string): policy is BytesPolicy {
  return policy !== undefined && (policy.tools?.includes(toolId) ?? true);
}

/** Passes a stream on unchanged, and copies it for the ledger if the ledger keeps such bytes. */
export async function* keepBytes(
  attempt: Pick<Attempt, "takeBytes">,
  stream: AsyncIterable<Uint8Array>,
  facts: ProducedFacts,
): AsyncGenerator<Uint8Array, void, undefined> {
  const sink = attempt.takeBytes?.(facts);
  for await (const chunk of stream) {
    sink?.(chunk);
    yield chunk;
  }
}

/** The bytes that one attempt produced. */
export class ProducedBytes {
  /** Number of the attempt. */
  readonly attempt: number;
  readonly #policy: BytesPolicy;
  readonly #streams: ProducedStream[] = [];
  #held = 0;

  constructor(attempt: number, policy: BytesPolicy) {
    this.attempt = attempt;
    this.#policy = policy;
  }

  /**
   * Opens an attachment; undefined if there are too many.
   *
   * @param longest returns the length of the longest secret, in characters
   */
  open({ name, type }: ProducedFacts, longest: () => number): BytesSink | undefined {
    if (this.#streams.length >= maxAttachments) return undefined;
    const stream = new ProducedStream({ name, type });
    this.#streams.push(stream);
    const { maxBytes = defaultMaxBytes, maxCallBytes = defaultMaxCallBytes } = this.#policy;
    return (chunk) => {
      const margin = 4 * marginOf(longest());
      const room = Math.min(maxBytes + margin - stream.held, maxCallBytes + margin - this.#held);
      this.#held += stream.take(chunk, Math.max(0, room));
    };
  }

  /** Stores all attachments. A failure doesn't stop the call. */
  attachTo(
    store: Pick<AttachmentStore, "keepBytes">,
    scrubbers: readonly BytesScrubber[],
  ): readonly ProducedAttachment[] {
    const { maxBytes = defaultMaxBytes, maxCallBytes = defaultMaxCallBytes } = this.#policy;
    let room = maxCallBytes;
    return this.#streams.map((stream) => {
      const attached = attach(stream, Math.min(maxBytes, room), store, scrubbers);
      if ("sha256" in attached) room -= attached.bytes;
      const { name, type } = stream.facts;
      return { name: cleaned(name, scrubbers), type: cleaned(type, scrubbers), ...attached };
    });
  }
}

/** The bytes of one attachment, up to the end of the range that is searched for secrets. */
class ProducedStream {
  readonly facts: ProducedFacts;
  held = 0;
  /** Number of bytes produced. */
  count = 0;
  readonly #chunks: Buffer[] = [];

  constructor(facts: ProducedFacts) {
    this.facts = facts;
  }

  /** Copies a chunk up to the room left, because the producer may reuse its memory. */
  take(chunk: Uint8Array, room: number): number {
    const taken = Buffer.from(chunk.subarray(0, room));
    this.count += chunk.byteLength;
    this.held += taken.byteLength;
    if (taken.byteLength > 0) this.#chunks.push(taken);
    return taken.byteLength;
  }

  /** Returns whether the attempt produced more bytes than are held. */
  get isCut(): boolean {
    return this.count > this.held;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks, this.held);
  }
}

function attach(
  stream: ProducedStream,
  most: number,
  store: Pick<AttachmentStore, "keepBytes">,
  scrubbers: readonly BytesScrubber[],
): KeptBytes | OmittedBytes {
  const { count } = stream;
  if (most === 0 && count > 0) return { bytes: count, omitted: "too-large" };
  const { bytes, isCut } = cleanBytes(stream, most, scrubbers);
  if (scrubbers.some((each) => bytesHoldSecret(bytes, each.scrub)))
    return { bytes: count, omitted: "has-secret" };
  try {
    const kept = store.keepBytes?.(bytes);
    if (kept === undefined) return { bytes: count, omitted: "not-written" };
    return { ...kept, ...(isCut && { cut: true }) };
  } catch {
    return { bytes: count, omitted: "not-written" };
  }
}

/**
 * Removes secrets. Bytes that are not UTF-8 are handled as one character each, so that they don't
 * change.
 */
function cleanBytes(
  stream: ProducedStream,
  most: number,
  scrubbers: readonly BytesScrubber[],
): { readonly bytes: Buffer; readonly isCut: boolean } {
  const all = stream.bytes();
  const held = stream.isCut ? all.subarray(0, endOfText(all)) : all;
  const encoding = isUtf8(held) ? "utf8" : "latin1";
  const clean = cleaned(held.toString(encoding), scrubbers);
  // A secret that is cut in two can't be found. Its first part can only be at the very end, so the
  // end is removed.
  const longest = Math.max(...scrubbers.map((each) => each.longest()));
  const whole = stream.isCut
    ? clean.slice(0, Math.max(0, clean.length - marginOf(longest)))
    : clean;
  const bytes = Buffer.from(whole, encoding);
  if (bytes.byteLength <= most) return { bytes, isCut: stream.isCut };
  const start = bytes.subarray(0, most);
  return { bytes: encoding === "utf8" ? start.subarray(0, endOfText(start)) : start, isCut: true };
}

function cleaned(text: string, scrubbers: readonly BytesScrubber[]): string {
  return scrubbers.reduce((at, each) => each.scrub(at), text);
}

/** Returns the number of characters in which a secret may end. */
function marginOf(longest: number): number {
  return searchMargin + 4 * longest;
}

/** Returns the length without an incomplete last character of UTF-8. */
function endOfText(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
