/**
 * Bytes that a process or a step of a call produced, on their way into the ledger. They are gathered
 * as they come, up to the limits of the policy, and scrubbed as one when the call ends: so a secret
 * is found across the borders of chunks, also one that the call learned later.
 */
import { isUtf8 } from "node:buffer";
import { bytesHoldSecret } from "../credentials/shows-secret.js";
import type { Scrubber } from "../credentials/scrubber.js";
import type { Attempt, BytesSink, ProducedFacts } from "../tool.js";
import type { AttachmentStore, BytesPolicy, KeptAttachment } from "./attachments.js";

/** What an end record says of bytes that its call produced. */
export type ProducedAttachment = ProducedFacts & (KeptBytes | OmittedBytes);

export interface KeptBytes extends KeptAttachment {
  /** Set when more came than is kept. */
  readonly cut?: true;
}

export interface OmittedBytes {
  /** How many came, as far as they were counted. */
  readonly bytes: number;
  /** `has-secret`: a secret stands in them in a form in which it can't be replaced. */
  readonly omitted: "too-large" | "not-written" | "has-secret";
}

type BytesScrubber = Pick<Scrubber, "longest" | "scrub">;

const defaultMaxBytes = 1024 * 1024;
const defaultMaxCallBytes = 4 * 1024 * 1024;

/** Attachments of one call; what comes after these is not kept. */
const maxAttachments = 100;

/** Bytes beyond the limit in which a secret may end that begins before it, beside its own length. */
const searchMargin = 64 * 1024;

/** Whether the policy wants bytes that a tool produces. */
export function wantsBytes(policy: BytesPolicy | undefined, toolId: string): policy is BytesPolicy {
  return policy !== undefined && (policy.tools?.includes(toolId) ?? true);
}

/** Passes a stream on as it is, and keeps a copy where the ledger wants one. */
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

/** What one attempt produced. */
export class ProducedBytes {
  /** The number of the attempt. */
  readonly attempt: number;
  readonly #policy: BytesPolicy;
  readonly #streams: ProducedStream[] = [];
  #held = 0;

  constructor(attempt: number, policy: BytesPolicy) {
    this.attempt = attempt;
    this.#policy = policy;
  }

  /** @param longest characters of the longest secret */
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

  /** Gives everything to the store; what can't be kept stops no call. */
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

/** Bytes as they came, up to where somebody has to look for secrets. */
class ProducedStream {
  readonly facts: ProducedFacts;
  held = 0;
  /** Bytes that came. */
  count = 0;
  readonly #chunks: Buffer[] = [];

  constructor(facts: ProducedFacts) {
    this.facts = facts;
  }

  /** Copies what there is room for: the producer may use its memory again. */
  take(chunk: Uint8Array, room: number): number {
    const taken = Buffer.from(chunk.subarray(0, room));
    this.count += chunk.byteLength;
    this.held += taken.byteLength;
    if (taken.byteLength > 0) this.#chunks.push(taken);
    return taken.byteLength;
  }

  /** Whether more came than is held. */
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

/** Text is read as text; of other bytes each is a character, so that they come out as they were. */
function cleanBytes(
  stream: ProducedStream,
  most: number,
  scrubbers: readonly BytesScrubber[],
): { readonly bytes: Buffer; readonly isCut: boolean } {
  const all = stream.bytes();
  const held = stream.isCut ? all.subarray(0, endOfText(all)) : all;
  const encoding = isUtf8(held) ? "utf8" : "latin1";
  const clean = cleaned(held.toString(encoding), scrubbers);
  // A secret that is cut in two can't be found: its first part stands at the very end.
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

/** In characters. */
function marginOf(longest: number): number {
  return searchMargin + 4 * longest;
}

/** Without the first bytes of a character of UTF-8 whose other bytes were cut off. */
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
