import { inspect } from "node:util";
import type { Scrubber } from "./scrubber.js";

/** A value with more parts than these is not looked through. */
const maxValues = 10_000;

/** Nor is a value that holds more bytes than these. */
const maxBytes = 2 ** 20;

/** Objects in objects are printed so far. */
const printedDepth = 8;

/**
 * Whether a secret shows if a value is printed, written as JSON, or read property by property.
 * Also true of a value that can't be looked through.
 */
export function showsSecret(value: unknown, { scrub }: Pick<Scrubber, "scrub">): boolean {
  if (typeof value !== "object" && typeof value !== "function") return holds(String(value), scrub);
  try {
    // First, since it ends: printing and writing take as long as the value is large.
    return hasSecretPart(value, scrub) || holds(printed(value), scrub) || holds(json(value), scrub);
  } catch {
    return true;
  }
}

function holds(text: string, scrub: Scrubber["scrub"]): boolean {
  return scrub(text) !== text;
}

/** Finds what is inside of `Headers`, `Request`, `URLSearchParams` and the like. */
function printed(value: unknown): string {
  return inspect(value, {
    depth: printedDepth,
    showHidden: true,
    maxArrayLength: Infinity,
    maxStringLength: Infinity,
    breakLength: Infinity,
  });
}

/** Empty for a value that holds itself: nobody can write it as JSON. */
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

/** Whether a secret stands in bytes, read as text of UTF-8, of Latin-1 or of UTF-16. */
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
 * Every own value, those that don't show included, such as an error's words and causes, what maps
 * and sets hold, and what `for…in` finds.
 */
function partsOf(value: object): readonly unknown[] {
  const own = Reflect.ownKeys(value).flatMap((key) => [
    key,
    Object.getOwnPropertyDescriptor(value, key)?.value as unknown,
  ]);
  const inherited: unknown[] = [];
  for (const key in value) {
    const each = readable(value, key);
    // Methods of a class hold nothing of an object's own.
    if (typeof each !== "function") inherited.push(key, each);
  }
  const held = value instanceof Map || value instanceof Set ? [...value].flat() : [];
  return [...own, ...inherited, ...held];
}

/** A getter may throw: then nobody can print what it has. */
function readable(value: object, key: string): unknown {
  try {
    return Reflect.get(value, key);
  } catch {
    return undefined;
  }
}
