import type { Client } from "pg";
import { ServerSession } from "./server-session.js";

/** What DISCARD ALL does, but in one message with the rest: it has to stand alone. */
const clean: readonly string[] = [
  "SET SESSION AUTHORIZATION DEFAULT",
  "RESET ALL",
  "CLOSE ALL",
  "UNLISTEN *",
  "SELECT pg_advisory_unlock_all()",
  "DISCARD TEMP",
  "DISCARD SEQUENCES",
  "DEALLOCATE ALL",
];

interface ReportedSettings {
  /** What sets those that are ours. */
  readonly ours: readonly string[];
  /** As they were when the session was made ready. */
  readonly own: Map<string, string>;
  readonly changed: Set<string>;
  isReady: boolean;
}

const reported = new WeakMap<Client, ReportedSettings>();

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/**
 * Follows the settings of which the server reports every change (`DateStyle`, `TimeZone`…): that costs nothing. To be called before the login.
 *
 * @param ours what the session is to be set to
 */
export function watchSettings(client: Client, ours: readonly string[]): void {
  const own = new Map<string, string>();
  const changed = new Set<string>();
  const settings: ReportedSettings = { ours, own, changed, isReady: false };
  reported.set(client, settings);
  client.connection.on("parameterStatus", (status: ParameterStatus) => {
    const { parameterName: name, parameterValue: value } = status;
    if (!settings.isReady) own.set(name, value);
    else if (own.get(name) === value) changed.delete(name);
    else changed.add(name);
  });
}

/** Sets what every session is set to. */
export async function makeReady(client: Client): Promise<void> {
  const settings = reported.get(client);
  await client.query(oursOf(client).join("; "));
  if (settings !== undefined) settings.isReady = true;
}

function oursOf(client: Client): readonly string[] {
  return reported.get(client)?.ours ?? [];
}

/** Whether a statement has left a setting as it wasn't. */
export function hasChanged(client: Client): boolean {
  return (reported.get(client)?.changed.size ?? 0) > 0;
}

/** Makes the session what it was after the login: settings, locks, temporary tables. @throws ServerFault | LostConnection */
export async function restore(client: Client): Promise<void> {
  await new ServerSession(client).exchange({ before: [...clean, ...oursOf(client)], after: [] });
}
