import {
  type AnyResult,
  type Attempt,
  type Binding,
  type JsonValue,
  type AttemptOutcome,
  parseJson,
  type PreparedCall,
  type Success,
  UnheldNumber,
} from "@skillc/runtime/executor";
import type { GraphqlContract, GraphqlFault, GraphqlRecord } from "./contract.js";
import { credentialsOf, openRequest, reachOf, sealRequest } from "./request.js";
import { type Answer, protocolError, send, unavailableError } from "./send.js";

/**
 * The binding of a GraphQL tool.
 *
 * @typeParam Result the tool's result. Nothing ties the contract, which is data, to this type but
 *   the compiler that wrote both; left out, the binding fits any tool.
 */
export function graphql<Arguments, Result extends AnyResult = never>(
  contract: GraphqlContract<Arguments>,
): Binding<Arguments, Result> {
  return {
    kind: "graphql",
    prepare(args) {
      const request = sealRequest(contract, args);
      const call: PreparedCall<AnyResult> = {
        credentials: credentialsOf(request),
        reach: (open) => [reachOf(request, open)],
        describe() {
          const record: GraphqlRecord = openRequest(request, (name) => `\${${name}}`);
          return { ...record };
        },
        send: async (attempt) => readAnswer(await send(request, attempt), attempt),
      };
      // See `Result`.
      return call as PreparedCall<Result>;
    },
  };
}

/** Statuses by which a server says that another attempt may do better. */
const busy: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * GraphQL errors are an answer, whatever the HTTP status that they came with; anything else but
 * data is none.
 */
function readAnswer(
  { status, body, retryAfterMs }: Answer,
  attempt: Attempt,
): AttemptOutcome<AnyResult> {
  if (busy.has(status)) throw unavailableError(attempt, `HTTP ${status}`, retryAfterMs);
  const { data, errors } = parseObject(body, attempt);
  if (Array.isArray(errors) && errors.length > 0) {
    const fault: GraphqlFault = { error: errors.map(messageOf) };
    return { result: { status: "graphql_error", ...fault } };
  }
  if (status < 200 || status > 299) throw protocolError(attempt, `HTTP ${status}`);
  if (!isObject(data)) throw protocolError(attempt, "the body has neither `data` nor `errors`");
  const result: Success<"success", unknown> = { status: "success", data };
  return { result };
}

/** The JSON object that the text is; an empty one when it is something else. */
function parseObject(text: string, attempt: Attempt): { readonly [name: string]: JsonValue } {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : {};
  } catch (error) {
    if (error instanceof UnheldNumber) throw protocolError(attempt, error.message);
    return {};
  }
}

function messageOf(error: unknown): string {
  const message = isObject(error) ? error["message"] : undefined;
  return typeof message === "string" ? message : "the server gives no message";
}

/** For values that were parsed from JSON. */
function isObject(value: unknown): value is { readonly [name: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
