/** DBOS in the process of a test, and what it stores. */
import { randomUUID } from "node:crypto";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { onTestFinished } from "vitest";
import type { OwnDatabase } from "../../../../support/postgres.js";

/**
 * Launches DBOS on a database. It is shut down when the test ends.
 *
 * @param version only a process of the same version recovers a workflow
 */
export async function launch<Registered>(
  url: string,
  register: () => Registered,
  version: string = randomUUID(),
): Promise<Registered> {
  DBOS.setConfig({
    name: "desk",
    systemDatabaseUrl: url,
    logger: silent,
    applicationVersion: version,
  });
  const registered = register();
  await DBOS.launch();
  onTestFinished(() => DBOS.shutdown({ deregister: true }));
  return registered;
}

const silent = { info() {}, debug() {}, warn() {}, error() {} };

/** Shuts DBOS down, as at the end of a process. */
export async function shutDown(): Promise<void> {
  await DBOS.shutdown({ deregister: true });
}

/** Everything that DBOS has stored, as text. */
export async function storedBy({ run }: OwnDatabase): Promise<string> {
  const tables = await run(
    "SELECT table_name FROM information_schema.tables WHERE table_schema = 'dbos'",
  );
  const rows = await Promise.all(
    tables.map(({ table_name: table }) => run(`SELECT t::text FROM dbos.${String(table)} t`)),
  );
  return JSON.stringify(rows);
}

/** Names and marks of a workflow's steps. */
export async function stepsOf(id: string): Promise<readonly (readonly [string, unknown])[]> {
  const steps = (await DBOS.listWorkflowSteps(id)) ?? [];
  return steps.map(({ name, output }) => [name, output] as const);
}

/** Waits until something holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Waits until a workflow waits for a message. */
export async function untilItWaits(id: string, times = 1): Promise<void> {
  await until(async () => {
    const steps = await stepsOf(id);
    return steps.filter(([name]) => name === "DBOS.sleep").length >= times;
  });
}
