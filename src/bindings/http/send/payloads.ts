/**
 * Request bodies, whose credentials are not opened yet (`SealedBody`). `json-body.ts` makes JSON.
 * Generated code makes the others: `form` and `raw` here, and those with files in `multipart.ts`
 * and `raw-file.ts`.
 */
import type { Readable } from "node:stream";
import type { JsonValue } from "../../../runtime/json/json.js";
import { RefusedValue } from "../../../runtime/executor.js";
import {
  addCredentialNames,
  type CredentialReference,
  type CredentialText,
  isCredentialText,
  openText,
  type Scalar,
} from "../../../runtime/values/text.js";
import { deepestJson } from "../../../runtime/json/json.js";
import { requireOwnFields } from "./map-names.js";

export type Reveal = (reference: CredentialReference) => string;

/** The data to send. A stream can be read and sent only once. */
export type WireBody = string | Uint8Array | Readable;

/** A body for both modes, complete except for credentials. */
export interface SealedBody {
  /** Its content type; undefined if a header of the author sets it. */
  readonly type: string | CredentialText | undefined;
  /** Names of the credentials in it. */
  readonly credentials: readonly string[];
  /** Boundary of a multipart body, which is added to the content type when it is sent. */
  readonly boundary?: string;
  /** True if it contains a stream that was read from already. */
  readonly isSpent?: boolean;
  /** The body in a record of shadow mode. */
  describe(reveal: Reveal): JsonValue;
  /** Identifies the body, if `describe` doesn't. */
  identify?(reveal: Reveal): JsonValue;
  open(reveal: Reveal): WireBody;
}

/** A body other than JSON. It is recognized by class, because a caller's object is JSON. */
export abstract class Payload implements SealedBody {
  abstract readonly type: string | CredentialText | undefined;
  abstract readonly credentials: readonly string[];
  abstract describe(reveal: Reveal): JsonValue;
  abstract open(reveal: Reveal): WireBody;
}

type FormPair = readonly [name: string, value: string | CredentialText];

/** `application/x-www-form-urlencoded`: pairs of text. */
class FormPayload extends Payload {
  readonly type = "application/x-www-form-urlencoded";
  readonly credentials: readonly string[];
  readonly #pairs: readonly FormPair[];

  constructor(pairs: readonly FormPair[]) {
    super();
    this.#pairs = pairs;
    const names: string[] = [];
    for (const [, value] of pairs)
      if (typeof value !== "string") addCredentialNames(names, value.parts);
    this.credentials = names;
  }

  /** Describes the fields by name; a repeated name gives a list. */
  describe(reveal: Reveal): JsonValue {
    const fields = new Map<string, JsonValue[]>();
    for (const [name, value] of this.#pairs) {
      const values = fields.get(name) ?? [];
      values.push(opened(value, reveal));
      fields.set(name, values);
    }
    return Object.fromEntries(
      [...fields].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]),
    );
  }

  open(reveal: Reveal): string {
    const pairs = this.#pairs.map(([name, value]): [string, string] => [
      name,
      opened(value, reveal),
    ]);
    return new URLSearchParams(pairs).toString();
  }
}

/** How a form writes lists and objects. */
export type FormStyle = "brackets" | "repeat";

/**
 * Makes a body of `application/x-www-form-urlencoded`; none for an absent or null value. Absent and
 * null fields are left out.
 *
 * @param style `brackets`: each level below the first is in brackets, as Stripe, PHP and Rails read
 * it (`items[0][price]`); `repeat`: a list repeats its name, and objects are in brackets
 * @throws RefusedValue for text that is not well-formed Unicode, or for too much nesting
 */
export function form<Fields extends object | null | undefined>(
  fields: Fields,
  style?: FormStyle,
): Fields extends object ? Payload : Payload | undefined;
export function form(
  fields: object | null | undefined,
  style: FormStyle = "brackets",
): Payload | undefined {
  if (fields === undefined || fields === null) return undefined;
  requireOwnFields(fields);
  const pairs: FormPair[] = [];
  for (const [name, value] of Object.entries(fields)) addPairs(pairs, name, value, style, 0);
  return new FormPayload(pairs);
}

function addPairs(
  pairs: FormPair[],
  name: string,
  value: unknown,
  style: FormStyle,
  depth: number,
): void {
  if (value === undefined || value === null) return;
  if (isCredentialText(value)) return void pairs.push([wellFormed(name), value]);
  // A validator has accepted the value, so it is JSON.
  if (typeof value !== "object")
    return void pairs.push([wellFormed(name), wellFormed(String(value as Scalar))]);
  if (depth > deepestJson)
    throw new RefusedValue("", "depth", `must not nest deeper than ${deepestJson} levels`);
  const repeats = style === "repeat" && Array.isArray(value);
  for (const [key, each] of Object.entries(value))
    addPairs(pairs, repeats ? name : `${name}[${key}]`, each, style, depth + 1);
}

/**
 * Ensures well-formed text. Any other text would be sent with U+FFFD.
 *
 * @throws RefusedValue
 */
export function wellFormed(text: string): string {
  if (text.isWellFormed()) return text;
  throw new RefusedValue(
    "",
    "form-value",
    "must be well-formed Unicode in a form",
    (part) => typeof part === "string" && text.includes(part) && !part.isWellFormed(),
  );
}

/** Text of any content type, sent unchanged. */
class RawPayload extends Payload {
  readonly type: string | CredentialText;
  readonly credentials: readonly string[];
  readonly #content: string | CredentialText;

  constructor(content: string | CredentialText, type: string | CredentialText) {
    super();
    this.#content = content;
    this.type = type;
    const names: string[] = [];
    if (typeof content !== "string") addCredentialNames(names, content.parts);
    this.credentials = names;
  }

  describe(reveal: Reveal): JsonValue {
    return opened(this.#content, reveal);
  }

  open(reveal: Reveal): string {
    return opened(this.#content, reveal);
  }
}

/**
 * Makes a body of text in UTF-8; none for an absent or null value.
 *
 * @param type its content type; `text/plain` if absent or null
 */
export function raw(
  content: Scalar | CredentialText | null | undefined,
  type: Scalar | CredentialText | null | undefined,
): Payload | undefined {
  if (content === undefined || content === null) return undefined;
  const asText = (value: Scalar | CredentialText) =>
    isCredentialText(value) ? value : String(value as Scalar);
  return new RawPayload(asText(content), asText(type ?? "text/plain; charset=utf-8"));
}

export function opened(value: string | CredentialText, reveal: Reveal): string {
  return typeof value === "string" ? value : openText(value.parts, reveal);
}
