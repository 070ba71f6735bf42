import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Where the image of an empty database stands that comes with this build. It is that of one version of PGlite: with another, its name is not there, and a new
 * database is made.
 */
export function emptyImagePath(): string {
  const main = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const facts = join(dirname(main), "../package.json");
  // A package.json that npm wrote.
  const { version } = createRequire(import.meta.url)(facts) as { readonly version: string };
  return fileURLToPath(new URL(`../../../../dist/empty-pglite-${version}.tgz`, import.meta.url));
}

/** What a new database starts from: making one takes 3 s and 400 MB, reading the image 0.5 s. Undefined where the build has none. */
export async function emptyImage(): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return new Uint8Array(await readFile(emptyImagePath()));
  } catch {
    return undefined;
  }
}
