import { inspect } from "node:util";
import type { Scrubber } from "./scrubber.js";

/** Maximum number of parts of a value that is searched. */
const maxValues = 10_000;

/** Maximum number of bytes in a value that is searched. */
const maxBytes = 2 ** 20;

/** Depth to which nested objects are printed. */
const printedDepth = 8;

/**
 * Returns whether a secret is visible if a value is printed, written as JSON, or read property by
 * property. Also true if the value can't be searched.
 */
export function showsSecret(value: unknown, { scrub }: Pick<Scrubber, "scrub">): boolean {
  if (typeof value !== "object" && typeof value !== "function") return holds(String(value), scrub);
  try {
    // Search the parts first, because that has limits. Printing and writing take time in the
    // value's size.
    return hasSecretPart(value, scrub) || holds(printed(value), scrub) || holds(json(value), scrub);
  } catch {
    return true;
  }
}

function holds(text: string, scrub: Scrubber["scrub"]): boolean {
  return scrub(text) !== text;
}

/**
 * Prints a value, which shows the content of `Headers`, `Request`, `URLSearchParams` and similar
 * objects.
 */
function printed(value: unknown): string {
  return inspect(value, {
    depth: printedDepth,
    showHidden: true,
    maxArrayLength: Infinity,
    maxStringLength: Infinity,
    breakLength: Infinity,
  });
}

/** Writes JSON; empty text for a cyclic value, which can't be written. */
function json(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

function hasSecretPart(root: unknown, scrub: Scrubber["scrub"]): boolean {
  const seen = new Set<unknown>();
  const waiting: unknown[] = [root];
  let bytes = 0;
  for (const value of waiting) {
    if (typeof value === "string" && holds(value, scrub)) return true;
    if ((typeof value !== "object" && typeof value !== "function") || value === null) continue;
    if (seen.has(value)) continue;
    seen.add(value);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
      bytes += value.byteLength;
      if (bytes > maxBytes || bytesHoldSecret(value, scrub)) return true;
      continue;
    }
    waiting.push(...partsOf(value));
    if (waiting.length > maxValues) return true;
  }
  return false;
}

/** Returns whether bytes contain a secret, read as UTF-8, Latin-1 or UTF-16. */
export function bytesHoldSecret(
  value: ArrayBufferView | ArrayBuffer,
  scrub: Scrubber["scrub"],
): boolean {
  const bytes = ArrayBuffer.isView(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Buffer.from(value);
  return (["utf8", "latin1", "utf16le"] as const).some((each) =>
    holds(bytes.toString(each), scrub),
  );
}

/**
 * Returns every own value, including hidden ones such as an error's message and causes, the content
 * of maps and sets, and what `for…in` finds.
 */
function partsOf(value: object): readonly unknown[] {
  const own = Reflect.ownKeys(value).flatMap((key) => [
    key,
    Object.getOwnPropertyDescriptor(value, key)?.value as unknown,
  ]);
  const inherited: unknown[] = [];
  for (const key in value) {
    const each = readable(value, key);
    // A class's methods contain no data of the object.
    if (typeof each !== "function") inherited.push(key, each);
  }
  const held = value instanceof Map || value instanceof Set ? [...value].flat() : [];
  return [...own, ...inherited, ...held];
}

/** A getter may throw, and then printing can't show its value either. */
function readable(value: object, key: string): unknown {
  try {
    return Reflect.get(value, key);
  } catch {
    return undefined;
  }
}
