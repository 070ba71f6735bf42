/** The image of an empty database that comes with the build, and how PGlite is handed one. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

/**
 * Where the image of an empty database stands that comes with this build. It is that of one version
 * of PGlite: with another, its name is not there, and a new database is made.
 */
export function emptyImagePath(): string {
  const main = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const facts = join(dirname(main), "../package.json");
  // A package.json that npm wrote.
  const { version } = createRequire(import.meta.url)(facts) as { readonly version: string };
  return fileURLToPath(new URL(`../../../../dist/empty-pglite-${version}.tgz`, import.meta.url));
}

/**
 * What a new database starts from: making one takes 3 s and 400 MB, reading the image 0.5 s.
 * Undefined where the build has none.
 */
export async function emptyImage(): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return new Uint8Array(await readFile(emptyImagePath()));
  } catch {
    return undefined;
  }
}

/**
 * An image of a database, as PGlite takes one. From a blob of Node.js it reads forty megabytes in
 * streams of small chunks, which costs as much as all else that a start takes; this one has them at
 * hand.
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
