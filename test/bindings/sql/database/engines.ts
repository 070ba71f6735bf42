import type { EmbeddedEngine } from "../../../../src/bindings/sql/database/engine.js";
import { openEmbedded } from "../../../../src/bindings/sql/database/pglite.js";

/** Opens an embedded engine with a schema that must load. */
export async function embedded(...texts: readonly string[]): Promise<EmbeddedEngine> {
  const opened = await openEmbedded(texts.map((text, index) => ({ path: `${index}.sql`, text })));
  if (opened.kind === "errors") throw new Error(JSON.stringify(opened.errors));
  return opened.engine;
}
