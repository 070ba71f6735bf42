/** Headers of the author, and headers that skillc adds. */
import { expect, test } from "vitest";
import { json } from "../../../src/bindings/queue/execute.js";
import { kafka } from "../../../src/bindings/queue/providers/kafka/runtime.js";
import type { HeaderValue } from "../../../src/bindings/queue/contract.js";

const call = { id: "the-call", toolId: "desk/tool" };

/** The record of a message with these headers. */
function recorded(...headers: readonly (readonly [name: string, value: HeaderValue])[]) {
  const binding = kafka<object, unknown>({
    connection: "EVENTS",
    publish: () => ({ target: { topic: "t" }, headers, message: {} }),
    encode: json(),
  });
  return binding.prepare({}, call).describe();
}

test("adds skillc's headers if the author sets none", () => {
  expect(recorded()).toMatchObject({
    headers: { correlation_id: "the-call", source: "desk/tool" },
    encoded: { content_type: "application/json" },
  });
});

test.each([
  ["correlation_id", "source", "content-type"],
  ["Correlation_ID", "SOURCE", "Content-Type"],
])("the author's %s, %s and %s replace skillc's headers", (correlation, source, type) => {
  const own = { [correlation]: "a", [source]: "b", [type]: "text/c" };
  const record = recorded(...Object.entries(own));
  expect(record).toMatchObject({ encoded: { content_type: "text/c" } });
  expect(record).toHaveProperty("headers", own);
});

test.each([undefined, null])("ignores a header that is %s", (nothing) => {
  const names = ["Correlation_Id", "source", "content-type", "other"];
  const record = recorded(...names.map((name) => [name, nothing] as const));
  expect(record).toMatchObject({ encoded: { content_type: "application/json" } });
  expect(record).toHaveProperty("headers", { correlation_id: "the-call", source: "desk/tool" });
});
