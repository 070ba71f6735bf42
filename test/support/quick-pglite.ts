/**
 * Starts new databases of PGlite from an image of an empty database, which the build makes.
 * `initdb` would take 2 s, and reading the image takes 0.3 s. The databases have the same content.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { PGlite, PGliteOptions } from "@electric-sql/pglite";
import { vi } from "vitest";
import { emptyImage, ImageBlob } from "../../src/bindings/sql/database/empty-image.js";

type Pglite = typeof PGlite & { isQuick?: true };

vi.mock("@electric-sql/pglite", async (importOriginal) => {
  const original = await importOriginal<{ readonly PGlite: Pglite }>();
  quicken(original.PGlite);
  return original;
});

/** Changes the class once, because many test files share one process and so the class. */
function quicken(pglite: Pglite): void {
  if (pglite.isQuick) return;
  pglite.isQuick = true;
  const create = pglite.create.bind(pglite);
  let image: Promise<Blob | undefined> | undefined;
  // The type depends on the extensions, which the new function passes on.
  pglite.create = (async (options: PGliteOptions = {}) => {
    if (!isNew(options)) return create(options);
    const loadDataDir = await (image ??= readImage());
    return create(loadDataDir === undefined ? options : { ...options, loadDataDir });
  }) as never;
}

/** True if a database needs `initdb`. The PostgreSQL that `initdb` starts does not. */
function isNew({ dataDir, fs, loadDataDir, noInitDb = false }: PGliteOptions): boolean {
  if (fs !== undefined || loadDataDir !== undefined || noInitDb) return false;
  return dataDir === undefined || !existsSync(join(dataDir, "PG_VERSION"));
}

/** Reads the image; undefined before the first build. */
async function readImage(): Promise<Blob | undefined> {
  const image = await emptyImage();
  return image && new ImageBlob(image);
}
