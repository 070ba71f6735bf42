import { Readable } from "node:stream";
import type { GivenFile } from "../../runtime/executor.js";

/** Bytes, or a file, to send. */
export type Piece = Uint8Array | GivenFile;

/** Checks if a file's bytes have not been read yet. */
function isOpen(piece: Piece): piece is GivenFile {
  return !(piece instanceof Uint8Array) && piece.bytes === undefined;
}

/** Makes a body of pieces: bytes if all pieces are bytes, otherwise a stream of unknown length. */
export function wireBody(pieces: readonly Piece[]): Uint8Array | Readable {
  if (pieces.some(isOpen)) return streamOf(pieces);
  const [only, ...others] = pieces.map(bytesOf);
  return only !== undefined && others.length === 0 ? only : Buffer.concat(pieces.map(bytesOf));
}

function bytesOf(piece: Piece): Uint8Array {
  return piece instanceof Uint8Array ? piece : (piece.bytes ?? new Uint8Array());
}

/**
 * Makes a stream whose error is a `RefusedValue`. If the stream is destroyed, it releases the files
 * at once, even if a file never yields its next chunk.
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
