/** The image of an empty database that the build makes, in the form that PGlite reads. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

/**
 * Path of the image of an empty database. The name contains the version of PGlite, because an image
 * fits only the version that made it. With another version the file is missing, and a new database
 * is made instead.
 */
export function emptyImagePath(): string {
  const main = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const facts = join(dirname(main), "../package.json");
  // npm wrote this package.json, so `version` is a string.
  const { version } = createRequire(import.meta.url)(facts) as { readonly version: string };
  return fileURLToPath(new URL(`../../../../dist/empty-pglite-${version}.tgz`, import.meta.url));
}

/**
 * Reads the image that new databases start from; undefined if the build has none. Making a database
 * takes 3 s and 400 MB; reading the image takes 0.5 s.
 */
export async function emptyImage(): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return new Uint8Array(await readFile(emptyImagePath()));
  } catch {
    return undefined;
  }
}

/**
 * An image of a database, as PGlite expects it. PGlite would stream forty megabytes from a Node.js
 * blob in small chunks, which doubles the time of a start. This blob returns its bytes at once.
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
