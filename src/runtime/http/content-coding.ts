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

/** Stacking more is never useful, and each layer multiplies what a few bytes can grow to. */
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
 * `deflate` means zlib's format (RFC 9110, 8.4.1.2), but many servers send the bare stream; the
 * first byte tells them apart.
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
 * The content codings to undo, in the order in which they were applied; undefined when there are
 * none.
 *
 * @param header `Content-Encoding`
 */
export function codingsOf(header: string | undefined): readonly string[] | undefined {
  if (header === undefined) return undefined;
  const codings = header
    .split(",")
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== "" && each !== "identity");
  return codings.length === 0 ? undefined : codings;
}

/** Of bodies that are read while they come. */
const decoderStreams: ReadonlyMap<string, () => Transform> = new Map([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  ["deflate", () => createInflate()],
  ["br", () => createBrotliDecompress()],
]);

/**
 * What undoes content codings of a body while it comes, each to be fed by the one before it.
 *
 * @throws UnreadableAnswer for a coding that is not known
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
 * Undoes content codings: gzip, deflate, br.
 *
 * @param most bytes that any layer may come to
 * @throws UnreadableAnswer for a coding that is not known, damaged data, or more than `most`
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
      // A bound that zlib doesn't take says nothing of the body.
      if (error instanceof RangeError) throw error;
      throw new UnreadableAnswer(`the body is not valid ${coding}`);
    });
  }
  return at;
}

function isTooLong(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}
