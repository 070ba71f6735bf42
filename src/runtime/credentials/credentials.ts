/**
 * Finds the value of a `${NAME}` and keeps it inside a `Secret` (`secret.ts`) until an executor
 * opens it. `asked-credential.ts` asks an application's functions. `known-values.ts` remembers
 * every value found; `scrubber.ts` takes them out of records and errors. It looks for the spellings
 * of `secret-spellings.ts` in a text and in what its escapes mean (`escapes.ts`), all at once
 * (`pattern-matcher.ts`). `shows-secret.ts` looks through objects.
 */
import { join } from "node:path";
import { AskedCredential, type CredentialFunction } from "./asked-credential.js";
import { withWholeValues } from "./env-file.js";
import { readRegularFile } from "../files/regular-file.js";
import { KnownValues } from "./known-values.js";
import type { Scrubber } from "./scrubber.js";
import { Secret, type Secrets } from "./secret.js";

/** Where credentials and settings come from, first to last. */
export interface CredentialSources {
  /**
   * Given to the runtime. A name that is there is looked for nowhere else, whatever it has for a
   * value.
   */
  readonly given: Readonly<Record<string, string | CredentialFunction | undefined>>;
  /** The process environment, or what stands in for it; undefined: not asked. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folder of `.env` and skillc.yaml; undefined: neither is read. */
  readonly directory?: string;
  /** Milliseconds since 1970; `Date.now` when not given. */
  readonly now?: () => number;
}

/** Resolves `${NAME}`. Values stay inside `Secret`s; only executors open them. */
export interface Credentials {
  /**
   * Undefined when no source has it, and when the first that has it has it empty: that is no reason
   * to ask another.
   *
   * @param signal ends the wait for a function
   * @throws whatever a function throws, and the signal's reason
   */
  find(name: string, signal?: AbortSignal): Promise<Secret | undefined>;
  /**
   * As `find`, for a name that was found before and stays what it was; avoids a turn of the event
   * loop on the path of every call.
   */
  known(name: string): Secret | undefined;
  /**
   * Has the values that functions gave known until the call ends that was given them.
   *
   * @returns function to call at the end of the call; undefined if no function gives credentials
   */
  hold(secrets: Secrets): undefined | (() => void);
  /**
   * Has a value known that was fetched, as those are that functions give.
   *
   * @param name what stands in its place, in `${…}`
   */
  learn(name: string, value: string): { readonly secret: Secret; readonly end: () => void };
  /** Whether a function gives it. */
  isAsked(name: string): boolean;
  /** Whether there is one. A function is not asked: it has one as far as anybody knows. */
  has(name: string): Promise<boolean>;
  /**
   * Replaces every value that is known by its `${NAME}`: what was given, what was found, all of
   * `secrets:` once that was read, and what functions gave lately: see `KnownValues`.
   */
  readonly scrubber: Pick<Scrubber, "longest" | "scrub" | "scrubJson" | "scrubValue">;
}

/** @throws TypeError when a value that was given is neither a text nor a function nor undefined */
export function createCredentials(sources: CredentialSources): Credentials {
  const found = new Map<string, Secret>();
  const values = new KnownValues();
  const learn = (name: string, value: string | undefined): void => {
    if (typeof value === "string") values.learn(name, value);
  };
  // Read once: the caller may use its object again, for another tenant.
  const given = new Map<string, string | undefined>();
  const asked = new Map<string, AskedCredential>();
  for (const [name, value] of Object.entries({ ...sources.given })) {
    requireCredential(name, value);
    if (typeof value !== "function") given.set(name, value);
    else {
      const keep = (text: string) => values.learnRotating(name, text);
      asked.set(name, new AskedCredential(name, value, keep, sources.now ?? Date.now));
    }
  }
  // When there is first something to scrub: a runtime may be made for a single call.
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

/** What JavaScript lets a caller give would be sent as its text: `Bearer [object Promise]`. */
function requireCredential(name: string, value: unknown): void {
  if (value === undefined || typeof value === "string" || typeof value === "function") return;
  const isPromise = typeof value === "object" && value !== null && "then" in value;
  const what = value === null ? "null" : isPromise ? "a promise" : `of type ${typeof value}`;
  const advice = isPromise
    ? "write `await` before it, or give a function, which may be async"
    : "give a text, a function, or undefined for none";
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

/** Where there is none, its parser is not loaded. */
async function readDotenv(
  directory: string | undefined,
): Promise<Readonly<Record<string, string>>> {
  const text = directory === undefined ? undefined : readIfThere(join(directory, ".env"));
  if (text === undefined) return {};
  const { parse } = await import("dotenv");
  return parse(withWholeValues(text));
}

/**
 * `secrets:` of skillc.yaml: local development only, so its parser is loaded only when every other
 * source has failed.
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
