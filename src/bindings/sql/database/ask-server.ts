import type { SessionInput } from "../../../kit/kind-engine.js";
import type { DatabaseSettings } from "../settings.js";
import type { Engine } from "./engine.js";
import { DEPENDENCIES, readSnapshot } from "./read-snapshot.js";
import type { Snapshot } from "./snapshot.js";

/** Rows of server state that its answers depend on and a snapshot does not contain. */
export type Dependencies = Awaited<ReturnType<Engine["rows"]>>;

export interface ServerSchema {
  readonly engine: Engine;
  readonly snapshot: Snapshot;
  readonly dependencies: Dependencies;
}

/**
 * Connects to a connection's server and reads its system catalogs. If that fails, reports it and
 * returns undefined.
 */
export function askServer(
  settings: DatabaseSettings,
  input: AskInput,
): Promise<ServerSchema | undefined> {
  return withServer(settings, input, [], async (engine) => ({
    engine,
    snapshot: await readSnapshot(engine),
    dependencies: await engine.rows(DEPENDENCIES),
  }));
}

export type AskInput = Pick<SessionInput, "progress" | "setting"> & {
  /** Reports why the server can't be used; `help` says what to do instead. */
  readonly refuse: (message: string, help: string) => void;
};

/**
 * Connects to a connection's server and runs `ask` on it. If that fails, closes the engine, reports
 * the failure and returns undefined.
 *
 * @param beginning statements to begin with
 */
export async function withServer<Answer>(
  { name, statementTimeoutMs }: Pick<DatabaseSettings, "name" | "statementTimeoutMs">,
  { progress, refuse, setting }: AskInput,
  beginning: readonly string[],
  ask: (engine: Engine) => Promise<Answer>,
): Promise<Answer | undefined> {
  const url = await setting(name);
  if (url === undefined) {
    refuse(`\`${name}\` is not set, so skillc knows no server to ask for the schema`, howToSet);
    return undefined;
  }
  progress(`asking the server of ${name} for its schema`);
  const { openServer } = await import("./server.js");
  const opened = await openServer(url, statementTimeoutMs, beginning);
  if (opened.kind === "unreachable") {
    refuse(...noAnswer(name, opened.message));
    return undefined;
  }
  try {
    return await ask(opened.engine);
  } catch (error) {
    // An error with a code comes from the server or the driver and is reported. Any other is a bug
    // here.
    const message = error instanceof Error && "code" in error ? error.message : undefined;
    await opened.engine.close();
    if (message === undefined) throw error;
    refuse(...noAnswer(name, message));
    return undefined;
  }
}

const howToSet =
  "set it in the environment, in .env or, for local development, under `secrets:` in skillc.yaml";

/** Message and help for a server that doesn't answer, or stopped answering. */
export function noAnswer(name: string, message: string): [message: string, help: string] {
  return [
    `can't read the schema from the server of \`${name}\`: ${message}`,
    "correct the URL, or start the server",
  ];
}
