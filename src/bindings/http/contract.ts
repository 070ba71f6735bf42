import type { BoundCaller } from "../../runtime/caller.js";
import type { JsonValue } from "../../runtime/json/json.js";
import type { Validator } from "../../runtime/validation/validation.js";
import type { CredentialReference, CredentialText, Scalar } from "../../runtime/values/text.js";
import type { HttpMethod } from "./send/open-request.js";
import type { Authenticator } from "./send/auth/authenticator.js";
import type { AnswerContent } from "./send/content.js";
import type { StyledValue } from "./send/styles.js";

export type { HttpMethod } from "./send/open-request.js";

/** Default maximum size of a response's body, in bytes. */
export const usualResponseBytes = 10 * 1024 * 1024;

/** Default time between two polls, in milliseconds. */
export const usualIntervalMs = 1000;

/** Default maximum size of a line or event of a stream, in bytes. */
export const usualItemBytes = 1024 * 1024;

/** Characters that a header's value can't contain (RFC 9110, 5.5), or that are not Latin-1. */
export const unsendableInHeader = /[^\t\x20-\x7e\x80-\xff]/u;

/** Data that the generated module of an HTTP tool passes to the executor. */
export interface HttpContract<Arguments, Body> {
  readonly method: HttpMethod;
  /**
   * Builds the request. The function is pure: credentials stay references.
   *
   * @param inBody arguments for a JSON body, in which 64-bit integers are integers and not text
   */
  readonly request: (args: Arguments, caller: BoundCaller, inBody: Arguments) => HttpRequest;
  /** Authentication methods, applied in order. */
  readonly auth?: readonly Authenticator[];
  /**
   * Header with an idempotency key, the same for all attempts of a call: the request's own key,
   * else the key of a call that is made once, else a random one.
   */
  readonly idempotencyHeader?: string;
  /**
   * Maximum size of a body after decompression, in bytes; a longer one is `PROVIDER.PROTOCOL`. By
   * default `usualResponseBytes`, and no limit for a stream.
   */
  readonly maxResponseBytes?: number;
  /**
   * Names of statuses by code, range (`4XX`) or `default` (everything but success); the most
   * specific counts. Otherwise 2xx is `success`, and everything else is `error`.
   */
  readonly statuses?: { readonly [code: string]: string };
  /** Bodies with their own schema or path, by the keys of `statuses`. */
  readonly bodies?: { readonly [code: string]: StatusBody };
  /** Headers to return beside `data`: names in the answer, and headers in lower case. */
  readonly answerHeaders?: { readonly [name: string]: string };
  /** Set if an answer is one of several pages. */
  readonly paginate?: Pagination<Body>;
  /** Set if 202 means that there is no answer yet. */
  readonly poll?: Polling;
  /**
   * Form of a success's body, unless its status has its own. By default JSON, or text if the
   * content type says so.
   */
  readonly content?: AnswerContent;
  /** Validates the raw body of a success; for a stream each item, or the data of each event. */
  readonly response?: Validator<Body>;
  /**
   * Finds `data` in the body of a success; undefined if there is none. By default the whole body.
   */
  readonly data?: (body: Body) => unknown;
  /** Steps to `data`, if they may find nothing, for error messages. */
  readonly dataPath?: readonly (string | number)[];
  /** Set if 64-bit integers are text: `int64: string`. */
  readonly int64?: Int64Validators;
  /**
   * Finds `error` in the body of a failure; undefined if there is none. By default the whole body.
   */
  readonly error?: (body: unknown) => unknown;
}

/** Validators that find 64-bit integers, in addition to those of the bodies' schemas. */
export interface Int64Validators {
  /** Validator of the parameters; absent if no such integer is sent in a JSON body. */
  readonly params?: Validator;
  /** Validator of `data`; absent if `returns` has no such integer. */
  readonly returns?: Validator;
}

/**
 * How the next page is found and requested: by the `Link` header, by a cursor in the body, or by
 * counting pages or items.
 */
export interface Pagination<Body> {
  readonly by: "link_header" | "cursor" | "page" | "offset";
  /** Parameter that names a page; absent for a `Link` header. */
  readonly parameter?: string;
  /** Parameter with the number of items of a page. A page with fewer items is the last one. */
  readonly limit?: string;
  /** Finds the cursor. */
  readonly at?: (body: Body) => unknown;
  /** Finds whether there is a next page, which only `true` means. */
  readonly more?: (body: Body) => unknown;
  /** Path of property names to the items in `data`. By default `data` itself. */
  readonly items?: readonly string[];
  /** Name of the extra parameter by which models ask for the next page. */
  readonly asked: string;
}

/**
 * How work that was accepted with 202 is polled: by GET of an address in the answer, at the
 * request's origin, until the answer is not 202.
 */
export interface Polling {
  /** Header with the address, in lower case; `location` if `at` is absent too. */
  readonly location?: string;
  /** Finds the address in the body. */
  readonly at?: (body: unknown) => unknown;
  /** Finds the state of the work in the body of a 2xx. If absent, a 2xx is the answer. */
  readonly state?: (body: unknown) => unknown;
  /** States in which the body is the answer, as a success. */
  readonly done?: readonly string[];
  /** States in which the body is an `error`. */
  readonly failed?: readonly string[];
  /** Interval of polls, in milliseconds, unless the answer asks for more; 1000 by default. */
  readonly intervalMs?: number;
  /** Maximum time of all polls, in milliseconds; one minute by default. */
  readonly timeoutMs?: number;
  /** Maximum number of polls; 100 by default. */
  readonly mostPolls?: number;
}

/** The bodies of one status. Made by `bodyOf`. */
export interface StatusBody {
  /**
   * Validates the body. For a success it replaces the contract's validator; a failure that doesn't
   * match becomes an `error`.
   */
  readonly schema: Validator | undefined;
  /** Finds what the result carries; the whole body if undefined. */
  readonly find: ((body: never) => unknown) | undefined;
  /** Steps of `find` for a success, if they may find nothing. */
  readonly steps: readonly (string | number)[] | undefined;
  /** True if `error` is the whole body when `find` finds nothing in it. */
  readonly orBody?: boolean;
}

/** A request before credentials are opened. */
export interface HttpRequest {
  /** Origin, then literal path text and segments in order. */
  readonly url: readonly UrlPart[];
  /** Entries of the query. Absent and null values drop their entry; arrays repeat the name. */
  readonly query?: readonly (readonly [name: string, value: QueryValue])[];
  readonly headers?: readonly (readonly [name: string, value: HeaderValue])[];
  /** Cookies, sent as one header. */
  readonly cookies?: readonly (readonly [name: string, value: QueryValue])[];
  /**
   * A payload, or a value that is sent as JSON without absent properties. Undefined for no body.
   */
  readonly body?: HttpBody;
  /** The author's idempotency key: value of `idempotencyHeader`. */
  readonly idempotencyKey?: HeaderValue;
}

/** Literal text as it is in a URL, a credential (only at the start), or an encoded segment. */
export type UrlPart = string | CredentialReference | PathSegment;

export type QueryValue =
  // The type of a tuple with optional items contains `undefined`.
  Scalar | readonly (Scalar | null | undefined)[] | CredentialText | StyledValue | null | undefined;
export type HeaderValue = Scalar | CredentialText | StyledValue | null | undefined;

/**
 * JSON in which any string may be a `CredentialText`, and any property may be absent. The
 * parameters have passed their validator, and types of open schemas contain `unknown`, so no
 * narrower type is possible.
 */
export type HttpBody = unknown;

/** An encoded path segment. */
export interface PathSegment {
  readonly kind: "segment";
  readonly encoded: string;
  /**
   * JSON pointer to its parameter. Set if the segment ends with a slash, after which no other slash
   * may follow.
   */
  readonly pointer?: string;
}

/** The request that shadow mode records, with `${NAME}` in place of every credential. */
export interface HttpRecord {
  /** HTTP method. */
  readonly method: HttpMethod;
  /** URL of the request. */
  readonly url: string;
  /** Headers of the request, by name. */
  readonly headers: { readonly [name: string]: string };
  /** Body; absent if there is none. For a form, its fields by name. */
  readonly body?: JsonValue;
}

/**
 * Fields of an answer other than success.
 *
 * @typeParam Problem type of `error`, if its status has a schema
 */
export interface HttpFault<Problem = JsonValue> {
  /**
   * The value that `error_path` finds, else the whole body: JSON if it was JSON, text otherwise,
   * null if empty.
   */
  readonly error: Problem;
  /** HTTP status code. */
  readonly status_code: number;
}

/** A response body that was saved to a file. */
export interface SavedFile {
  /** Absolute path of the file. Its name is a UUID. */
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
  /** SHA-256 in hexadecimal. */
  readonly sha256: string;
  /** Content type of the answer, without parameters; null if it has none. */
  readonly type: string | null;
}

/**
 * A tool's answers, in which answers with `data` also have headers.
 *
 * @typeParam Name names of the headers in the answer; null if the response doesn't have the header
 */
export type WithHeaders<Result, Name extends string> = Result extends { readonly data: unknown }
  ? Result & { readonly headers: { readonly [N in Name]: string | null } }
  : Result;
