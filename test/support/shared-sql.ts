import type { EmbeddedEngine } from "../../src/bindings/sql/database/engine.js";
import { openEmbedded, type OpenedEmbedded } from "../../src/bindings/sql/database/pglite.js";
import { createSqlBinding } from "../../src/bindings/sql/index.js";
import type { SchemaFile } from "../../src/bindings/sql/database/schema-files.js";

/** Engines open at once; each takes some 100 MB. */
const most = 4;
/** A process that has no more work for them must be able to end. */
const idleMilliseconds = 2000;

const engines = new Map<string, Promise<OpenedEmbedded>>();
let lastUse: NodeJS.Timeout | undefined;
let users = 0;

/** The SQL kind on engines that several compilations share: booting PostgreSQL takes seconds, and nothing that it is asked changes it. */
export const sharedSqlBinding = createSqlBinding(openShared);

async function openShared(files: readonly SchemaFile[]): Promise<OpenedEmbedded> {
  users += 1;
  clearTimeout(lastUse);
  const key = JSON.stringify(files.map(({ path, text }) => [path, text]));
  const opening = engines.get(key) ?? openEmbedded(files);
  engines.delete(key);
  engines.set(key, opening);
  const opened = await opening;
  if (opened.kind === "faults") {
    engines.delete(key);
    release();
    return opened;
  }
  return { kind: "open", engine: lent(opened.engine) };
}

/** The same object each time: what is known of an engine is kept by it. */
const borrowed = new WeakMap<EmbeddedEngine, EmbeddedEngine>();

function lent(engine: EmbeddedEngine): EmbeddedEngine {
  const known = borrowed.get(engine) ?? { ...engine, close: () => Promise.resolve(release()) };
  borrowed.set(engine, known);
  return known;
}

function release(): void {
  users -= 1;
  if (users > 0) return;
  closeAllBut(most);
  lastUse = setTimeout(() => closeAllBut(0), idleMilliseconds);
  lastUse.unref();
}

function closeAllBut(kept: number): void {
  const waiting = [...engines].slice(0, Math.max(0, engines.size - kept));
  for (const [key, opening] of waiting) {
    engines.delete(key);
    void opening.then((opened) =>
      opened.kind === "open" ? opened.engine.close() : Promise.resolve(),
    );
  }
}
