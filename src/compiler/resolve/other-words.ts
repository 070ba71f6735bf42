import { type OtherWords, plainWord } from "../../schema/other-words.js";

/** Names that MCP, OpenAI's tools, OpenAPI and HTTP clients have for what stands in a tool here. */
const forToolKeys: Readonly<Record<string, readonly string[]>> = {
  description: ["desc", "summary"],
  parameters: ["input_schema", "inputs", "args", "arguments", "parameters_schema"],
  returns: ["output_schema", "outputs", "result", "return_type", "returns_schema"],
};

/** Of these, the ones that could be no parameter's name. */
const onlyForToolKeys: ReadonlySet<string> = new Set(
  ["input_schema", "output_schema", "parameters_schema", "returns_schema"].map(plainWord),
);

/** The same for bindings; a dot leads to a key inside another. */
const forBindingKeys: Readonly<Record<string, readonly string[]>> = {
  body_template: ["body", "json", "data", "payload", "json_body", "request_body"],
  query: ["params", "query_params", "query_parameters", "search_params"],
  url: ["uri", "endpoint", "href"],
  headers: ["http_headers", "request_headers"],
  method: ["verb", "http_method"],
  timeout_ms: ["timeout", "timeout_seconds"],
  "retry.max_attempts": ["retries", "max_retries", "max_attempts", "attempts"],
  "retry.backoff_ms": ["backoff", "backoff_ms", "retry_delay"],
  "response_mapping.path": ["path", "response_path", "data_path", "result_path"],
  "response_mapping.error_path": ["error_path"],
  "response_mapping.status_codes": ["status_codes", "statuses"],
};

export const toolWords: OtherWords = wordsOf(forToolKeys);
export const bindingWords: OtherWords = wordsOf(forBindingKeys);

function wordsOf(table: Readonly<Record<string, readonly string[]>>): OtherWords {
  return new Map(
    Object.entries(table).flatMap(([key, words]) =>
      words.map((word) => [plainWord(word), key.split(".")] as const),
    ),
  );
}

/** Whether it is another word for a tool's key, and never a name for a parameter. */
export function isOnlyToolWord(key: string): boolean {
  return onlyForToolKeys.has(plainWord(key));
}
