import type { TextTemplate } from "../text-template.js";
import type { BodyNode, HttpConfig, ScalarModel } from "./model.js";

/** Every template of a request but its URL, in the order: query, headers, idempotency key, body. */
export function templatesIn(
  request: Pick<HttpConfig, "query" | "headers" | "body" | "idempotency">,
): readonly TextTemplate[] {
  const { query, headers, idempotency, body } = request;
  return [
    ...[...query, ...headers].flatMap(({ value }) => templateOf(value)),
    ...(idempotency?.key ? [idempotency.key] : []),
    ...(body.kind === "template" ? templatesBelow(body.value) : []),
  ];
}

function templateOf(scalar: ScalarModel): readonly TextTemplate[] {
  return scalar.kind === "template" ? [scalar.template] : [];
}

function templatesBelow(node: BodyNode): readonly TextTemplate[] {
  if (node.kind === "list") return node.items.flatMap(templatesBelow);
  if (node.kind === "map") return node.entries.flatMap(({ value }) => templatesBelow(value));
  return templateOf(node);
}
