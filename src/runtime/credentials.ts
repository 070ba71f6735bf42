import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse as parseDotenv } from "dotenv";
import { Secret } from "./secret.js";

/** Where credentials and settings come from, first to last. */
export interface CredentialSources {
  /** Given to the runtime. */
  readonly given: Readonly<Record<string, string | undefined>>;
  /** The process environment, or what stands in for it; undefined: not asked. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folder of `.env` and skillc.yaml; undefined: neither is read. */
  readonly directory?: string;
}

/** Resolves `${NAME}`. Values stay inside `Secret`s; only sinks open them. */
export interface Credentials {
  /** Undefined when no source has it. A set but empty variable counts as missing. */
  find(name: string): Promise<Secret | undefined>;
  /** As `find`, for a name that was found before; avoids a turn of the event loop on the path of every call. */
  known(name: string): Secret | undefined;
  /** Text with every value that was opened so far replaced by its `${NAME}`. */
  scrub(text: string): string;
  /** The same for JSON, which stays JSON: a number or a truth value that is a whole credential becomes a text. */
  scrubJson(json: string): string;
}

export function createCredentials(sources: CredentialSources): Credentials {
  const found = new Map<string, Secret>();
  const scrubber = createScrubber();
  const files = [
    once(() => readDotenv(sources.directory)),
    once(() => readSecrets(sources.directory)),
  ];
  const keep = (name: string, value: string): Secret => {
    const secret = new Secret(name, value);
    found.set(name, secret);
    scrubber.learn(name, value);
    return secret;
  };
  return {
    known: (name) => found.get(name),
    scrub: scrubber.scrub,
    scrubJson(json) {
      // Names put in between quotes and brackets may leave no JSON: the text only tells whether there is anything to do.
      if (scrubber.scrub(json) === json) return json;
      return JSON.stringify(scrubbedValue(JSON.parse(json), scrubber.scrub));
    },
    async find(name) {
      const known = found.get(name);
      if (known !== undefined) return known;
      const direct = valueIn(sources.given, name) ?? valueIn(sources.env ?? {}, name);
      if (direct !== undefined) return keep(name, direct);
      for (const read of files) {
        const value = valueIn(await read(), name);
        if (value !== undefined) return keep(name, value);
      }
      return undefined;
    },
  };
}

function scrubbedValue(value: unknown, scrub: Scrubber["scrub"]): unknown {
  if (typeof value === "string") return scrub(value);
  if (Array.isArray(value)) return value.map((each) => scrubbedValue(each, scrub));
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([name, each]) => [scrub(name), scrubbedValue(each, scrub)]),
    );
  }
  const text = String(value);
  const clean = scrub(text);
  // A credential of digits inside a longer number is not that credential.
  return /^\$\{[^{}]*\}$/.test(clean) ? clean : value;
}

function valueIn(
  source: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const value = Object.hasOwn(source, name) ? source[name] : undefined;
  return value === "" ? undefined : value;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function readDotenv(directory: string | undefined): Readonly<Record<string, string>> {
  const text = directory === undefined ? undefined : readIfThere(join(directory, ".env"));
  return text === undefined ? {} : parseDotenv(text);
}

/** `secrets:` of skillc.yaml: local development only, so its parser is loaded only when every other source has failed. */
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

interface Scrubber {
  learn(name: string, value: string): void;
  scrub(text: string): string;
}

/** Shorter values would match by accident everywhere, and say nothing by being seen. */
const shortestScrubbed = 4;

/** Replaces values in each spelling they can take in a record: plain, inside JSON, inside a URL. */
function createScrubber(): Scrubber {
  const spellings: (readonly [value: string, reference: string])[] = [];
  return {
    learn(name, value) {
      if (value.length < shortestScrubbed) return;
      const all = new Set([
        value,
        JSON.stringify(value).slice(1, -1),
        encodeURIComponent(value.toWellFormed()),
      ]);
      for (const each of all) spellings.push([each, `\${${name}}`]);
      spellings.sort(([a], [b]) => b.length - a.length);
    },
    scrub: (text) =>
      spellings.reduce(
        (at, [value, name]) => (at.includes(value) ? at.replaceAll(value, () => name) : at),
        text,
      ),
  };
}
