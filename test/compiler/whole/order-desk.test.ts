/** Mistakes made in a copy of the example skill: each stops the compilation, at the line and column of the fault. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compileFiles, linesOf } from "../../support/compile.js";

const skillFile = "skills/order-desk/SKILL.md";
const toolsFile = "skills/order-desk/metadata.yaml";
const orderFile = "skills/order-desk/order.json";
const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const skill = read(skillFile);
const tools = read(toolsFile);
const order = read(orderFile);

interface Mistake {
  /** The tool in which the first `from` becomes `to`. */
  readonly tool: string;
  readonly from: string;
  readonly to: string;
  /** `code: message` of the only error. */
  readonly error: string;
  /** The line of the fault as it reads now, `»` and `«` around what is underlined. */
  readonly at: string;
  readonly help: string;
}

const mistakes: Readonly<Record<string, Mistake>> = {
  "a misspelt URL parameter": {
    tool: "get-order",
    from: "/orders/{order_id}",
    to: "/orders/{oder_id}",
    error: "http/unknown-parameter: `oder_id` is not a parameter of `get-order`",
    at: "url: ${ORDERS_URL}/orders/»{oder_id}«",
    help: "did you mean `order_id`?",
  },
  "an optional parameter in the path": {
    tool: "get-order",
    from: "required: [order_id]",
    to: "required: []",
    error: "http/optional-in-path: `order_id` is optional, but a path always needs a value",
    at: "url: ${ORDERS_URL}/orders/»{order_id}«",
    help: "make it required",
  },
  "a nullable parameter in the path": {
    tool: "get-order",
    from: "order_id:\n          type: string\n",
    to: 'order_id:\n          type: [string, "null"]\n',
    error: "http/optional-in-path: `order_id` is nullable, but a path always needs a value",
    at: "url: ${ORDERS_URL}/orders/»{order_id}«",
    help: "make it required",
  },
  "an unused parameter": {
    tool: "create-order",
    from: '        reference: "{reference}"\n',
    to: "",
    error: "http/unused-parameter: `reference` has no effect: the binding never uses it",
    at: "reference:\n          »type: string\n          maxLength: 40\n          description: The customer's own reference; one order each.\n«",
    help: "write `{reference}` where it belongs, or `unused: [reference]`",
  },
  "a body template that names an unknown parameter": {
    tool: "create-order",
    from: '"{reference}"',
    to: '"{referense}"',
    error: "http/unknown-parameter: `referense` is not a parameter of `create-order`",
    at: 'body_template:\n        reference: "»{referense}«"',
    help: "did you mean `reference`?",
  },
  "a body template that names an unknown field": {
    tool: "create-order",
    from: 'reference: "{reference}"',
    to: 'reference: "{reference}"\n        first: "{lines.sku}"',
    error: "http/unknown-parameter: `lines` may be an array, which has no fields",
    at: 'first: "»{lines.sku}«"',
    help: "write `{lines}` for the value itself",
  },
  "a response path that the response schema does not have": {
    tool: "get-order",
    from: "path: $.data",
    to: "path: $.order",
    error: "http/unknown-response-field: the body has no field `order` by its schema",
    at: "path: $.»order«",
    help: "it has `data`",
  },
  "an error path that the error schema does not have": {
    tool: "get-order",
    from: "error_path: $.error.message",
    to: "error_path: $.error.reason",
    error: "http/unknown-response-field: `error` has no field `reason` by its schema",
    at: "error_path: $.error.»reason«",
    help: "it has `message`",
  },
  "a token in plain text": {
    tool: "get-order",
    from: "Bearer ${ORDERS_TOKEN}",
    to: "Bearer ghp_k3J9xQ2mZ7vB4nL8wR1tY6pD5sF0aHcEgU2i",
    error: "credential/plaintext-secret: `Authorization` holds a secret in plain text",
    at: 'headers: { Authorization: "Bearer »ghp_k3J9xQ2mZ7vB4nL8wR1tY6pD5sF0aHcEgU2i«"',
    help: "write `${ORDERS_TOKEN}`",
  },
  "more than one attempt at a plain POST": {
    tool: "create-order",
    from: "idempotency: { header: Idempotency-Key }",
    to: "retry: { max_attempts: 3 }",
    error:
      "retry/unsafe-write: a retry could repeat this write, and nothing says that a repeat is harmless",
    at: "retry: { max_attempts: »3« }",
    help: "set `max_attempts: 1`",
  },
  "a wrong method": {
    tool: "get-order",
    from: "method: GET",
    to: "method: FETCH",
    error: "http/bad-method: `FETCH` is not a method that skillc supports",
    at: "method: »FETCH«",
    help: "write one of `GET`",
  },
  "a tool declared twice": {
    tool: "quote-shipping",
    from: "prerequisites:",
    to: "  get-order: { description: Again. }\nprerequisites:",
    error: "parse/duplicate-key: the key `get-order` occurs here a second time",
    at: "  »get-order«: { description: Again. }",
    help: "keep one of the two",
  },
  "a tool whose function there is already": {
    tool: "quote-shipping",
    from: "prerequisites:",
    to: "  get_order: { description: Again. }\nprerequisites:",
    error: "name/collision: `get-order` and `get_order` would both become `getOrder`",
    at: "  »get_order«: { description: Again. }",
    help: "rename one of the two",
  },
  "an unknown binding type": {
    tool: "get-order",
    from: "type: http",
    to: "type: htpp",
    error: "binding/unknown-type: there is no binding type `htpp`",
    at: "type: »htpp«",
    help: "did you mean `http`? the types are `command`, `file`, `handler`, `http`",
  },
  "a reserved binding type": {
    tool: "get-order",
    from: "type: http",
    to: "type: grpc",
    error: "binding/reserved-type: the binding type `grpc` is reserved",
    at: "type: »grpc«",
    help: "give the tool a handler",
  },
  "a misspelt key": {
    tool: "get-order",
    from: "binding:",
    to: "bindng:",
    error: "tool/unknown-key: `bindng` is not a key of a tool",
    at: "»bindng«:",
    help: "did you mean `binding`?",
  },
};

/** The tools with the mistake made. */
function broken({ tool, from, to }: Mistake): string {
  const start = tools.indexOf(from, tools.indexOf(`\n  ${tool}:`));
  expect(start, `the example's ${tool} has no ${from} any more`).toBeGreaterThan(0);
  return tools.slice(0, start) + to + tools.slice(start + from.length);
}

/** `line:column` of the place between the marks, and what stands there. */
function placeOf(
  marked: string,
  tool: string,
  text: string,
): { readonly place: string; readonly underlined: string } {
  const [before = "", underlined = "", after = ""] = marked.split(/[»«]/);
  const start =
    text.indexOf(before + underlined + after, text.indexOf(`\n  ${tool}:`)) + before.length;
  const lines = text.slice(0, start).split("\n");
  return { place: `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`, underlined };
}

test("the skill order-desk compiles without an error", async () => {
  const { diagnostics, files } = await compileFiles({
    [skillFile]: skill,
    [toolsFile]: tools,
    [orderFile]: order,
  });
  expect(diagnostics).toEqual([]);
  expect(files.map((file) => file.path)).toContain("order-desk/create-order.ts");
});

describe("the compiler", () => {
  test.each(Object.entries(mistakes))("stops at %s", async (_, mistake) => {
    const text = broken(mistake);
    const files = { [skillFile]: skill, [toolsFile]: text, [orderFile]: order };
    const compilation = await compileFiles(files);
    const errors = compilation.diagnostics.filter((each) => each.severity === "error");
    const { place, underlined } = placeOf(mistake.at, mistake.tool, text);
    const [code, ...message] = mistake.error.split(": ");
    expect(linesOf({ diagnostics: errors }, files)).toEqual([
      `${toolsFile}:${place} error ${code}: ${message.join(": ")}`,
    ]);
    expect(text.slice(errors[0]?.span.start, errors[0]?.span.end)).toBe(underlined);
    expect(errors[0]?.help).toContain(mistake.help);
    expect(compilation.files).toEqual([]);
  });
});
