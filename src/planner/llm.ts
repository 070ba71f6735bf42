/** The model that a planner asks, and the answers that it may give. */
import { PlannerError, type PlannerProblem, type TokenCount } from "@skillc/runtime";
import type { JsonObject, JsonValue } from "../core/json.js";
import { compare } from "../schema/compare/compare.js";

/**
 * A model. Implement it with your provider's SDK; docs/planner.md has recipes.
 *
 * A request that fails may throw any error: the planner goes on without an answer.
 */
export interface Llm {
  /** Answers one request. */
  complete(request: LlmRequest): Promise<LlmAnswer>;
}

/** One request to a model. */
export interface LlmRequest {
  /** Purpose of the request: a short name of letters and `_`, as APIs want it for a schema. */
  readonly name: "plan" | "bindings" | "parameters";
  /** The messages. Only the first is an instruction; all others hold data. */
  readonly messages: readonly LlmMessage[];
  /** JSON Schema 2020-12 of the answer; its root is an object. */
  readonly schema: JsonObject;
  /** Aborts if nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** One message of a request. */
export interface LlmMessage {
  readonly role: "system" | "user";
  readonly content: string;
}

/** The answer to one request. */
export interface LlmAnswer {
  /** The answer as JSON text; empty if the model gave none. */
  readonly text: string;
  /** True if the model refused to answer. */
  readonly refused?: boolean;
  /** Tokens of the request and of the answer, as the provider counts them. */
  readonly tokens: TokenCount;
}

/** Maximum length of an answer, in characters. */
const longestAnswer = 4_000_000;

/** Default for the time that a planner waits for one answer, in milliseconds. */
export const usualTimeoutMs = 60_000;

/** A model, and how long to wait for it. */
export interface AskedLlm {
  readonly llm: Llm;
  /** Maximum time for one answer, in milliseconds. */
  readonly timeoutMs: number;
}

/** An answer that fits the schema of its request. */
export interface ReadAnswer {
  readonly value: JsonObject;
  readonly tokens: TokenCount;
}

/**
 * Asks a model, and reads its answer.
 *
 * @throws PlannerError if the model gives no usable answer; the reason of `signal` if it aborts
 */
export async function ask(
  { llm, timeoutMs }: AskedLlm,
  request: Omit<LlmRequest, "signal">,
  signal: AbortSignal,
): Promise<ReadAnswer> {
  signal.throwIfAborted();
  const late = AbortSignal.timeout(timeoutMs);
  const ended = AbortSignal.any([signal, late]);
  // A model that throws at once fails as one that rejects.
  const complete = async (): Promise<LlmAnswer> => llm.complete({ ...request, signal: ended });
  const answer = await untilAborted(complete(), ended).catch((cause: unknown) => {
    signal.throwIfAborted();
    if (late.aborted)
      throw new PlannerError("too-late", `the model did not answer within ${timeoutMs} ms`);
    throw new PlannerError("failed", "the request to the model failed", { cause });
  });
  return readAnswer(answer, request.schema);
}

/** Rejects as soon as the signal aborts, even if the model ignores it. */
function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    // A signal that has aborted meanwhile sends no event.
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function readAnswer(answer: LlmAnswer, schema: JsonObject): ReadAnswer {
  const tokens = tokensOf(answer);
  const failed = (problem: PlannerProblem, message: string): PlannerError =>
    new PlannerError(problem, message, { tokens });
  const text: unknown = answer?.text;
  if (answer?.refused === true) throw failed("refused", "the model refused to answer");
  if (typeof text !== "string" || text.trim() === "")
    throw failed("no-answer", "the model's answer is empty");
  if (text.length > longestAnswer)
    throw failed("wrong-form", `the model's answer has more than ${longestAnswer} characters`);
  const value = jsonOf(text);
  if (value === undefined)
    throw failed(
      "not-json",
      `the model's answer is not JSON, or nests deeper than ${deepest} levels`,
    );
  if (!fits(value, schema))
    throw failed("wrong-form", "the model's answer does not fit the schema of the request");
  // The schema's root is an object.
  return { value: value as JsonObject, tokens };
}

/** Reads the counts of an SDK. A missing or wrong count is 0. */
export function tokensOf(answer: { readonly tokens?: TokenCount } | undefined): TokenCount {
  const count = (number: unknown): number =>
    typeof number === "number" && number >= 0 && Number.isFinite(number) ? number : 0;
  return { input: count(answer?.tokens?.input), output: count(answer?.tokens?.output) };
}

/** Maximum depth of an answer. What compares values with schemas visits each level. */
const deepest = 200;

/** Parses a text of a model; undefined if it is no JSON, or nests too deep. */
export function jsonOf(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isShallow(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isShallow(value: JsonValue, levels = deepest): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1));
}

/** Checks if a value fits a schema. `compare` is the only algebra of schemas. */
export function fits(value: JsonValue, schema: JsonValue, root: JsonValue = schema): boolean {
  const constant = { const: value };
  const wanted = { schema: schema as JsonObject, root: root as JsonObject };
  return compare({ schema: constant, root: constant }, wanted).length === 0;
}
