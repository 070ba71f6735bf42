import {
  type AnyResult,
  type Attempt,
  type JsonValue,
  type Outcome,
  problemsOf,
  retryAfterMs,
  type Success,
  tellProblems,
  ToolError,
  UnreadableAnswer,
} from "../../../runtime/sink.js";
import type { HttpContract, HttpFault } from "../contract.js";
import { parseBody, parseFault } from "./content.js";
import { protocolError } from "./failures.js";
import { missingStep } from "./missing-step.js";
import { TooManySteps } from "./path-steps.js";

/** The parts of a contract that say what an answer means. */
export interface AnswerPlan<Body> {
  readonly names: StatusNames;
  readonly response: HttpContract<never, Body>["response"];
  readonly data: HttpContract<never, Body>["data"];
  readonly dataPath: HttpContract<never, Body>["dataPath"];
  readonly error: HttpContract<never, Body>["error"];
}

/** An answer with its content codings undone. */
export interface Answer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly retryAfter: string | undefined;
  readonly body: Uint8Array;
}

export interface StatusNames {
  readonly byCode: ReadonlyMap<number, string>;
  /** The names whose results carry `data`. */
  readonly succeeded: ReadonlySet<string>;
}

/** `success`, and every other name given to a 2xx, carries `data`. */
export function statusNames(statuses: { readonly [code: string]: string }): StatusNames {
  const byCode = new Map(Object.entries(statuses).map(([code, name]) => [Number(code), name]));
  const named2xx = [...byCode].filter(([code]) => is2xx(code)).map(([, name]) => name);
  return { byCode, succeeded: new Set(["success", ...named2xx]) };
}

/** Statuses by which a server says that another attempt may do better. */
const worthRetrying: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/**
 * What an answer means to the caller.
 *
 * @throws ToolError when a success has a body that is not what the contract says, or a path takes too many steps in a body
 */
export function readAnswer<Body>(
  plan: AnswerPlan<Body>,
  answer: Answer,
  attempt: Attempt,
): Outcome<AnyResult> {
  const { status } = answer;
  const name = plan.names.byCode.get(status) ?? (is2xx(status) ? "success" : "error");
  if (plan.names.succeeded.has(name)) {
    const result: Success<string, unknown> = { status: name, data: dataOf(plan, answer, attempt) };
    return { result };
  }
  const body = parseFault(answer.body, answer.contentType);
  // What is found in JSON is JSON.
  const found = follow(plan.error, body, attempt) as JsonValue | undefined;
  const fault: HttpFault = { error: isNothing(found) ? body : found, status_code: status };
  const result = { status: name, ...fault };
  if (!worthRetrying.has(status)) return { result };
  const afterMs = retryAfterMs(answer.retryAfter, Date.now());
  return { result, retry: afterMs === undefined ? {} : { afterMs } };
}

/** A query that is not singular finds nothing as an empty array. */
function isNothing(found: JsonValue | undefined): found is undefined {
  return found === undefined || (Array.isArray(found) && found.length === 0);
}

function dataOf<Body>(plan: AnswerPlan<Body>, answer: Answer, attempt: Attempt): unknown {
  const body = readable(answer, attempt);
  if (plan.response !== undefined) {
    const problems = problemsOf(plan.response, body);
    if (problems.length > 0) {
      throw new ToolError(
        attempt.tool,
        { code: "SCHEMA.VALIDATION_FAILED", subject: "response", problems },
        `the response to \`${attempt.tool}\` doesn't fit its schema: ${tellProblems(problems)}`,
        { attempts: attempt.number },
      );
    }
  }
  if (plan.data === undefined) return body;
  // `response` accepted it; without one, generated code names no other type than `unknown`.
  const data = follow(plan.data, body as Body, attempt);
  if (data !== undefined) return data;
  const told = plan.dataPath && missingStep(body, plan.dataPath);
  throw protocolError(
    attempt,
    told === undefined ? "nothing at the response path" : `nothing at the response path: ${told}`,
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

function readable(answer: Answer, attempt: Attempt): unknown {
  try {
    return parseBody(answer.body, answer.contentType);
  } catch (error) {
    if (error instanceof UnreadableAnswer) throw protocolError(attempt, error.message);
    throw error;
  }
}

function is2xx(code: number): boolean {
  return code >= 200 && code <= 299;
}
