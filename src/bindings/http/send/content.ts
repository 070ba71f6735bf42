/**
 * What the body of a success is, where its author says so: which content types it may have, and how
 * it is read. `answer.ts` reads bodies that come as a whole, `saved-file.ts` writes them to a file,
 * and `streams.ts` takes them item by item.
 */
import type { ItemReader } from "../../../kit/run/item-reader.js";
import type { JsonValue } from "../../../runtime/executor.js";

export type AnswerContent = WholeContent | StreamContent;

/** A body that is read as a whole. */
export interface WholeContent {
  /** `file`: bytes that are saved below the folder of downloads. */
  readonly as: "json" | "text" | "bytes" | "file";
  /** Content types in lower case, `image/*` among them; those usual for it when not given. */
  readonly types?: readonly string[];
}

/** A body that is given item by item, while it comes. */
export interface StreamContent {
  readonly as: "ndjson" | "sse";
  readonly types?: readonly string[];
  /**
   * A reader of one body, whose content codings are undone.
   *
   * @param maxBytes of the whole body
   */
  readonly read: (maxBytes: number) => ItemReader;
}

/** A body, or an item of one, as it was read. */
export interface ReadContent {
  readonly value: unknown;
  /** Set if it is JSON of which `value` holds integers rounded: the same with their digits as text. */
  readonly exact?: JsonValue;
  /** The content type by which it was taken for text, where its author doesn't say what it is. */
  readonly textBy?: string;
}

const usualTypes: { readonly [As in AnswerContent["as"]]: RegExp } = {
  json: /(?:\/|\+)json$/,
  text: /^text\/(?!event-stream$)|(?:\/|\+)xml$/,
  bytes: /^/,
  file: /^/,
  ndjson: /^application\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines|json)$/,
  sse: /^text\/event-stream$/,
};

/** What is told of the forms that have no list of their own. */
const words: { readonly [As in AnswerContent["as"]]: string } = {
  json: "JSON",
  text: "text",
  bytes: "bytes",
  file: "bytes",
  ndjson: "lines of JSON",
  sse: "`text/event-stream`",
};

/**
 * What is asked for of each form, the likeliest first. Failures are often JSON whatever a success is,
 * and answers to writes are often nothing at all: a server that takes the header at its word would
 * refuse them with 406.
 */
const asked: { readonly [As in AnswerContent["as"]]: readonly string[] } = {
  json: ["application/json"],
  text: ["text/*"],
  bytes: [],
  file: [],
  ndjson: [
    "application/x-ndjson",
    "application/ndjson",
    "application/jsonl",
    "application/json;q=0.5",
  ],
  sse: ["text/event-stream"],
};

/** The value of `Accept` for a binding whose author wrote none. */
export function acceptOf({ as, types = asked[as] }: AnswerContent = { as: "json" }): string {
  return types.length === 0 ? "*/*" : [...types, "*/*;q=0.1"].join(", ");
}

/**
 * Why a content type is none that the binding takes; undefined when it is one, and for an answer
 * that says none.
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
  return `the answer is ${shownType(given)}, and the binding takes ${taken}`;
}

function covers(given: string): (type: string) => boolean {
  return (type) => (type.endsWith("/*") ? given.startsWith(type.slice(0, -1)) : given === type);
}

/** Without parameters, in lower case. */
function typeIn(header: string | undefined): string {
  return header?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** End of a message about an unfit body: its content type, if that made it text; else empty. */
export function readAsText({ textBy }: ReadContent): string {
  return textBy === undefined
    ? ""
    : `; its content type is ${shownType(typeIn(textBy))}, which is read as text`;
}

/** A server's word: shown when it is what it should be. */
function shownType(given: string): string {
  return /^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,60}$/.test(given)
    ? `\`${given}\``
    : "of a content type that is none";
}

/** The essence of a content type, for what is told of a file; null where it says none. */
export function essenceOf(header: string | undefined): string | null {
  const given = typeIn(header);
  return /^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,60}$/.test(given) ? given : null;
}
