import { isWellFormedMediaType } from "./media-type.js";
import { type FileRules, type FileWords, GivenFile, maxBytesOf } from "./tool-file.js";
import { RefusedValue } from "../call/refused-value.js";

/** Streams that calls have received. No stream can be read twice. */
const given = new WeakSet<object>();

const sources = ["path", "base64", "bytes", "stream"] as const;
const words = ["name", "type"] as const;

/**
 * Makes a `GivenFile` from a caller's description. Bytes are copied and base64 is decoded, so that
 * later changes by the caller have no effect; a path is read later.
 *
 * @param pointer JSON pointer to the parameter
 * @throws RefusedValue if the value does not describe a file, or has a path that the caller must not
 * name
 */
export function giveFile(value: object, pointer: string, rules: FileRules): GivenFile {
  const most = maxBytesOf(rules);
  const at = { pointer, most };
  const refused = (message: string) => new RefusedValue(pointer, "file", message);
  if (value instanceof Uint8Array) throw refused("must be a file: pass `{ bytes }`");
  const all = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(value).filter((key) => all[key] !== undefined);
  const found = sources.filter((each) => keys.includes(each));
  const [source] = found;
  if (source === undefined || found.length > 1)
    throw refused(
      rules.contentOnly === true
        ? "must have `base64`"
        : "must have one of `path` and `base64` (from code also `bytes` and `stream`)",
    );
  if (keys.length > 1 + words.filter((each) => keys.includes(each)).length)
    throw refused(`has other fields than \`${source}\`, \`name\` and \`type\``);
  const metadata = wordsOf(all, refused);
  const content = all[source];
  switch (source) {
    case "path":
      if (rules.contentOnly === true)
        throw refused("must have its content as `base64`: this caller must not name a path");
      if (typeof content !== "string" || content === "") throw refused("must have text as `path`");
      return new GivenFile(at, { ...metadata, path: content }, { kind: "path" });
    case "base64":
      return new GivenFile(at, metadata, { kind: "bytes", bytes: decoded(content, most, refused) });
    case "bytes":
      if (!(content instanceof Uint8Array)) throw refused("must have a `Uint8Array` as `bytes`");
      if (content.byteLength > most) throw refused(tooLong(most));
      return new GivenFile(at, metadata, { kind: "bytes", bytes: Uint8Array.from(content) });
    case "stream": {
      const chunks = chunksOf(content);
      if (chunks === undefined || typeof content !== "object" || content === null)
        throw refused("must have a stream of bytes as `stream`");
      if (given.has(content)) throw refused("is a stream that another call already has");
      given.add(content);
      return new GivenFile(at, metadata, { kind: "stream", chunks });
    }
  }
}

type Refuse = (message: string) => RefusedValue;

function wordsOf(all: Readonly<Record<string, unknown>>, refused: Refuse): FileWords {
  const { name, type } = all;
  if (name !== undefined && (typeof name !== "string" || name === "" || !name.isWellFormed()))
    throw refused("must have well-formed text as `name`");
  if (type !== undefined && (typeof type !== "string" || !isWellFormedMediaType(type)))
    throw refused("must have a media type as `type`, such as `image/png`");
  return { ...(name !== undefined && { name }), ...(type !== undefined && { type }) };
}

/** Decodes base64 strictly, because a lenient decoder would skip invalid characters. */
function decoded(text: unknown, most: number, refused: Refuse): Uint8Array {
  if (typeof text !== "string") throw refused("must have text as `base64`");
  // Four characters encode three bytes.
  if (text.length > Math.ceil(most / 3) * 4) throw refused(tooLong(most));
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64") !== text)
    throw refused("must have base64 as `base64`: of RFC 4648, padded, without line ends");
  if (bytes.byteLength > most) throw refused(tooLong(most));
  return bytes;
}

export function tooLong(most: number): string {
  return `exceeds the limit of ${most} bytes for the files of a call`;
}

/** Returns a function that reads a stream; undefined if the value is not a stream. */
function chunksOf(value: unknown): (() => AsyncIterator<Uint8Array>) | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  // Chunks are checked when they arrive.
  if (Symbol.asyncIterator in value) return () => iteratorOf(value as AsyncIterable<Uint8Array>);
  if (!("getReader" in value)) return undefined;
  return () => readerOf(value as Parameters<typeof readerOf>[0]);
}

/**
 * Reads an async iterable. A Node stream is destroyed at an early end, because its iterator would
 * first wait for a chunk.
 */
function iteratorOf(stream: AsyncIterable<Uint8Array>): AsyncIterator<Uint8Array> {
  const iterator = stream[Symbol.asyncIterator]();
  return {
    next: () => iterator.next(),
    async return() {
      if ("destroy" in stream && typeof stream.destroy === "function") stream.destroy();
      else await iterator.return?.();
      return { done: true, value: undefined };
    },
  };
}

function readerOf(stream: {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    cancel(): Promise<void>;
  };
}): AsyncIterator<Uint8Array> {
  const reader = stream.getReader();
  return {
    async next() {
      const { done, value } = await reader.read();
      return done || value === undefined
        ? { done: true, value: undefined }
        : { done: false, value };
    },
    async return() {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}
