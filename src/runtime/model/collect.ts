/** What a model is given of answers that are no JSON: models take no streams, and no bytes. */
import { hash } from "node:crypto";
import type { AnyResult } from "../result.js";

/** How much of a stream, or of bytes, a model is given. */
export interface CollectOptions {
  /** Items of a stream; 100 when not given. */
  readonly items?: number;
  /** Bytes: of the items' JSON, or of the bytes themselves; 256 KiB when not given. */
  readonly bytes?: number;
  /** How long items are waited for, in milliseconds; 30,000 when not given. */
  readonly ms?: number;
}

const usual: Required<CollectOptions> = { items: 100, bytes: 256 * 1024, ms: 30_000 };

/** Bytes as a model is given them. */
export interface CollectedBytes {
  /** As many as it may have, from the first. */
  readonly base64: string;
  /** Of all of them. */
  readonly size: number;
  readonly sha256: string;
}

/**
 * An answer as a model is given it: in place of a stream a list of its items, in place of bytes their
 * text, and `truncated` where that is not all.
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
 * @throws RangeError for a limit that is none
 * @throws ToolError when a stream fails
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

/** @throws TypeError */
export function requireLimits(options: CollectOptions = {}): void {
  for (const name of ["items", "bytes", "ms"] as const) {
    const limit = options[name];
    if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0))
      throw new TypeError(`\`collect.${name}\` is a whole number, 0 or more`);
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

/** `setTimeout` takes no longer one. */
const longestMs = 2 ** 31 - 1;

async function collectItems(stream: AsyncIterable<unknown>, most: Required<CollectOptions>) {
  const items: unknown[] = [];
  const iterator = stream[Symbol.asyncIterator]();
  let left = most.bytes;
  const reader = { isLate: false };
  const timer = setTimeout(
    () => {
      reader.isLate = true;
      // Who waits for an item is told that there is none.
      void iterator.return?.();
    },
    Math.min(most.ms, longestMs),
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
