/**
 * Finds the values of `${NAME}`, and keeps them in a `Secret` (`secret.ts`) until an executor opens
 * them. `function-credential.ts` calls an application's functions. `known-values.ts` remembers all
 * values found, and `scrubber.ts` removes them from records and errors. The scrubber searches for
 * the spellings of `secret-spellings.ts` in a text and in its decoded escapes (`escapes.ts`), all
 * at once (`pattern-matcher.ts`). `shows-secret.ts` searches objects.
 */
import { join } from "node:path";
import { FunctionCredential, type CredentialFunction } from "./function-credential.js";
import { withWholeValues } from "./env-file.js";
import { readRegularFile } from "../files/regular-file.js";
import { KnownValues } from "./known-values.js";
import type { Scrubber } from "./scrubber.js";
import { Secret, type Secrets } from "./secret.js";

/** Sources of credentials and settings, in the order of precedence. */
export interface CredentialSources {
  /**
   * Values and functions given to the runtime. A name listed here comes from no other source,
   * whatever its value is.
   */
  readonly given: Readonly<Record<string, string | CredentialFunction | undefined>>;
  /** Environment variables; absent to ignore the environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folder of `.env` and skillc.yaml; absent to read neither. */
  readonly directory?: string;
  /** Returns the current time in milliseconds since 1970; `Date.now` by default. */
  readonly now?: () => number;
}

/** Resolves `${NAME}`. Values stay in `Secret`s, which only executors open. */
export interface Credentials {
  /**
   * Finds a credential; undefined if no source has it. If the first source that has it has an empty
   * value, the result is undefined too, and no other source is asked.
   *
   * @param signal ends the wait for a function
   * @throws any error of a function, and the signal's reason
   */
  find(name: string, signal?: AbortSignal): Promise<Secret | undefined>;
  /**
   * Returns a credential that was found before and is still valid, without waiting. It saves a turn
   * of the event loop in every call.
   */
  known(name: string): Secret | undefined;
  /**
   * Keeps values from functions known to the scrubber until a call ends.
   *
   * @returns a function to call at the end of the call; undefined if no function gives credentials
   */
  hold(secrets: Secrets): undefined | (() => void);
  /**
   * Makes a fetched value known to the scrubber, like a function's value.
   *
   * @param name replaces the value in texts, as `${…}`
   */
  learn(name: string, value: string): { readonly secret: Secret; readonly end: () => void };
  /** Returns whether a function gives the credential. */
  isAsked(name: string): boolean;
  /** Returns whether the credential exists. A function is not called and counts as existing. */
  has(name: string): Promise<boolean>;
  /**
   * Replaces every known value by its `${NAME}`: values given and found, all of `secrets:` once it
   * was read, and recent values of functions (see `KnownValues`).
   */
  readonly scrubber: Pick<Scrubber, "longest" | "scrub" | "scrubJson" | "scrubValue">;
}

/**
 * Creates the credentials of a runtime.
 *
 * @throws TypeError if a given value is not text, a function or undefined
 */
export function createCredentials(sources: CredentialSources): Credentials {
  const found = new Map<string, Secret>();
  const values = new KnownValues();
  const learn = (name: string, value: string | undefined): void => {
    if (typeof value === "string") values.learn(name, value);
  };
  // Read the values once, because the caller may reuse its object for another tenant.
  const given = new Map<string, string | undefined>();
  const asked = new Map<string, FunctionCredential>();
  for (const [name, value] of Object.entries({ ...sources.given })) {
    requireCredential(name, value);
    if (typeof value !== "function") given.set(name, value);
    else {
      const keep = (text: string) => values.learnRotating(name, text);
      asked.set(name, new FunctionCredential(name, value, keep, sources.now ?? Date.now));
    }
  }
  // Learn given values only when there is something to scrub, because a runtime may be made for one
  // call.
  const pending = [...given];
  const files = [
    once(() => readDotenv(sources.directory)),
    once(async () => {
      const secrets = await readSecrets(sources.directory);
      for (const [name, value] of Object.entries(secrets)) learn(name, value);
      return secrets;
    }),
  ];
  const keep = (name: string, value: string | undefined): Secret | undefined => {
    if (value === undefined || value === "") return undefined;
    const secret = new Secret(name, value);
    found.set(name, secret);
    learn(name, value);
    return secret;
  };
  const find = async (name: string): Promise<Secret | undefined> => {
    const known = found.get(name);
    if (known !== undefined) return known;
    if (given.has(name)) return keep(name, given.get(name));
    const inherited = valueIn(sources.env ?? {}, name);
    if (inherited !== undefined) return keep(name, inherited);
    for (const read of files) {
      const value = valueIn(await read(), name);
      if (value !== undefined) return keep(name, value);
    }
    return undefined;
  };
  return {
    known: (name) => found.get(name) ?? asked.get(name)?.present,
    hold: (secrets) =>
      asked.size === 0 ? undefined : values.hold([...secrets].filter(([name]) => asked.has(name))),
    learn: (name, value) => values.learnFetched(name, value),
    isAsked: (name) => asked.has(name),
    has: async (name) => asked.has(name) || (await find(name)) !== undefined,
    find: (name, signal) => asked.get(name)?.find(signal) ?? find(name),
    get scrubber() {
      if (pending.length > 0) {
        for (const [name, value] of pending.splice(0)) learn(name, value);
      }
      return values.scrubber;
    },
  };
}

/** Rejects values that JavaScript would send as text, such as `Bearer [object Promise]`. */
function requireCredential(name: string, value: unknown): void {
  if (value === undefined || typeof value === "string" || typeof value === "function") return;
  const isPromise = typeof value === "object" && value !== null && "then" in value;
  const what = value === null ? "null" : isPromise ? "a promise" : `of type ${typeof value}`;
  const advice = isPromise
    ? "write `await` before it, or pass a function, which may be async"
    : "pass a text, a function, or undefined";
  throw new TypeError(`the credential \`${name}\` is ${what}: ${advice}`);
}

function valueIn(
  source: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  return Object.hasOwn(source, name) ? source[name] : undefined;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function readIfThere(path: string): string | undefined {
  try {
    return readRegularFile(path).toString("utf8");
  } catch {
    return undefined;
  }
}

/** Reads `.env`. Its parser is loaded only if the file exists. */
async function readDotenv(
  directory: string | undefined,
): Promise<Readonly<Record<string, string>>> {
  const text = directory === undefined ? undefined : readIfThere(join(directory, ".env"));
  if (text === undefined) return {};
  const { parse } = await import("dotenv");
  return parse(withWholeValues(text));
}

/**
 * Reads `secrets:` of skillc.yaml, for local development. Its parser is loaded only if all other
 * sources have failed.
 */
async function readSecrets(
  directory: string | undefined,
): Promise<Readonly<Record<string, string>>> {
  const text = directory === undefined ? undefined : readIfThere(join(directory, "skillc.yaml"));
  if (text === undefined) return {};
  const { parse } = await import("yaml");
  const secrets = asRecord(asRecord(parseOrNothing(parse, text))["secrets"]);
  return Object.fromEntries(
    Object.entries(secrets).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}

function parseOrNothing(parse: (text: string) => unknown, text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
