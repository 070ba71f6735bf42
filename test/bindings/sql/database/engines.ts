import type { EmbeddedEngine } from "../../../../src/bindings/sql/database/engine.js";
import { openEmbedded } from "../../../../src/bindings/sql/database/pglite.js";
import { openServer } from "../../../../src/bindings/sql/database/server.js";

/** A server to test against, when one is there: `SKILLC_TEST_POSTGRES`, or one on this machine. */
export const SERVER_URL =
  process.env["SKILLC_TEST_POSTGRES"] ?? "postgres://postgres@127.0.0.1:5432/test";

export async function hasServer(): Promise<boolean> {
  const opened = await openServer(SERVER_URL);
  if (opened.kind === "open") await opened.engine.close();
  return opened.kind === "open";
}

/** An embedded engine with a schema that must load. */
export async function embedded(...texts: readonly string[]): Promise<EmbeddedEngine> {
  const opened = await openEmbedded(texts.map((text, index) => ({ path: `${index}.sql`, text })));
  if (opened.kind === "faults") throw new Error(JSON.stringify(opened.faults));
  return opened.engine;
}
