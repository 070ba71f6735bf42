/**
 * Forms of a success's body, if the author declares one: its content types, and how to read it.
 * `answer.ts` reads whole bodies, `saved-file.ts` writes them to a file, and `streams.ts` reads
 * them item by item.
 */
import type { ItemReader } from "../../../kit/run/item-reader.js";
import type { JsonValue } from "../../../runtime/executor.js";

export type AnswerContent = WholeContent | StreamContent;

/** A body that is read as a whole. */
export interface WholeContent {
  /**
   * Form of the body. `any`: JSON, text or bytes, by the content type. `file`: bytes that the
   * runtime saves in the folder of downloads.
   */
  readonly as: "json" | "text" | "bytes" | "any" | "file";
  /**
   * Accepted content types in lower case, such as `image/*`. Default: the usual types of the form.
   */
  readonly types?: readonly string[];
}

/** A body that is read item by item while it arrives. */
export interface StreamContent {
  readonly as: "ndjson" | "sse";
  readonly types?: readonly string[];
  /**
   * Makes a reader of one body, after content codings are undone.
   *
   * @param maxBytes limit of the whole body, in bytes
   */
  readonly read: (maxBytes: number) => ItemReader;
}

/** A body, or an item of one, after reading. */
export interface ReadContent {
  readonly value: unknown;
  /**
   * The same JSON with all digits of integers as text; set if `value` contains rounded integers.
   */
  readonly exact?: JsonValue;
  /** The content type that made it text, if the author declares no form. */
  readonly textBy?: string;
}

const usualTypes: { readonly [As in AnswerContent["as"]]: RegExp } = {
  json: /(?:\/|\+)json$/,
  text: /^text\/(?!event-stream$)|(?:\/|\+)xml$/,
  bytes: /^/,
  any: /^/,
  file: /^/,
  ndjson: /^application\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines|json)$/,
  sse: /^text\/event-stream$/,
};

/** Names of the forms for messages. */
const words: { readonly [As in AnswerContent["as"]]: string } = {
  json: "JSON",
  text: "text",
  bytes: "bytes",
  any: "any type",
  file: "bytes",
  ndjson: "lines of JSON",
  sse: "`text/event-stream`",
};

/**
 * Content types for `Accept` by form, the most likely first. Failures are often JSON whatever the
 * form of a success, and responses to writes are often empty. A strict server would reject such
 * requests with 406, so any type is accepted too.
 */
const asked: { readonly [As in AnswerContent["as"]]: readonly string[] } = {
  json: ["application/json"],
  text: ["text/*"],
  bytes: [],
  any: ["application/json"],
  file: [],
  ndjson: [
    "application/x-ndjson",
    "application/ndjson",
    "application/jsonl",
    "application/json;q=0.5",
  ],
  sse: ["text/event-stream"],
};

/** The value of `Accept` for a binding whose author sets none. */
export function acceptOf({ as, types = asked[as] }: AnswerContent = { as: "json" }): string {
  return types.length === 0 ? "*/*" : [...types, "*/*;q=0.1"].join(", ");
}

/**
 * Why the binding doesn't accept a content type; undefined if it does, and for a response without
 * one.
 */
export function typeProblem(
  { as, types }: AnswerContent,
  header: string | undefined,
): string | undefined {
  const given = typeIn(header);
  if (given === "") return undefined;
  const fits = types === undefined ? usualTypes[as].test(given) : types.some(covers(given));
  if (fits) return undefined;
  const taken = types === undefined ? words[as] : types.map((each) => `\`${each}\``).join(" or ");
  return `the response is ${shownType(given)}, but the binding accepts ${taken}`;
}

/** The form of a body whose type the author doesn't know; undefined without a content type. */
export function formByType(header: string | undefined): "json" | "text" | "bytes" | undefined {
  const given = typeIn(header);
  if (given === "") return undefined;
  if (usualTypes.json.test(given)) return "json";
  return /^text\/|(?:\/|\+)xml$/.test(given) ? "text" : "bytes";
}

function covers(given: string): (type: string) => boolean {
  return (type) => (type.endsWith("/*") ? given.startsWith(type.slice(0, -1)) : given === type);
}

/** The content type without parameters, in lower case. */
function typeIn(header: string | undefined): string {
  return header?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** End of a message about an unfit body: its content type, if that made it text; else empty. */
export function readAsText({ textBy }: ReadContent): string {
  return textBy === undefined
    ? ""
    : `; its content type is ${shownType(typeIn(textBy))}, so it is read as text`;
}

/** Shows a content type from a server only if it is well-formed. */
function shownType(given: string): string {
  return /^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,60}$/.test(given)
    ? `\`${given}\``
    : "of an invalid content type";
}

/**
 * The content type without parameters, for the description of a file; null if the response has
 * none.
 */
export function essenceOf(header: string | undefined): string | null {
  const given = typeIn(header);
  return /^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,60}$/.test(given) ? given : null;
}
