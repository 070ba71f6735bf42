import { noSecrets, type Secret, type Secrets } from "../../credentials/secret.js";
import { isToolError, type ToolError } from "../../errors.js";
import { onAborted } from "../../on-aborted.js";
import { abortedError, callError } from "../call-error.js";
import type { Call } from "../call.js";
import { keptCredentials } from "../../rollback/backups/kept-credentials.js";
import { isShadowed } from "./shadow.js";

/**
 * Finds the credentials that the request names. It calls the application's functions and may wait
 * for them.
 *
 * @throws ToolError `CREDENTIAL.MISSING` if a credential is missing; also if the caller aborts, or
 * the functions don't answer within the time limit
 */
export function credentials(call: Call): undefined | Promise<void> {
  const names = neededNames(call);
  if (call.preflight !== undefined) return findUnasked(names, call);
  const known = knownSecrets(names, call);
  if (known === undefined) return find(names, call);
  hold(known, call);
  return undefined;
}

/**
 * Finds the settings in a call's paths before anybody decides about the call. A setting that can't
 * be found is left out. A dry run doesn't call the application's functions.
 */
export function decisionSettings(names: readonly string[], call: Call): Secrets | Promise<Secrets> {
  const { credentials: sources } = call.runtime;
  const allowed =
    call.preflight === undefined ? names : names.filter((each) => !sources.isAsked(each));
  return knownSecrets(allowed, call) ?? lookUpSecrets(allowed, call);
}

/** Returns the credentials of the request, and those in the paths of its way back. */
function neededNames(call: Call): readonly string[] {
  const names = call.prepared?.credentials ?? [];
  const kept = keptCredentials(call);
  return kept.length === 0 ? names : [...new Set([...names, ...kept])];
}

async function find(names: readonly string[], call: Call): Promise<void> {
  hold(isShadowed(call) ? await lookUpSecrets(names, call) : await findSecrets(names, call), call);
}

/** Finds credentials for a dry run, without calling the application's functions. */
async function findUnasked(names: readonly string[], call: Call): Promise<void> {
  const { credentials: sources } = call.runtime;
  const own = names.filter((name) => !sources.isAsked(name));
  const found = await Promise.all(
    own.map(async (name): Promise<CredentialLookup> => ({
      name,
      secret: await sources.find(name),
    })),
  );
  hold(secretsOf(found), call);
  const missing = found.filter(({ secret }) => secret === undefined);
  if (missing.length > 0) throw missingError(missing, call);
}

function hold(secrets: Secrets, call: Call): void {
  call.secrets = secrets;
  if (secrets.size > 0) call.release = call.runtime.credentials.hold(secrets);
}

/** Returns the credentials if all are already known, without waiting. */
function knownSecrets(names: readonly string[], { runtime }: Call): Secrets | undefined {
  if (names.length === 0) return noSecrets;
  const secrets = new Map<string, Secret>();
  for (const name of names) {
    const secret = runtime.credentials.known(name);
    if (secret === undefined) return undefined;
    secrets.set(name, secret);
  }
  return secrets;
}

async function findSecrets(names: readonly string[], call: Call): Promise<Secrets> {
  const found = await lookUp(names, call);
  const missing = found.filter(({ secret }) => secret === undefined);
  if (missing.length > 0) throw missingError(missing, call);
  return secretsOf(found);
}

/**
 * Finds available credentials, and leaves out the others: for a call that sends nothing, so that
 * they are scrubbed from its record, and before a decision. If a function doesn't answer in time,
 * its value can't be in the record.
 */
async function lookUpSecrets(names: readonly string[], call: Call): Promise<Secrets> {
  try {
    return secretsOf(await lookUp(names, call));
  } catch (error) {
    if (isToolError(error, "PROVIDER.TIMEOUT")) return noSecrets;
    throw error;
  }
}

interface CredentialLookup {
  readonly name: string;
  readonly secret: Secret | undefined;
  /** Set if a function failed. */
  readonly problem?: { readonly cause: unknown };
}

function secretsOf(found: readonly CredentialLookup[]): Secrets {
  return new Map(found.flatMap(({ name, secret }) => (secret ? [[name, secret] as const] : [])));
}

/** Calls the functions within the time limit of an attempt, because a function may never answer. */
async function lookUp(names: readonly string[], call: Call): Promise<readonly CredentialLookup[]> {
  const over = new AbortController();
  const { signal } = call.options;
  const { timeoutMs } = call.tool;
  const abort = () => over.abort(abortedError(call));
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => over.abort(timeoutError(call, timeoutMs)), timeoutMs);
  if (signal?.aborted) abort();
  const stopListening = signal && onAborted(signal, abort);
  try {
    return await Promise.all(names.map((name) => findOne(name, call, over.signal)));
  } finally {
    clearTimeout(timer);
    stopListening?.();
  }
}

async function findOne(name: string, call: Call, signal: AbortSignal): Promise<CredentialLookup> {
  try {
    return { name, secret: await call.runtime.credentials.find(name, signal) };
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    return { name, secret: undefined, problem: { cause } };
  }
}

function timeoutError(call: Call, timeoutMs: number): ToolError {
  return callError(
    call,
    { code: "PROVIDER.TIMEOUT", timeoutMs },
    `\`${call.toolId}\` was not sent: the functions for its credentials did not return within ${timeoutMs} ms`,
  );
}

function missingError(missing: readonly CredentialLookup[], call: Call): ToolError {
  const { runtime, toolId } = call;
  const { credentials } = runtime;
  const failed = missing.filter(({ problem }) => problem !== undefined);
  const unset = missing.filter(({ name }) => !credentials.isAsked(name));
  const empty = missing.filter((each) => !failed.includes(each) && !unset.includes(each));
  const why = [
    ...(unset.length === 0 ? [] : [unsetMessage(unset, toolId)]),
    ...(empty.length === 0
      ? []
      : [`the function for ${listed(empty)} returned no value for \`${toolId}\``]),
    ...(failed.length === 0 ? [] : [`the function for ${listed(failed)} failed for \`${toolId}\``]),
  ];
  const [problem] = failed.flatMap((each) => each.problem ?? []);
  return callError(
    call,
    { code: "CREDENTIAL.MISSING", names: missing.map(({ name }) => name) },
    why.join("; "),
    problem,
  );
}

function unsetMessage(unset: readonly CredentialLookup[], toolId: string): string {
  const [are, them] = unset.length === 1 ? ["is", "it"] : ["are", "them"];
  return (
    `${listed(unset)} ${are} not set for \`${toolId}\`: give ${them} to the runtime (\`configure({ credentials })\`), set ${them} in the environment or in .env, ` +
    "or, for local development, under `secrets:` in skillc.yaml"
  );
}

function listed(found: readonly CredentialLookup[]): string {
  return found.map(({ name }) => `\`${name}\``).join(", ");
}
