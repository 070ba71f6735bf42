import { abortedError } from "./attempt.js";
import type { CallInProgress } from "./call-in-progress.js";
import { isToolError, ToolError } from "./errors.js";
import type { AnyResult } from "./result.js";
import type { Secret, Secrets } from "./secret.js";
import type { PreparedCall } from "./tool.js";

const noSecrets: Secrets = new Map();

/** The credentials of a call when all were found before: no turn of the event loop is spent on them. */
export function knownSecrets(
  { credentials: names }: PreparedCall<AnyResult>,
  { runtime }: CallInProgress,
): Secrets | undefined {
  if (names.length === 0) return noSecrets;
  const secrets = new Map<string, Secret>();
  for (const name of names) {
    const secret = runtime.credentials.known(name);
    if (secret === undefined) return undefined;
    secrets.set(name, secret);
  }
  return secrets;
}

/**
 * The credentials of a call.
 *
 * @throws ToolError `CREDENTIAL.MISSING` when there isn't one; when the caller aborts, or the call's time is up before functions have answered
 */
export async function findSecrets(
  prepared: PreparedCall<AnyResult>,
  call: CallInProgress,
): Promise<Secrets> {
  const found = await lookUp(prepared, call);
  const missing = found.filter(({ secret }) => secret === undefined);
  if (missing.length > 0) throw missingError(missing, call);
  return secretsOf(found);
}

/** Those that there are, for a call that sends nothing: a value that no function gave in time can't be in its record. */
export async function lookUpSecrets(
  prepared: PreparedCall<AnyResult>,
  call: CallInProgress,
): Promise<Secrets> {
  try {
    return secretsOf(await lookUp(prepared, call));
  } catch (error) {
    if (isToolError(error, "PROVIDER.TIMEOUT")) return noSecrets;
    throw error;
  }
}

interface Found {
  readonly name: string;
  readonly secret: Secret | undefined;
  /** Why not, when a function failed. */
  readonly fault?: { readonly cause: unknown };
}

function secretsOf(found: readonly Found[]): Secrets {
  return new Map(found.flatMap(({ name, secret }) => (secret ? [[name, secret] as const] : [])));
}

/** As long as an attempt may take, and the caller waits: an application's function may never answer. */
async function lookUp(
  { credentials: names }: PreparedCall<AnyResult>,
  call: CallInProgress,
): Promise<readonly Found[]> {
  const over = new AbortController();
  const { signal } = call.options;
  const { timeoutMs } = call.tool;
  const abort = () => over.abort(abortedError(call));
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => over.abort(timeoutError(call, timeoutMs)), timeoutMs);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.all(names.map((name) => find(name, call, over.signal)));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

async function find(name: string, call: CallInProgress, signal: AbortSignal): Promise<Found> {
  try {
    return { name, secret: await call.runtime.credentials.find(name, signal) };
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    return { name, secret: undefined, fault: { cause } };
  }
}

function timeoutError({ toolId }: CallInProgress, timeoutMs: number): ToolError {
  return new ToolError(
    toolId,
    { code: "PROVIDER.TIMEOUT", timeoutMs },
    `\`${toolId}\` was not sent: the functions for its credentials had not answered within ${timeoutMs} ms`,
  );
}

function missingError(missing: readonly Found[], { runtime, toolId }: CallInProgress): ToolError {
  const { credentials } = runtime;
  const failed = missing.filter(({ fault }) => fault !== undefined);
  const unset = missing.filter(({ name }) => !credentials.isAsked(name));
  const empty = missing.filter((each) => !failed.includes(each) && !unset.includes(each));
  const why = [
    ...(unset.length === 0 ? [] : [unsetMessage(unset, toolId)]),
    ...(empty.length === 0
      ? []
      : [`the function for ${listed(empty)} gave \`${toolId}\` no value`]),
    ...(failed.length === 0 ? [] : [`the function for ${listed(failed)} failed for \`${toolId}\``]),
  ];
  const [fault] = failed.flatMap((each) => each.fault ?? []);
  return new ToolError(
    toolId,
    { code: "CREDENTIAL.MISSING", names: missing.map(({ name }) => name) },
    why.join("; "),
    fault,
  );
}

function unsetMessage(unset: readonly Found[], toolId: string): string {
  const [are, them] = unset.length === 1 ? ["is", "it"] : ["are", "them"];
  return (
    `${listed(unset)} ${are} not set for \`${toolId}\`: give ${them} to the runtime (\`configure({ credentials })\`), set ${them} in the environment or in .env, ` +
    "or, for local development, under `secrets:` in skillc.yaml"
  );
}

function listed(found: readonly Found[]): string {
  return found.map(({ name }) => `\`${name}\``).join(", ");
}
