/**
 * New databases of PGlite start from the image of an empty one. Making one (`initdb`) takes 2 s, reading the image 0.3 s; what is in them is the same. The
 * image is made by the first test that needs one, and kept for later runs.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PGlite, PGliteOptions } from "@electric-sql/pglite";
import { vi } from "vitest";

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
  let image: Promise<Blob> | undefined;
  // Its type depends on the extensions, which are handed on.
  pglite.create = (async (options: PGliteOptions = {}) => {
    if (!isNew(options)) return create(options);
    image ??= readImage(create);
    return create({ ...options, loadDataDir: await image });
  }) as never;
}

/** `initdb` itself starts PostgreSQL, on what it has made. */
function isNew({ dataDir, fs, loadDataDir, noInitDb = false }: PGliteOptions): boolean {
  return dataDir === undefined && fs === undefined && loadDataDir === undefined && !noInitDb;
}

async function readImage(create: () => Promise<PGlite>): Promise<Blob> {
  const path = join(tmpdir(), `skillc-test-pglite-${version()}.tar`);
  if (!existsSync(path)) {
    const db = await create();
    const image = await db.dumpDataDir("none");
    await db.close();
    const own = `${path}.${process.pid}`;
    writeFileSync(own, Buffer.from(await image.arrayBuffer()));
    renameSync(own, path);
  }
  return new Blob([readFileSync(path)], { type: "application/x-tar" });
}

function version(): string {
  const main = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const { version } = JSON.parse(readFileSync(join(dirname(main), "../package.json"), "utf8")) as {
    version: string;
  };
  return version;
}
