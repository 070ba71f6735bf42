import type { SessionInput } from "../../binding.js";
import type { DatabaseSettings } from "../settings.js";
import type { Engine } from "./engine.js";
import { readSnapshot } from "./read-snapshot.js";
import { DEPENDENCIES } from "./snapshot-queries.js";
import type { Snapshot } from "./snapshot.js";

/** What a server's answers depend on beside what a snapshot holds, as rows. */
export type Dependencies = Awaited<ReturnType<Engine["rows"]>>;

export interface AskedServer {
  readonly engine: Engine;
  readonly snapshot: Snapshot;
  readonly dependencies: Dependencies;
}

/** Connects to the server behind a connection and reads its catalogues; undefined, and reported, when it can't be asked. */
export async function askServer(
  settings: DatabaseSettings,
  input: SessionInput,
): Promise<AskedServer | undefined> {
  const { name } = settings;
  const url = await input.setting(name);
  if (url === undefined) {
    reportUnset(settings, input);
    return undefined;
  }
  input.progress(`asking the server of ${name} for its schema`);
  const { openServer } = await import("./server.js");
  const opened = await openServer(url, settings.statementTimeoutMs);
  if (opened.kind === "open") return readCatalogues(opened.engine, settings, input);
  reportNoAnswer(settings, opened.message, input);
  return undefined;
}

async function readCatalogues(
  engine: Engine,
  settings: DatabaseSettings,
  input: SessionInput,
): Promise<AskedServer | undefined> {
  try {
    const snapshot = await readSnapshot(engine);
    return { engine, snapshot, dependencies: await engine.rows(DEPENDENCIES) };
  } catch (error) {
    // What a server may answer to our own questions is told as it stands; anything else is our mistake.
    const message = error instanceof Error && "code" in error ? error.message : undefined;
    await engine.close();
    if (message === undefined) throw error;
    reportNoAnswer(settings, message, input);
    return undefined;
  }
}

function reportUnset({ name, span }: DatabaseSettings, { report }: SessionInput): void {
  report.add({
    code: "sql/no-server",
    span,
    message: `\`${name}\` is not set, so there is no server to ask for the schema`,
    help:
      "set it in the environment, in .env or, for local development, under `secrets:` in skillc.yaml; " +
      "or give skillc the schema files: `schema: [db/schema.sql]`",
  });
}

/** Nothing is written when there is an error, so nothing was generated. */
export function reportNoAnswer(
  { name, span }: DatabaseSettings,
  message: string,
  { report }: Pick<SessionInput, "report">,
): void {
  report.add({
    code: "sql/no-server",
    span,
    message: `the server of \`${name}\` can't be asked for the schema: ${message}`,
    help: "nothing was generated; put the URL or the server right, or give skillc the schema files: `schema: [db/schema.sql]`",
  });
}
