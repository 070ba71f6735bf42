import { Readable } from "node:stream";
import type { GivenFile } from "../../runtime/executor.js";

/** Bytes that are there, and files, in the order in which they are sent. */
export type Piece = Uint8Array | GivenFile;

/** Checks if a file's bytes have not been read yet. */
function isOpen(piece: Piece): piece is GivenFile {
  return !(piece instanceof Uint8Array) && piece.bytes === undefined;
}

/** Pieces as a body: bytes where all are there, else a stream, which has no length before its end. */
export function wireBody(pieces: readonly Piece[]): Uint8Array | Readable {
  if (pieces.some(isOpen)) return streamOf(pieces);
  const [only, ...others] = pieces.map(bytesOf);
  return only !== undefined && others.length === 0 ? only : Buffer.concat(pieces.map(bytesOf));
}

function bytesOf(piece: Piece): Uint8Array {
  return piece instanceof Uint8Array ? piece : (piece.bytes ?? new Uint8Array());
}

/**
 * Its error, when it fails, is a `RefusedValue`. Destroyed, it lets go of the files at once, though
 * one may never give the chunk that is waited for.
 */
function streamOf(pieces: readonly Piece[]): Readable {
  const files = pieces.filter(isOpen);
  const chunks = chunksOf(pieces, files[0]?.most ?? 0);
  const stream = new Readable({
    read() {
      chunks.next().then(
        ({ done, value }) => stream.push(done === true ? null : value),
        // Files only throw errors.
        (error: unknown) => stream.destroy(error as Error),
      );
    },
    destroy(error, ended) {
      for (const each of files) each.cancel();
      ended(error);
    },
  });
  // The sender handles errors. If there is no sender any more, errors are ignored.
  stream.on("error", () => undefined);
  return stream;
}

async function* chunksOf(pieces: readonly Piece[], most: number): AsyncGenerator<Uint8Array> {
  let left = pieces.reduce(
    (rest, each) => (each instanceof Uint8Array ? rest : rest - (each.size ?? 0)),
    most,
  );
  const take = (bytes: number) => (left -= bytes);
  for (const piece of pieces) {
    if (!isOpen(piece)) yield bytesOf(piece);
    else yield* piece.chunks(take);
  }
}
