import type { Catalogue } from "../../core/catalogue.js";
import { bound, entry, tool } from "./examples.js";

const url = "url: https://orders.example.com/orders/{order_id}";
const get = ["type: http", "method: GET", url];

const post = (...lines: readonly string[]) =>
  tool(
    "customer_id: string",
    "binding:",
    "  type: http",
    "  method: POST",
    "  url: https://orders.example.com/orders",
    ...lines.map((line) => `  ${line}`),
  );

/** Codes about what all bindings have in common. */
export const bindingCatalogue: Catalogue = {
  "binding/unknown-type": entry(
    "error",
    "a binding of an unknown type",
    "`type` names a kind of binding: one that ships with skillc, or one that `bindings:` in skillc.yaml adds.",
    bound("type: htpp", "method: GET", url),
    bound(...get),
  ),
  "binding/reserved-type": entry(
    "error",
    "a binding of a reserved type",
    "The type is kept for a kind of binding that does not exist yet. Until it does, the tool can be a handler: a function that the " +
      "application supplies.",
    bound("type: grpc", "method: GetOrder"),
    tool("order_id: string"),
  ),
  "binding/missing-key": entry(
    "error",
    "a binding without a key that it needs",
    "A binding of this type can't work without the key.",
    bound("type: http", "method: GET", 'query: { id: "{order_id}" }'),
    bound(...get),
  ),
  "binding/unknown-key": entry(
    "error",
    "a key that the binding doesn't have",
    "A misspelt key would silently change nothing, so it is an error.",
    bound(...get, "timeout: 500"),
    bound(...get, "timeout_ms: 500"),
  ),
  "binding/wrong-type": entry(
    "error",
    "a value of the wrong type in a binding",
    'Values are never converted: `"500"` is text, not a number. In YAML `{name}` without quotes is a mapping with the key `name`; a placeholder ' +
      "is text, so it has quotes.",
    bound(...get, 'timeout_ms: "500"'),
    bound(...get, "timeout_ms: 500"),
  ),
  "binding/wrong-value": entry(
    "error",
    "a value that a key of the binding can't have",
    "The key takes certain values, or values in a certain range: `mode` is `active` or `shadow` where the type knows both, `timeout_ms` is " +
      "between 1 and 86400000 (a day), `retry.max_attempts` between 1 and 10.",
    bound(...get, "mode: shadwo"),
    bound(...get, "mode: shadow"),
  ),
  "retry/unsafe-write": entry(
    "error",
    "a write that may be repeated and should not be",
    "When no answer comes, nobody knows whether a write did its work. A second attempt may then do it twice, unless repeating is harmless: by " +
      "the protocol (PUT, DELETE), by an idempotency key, or by the author's word (`idempotency: natural`).",
    post("retry: { max_attempts: 3 }"),
    post("retry: { max_attempts: 3 }", "idempotency: natural"),
  ),
};
