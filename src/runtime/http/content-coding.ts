import { promisify } from "node:util";
import type { Transform } from "node:stream";
import {
  type BrotliOptions,
  brotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  gunzip,
  inflate,
  inflateRaw,
  type ZlibOptions,
} from "node:zlib";
import { UnreadableAnswer } from "../errors.js";

/** Maximum number of codings. More are never useful, and each one multiplies the possible size. */
const maxLayers = 3;

type Decoder = (
  body: Uint8Array,
  options: { readonly maxOutputLength: number },
) => Promise<Uint8Array>;

const unzip: Decoder = promisify<Uint8Array, ZlibOptions, Uint8Array>(gunzip);
const unwrap: Decoder = promisify<Uint8Array, ZlibOptions, Uint8Array>(inflate);
const unwrapRaw: Decoder = promisify<Uint8Array, ZlibOptions, Uint8Array>(inflateRaw);
const unbrotli: Decoder = promisify<Uint8Array, BrotliOptions, Uint8Array>(brotliDecompress);

/**
 * Decodes `deflate`. It means zlib's format (RFC 9110, 8.4.1.2), but many servers send the raw
 * stream; the first byte distinguishes them.
 */
const inflateEither: Decoder = (body, options) =>
  ((body[0] ?? 0) & 0x0f) === 8 ? unwrap(body, options) : unwrapRaw(body, options);

const wholeDecoders: ReadonlyMap<string, Decoder> = new Map([
  ["gzip", unzip],
  ["x-gzip", unzip],
  ["deflate", inflateEither],
  ["br", unbrotli],
]);

/**
 * Returns the content codings in the order in which they were applied; undefined if there are none.
 *
 * @param header value of `Content-Encoding`
 */
export function codingsOf(header: string | undefined): readonly string[] | undefined {
  if (header === undefined) return undefined;
  const codings = header
    .split(",")
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== "" && each !== "identity");
  return codings.length === 0 ? undefined : codings;
}

/** Decoders for bodies that are read as streams. */
const decoderStreams: ReadonlyMap<string, () => Transform> = new Map([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  ["deflate", () => createInflate()],
  ["br", () => createBrotliDecompress()],
]);

/**
 * Returns the decoders of a streamed body; pipe each one into the next.
 *
 * @throws UnreadableAnswer if a coding is unknown
 */
export function decoders(codings: readonly string[]): readonly Transform[] {
  if (codings.length > maxLayers) throw tooManyLayers();
  return codings.toReversed().map((coding) => {
    const create = decoderStreams.get(coding);
    if (create === undefined) throw unknownCoding();
    return create();
  });
}

function tooManyLayers(): UnreadableAnswer {
  return new UnreadableAnswer(`the body is encoded more than ${maxLayers} times`);
}

function unknownCoding(): UnreadableAnswer {
  return new UnreadableAnswer("the body has an unknown content encoding");
}

/**
 * Decodes a body: gzip, deflate, br.
 *
 * @param most maximum size after each decoding, in bytes
 * @throws UnreadableAnswer if a coding is unknown, the data are damaged, or the size exceeds `most`
 */
export async function decompress(
  body: Uint8Array,
  codings: readonly string[],
  most: number,
): Promise<Uint8Array> {
  if (codings.length > maxLayers) throw tooManyLayers();
  let at = body;
  for (const coding of codings.toReversed()) {
    const decode = wholeDecoders.get(coding);
    if (decode === undefined) throw unknownCoding();
    at = await decode(at, { maxOutputLength: most }).catch((error: unknown) => {
      if (isTooLong(error)) throw UnreadableAnswer.tooLong(most);
      // zlib rejects the limit itself, which is not a fault of the body.
      if (error instanceof RangeError) throw error;
      throw new UnreadableAnswer(`the body is not valid ${coding}`);
    });
  }
  return at;
}

function isTooLong(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}
