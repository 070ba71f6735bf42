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
 * @typeParam Result the tool's result. The contract is data, so only the compiler makes it fit this
 * type. By default the binding fits any tool.
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
      // The compiler chose `Result` to fit the contract.
      return call as PreparedCall<Result>;
    },
  };
}

/** Statuses of a server for which another attempt may succeed. */
const busy: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Reads an answer. GraphQL errors are a result, unless the HTTP status asks for another attempt. An
 * answer without errors needs a status of success and an object as data.
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

/** Parses a JSON object; an empty object if the text is anything else. */
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

/** Call it only with values that were parsed from JSON. */
function isObject(value: unknown): value is { readonly [name: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
