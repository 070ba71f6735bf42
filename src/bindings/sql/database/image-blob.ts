import { gunzipSync } from "node:zlib";

/**
 * An image of a database, as PGlite takes one. From a blob of Node.js it reads forty megabytes in streams of small chunks, which costs as much as all else
 * that a start takes; this one has them at hand.
 */
export class ImageBlob extends Blob {
  readonly #tar: Buffer;

  /** @param image a tar file, compressed with gzip */
  constructor(image: Uint8Array) {
    super([], { type: "application/x-tar" });
    this.#tar = gunzipSync(image);
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(new Uint8Array(this.#tar).buffer);
  }
}
