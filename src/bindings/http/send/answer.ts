import type { IncomingHttpHeaders } from "node:http";
import { requestedPauseMs } from "../../../runtime/http/requested-pause.js";
import { parsedJson } from "../../../kit/run/parsed-json.js";
import { type ParsedJson, requireExact, UnheldNumber } from "../../../runtime/json/json.js";
import {
  type AnyResult,
  type Attempt,
  type JsonValue,
  type AttemptOutcome,
  problemsOf,
  retryAfterMs,
  type Success,
  tellProblems,
  ToolError,
  UnreadableAnswer,
  type Validator,
} from "../../../runtime/executor.js";
import { type Step, stepInto } from "../../../runtime/values/pick.js";
import { withDigits } from "../../../runtime/validation/int64.js";
import type { HttpContract, HttpFault, Int64Validators, StatusBody } from "../contract.js";
import {
  type AnswerContent,
  formByType,
  readAsText,
  type ReadContent,
  typeProblem,
} from "./content.js";
import { protocolError } from "./failures.js";
import type { FindNext } from "./next-page.js";
import type { OpenRequest } from "./open-request.js";
import { TooManySteps } from "./path-steps.js";
import type { Statuses } from "./statuses.js";

/** The parts of a contract that determine the result of a response. */
export interface AnswerOptions<Body> {
  readonly statuses: Statuses;
  readonly response: HttpContract<never, Body>["response"];
  readonly data: HttpContract<never, Body>["data"];
  readonly dataPath: HttpContract<never, Body>["dataPath"];
  readonly error: HttpContract<never, Body>["error"];
  readonly int64: HttpContract<never, Body>["int64"];
  readonly headers: HttpContract<never, Body>["answerHeaders"];
  readonly content: AnswerContent | undefined;
  /** Set for a tool whose result has pages. */
  readonly next?: FindNext;
}

/** A response with its content codings undone. */
export interface Answer {
  readonly status: number;
  /** The request that was answered, after redirects. */
  readonly request: Pick<OpenRequest, "origin" | "path">;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

/**
 * Returns a header as one text. A repeated header is a list, whose members may also be separated by
 * commas (RFC 9110, 5.3).
 */
export function single(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === "string" || header === undefined ? header : header.join(", ");
}

/** The response headers in the result, by their names there; null for a missing header. */
export function headersOf(
  headers: IncomingHttpHeaders,
  names: { readonly [name: string]: string },
): { readonly [name: string]: string | null } {
  const entries = Object.entries(names).map(
    ([name, header]) =>
      [
        name,
        (Object.hasOwn(headers, header) ? single(headers[header]) : undefined) ?? null,
      ] as const,
  );
  return Object.fromEntries(entries);
}

/** Statuses after which another attempt may succeed. */
export const worthRetrying: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/**
 * Converts a response to the tool's result.
 *
 * @throws ToolError if the body of a success doesn't fit the contract, or if a path takes too many
 * steps in a body
 */
export function readAnswer<Body>(
  options: AnswerOptions<Body>,
  answer: Answer,
  attempt: Attempt,
): AttemptOutcome<AnyResult> {
  const { status } = answer;
  const { body, hasContent, isSuccess, name } = options.statuses.of(status);
  if (isSuccess) {
    const form = options.content && contentOf(options, status);
    const success = successOf(options, body);
    const content = hasContent
      ? withInt64(success, readable(answer, form, attempt))
      : { value: null };
    const { value } = content;
    const lead = `the service answered ${status}, and the response`;
    const misfit = hasContent ? misfitOf(success, content, attempt, lead) : undefined;
    const data = hasContent ? dataOf(success, content, attempt, misfit) : null;
    const result = successWith(options, name, data, answer.headers);
    const answeredWith = String(status);
    // A success whose status has its own body form is not a page.
    if (options.next === undefined || body !== undefined || !hasContent)
      return { result, answeredWith };
    const { headers: all, request } = answer;
    const page = { request, headers: all, body: value, data, misfit };
    const next = findIn(misfit, () => options.next?.(page, attempt));
    requireHeld(next, content, attempt);
    return { result: { ...result, next } as AnyResult, answeredWith };
  }
  const result = failureOf(options, name, body, answer, attempt);
  // A server that reports a failure may have made the change before.
  const outcome = status >= 500 ? ({ outcome: "unknown" } as const) : {};
  if (!worthRetrying.has(status)) return { result, ...outcome };
  const now = Date.now();
  const afterMs =
    retryAfterMs(single(answer.headers["retry-after"]), now) ??
    requestedPauseMs(status, answer.headers, now);
  return { result, ...outcome, retry: afterMs === undefined ? {} : { afterMs } };
}

/**
 * The content form of a response. Undefined if it is no success, has no content, or its status has
 * its own body form, which is always JSON.
 */
export function contentOf<Body>(
  { content, statuses }: AnswerOptions<Body>,
  status: number,
): AnswerContent | undefined {
  if (content === undefined) return undefined;
  const { body, hasContent, isSuccess } = statuses.of(status);
  return isSuccess && hasContent && body === undefined ? content : undefined;
}

/** A result with data and the headers in the contract. */
export function successWith<Body>(
  options: AnswerOptions<Body>,
  status: string,
  data: unknown,
  all: IncomingHttpHeaders,
): Success<string, unknown> {
  const headers = options.headers && headersOf(all, options.headers);
  return { status, data, ...(headers && { headers }) };
}

/** @throws ToolError if the content type is not one that the binding accepts */
export function requireType(
  content: AnswerContent,
  headers: IncomingHttpHeaders,
  attempt: Attempt,
): void {
  const problem = typeProblem(content, single(headers["content-type"]));
  if (problem !== undefined) throw protocolError(attempt, problem);
}

/** How to read a success. The status's own body form takes precedence. */
function successOf<Body>(
  options: AnswerOptions<Body>,
  body: StatusBody | undefined,
): SuccessOptions {
  // The compiler ensures that the path fits the schema.
  if (body === undefined) return options as SuccessOptions;
  const { find, schema = options.response, steps } = body;
  // `returns` does not describe the body of this status.
  const int64 = options.int64 && {};
  return { response: schema, data: find as SuccessOptions["data"], dataPath: steps, int64 };
}

/** The result of a 2xx response that reports failed work. */
export function failedWork<Body>(
  options: AnswerOptions<Body>,
  answer: Answer,
  attempt: Attempt,
): AttemptOutcome<AnyResult> {
  return { result: failureOf(options, "error", undefined, answer, attempt) };
}

/** The result of a failure. It is an `error` if the body doesn't fit the schema of its status. */
function failureOf<Body>(
  options: AnswerOptions<Body>,
  name: string,
  described: StatusBody | undefined,
  answer: Answer,
  attempt: Attempt,
): { readonly status: string } & HttpFault {
  const { find = undefined, orBody = false, schema = undefined } = described ?? {};
  const read = parseErrorBody(answer.body, contentTypeOf(answer));
  const body =
    options.int64 === undefined || schema === undefined
      ? read
      : // JSON with texts for numbers is JSON.
        (withDigits(schema, { value: read }) as JsonValue);
  const fault = (error: JsonValue): HttpFault => ({ error, status_code: answer.status });
  if (schema === undefined) {
    // A value found in JSON is JSON.
    const path = find as ((body: JsonValue) => unknown) | undefined;
    const found = follow(path ?? options.error, body, attempt) as JsonValue | undefined;
    return { status: name, ...fault(isNothing(found) ? body : found) };
  }
  if (problemsOf(schema, body).length === 0) {
    const path = find as ((body: unknown) => unknown) | undefined;
    const found =
      path === undefined ? body : (follow(path, body, attempt) as JsonValue | undefined);
    if (orBody && isNothing(found)) return { status: name, ...fault(body) };
    if (found !== undefined) return { status: name, ...fault(found) };
  }
  return { status: "error", ...fault(body) };
}

/** A query that is not singular returns an empty array if it finds nothing. */
function isNothing(found: JsonValue | undefined): found is undefined {
  return found === undefined || (Array.isArray(found) && found.length === 0);
}

/** How to convert the body of a success to data. */
interface SuccessOptions {
  readonly response: Validator | undefined;
  readonly data: ((body: unknown) => unknown) | undefined;
  readonly dataPath: readonly (string | number)[] | undefined;
  readonly int64: Int64Validators | undefined;
}

/** A body with integers in the form that its schema requires. */
function withInt64({ int64, response }: SuccessOptions, content: ReadContent): ReadContent {
  if (int64 === undefined || response === undefined) return content;
  return { ...content, value: withDigits(response, content) };
}

/**
 * Converts an item of a stream. The rules for the body of a success apply to each item.
 *
 * @param number number of the item, from 1
 */
export function itemOf<Body>(
  options: AnswerOptions<Body>,
  item: ReadContent,
  attempt: Attempt,
  number: number,
): unknown {
  const success = successOf(options, undefined);
  const content = withInt64(success, item);
  const misfit = misfitOf(success, content, attempt, `item ${number} of the response`);
  return dataOf(success, content, attempt, misfit);
}

/**
 * The error for a body that doesn't fit but is returned anyway; undefined if it fits.
 *
 * @throws ToolError if such a body must be rejected
 */
function misfitOf(
  { response }: SuccessOptions,
  content: ReadContent,
  attempt: Attempt,
  what: string,
): ToolError | undefined {
  const problems = response === undefined ? [] : problemsOf(response, content.value);
  if (problems.length === 0) return undefined;
  const error = new ToolError(
    attempt.tool,
    { code: "SCHEMA.VALIDATION_FAILED", subject: "response", problems },
    `${what} to \`${attempt.tool}\` doesn't fit its schema: ${tellProblems(problems)}${readAsText(content)}`,
    { attempts: attempt.number },
  );
  if (attempt.takeMisfit === undefined) throw error;
  attempt.takeMisfit(error);
  return error;
}

/**
 * Finds a value in a body. Generated paths rely on the schema. If they fail in a body that doesn't
 * fit, the misfit is thrown.
 */
function findIn<Value>(misfit: ToolError | undefined, find: () => Value): Value {
  try {
    return find();
  } catch (error) {
    throw misfit === undefined || error instanceof ToolError ? error : misfit;
  }
}

function dataOf(
  options: SuccessOptions,
  content: ReadContent,
  attempt: Attempt,
  misfit: ToolError | undefined,
): unknown {
  const found =
    options.data === undefined ? content.value : findData(options, content, attempt, misfit);
  const data = asReturned(options, found, content, attempt);
  requireHeld(data, content, attempt);
  return data;
}

/** Data with integers in the form that `returns` requires. */
function asReturned(
  { data: path, int64 }: SuccessOptions,
  value: unknown,
  { exact }: ReadContent,
  attempt: Attempt,
): unknown {
  if (int64?.returns === undefined) return value;
  const written = exact === undefined ? undefined : follow(path ?? itself, exact, attempt);
  return withDigits(int64.returns, { value, exact: written });
}

const itself = (body: unknown): unknown => body;

/** Help for a response with an integer that a JavaScript number can't hold. */
const asText = "with `format: int64` in its schema, `int64: string` gives it as text";

/**
 * @throws ToolError if this part of a response has an integer that a JavaScript number can't hold
 */
function requireHeld(part: unknown, content: ReadContent, attempt: Attempt): void {
  // Only JSON has an `exact` form.
  if (content.exact === undefined) return;
  try {
    requireExact(part, content as ParsedJson);
  } catch (error) {
    if (error instanceof UnheldNumber)
      throw protocolError(attempt, `in the body, ${error.message} (${asText})`);
    throw error;
  }
}

function findData(
  options: SuccessOptions,
  content: ReadContent,
  attempt: Attempt,
  misfit: ToolError | undefined,
): unknown {
  const { value: body } = content;
  const data = findIn(misfit, () => follow(options.data, body, attempt));
  if (data !== undefined) return data;
  if (misfit !== undefined) throw misfit;
  const missing = options.dataPath && missingStep(body, options.dataPath);
  const where = missing === undefined ? "" : `: ${missing}`;
  throw protocolError(
    attempt,
    `the response has no value at the response path${where}${readAsText(content)}`,
  );
}

function follow<Body>(
  path: ((body: Body) => unknown) | undefined,
  body: Body,
  attempt: Attempt,
): unknown {
  try {
    return path?.(body);
  } catch (error) {
    if (error instanceof TooManySteps) throw protocolError(attempt, error.message);
    throw error;
  }
}

export function contentTypeOf({ headers }: Answer): string | undefined {
  return single(headers["content-type"]);
}

/** Reads the body. For a success the author's declaration decides, otherwise the content type. */
function readable(answer: Answer, form: AnswerContent | undefined, attempt: Attempt): ReadContent {
  const type = contentTypeOf(answer);
  if (form?.as === "bytes") return { value: answer.body };
  if (form?.as === "any") {
    const as = formByType(type) ?? (isText(answer.body) ? undefined : "bytes");
    return readable(answer, as && answer.body.length > 0 ? { as } : undefined, attempt);
  }
  try {
    if (form?.as === "text") return { value: decodeText(answer.body, charsetOf(type)) };
    // A declared JSON form applies to every content type that the binding accepts.
    return parseBody(answer.body, form?.as === "json" ? asJson(type) : type);
  } catch (error) {
    if (error instanceof UnreadableAnswer) throw protocolError(attempt, error.message);
    throw error;
  }
}

/** The JSON content type in the same charset; undefined for a body without a content type. */
function asJson(type: string | undefined): string | undefined {
  return type === undefined ? undefined : `application/json; charset=${charsetOf(type)}`;
}

/** Maximal number of fields in a message. */
const maxListed = 8;
/** Maximal length of a field's name in a message, in characters. */
const longestName = 60;

/**
 * Describes the first step of a path that finds nothing, and the names that exist instead;
 * undefined if every step finds something.
 */
function missingStep(body: unknown, steps: readonly Step[]): string | undefined {
  let at = body;
  for (const [index, step] of steps.entries()) {
    const next = stepInto(at, step);
    if (next === undefined) return `${placeOf(steps.slice(0, index))} ${describeMissing(at, step)}`;
    at = next;
  }
  return undefined;
}

function placeOf(steps: readonly Step[]): string {
  if (steps.length === 0) return "the body";
  const texts = steps.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`));
  return `\`${shown(texts.join("").replace(/^\./, ""))}\``;
}

function describeMissing(value: unknown, step: Step): string {
  if (Array.isArray(value)) {
    return typeof step === "number"
      ? `has no item ${step}: it has ${value.length}`
      : `is a list, which has no \`${shown(step)}\``;
  }
  const lack = `has no ${typeof step === "number" ? `item ${step}` : `\`${shown(step)}\``}`;
  if (typeof value !== "object" || value === null) return `${lack}: it is ${kindOf(value)}`;
  const names = Object.keys(value);
  if (names.length === 0) return `${lack}: it is empty`;
  if (names.length > maxListed) return lack;
  return `${lack}: it has ${names.map((name) => `\`${shown(name)}\``).join(", ")}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return typeof value === "string" ? "text" : `a ${typeof value}`;
}

/** Shortens a name from a server to one short line of plain characters. */
function shown(name: string): string {
  const plain = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd");
  return plain.length > longestName ? `${plain.slice(0, longestName)}…` : plain;
}

/** The form of a body by its content type; `unknown` without a content type. */
interface Content {
  readonly kind: "json" | "text" | "unknown";
  readonly charset: string;
}

/**
 * Reads the body of a success. A JSON content type, or none, means JSON; any other means text. An
 * empty body is null.
 *
 * @throws UnreadableAnswer for invalid JSON, too much nesting, or a number that would become
 * Infinity; for bytes outside the charset; for an unknown charset
 */
function parseBody(body: Uint8Array, type: string | undefined): ReadContent {
  if (body.length === 0) return { value: null };
  const { kind, charset } = contentTypeIn(type);
  const text = decodeText(body, charset);
  if (kind === "text") return { value: text, ...(type !== undefined && { textBy: type }) };
  const parsed = parsedJson(text, "the body");
  if (parsed !== undefined) return parsed;
  if (kind === "unknown") return { value: text };
  throw new UnreadableAnswer("the body is not JSON, although its content type says so");
}

/**
 * Reads the body of a failure as far as possible. Errors in it don't matter, because the status
 * already reports a failure. Integers that a JavaScript number can't hold become text.
 */
export function parseErrorBody(body: Uint8Array, type: string | undefined): JsonValue {
  try {
    const { value, exact = value } = parseBody(body, type);
    // The value is parsed JSON or text.
    return exact as JsonValue;
  } catch {
    return lenient.decode(body);
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** Decodes a body without its byte order mark. */
function decodeText(body: Uint8Array, charset: string): string {
  const decoder = charset === "utf-8" ? utf8 : decoderFor(charset);
  try {
    return decoder.decode(body);
  } catch {
    throw new UnreadableAnswer("the body has bytes that are not in its charset");
  }
}

function isText(body: Uint8Array): boolean {
  try {
    return decodeText(body, "utf-8") !== undefined;
  } catch {
    return false;
  }
}

function decoderFor(charset: string): typeof utf8 {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new UnreadableAnswer("the body has an unknown charset");
  }
}

/** Cache of parsed content types. */
const known = new Map<string, Content>();
const maxKnown = 100;

function charsetOf(type: string | undefined): string {
  return contentTypeIn(type).charset;
}

function contentTypeIn(type: string | undefined): Content {
  if (type === undefined) return { kind: "unknown", charset: "utf-8" };
  const before = known.get(type);
  if (before !== undefined) return before;
  const content = parseContentType(type);
  if (known.size >= maxKnown) known.clear();
  known.set(type, content);
  return content;
}

function parseContentType(type: string): Content {
  const [essence = "", ...parameters] = type.split(";").map((each) => each.trim().toLowerCase());
  const charset = parameters.find((each) => each.startsWith("charset="))?.slice("charset=".length);
  return {
    kind: /(?:\/|\+)json$/.test(essence) ? "json" : "text",
    charset: charset?.replaceAll('"', "") ?? "utf-8",
  };
}
