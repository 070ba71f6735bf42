/**
 * New databases of PGlite start from the image of an empty one that comes with the build. Making one (`initdb`) takes 2 s, reading the image 0.3 s; what is in
 * them is the same.
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

/** Many test files share one process, and the class. */
function quicken(pglite: Pglite): void {
  if (pglite.isQuick) return;
  pglite.isQuick = true;
  const create = pglite.create.bind(pglite);
  let image: Promise<Blob | undefined> | undefined;
  // Its type depends on the extensions, which are handed on.
  pglite.create = (async (options: PGliteOptions = {}) => {
    if (!isNew(options)) return create(options);
    const loadDataDir = await (image ??= readImage());
    return create(loadDataDir === undefined ? options : { ...options, loadDataDir });
  }) as never;
}

/** `initdb` itself starts PostgreSQL, on what it has made. */
function isNew({ dataDir, fs, loadDataDir, noInitDb = false }: PGliteOptions): boolean {
  if (fs !== undefined || loadDataDir !== undefined || noInitDb) return false;
  return dataDir === undefined || !existsSync(join(dataDir, "PG_VERSION"));
}

/** Undefined before the first build. */
async function readImage(): Promise<Blob | undefined> {
  const image = await emptyImage();
  return image && new ImageBlob(image);
}
