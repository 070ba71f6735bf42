/** Collects streams and bytes for models, which take only JSON. */
import { hash } from "node:crypto";
import type { AnyResult } from "../result.js";
import { longestTimerMs } from "../within-time.js";

/** Limits of streams and bytes for a model. */
export interface CollectOptions {
  /** Maximum number of items of a stream; 100 by default. */
  readonly items?: number;
  /** Maximum size in bytes, of the items' JSON or of the bytes themselves; 256 KiB by default. */
  readonly bytes?: number;
  /** Maximum time to wait for items, in milliseconds; 30,000 by default. */
  readonly ms?: number;
}

const usual: Required<CollectOptions> = { items: 100, bytes: 256 * 1024, ms: 30_000 };

/** Bytes in a form for models. */
export interface CollectedBytes {
  /** The first bytes, up to the limit, in base64. */
  readonly base64: string;
  /** Number of all bytes. */
  readonly size: number;
  /** SHA-256 of all bytes, in hexadecimal. */
  readonly sha256: string;
}

/**
 * An answer in a form for models: a stream becomes a list of items, bytes become base64 text, and
 * `truncated` is set if something is left out.
 */
export type Collected<Result> = Result extends { readonly data: infer Data }
  ? Data extends Uint8Array
    ? WithData<Result, CollectedBytes>
    : Data extends AsyncIterable<infer Item>
      ? WithData<Result, readonly Item[]>
      : Result
  : Result;

type WithData<Result, Data> = Omit<Result, "data"> & {
  readonly data: Data;
  readonly truncated?: true;
};

/**
 * Collects the data of an answer.
 *
 * @throws ToolError if a stream fails
 */
export async function collected<Result extends AnyResult>(
  result: Result,
  options: CollectOptions = {},
): Promise<AnyResult> {
  const most = { ...usual, ...options };
  if (!("data" in result)) return result;
  const { data } = result;
  if (data instanceof Uint8Array)
    return { ...(result as AnyResult), ...collectBytes(data, most.bytes) };
  if (typeof data !== "object" || data === null || !(Symbol.asyncIterator in data)) return result;
  const items = await collectItems(data as AsyncIterable<unknown>, most);
  return { ...(result as AnyResult), ...items };
}

/**
 * Checks the limits.
 *
 * @throws TypeError if a limit is not a whole number, 0 or more
 */
export function requireLimits(options: CollectOptions = {}): void {
  for (const name of ["items", "bytes", "ms"] as const) {
    const limit = options[name];
    if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0))
      throw new TypeError(`\`collect.${name}\` must be a whole number, 0 or more`);
  }
}

function collectBytes(bytes: Uint8Array, most: number) {
  const given = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, most));
  const data: CollectedBytes = {
    base64: given.toString("base64"),
    size: bytes.byteLength,
    sha256: hash("sha256", bytes, "hex"),
  };
  return { data, ...(given.byteLength < bytes.byteLength && { truncated: true }) };
}

async function collectItems(stream: AsyncIterable<unknown>, most: Required<CollectOptions>) {
  const items: unknown[] = [];
  const iterator = stream[Symbol.asyncIterator]();
  let left = most.bytes;
  const reader = { isLate: false };
  const timer = setTimeout(
    () => {
      reader.isLate = true;
      // Ends the wait for the next item.
      void iterator.return?.();
    },
    Math.min(most.ms, longestTimerMs),
  );
  try {
    for (;;) {
      const step = await iterator.next();
      if (step.done === true) return { data: items, ...(reader.isLate && { truncated: true }) };
      left -= Buffer.byteLength(JSON.stringify(step.value) ?? "");
      if (items.length === most.items || left < 0) {
        await iterator.return?.();
        return { data: items, truncated: true };
      }
      items.push(step.value);
    }
  } finally {
    clearTimeout(timer);
  }
}
