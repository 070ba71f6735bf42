import type { BoundCaller } from "../../runtime/caller.js";
import type { JsonValue } from "../../runtime/json/json.js";
import type { Validator } from "../../runtime/validation/validation.js";
import type { CredentialReference, CredentialText, Scalar } from "../../runtime/values/text.js";
import type { HttpMethod } from "./send/open-request.js";
import type { Authenticator } from "./send/auth/authenticator.js";
import type { AnswerContent } from "./send/content.js";
import type { StyledValue } from "./send/styles.js";

export type { HttpMethod } from "./send/open-request.js";

/** The longest body of a response when neither author nor contract says otherwise. */
export const usualResponseBytes = 10 * 1024 * 1024;

/** The longest line, or event, of a stream when its author doesn't say, in bytes. */
export const usualItemBytes = 1024 * 1024;

/** What a field value can't carry (RFC 9110, 5.5), and what would not be Latin-1 on the wire. */
export const unsendableInHeader = /[^\t\x20-\x7e\x80-\xff]/u;

/** What the generated module of an HTTP tool hands to the executor. */
export interface HttpContract<Arguments, Body> {
  readonly method: HttpMethod;
  /**
   * Builds the request. Pure: credentials stay references.
   *
   * @param inBody the arguments for a JSON body: integers that are text elsewhere are integers there
   */
  readonly request: (args: Arguments, caller: BoundCaller, inBody: Arguments) => HttpRequest;
  /** Ways to prove who asks, applied in their order. */
  readonly auth?: readonly Authenticator[];
  /**
   * Header that carries a key, the same for all attempts of a call: the request's own, else the name
   * of a call that is made once, else a random one.
   */
  readonly idempotencyHeader?: string;
  /**
   * Bytes after decompression; a longer body is `PROVIDER.PROTOCOL`. `usualResponseBytes` when not
   * given, and no limit for a stream.
   */
  readonly maxResponseBytes?: number;
  /**
   * Status code, range (`4XX`) or `default` (what is no success) → name, the nearest first. Others:
   * 2xx is `success`, everything else `error`.
   */
  readonly statuses?: { readonly [code: string]: string };
  /** Bodies of which something of their own is known, by the keys of `statuses`. */
  readonly bodies?: { readonly [code: string]: StatusBody };
  /** What stands in `headers` beside the `data` of a success: names, and headers in lower case. */
  readonly answerHeaders?: { readonly [name: string]: string };
  /** Set where an answer is one of several pages. */
  readonly paginate?: Pagination<Body>;
  /** Set where 202 means that there is no answer yet. */
  readonly poll?: Polling;
  /**
   * What the body of a success is of which its status says nothing of its own. Absent: JSON, or text
   * where its content type says so.
   */
  readonly content?: AnswerContent;
  /** Checks the raw body of a success; of a stream each item, or the data of each event. */
  readonly response?: Validator<Body>;
  /**
   * Finds `data` in the body of a success; undefined when the body has nothing there. Absent: the
   * body itself.
   */
  readonly data?: (body: Body) => unknown;
  /** The steps that `data` takes, where it may find nothing: names what isn't there. */
  readonly dataPath?: readonly (string | number)[];
  /** Set if integers of 64 bits are text: `int64: string`. */
  readonly int64?: Int64Validators;
  /**
   * Finds `error` in the body of the rest; undefined when it has nothing there. Absent: the body
   * itself.
   */
  readonly error?: (body: unknown) => unknown;
}

/** Validators that find integers of 64 bits, beside those of the bodies' schemas. */
export interface Int64Validators {
  /** Validator of the parameters; absent if no such integer goes into a JSON body. */
  readonly params?: Validator;
  /** Validator of `data`; absent if `returns` has no such integer. */
  readonly returns?: Validator;
}

/**
 * How the next page of an answer is found, and asked for: by the `Link` header of the page, by a
 * cursor in its body, or by counting pages, or items, on.
 */
export interface Pagination<Body> {
  readonly by: "link_header" | "cursor" | "page" | "offset";
  /** The parameter that names a page; none for a `Link` header. */
  readonly parameter?: string;
  /** The parameter that says how many items a page has: one with fewer is the last. */
  readonly limit?: string;
  /** Finds the cursor. */
  readonly at?: (body: Body) => unknown;
  /** Finds whether there is a next page: only `true` says so. */
  readonly more?: (body: Body) => unknown;
  /** Where in `data` the items are: property names. Absent: `data` itself. */
  readonly items?: readonly string[];
  /** What models ask for the next page by. */
  readonly asked: string;
}

/**
 * How work that was accepted with 202 is followed: by GET of an address that the answer names, at
 * the origin of the request, until that answers with anything but 202.
 */
export interface Polling {
  /** The header with the address, in lower case: `location` when neither is given. */
  readonly location?: string;
  /** Finds the address in the body. */
  readonly at?: (body: unknown) => unknown;
  /** Finds in the body of a 2xx how far the work is. Absent: a 2xx is the answer. */
  readonly state?: (body: unknown) => unknown;
  /** States in which the body is the answer, and a success. */
  readonly done?: readonly string[];
  /** States in which it is an `error`. */
  readonly failed?: readonly string[];
  /** Milliseconds between polls, where the answer doesn't ask for more; 1000 when not given. */
  readonly intervalMs?: number;
  /** Milliseconds for all; a minute when not given. */
  readonly timeoutMs?: number;
  /** 100 when not given. */
  readonly mostPolls?: number;
}

/** What is known of the bodies of one status: `bodyOf` makes it. */
export interface StatusBody {
  /**
   * Checks the body. Of a success that is in the place of the contract's own; a failure that
   * doesn't fit is an `error`.
   */
  readonly schema: Validator | undefined;
  /** Finds what the result carries; undefined: the body itself. */
  readonly find: ((body: never) => unknown) | undefined;
  /** Of a success: the steps that `find` takes, where it may find nothing. */
  readonly steps: readonly (string | number)[] | undefined;
}

/** A request before any credential is opened. */
export interface HttpRequest {
  /** Origin, then literal path text and segments in order. */
  readonly url: readonly UrlPart[];
  /** Absent and null values drop their entry; arrays repeat the name. */
  readonly query?: readonly (readonly [name: string, value: QueryValue])[];
  readonly headers?: readonly (readonly [name: string, value: HeaderValue])[];
  /** Sent as one header. */
  readonly cookies?: readonly (readonly [name: string, value: QueryValue])[];
  /** A payload, or sent as JSON: absent properties are left out. Undefined: no body. */
  readonly body?: HttpBody;
  /** What the author made the call's key of: the value of `idempotencyHeader`. */
  readonly idempotencyKey?: HeaderValue;
}

/** Literal text as it stands in a URL, a credential (only at the start), or one encoded segment. */
export type UrlPart = string | CredentialReference | PathSegment;

export type QueryValue =
  Scalar | readonly (Scalar | null)[] | CredentialText | StyledValue | null | undefined;
export type HeaderValue = Scalar | CredentialText | StyledValue | null | undefined;

/**
 * JSON in which any string may be a `CredentialText` and any property may be absent. Parameters
 * have passed their validator before they get here, and the types of open schemas hold `unknown`:
 * nothing narrower would take them.
 */
export type HttpBody = unknown;

/** One path segment, encoded already. */
export interface PathSegment {
  readonly kind: "segment";
  readonly encoded: string;
  /** JSON pointer of its parameter; set if it ends with a slash, behind which no other slash may come. */
  readonly pointer?: string;
}

/**
 * What shadow mode records: the request as it would be sent, `${NAME}` in place of every
 * credential.
 */
export interface HttpRecord {
  readonly method: HttpMethod;
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  /** Absent when the request has no body. Of a form its fields, as they are named. */
  readonly body?: JsonValue;
}

/**
 * What an answer other than success carries.
 *
 * @typeParam Problem what `error` is, where its status has a schema
 */
export interface HttpFault<Problem = JsonValue> {
  /**
   * What `error_path` finds, else the whole body: JSON if it was JSON, text otherwise, null when
   * empty.
   */
  readonly error: Problem;
  /** The HTTP status code. */
  readonly status_code: number;
}

/** A body that was saved. */
export interface SavedFile {
  /** Of the file, absolute. Its name is ours, and nobody else's: a UUID. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
  /** The content type of the answer, without parameters; null where it says none. */
  readonly type: string | null;
}

/**
 * A tool's answers, those that carry `data` with headers beside it.
 *
 * @typeParam Name of each header, as the tool calls it; null in an answer that doesn't have it
 */
export type WithHeaders<Result, Name extends string> = Result extends { readonly data: unknown }
  ? Result & { readonly headers: { readonly [N in Name]: string | null } }
  : Result;
