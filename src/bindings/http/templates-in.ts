import type { TextTemplate } from "../text-template.js";
import { templatesBelow } from "../values/templates-in.js";
import type { HttpConfig } from "./model.js";

/** Every template of a request but its URL, in the order: query, headers, idempotency key, body. */
export function templatesIn(
  request: Pick<HttpConfig, "query" | "headers" | "body" | "idempotency">,
): readonly TextTemplate[] {
  const { query, headers, idempotency, body } = request;
  return [
    ...[...query, ...headers].flatMap(({ value }) => templatesBelow(value)),
    ...(idempotency?.key ? [idempotency.key] : []),
    ...(body.kind === "template" ? templatesBelow(body.value) : []),
  ];
}
