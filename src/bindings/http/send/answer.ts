import type { IncomingHttpHeaders } from "node:http";
import { askedPauseMs } from "../../../runtime/http/asked-pause.js";
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
import { type AnswerContent, readAsText, type ReadContent, typeProblem } from "./content.js";
import { protocolError } from "./failures.js";
import type { FindNext } from "./next-page.js";
import type { OpenRequest } from "./open-request.js";
import { TooManySteps } from "./path-steps.js";
import type { Statuses } from "./statuses.js";

/** The parts of a contract that say what an answer means. */
export interface AnswerOptions<Body> {
  readonly statuses: Statuses;
  readonly response: HttpContract<never, Body>["response"];
  readonly data: HttpContract<never, Body>["data"];
  readonly dataPath: HttpContract<never, Body>["dataPath"];
  readonly error: HttpContract<never, Body>["error"];
  readonly int64: HttpContract<never, Body>["int64"];
  readonly headers: HttpContract<never, Body>["answerHeaders"];
  readonly content: AnswerContent | undefined;
  /** Of a tool whose answers have pages. */
  readonly next?: FindNext;
}

/** An answer with its content codings undone. */
export interface Answer {
  readonly status: number;
  /** What was answered, after redirects. */
  readonly request: Pick<OpenRequest, "origin" | "path">;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

/**
 * A header that came more than once is a list, whose members commas part as well (RFC 9110, 5.3).
 */
export function single(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === "string" || header === undefined ? header : header.join(", ");
}

/** The headers that a tool names, by its names; null for what did not come. */
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

/** Statuses by which a server says that another attempt may do better. */
export const worthRetrying: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/**
 * What an answer means to the caller.
 *
 * @throws ToolError when a success has a body that is not what the contract says, or a path takes
 * too many steps in a body
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
    const said = `the service answered ${status}, and the response`;
    const misfit = hasContent ? misfitOf(success, content, attempt, said) : undefined;
    const data = hasContent ? dataOf(success, content, attempt, misfit) : null;
    const result = successWith(options, name, data, answer.headers);
    const answeredWith = String(status);
    // A success whose body is of a form of its own is no page.
    if (options.next === undefined || body !== undefined || !hasContent)
      return { result, answeredWith };
    const { headers: all, request } = answer;
    const page = { request, headers: all, body: value, data, misfit };
    const next = findIn(misfit, () => options.next?.(page, attempt));
    requireHeld(next, content, attempt);
    return { result: { ...result, next } as AnyResult, answeredWith };
  }
  const result = failureOf(options, name, body, answer, attempt);
  // A server that failed may have failed behind the change.
  const outcome = status >= 500 ? ({ outcome: "unknown" } as const) : {};
  if (!worthRetrying.has(status)) return { result, ...outcome };
  const now = Date.now();
  const afterMs =
    retryAfterMs(single(answer.headers["retry-after"]), now) ??
    askedPauseMs(status, answer.headers, now);
  return { result, ...outcome, retry: afterMs === undefined ? {} : { afterMs } };
}

/**
 * What the body of an answer is; undefined for one that is no success, has no content, or of whose
 * body its status says something of its own: that is JSON.
 */
export function contentOf<Body>(
  { content, statuses }: AnswerOptions<Body>,
  status: number,
): AnswerContent | undefined {
  if (content === undefined) return undefined;
  const { body, hasContent, isSuccess } = statuses.of(status);
  return isSuccess && hasContent && body === undefined ? content : undefined;
}

/** An answer that carries data, with the headers that its tool names. */
export function successWith<Body>(
  options: AnswerOptions<Body>,
  status: string,
  data: unknown,
  all: IncomingHttpHeaders,
): Success<string, unknown> {
  const headers = options.headers && headersOf(all, options.headers);
  return { status, data, ...(headers && { headers }) };
}

/** @throws ToolError for content of another type than the binding takes */
export function requireType(
  content: AnswerContent,
  headers: IncomingHttpHeaders,
  attempt: Attempt,
): void {
  const problem = typeProblem(content, single(headers["content-type"]));
  if (problem !== undefined) throw protocolError(attempt, problem);
}

/** What a success means; what its status says of its body comes before what all successes are. */
function successOf<Body>(
  options: AnswerOptions<Body>,
  body: StatusBody | undefined,
): SuccessOptions {
  // The compiler ties a path to the schema that it leads into.
  if (body === undefined) return options as SuccessOptions;
  const { find, schema = options.response, steps } = body;
  // `returns` does not describe the body of this status.
  const int64 = options.int64 && {};
  return { response: schema, data: find as SuccessOptions["data"], dataPath: steps, int64 };
}

/** An answer that says with a 2xx that the work failed. */
export function failedWork<Body>(
  options: AnswerOptions<Body>,
  answer: Answer,
  attempt: Attempt,
): AttemptOutcome<AnyResult> {
  return { result: failureOf(options, "error", undefined, answer, attempt) };
}

/** A failure by its name; one whose body is not what its status says is an `error`. */
function failureOf<Body>(
  options: AnswerOptions<Body>,
  name: string,
  described: StatusBody | undefined,
  answer: Answer,
  attempt: Attempt,
): { readonly status: string } & HttpFault {
  const { find = undefined, schema = undefined } = described ?? {};
  const read = parseErrorBody(answer.body, contentTypeOf(answer));
  const body =
    options.int64 === undefined || schema === undefined
      ? read
      : // JSON with texts for numbers is JSON.
        (withDigits(schema, { value: read }) as JsonValue);
  const fault = (error: JsonValue): HttpFault => ({ error, status_code: answer.status });
  if (schema === undefined) {
    // What is found in JSON is JSON.
    const path = find as ((body: JsonValue) => unknown) | undefined;
    const found = follow(path ?? options.error, body, attempt) as JsonValue | undefined;
    return { status: name, ...fault(isNothing(found) ? body : found) };
  }
  if (problemsOf(schema, body).length === 0) {
    const path = find as ((body: unknown) => unknown) | undefined;
    const found =
      path === undefined ? body : (follow(path, body, attempt) as JsonValue | undefined);
    if (found !== undefined) return { status: name, ...fault(found) };
  }
  return { status: "error", ...fault(body) };
}

/** A query that is not singular finds nothing as an empty array. */
function isNothing(found: JsonValue | undefined): found is undefined {
  return found === undefined || (Array.isArray(found) && found.length === 0);
}

/** How the body of a success becomes data. */
interface SuccessOptions {
  readonly response: Validator | undefined;
  readonly data: ((body: unknown) => unknown) | undefined;
  readonly dataPath: readonly (string | number)[] | undefined;
  readonly int64: Int64Validators | undefined;
}

/** A body with integers as its schema has them. */
function withInt64({ int64, response }: SuccessOptions, content: ReadContent): ReadContent {
  if (int64 === undefined || response === undefined) return content;
  return { ...content, value: withDigits(response, content) };
}

/**
 * What an item of a stream carries: what is said of the body of a success is said of each.
 *
 * @param number from 1
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
 * Why a body that is given all the same would have been refused; undefined for one that fits.
 *
 * @throws ToolError where it is refused
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
 * What is found in a body. The paths of generated code rely on its schema: in one that doesn't fit
 * they may lead nowhere, and then it is refused.
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

/** Data with integers as `returns` has them. */
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

/** Help for an answer with an integer that a number can't hold. */
const asText = "with `format: int64` in its schema, `int64: string` gives it as text";

/** @throws ToolError for a part of an answer with an integer that a number can't hold */
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
  throw protocolError(attempt, `nothing at the response path${where}${readAsText(content)}`);
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

/** Of a success: as its author says what it is, else as its content type does. */
function readable(answer: Answer, form: AnswerContent | undefined, attempt: Attempt): ReadContent {
  if (form?.as === "bytes") return { value: answer.body };
  const type = contentTypeOf(answer);
  try {
    if (form?.as === "text") return { value: decodeText(answer.body, charsetOf(type)) };
    // An author who says that it is JSON means it of every type that the binding takes.
    return parseBody(answer.body, form?.as === "json" ? asJson(type) : type);
  } catch (error) {
    if (error instanceof UnreadableAnswer) throw protocolError(attempt, error.message);
    throw error;
  }
}

/** JSON in the same charset; undefined for a body without a content type. */
function asJson(type: string | undefined): string | undefined {
  return type === undefined ? undefined : `application/json; charset=${charsetOf(type)}`;
}

/** More fields than a reader would look through. */
const maxListed = 8;
/** Characters of a field's name. */
const longestName = 60;

/**
 * The first step of a path that finds nothing in a body, and the names that are there instead;
 * undefined when every step finds something.
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

/** A name comes from a server: it stays one short line of plain characters. */
function shown(name: string): string {
  const plain = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd");
  return plain.length > longestName ? `${plain.slice(0, longestName)}…` : plain;
}

/** What a body is, by its content type; `unknown` when there is none. */
interface Content {
  readonly kind: "json" | "text" | "unknown";
  readonly charset: string;
}

/**
 * The body of a success: JSON content types and bodies without a type are JSON, everything else is
 * text. Null when it is empty.
 *
 * @throws UnreadableAnswer for a body that is not JSON though it says so, nests too deep, or has a
 * number that would become Infinity; for bytes that are not of their charset; for an unknown charset
 */
function parseBody(body: Uint8Array, type: string | undefined): ReadContent {
  if (body.length === 0) return { value: null };
  const { kind, charset } = contentTypeIn(type);
  const text = decodeText(body, charset);
  if (kind === "text") return { value: text, ...(type !== undefined && { textBy: type }) };
  const parsed = parsedJson(text, "the body");
  if (parsed !== undefined) return parsed;
  if (kind === "unknown") return { value: text };
  throw new UnreadableAnswer("the body is not JSON, though its content type says so");
}

/**
 * The body of any other answer: as good as it can be read. What went wrong there is in the status
 * already. Integers that a number can't hold are text.
 */
export function parseErrorBody(body: Uint8Array, type: string | undefined): JsonValue {
  try {
    const { value, exact = value } = parseBody(body, type);
    // What was parsed is JSON, and all else is text.
    return exact as JsonValue;
  } catch {
    return lenient.decode(body);
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** Takes a byte order mark off. */
function decodeText(body: Uint8Array, charset: string): string {
  const decoder = charset === "utf-8" ? utf8 : decoderFor(charset);
  try {
    return decoder.decode(body);
  } catch {
    throw new UnreadableAnswer("the body has bytes that are not in its charset");
  }
}

function decoderFor(charset: string): typeof utf8 {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new UnreadableAnswer("the body has an unknown charset");
  }
}

/** Content types seen so far: a server has few. */
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
